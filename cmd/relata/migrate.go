package main

import (
	"context"
	"errors"
	"fmt"

	"relata/graph"
	"relata/internal/localdb"
	"relata/migrations"
)

type migrateCmd struct {
	DryRun bool `name:"dry-run" help:"Only say what would be done."`
}

// Run migrates the configured database, or the private one.
func (m *migrateCmd) Run(ctx context.Context, c *Config, std streams) error {
	options := graph.Options{URI: c.Neo4jURI, User: c.Neo4jUser, Password: string(c.Neo4jPassword), Database: c.Neo4jDatabase}
	if c.Neo4jURI == "" {
		local, err := localdb.Start(ctx, c.local(std.err))
		if err != nil {
			return err
		}
		options.URI, options.User = local.BoltURI, local.User
		options.Password, err = local.Password()
		if err != nil {
			return err
		}
	}
	store, err := graph.Open(options)
	if err != nil {
		return err
	}
	return errors.Join(m.migrate(ctx, migrations.Database{Driver: store.Driver(), Name: store.Database()}, std), store.Close(context.WithoutCancel(ctx)))
}

func (m *migrateCmd) migrate(ctx context.Context, db migrations.Database, std streams) error {
	run, verb := migrations.Migrate, "applied"
	if m.DryRun {
		run, verb = migrations.Pending, "pending"
	}
	list, err := run(ctx, db)
	for _, x := range list {
		fmt.Fprintln(std.out, verb, x.Name())
	}
	if err == nil && len(list) == 0 {
		fmt.Fprintln(std.out, "the database is up to date")
	}
	return err
}
