package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"relata/embed"
	"relata/graph"
	"relata/internal/bench"
	"relata/internal/localdb"
	"relata/migrations"
)

type benchCmd struct {
	Search  benchSearchCmd  `cmd:"" help:"Searches beside the bare filtered vector query."`
	Apply   benchApplyCmd   `cmd:"" help:"Diffs beside bare transactions with the same writes."`
	Import  benchImportCmd  `cmd:"" help:"Bulk writes with the indexes live."`
	Scale   benchScaleCmd   `cmd:"" help:"Searches and diffs while the database grows, to --memories."`
	Prompt  benchPromptCmd  `cmd:"" help:"How large the prompt of a batch is while a space grows."`
	Profile benchProfileCmd `cmd:"" help:"PROFILE every statement that searches and diffs run."`
	Recall  benchRecallCmd  `cmd:"" help:"How well searches find the evidence of evaluation packs, beside BM25."`
}

// benchFlags are common to all of them. Without --neo4j-uri a bench runs on a
// private database of its own in the cache folder; the loaded data stay there, so
// that the next run on the same size and seed begins at once.
type benchFlags struct {
	Memories int     `default:"100000" help:"How many synthetic memories."`
	Spaces   int     `default:"50" help:"In how many spaces; half of the memories are in the largest."`
	Seed     uint64  `default:"1" help:"The same seed makes the same memories."`
	Rounds   int     `default:"100" help:"How often each thing is measured."`
	Duration float64 `default:"5" help:"How long each thing is measured under concurrency, in seconds."`
	Fresh    bool    `help:"Load the data anew."`
	Keep     bool    `help:"Leave the database running afterwards."`
	JSON     bool    `name:"json" help:"Print JSON."`
}

type benchSearchCmd struct {
	benchFlags
}

// Run measures searches.
func (f *benchSearchCmd) Run(ctx context.Context, c *Config, std streams) error {
	return f.run(ctx, c, std, "search", true, (*bench.Bench).Search)
}

type benchApplyCmd struct {
	benchFlags
}

// Run measures diffs.
func (f *benchApplyCmd) Run(ctx context.Context, c *Config, std streams) error {
	return f.run(ctx, c, std, "apply", true, (*bench.Bench).Apply)
}

type benchImportCmd struct {
	benchFlags
}

// Run measures loading: into an empty database, or beside what a database of the
// user's own holds.
func (f *benchImportCmd) Run(ctx context.Context, c *Config, std streams) error {
	f.Fresh = true
	return f.run(ctx, c, std, "import", false, (*bench.Bench).Import)
}

type benchScaleCmd struct {
	benchFlags
}

// Run measures at growing sizes.
func (f *benchScaleCmd) Run(ctx context.Context, c *Config, std streams) error {
	f.Fresh = true
	return f.run(ctx, c, std, "scale", false, (*bench.Bench).Scale)
}

type benchPromptCmd struct {
	benchFlags
}

// Run measures how large prompts grow.
func (f *benchPromptCmd) Run(ctx context.Context, c *Config, std streams) error {
	f.Fresh = true
	return f.run(ctx, c, std, "prompt", false, (*bench.Bench).Prompts)
}

type benchProfileCmd struct {
	benchFlags
}

// Run profiles statements.
func (f *benchProfileCmd) Run(ctx context.Context, c *Config, std streams) error {
	return f.run(ctx, c, std, "profile", true, (*bench.Bench).Profile)
}

