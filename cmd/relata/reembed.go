package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"relata/graph"
	"relata/migrations"
)

type reembedCmd struct {
	Prepare bool `help:"Only compute the new vectors, beside those in use: servers may go on meanwhile. Stop them, then run this again without the flag."`
}

// Run moves the database to the configured embedder.
func (r *reembedCmd) Run(ctx context.Context, c *Config, std streams) (err error) {
	a := &app{log: c.logger(std.err)}
	defer func() { err = errors.Join(err, a.close(context.WithoutCancel(ctx))) }()
	if err := a.openTelemetry(ctx, c); err != nil {
		return err
	}
	to, err := a.connect(ctx, c, std.err)
	if err != nil {
		return err
	}
	from, err := migrations.Reembedding{
		DB: a.database(), To: to, Embedder: a.store, Prepare: r.Prepare, Progress: phases(std.err),
	}.Run(ctx)
	same := errors.Is(err, migrations.ErrSameModel)
	switch {
	case err != nil && !same:
		return err
	case r.Prepare && !same:
		fmt.Fprintf(std.out, "the vectors of %s are ready: stop the servers and run relata reembed\n", to)
		return nil
	}
	// Also where nothing was moved: an earlier move may have been cut off here.
	if err := fillGlosses(ctx, a.store); err != nil {
		return err
	}
	if same {
		fmt.Fprintf(std.out, "the vectors come from %s already\n", to)
		return nil
	}
	fmt.Fprintf(std.out, "moved from %s to %s\n", from, to)
	return nil
}

// phases tells how far a move is, at each tenth.
func phases(w io.Writer) func(phase string, done, total int) {
	phase, tenth := "", -1
	return func(now string, done, total int) {
		at := 10 * done / max(total, 1)
		if now == phase && at == tenth {
			return
		}
		phase, tenth = now, at
		fmt.Fprintf(w, "%s: %d of %d memories\n", now, done, total)
	}
}

// fillGlosses embeds what the relations of all spaces mean, where that is missing.
func fillGlosses(ctx context.Context, store *graph.Store) error {
	spaces, err := store.Spaces(ctx)
	if err != nil {
		return err
	}
	for _, s := range spaces {
		if err := store.FillGlosses(ctx, s.Name); err != nil {
			return fmt.Errorf("embed the relations of %s: %w", s.Name, err)
		}
	}
	return nil
}
