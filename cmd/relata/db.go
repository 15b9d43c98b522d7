package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"relata/graph"
	"relata/internal/localdb"
)

type dbCmd struct {
	Start   dbStartCmd   `cmd:"" help:"Start the private database, or find it running."`
	Stop    dbStopCmd    `cmd:"" help:"Stop it."`
	Status  dbStatusCmd  `cmd:"" help:"Say whether it runs, and where."`
	Shell   dbShellCmd   `cmd:"" help:"Run Cypher from arguments or standard input."`
	Browser dbBrowserCmd `cmd:"" help:"Say how to open Neo4j Browser and log in."`
}

type dbStartCmd struct{}

// Run starts the database and prints where it is.
func (dbStartCmd) Run(ctx context.Context, c *Config, std streams) error {
	local, err := localdb.Start(ctx, c.local(std.err))
	if err != nil {
		return err
	}
	verb := "started"
	if local.Reused {
		verb = "runs already"
	}
	_, err = fmt.Fprintf(std.out, "Neo4j %s %s: %s, process %d, data in %s\n", local.Version, verb, local.BoltURI, local.PID, local.DataDir)
	return err
}

type dbStopCmd struct {
	Force bool `help:"Kill it if it does not end in time."`
}

// Run stops the database and waits for its end.
func (d *dbStopCmd) Run(ctx context.Context, c *Config, std streams) error {
	err := localdb.Stop(ctx, c.local(std.err), localdb.StopOptions{Force: d.Force})
	if localdb.ErrorCode(err) == localdb.CodeNotRunning {
		_, err = fmt.Fprintln(std.out, "it does not run")
	}
	return err
}

type dbStatusCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints the state.
func (d *dbStatusCmd) Run(ctx context.Context, c *Config, std streams) error {
	st, err := localdb.Status(ctx, c.local(std.err))
	if err != nil {
		return err
	}
	if d.JSON {
		return json.NewEncoder(std.out).Encode(st)
	}
	_, err = fmt.Fprintf(std.out, "%s\n  Neo4j    %s, process %d\n  Bolt     %s\n  Browser  %s\n  user     %s, password in %s\n  data     %s\n",
		st.State, st.Version, st.PID, st.Bolt, st.Browser, st.User, st.PasswordFile, st.DataDir)
	return err
}

type dbShellCmd struct {
	Statement []string `arg:"" optional:"" help:"Statements; standard input if left out."`
}

// Run runs statements one by one and prints each row as a line of JSON.
func (d *dbShellCmd) Run(ctx context.Context, c *Config, std streams) error {
	local, err := localdb.Start(ctx, c.local(std.err))
	if err != nil {
		return err
	}
	password, err := local.Password()
	if err != nil {
		return err
	}
	store, err := graph.Open(graph.Options{URI: local.BoltURI, User: local.User, Password: password})
	if err != nil {
		return err
	}
	return errors.Join(d.run(ctx, store, std), store.Close(context.WithoutCancel(ctx)))
}

func (d *dbShellCmd) run(ctx context.Context, store *graph.Store, std streams) error {
	statements, err := statementsOf(d.Statement, std.in)
	if err != nil {
		return err
	}
	out := json.NewEncoder(std.out)
	out.SetEscapeHTML(false)
	for _, st := range statements {
		rows, err := store.Query(ctx, st)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := out.Encode(row); err != nil {
				return err
			}
		}
	}
	return nil
}

type dbBrowserCmd struct{}

// Run prints how to log in; the password itself is printed only to a terminal's
// owner, who may read the file anyway.
func (dbBrowserCmd) Run(ctx context.Context, c *Config, std streams) error {
	local, err := localdb.Start(ctx, c.local(std.err))
	if err != nil {
		return err
	}
	return printBrowser(local, std)
}

func printBrowser(local *localdb.Instance, std streams) error {
	password, err := os.ReadFile(local.PasswordFile)
	if err != nil {
		return fmt.Errorf("read the password: %w", err)
	}
	_, err = fmt.Fprintf(std.out, "Neo4j Browser  %s\n  connect to   %s\n  user         %s\n  password     %s\n",
		local.BrowserURL, local.BoltURI, local.User, password)
	return err
}