// run opens the bench's database, loads the data where that is wanted, measures
// and reports.
func (f *benchFlags) run(ctx context.Context, c *Config, std streams, name string, load bool,
	measure func(*bench.Bench, context.Context) ([]bench.Table, error),
) error {
	progress := func(line string) { fmt.Fprintln(std.err, line) }
	options := bench.Options{
		World:  bench.WorldOptions{Memories: f.Memories, Spaces: f.Spaces, Seed: f.Seed},
		Rounds: f.Rounds, Seconds: f.Duration, Progress: progress,
		Connect: graph.Options{
			URI: c.Neo4jURI, User: c.Neo4jUser, Password: string(c.Neo4jPassword), Database: c.Neo4jDatabase, Logger: c.logger(std.err),
		},
	}
	if name == "search" && c.Embedder == "local" {
		dir, err := embed.EnsureModel(ctx, c.CacheDir, progress)
		if err != nil {
			return err
		}
		options.Real = embed.NewLocal(embed.LocalOptions{Dir: dir})
	}
	if c.Neo4jURI != "" {
		return f.measure(ctx, options, std, name, load, measure)
	}
	private := c.local(std.err)
	private.DataDir = filepath.Join(c.CacheDir, f.folder(load, name))
	private.Empty = f.Fresh
	local, err := localdb.Start(ctx, private)
	if err != nil {
		return err
	}
	options.Connect.URI, options.Connect.User, options.ServerPID = local.BoltURI, local.User, local.PID
	options.Connect.Password, err = local.Password()
	if err == nil {
		err = f.measure(ctx, options, std, name, load, measure)
	}
	if f.Keep || local.Reused {
		return err
	}
	return errors.Join(err, localdb.Stop(context.WithoutCancel(ctx), private, localdb.StopOptions{}))
}

// folder names the private database: one for each set of data that is kept, and
// one for the benches that load as they go.
func (f *benchFlags) folder(load bool, name string) string {
	if !load {
		return "bench-db-" + name
	}
	return fmt.Sprintf("bench-db-v%d-%d-%d-%d", bench.Version, f.Memories, f.Spaces, f.Seed)
}

func (f *benchFlags) measure(ctx context.Context, o bench.Options, std streams, name string, load bool,
	measure func(*bench.Bench, context.Context) ([]bench.Table, error),
) error {
	b, err := bench.Open(o)
	if err != nil {
		return err
	}
	report, err := f.report(ctx, b, o, name, load, measure)
	if err := errors.Join(err, b.Close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	if f.JSON {
		return report.WriteJSON(std.out)
	}
	return report.WriteText(std.out)
}

func (f *benchFlags) report(ctx context.Context, b *bench.Bench, o bench.Options, name string, load bool,
	measure func(*bench.Bench, context.Context) ([]bench.Table, error),
) (bench.Report, error) {
	db := migrations.Database{Driver: b.Store().Driver(), Name: b.Store().Database()}
	if err := f.prepare(ctx, db, o.ServerPID != 0, b.World.Dimensions); err != nil {
		return bench.Report{}, err
	}
	machine, err := b.Machine(ctx)
	if err != nil {
		return bench.Report{}, err
	}
	if f.Fresh {
		if err := b.Erase(ctx, b.World); err != nil {
			return bench.Report{}, err
		}
	}
	var tables []bench.Table
	if load {
		loading, err := b.Load(ctx, b.World)
		if err != nil {
			return bench.Report{}, err
		}
		if loading.Loaded > 0 {
			tables = append(tables, loading.Table())
		}
	}
	measured, err := measure(b, ctx)
	if err != nil {
		return bench.Report{}, err
	}
	return b.Report(ctx, "relata bench "+name, machine, append(tables, measured...))
}

// prepare brings a private database to the schema of this build; one of the
// user's own has to have it.
func (f *benchFlags) prepare(ctx context.Context, db migrations.Database, private bool, dimensions int) error {
	if private {
		if _, err := migrations.Migrate(ctx, db); err != nil {
			return err
		}
		return migrations.EnsureVectors(ctx, db, migrations.Model{Name: "bench", Dimensions: dimensions})
	}
	if err := current(ctx, db); err != nil {
		return err
	}
	model, err := migrations.StoredModel(ctx, db)
	if err != nil {
		return err
	}
	if model.Dimensions != dimensions {
		return fmt.Errorf("the vectors of this database have %d dimensions, those of the bench %d: use a database with the local embedder, or leave --neo4j-uri out",
			model.Dimensions, dimensions)
	}
	return nil
}
