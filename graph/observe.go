package graph

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

// Observer hears of what a store does, for metrics and traces. Its methods are
// called from many goroutines and have to be quick. Nothing that they are given
// holds text of memories.
type Observer interface {
	// Statement is called after a statement of package cypher: with the context
	// it ran under, its name, the time from sending it to its last row, and how
	// it failed.
	Statement(ctx context.Context, name string, took time.Duration, err error)
	// Session is called with 1 when a session with the database begins and with
	// −1 when it ends. Each needs a connection of the driver's pool.
	Session(change int)
}

// observedTx carries the observer to where statements are run.
type observedTx struct {
	neo4j.ManagedTransaction
	observer Observer
}

func (s *Store) observed(tx neo4j.ManagedTransaction) neo4j.ManagedTransaction {
	if s.observer == nil {
		return tx
	}
	return observedTx{tx, s.observer}
}

// observe begins a statement and gives what ends it.
func observe(ctx context.Context, tx neo4j.ManagedTransaction, st cypher.Statement) func(*error) {
	o, ok := tx.(observedTx)
	if !ok {
		return func(*error) {}
	}
	start := time.Now()
	return func(err *error) { o.observer.Statement(ctx, st.Name, time.Since(start), *err) }
}

// observedSession tells of its end.
type observedSession struct {
	neo4j.SessionWithContext
	observer Observer
}

// Close implements neo4j.SessionWithContext.
func (s observedSession) Close(ctx context.Context) error {
	s.observer.Session(-1)
	return s.SessionWithContext.Close(ctx)
}
