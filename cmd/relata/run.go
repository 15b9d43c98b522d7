package main

import (
	"context"
	"errors"
	"io"

	"github.com/alecthomas/kong"
)

// streams are the terminal, injected for tests.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// cli is the whole command line. Each flag has its twin in the environment.
type cli struct {
	Config

	Serve    serveCmd    `cmd:"" help:"Serve the HTTP API."`
	Demo     demoCmd     `cmd:"" help:"Run the sample world through the real pipeline and show what comes out."`
	Ingest   ingestCmd   `cmd:"" help:"Read chats from JSON files into a space."`
	Search   searchCmd   `cmd:"" help:"Ask a space questions."`
	WhoKnows whoKnowsCmd `cmd:"" help:"Ask who knows something, or what a persona knows."`
	Path     pathCmd     `cmd:"" help:"Show how two entities hang together."`
	MCP      mcpCmd      `cmd:"" name:"mcp" help:"Speak the Model Context Protocol on stdin and stdout, for an agent that starts this command."`
	Export   exportCmd   `cmd:"" help:"Write everything of a space as JSON Lines."`
	Import   importCmd   `cmd:"" help:"Read JSON Lines into a space: an export, or memories of your own."`
	Prompts  promptsCmd  `cmd:"" help:"Look at what models are asked."`
	Migrate  migrateCmd  `cmd:"" help:"Bring the database to the schema of this build."`
	Reembed  reembedCmd  `cmd:"" help:"Move all vectors to the configured embedder. Servers must be stopped, see --prepare."`
	DB       dbCmd       `cmd:"" name:"db" help:"Manage the private local database."`
	Health   healthCmd   `cmd:"" help:"Ask a running server whether it is alive, for container health checks."`
	Bench    benchCmd    `cmd:"" help:"Measure searches and writes on synthetic memories, beside bare queries."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

// errUsage ends a run whose usage text is already on the screen.
var errUsage = errors.New("see `relata --help`")

// run parses args and runs the command. It returns what main prints as the one
// line of an error.
func run(ctx context.Context, args []string, std streams, getenv func(string) string) error {
	var c cli
	exited := false
	parser, err := kong.New(
		&c,
		kong.Name("relata"),
		kong.Description("Long-term memory for conversational agents, as a knowledge graph in Neo4j."),
		kong.Writers(std.out, std.err),
		kong.Exit(func(int) { exited = true }),
		kong.Resolvers(environment(getenv)),
		kong.UsageOnError(),
		kong.Vars{"gemini": defaultGemini},
	)
	if err != nil {
		return err
	}
	k, err := parser.Parse(args)
	if exited { // --help
		return nil
	}
	if err != nil {
		return errors.Join(err, errUsage)
	}
	c.Config.getenv = getenv
	if err := c.Config.complete(); err != nil {
		return err
	}
	k.BindTo(ctx, (*context.Context)(nil))
	return k.Run(&c.Config, std)
}

// environment resolves flags from RELATA_… variables through an injected lookup,
// so that tests need not touch the process's environment.
func environment(getenv func(string) string) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		for _, name := range flag.Tag.GetAll("var") {
			if v := getenv(name); v != "" {
				return v, nil
			}
		}
		return nil, nil
	})
}
