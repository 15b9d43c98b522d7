package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"relata/api"
	"relata/extractor"
	"relata/graph"
	"relata/internal/telemetry"
	"relata/migrations"
	"relata/relations"
)

// observedRelations are the vocabularies and diffs, each diff counted.
type observedRelations struct {
	*relations.Service
	telemetry *telemetry.Telemetry
}

var (
	_ api.Submitter       = observedRelations{}
	_ api.Editor          = observedRelations{}
	_ extractor.Submitter = observedRelations{}
	_ api.Observer        = (*telemetry.Telemetry)(nil)
	_ api.MetricsWriter   = (*telemetry.Telemetry)(nil)
)

// Submit applies a diff and counts it.
func (o observedRelations) Submit(ctx context.Context, s relations.Submission) (graph.Receipt, error) {
	return o.counted(o.Service.Submit(ctx, s))
}

// EditMemory changes a memory and counts the diff.
func (o observedRelations) EditMemory(ctx context.Context, e relations.Edit) (graph.Receipt, error) {
	return o.counted(o.Service.EditMemory(ctx, e))
}

// RemoveMemory retires a memory and counts the diff.
func (o observedRelations) RemoveMemory(ctx context.Context, space string, id graph.MemoryID, by string, dryRun bool) (graph.Receipt, error) {
	return o.counted(o.Service.RemoveMemory(ctx, space, id, by, dryRun))
}

func (o observedRelations) counted(r graph.Receipt, err error) (graph.Receipt, error) {
	if err == nil && o.telemetry != nil {
		o.telemetry.Diff(r)
	}
	return r, err
}

// observed gives the vocabularies with their diffs counted.
func (a *app) observed() observedRelations { return observedRelations{a.relations, a.telemetry} }

// closeTelemetry is how long the last traces may take to be sent.
const closeTelemetry = 5 * time.Second

// openTelemetry begins to measure; traces go where the configuration says.
func (a *app) openTelemetry(ctx context.Context, c *Config) error {
	o := telemetry.Options{Version: version, Logger: a.log}
	if c.OTLPEndpoint != "" {
		var err error
		if o.Spans, err = telemetry.NewExporter(ctx, c.OTLPEndpoint); err != nil {
			return err
		}
	}
	var err error
	if a.telemetry, err = telemetry.New(o); err != nil {
		return err
	}
	a.closers = append(a.closers, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, closeTelemetry)
		defer cancel()
		return a.telemetry.Close(ctx)
	})
	return nil
}

// readiness adds to what the store knows of itself whether its schema is that of
// this build.
type readiness struct {
	store *graph.Store
	db    migrations.Database
}

var _ api.Readiness = readiness{}

// Ready gives the store's checks, and "migrations" behind "database".
func (r readiness) Ready(ctx context.Context) []graph.Check {
	checks := r.store.Ready(ctx)
	if len(checks) == 1 {
		return checks // the database does not answer
	}
	return append([]graph.Check{checks[0], {Name: "migrations", Err: r.migrations(ctx)}}, checks[1:]...)
}

func (r readiness) migrations(ctx context.Context) error {
	todo, err := migrations.Pending(ctx, r.db)
	switch {
	case err != nil:
		return graph.WrapError(graph.CodeUnavailable, err, "the schema of the database is not that of this build, or cannot be told: run relata migrate --dry-run")
	case len(todo) > 0:
		return graph.Errorf(graph.CodeUnavailable, "the database lacks %d migrations (first %s): run relata migrate", len(todo), todo[0].Name())
	}
	return nil
}

// check fails with each check that does, for a start that would serve wrongly.
func (r readiness) check(ctx context.Context) error {
	var failed []error
	for _, c := range r.Ready(ctx) {
		if c.Err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", c.Name, c.Err))
		}
	}
	return errors.Join(failed...)
}
