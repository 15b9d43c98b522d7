package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"relata/graph"
	"relata/relations"
)

// Options configure a [Bench].
type Options struct {
	World WorldOptions
	// Connect says where the database is. Its embedders are not used.
	Connect graph.Options
	// Real is the embedder for what is measured with the embedding; nil leaves
	// that out. It should not remember texts.
	Real graph.Embedder
	// Rounds is how often each thing is measured; 0 for 100.
	Rounds int
	// Seconds is how long each thing is measured under concurrency; 0 for 5.
	Seconds float64
	// Workers are how many search at once; nil for 1, 8 and 32.
	Workers []int
	// ServerPID is the process of a server on this machine, for its memory; 0 for none.
	ServerPID int
	// Progress receives short lines for a person who waits; nil for none.
	Progress func(string)
}

// Bench measures on one database.
type Bench struct {
	World *World

	connect   graph.Options
	store     *graph.Store // with the world's embedder
	real      *graph.Store // with the real one; nil for none
	service   *relations.Service
	rounds    int
	seconds   float64
	workers   []int
	serverPID int
	progress  func(string)
}

// Open makes a bench. It does not connect yet. The database has to be migrated,
// and its vector index to have the world's dimensions: see [Bench.Store].
func Open(o Options) (*Bench, error) {
	w, err := NewWorld(o.World)
	if err != nil {
		return nil, err
	}
	if o.Connect.Logger == nil {
		o.Connect.Logger = slog.New(slog.DiscardHandler)
	}
	b := &Bench{
		World: w, connect: o.Connect, rounds: o.Rounds, seconds: o.Seconds,
		workers: o.Workers, serverPID: o.ServerPID, progress: o.Progress,
	}
	if b.rounds == 0 {
		b.rounds = 100
	}
	if b.seconds == 0 {
		b.seconds = 5
	}
	if b.workers == nil {
		b.workers = []int{1, 8, 32}
	}
	if b.progress == nil {
		b.progress = func(string) {}
	}
	if b.store, err = open(o.Connect, w.Embedder); err != nil {
		return nil, err
	}
	if o.Real != nil {
		if b.real, err = open(o.Connect, o.Real); err != nil {
			return nil, errors.Join(err, b.Close(context.Background()))
		}
	}
	b.service = relations.NewService(relations.ServiceOptions{Store: b.store})
	return b, nil
}

func open(o graph.Options, e graph.Embedder) (*graph.Store, error) {
	o.Embedder, o.Queries = e, nil
	return graph.Open(o)
}

// Store is the store that the bench works with, for migrating its database.
func (b *Bench) Store() *graph.Store { return b.store }

// Close gives back all connections.
func (b *Bench) Close(ctx context.Context) error {
	err := b.store.Close(ctx)
	if b.real != nil {
		err = errors.Join(err, b.real.Close(ctx))
	}
	return err
}

func (b *Bench) say(format string, args ...any) { b.progress(fmt.Sprintf(format, args...)) }
