package graph

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

// ask runs one reading statement and maps its rows, like [read], in a single
// exchange with the server: the transaction is the statement's own. What the
// server calls transient is tried again as [read] does.
func ask[T any](ctx context.Context, s *Store, st cypher.Statement, params map[string]any, row func(record) (T, error)) ([]T, error) {
	out, err := func() ([]T, error) {
		session := s.session(ctx, neo4j.AccessModeRead)
		defer session.Close(ctx)
		return run(ctx, s.observed(single{session: session, config: s.txConfig(st.Name)}), st, params, row)
	}()
	if neo4j.IsRetryable(err) && ctx.Err() == nil {
		return read(ctx, s, st, params, row)
	}
	return out, translate(st.Name, err)
}

// single is a transaction of one statement, which the server opens and closes
// with it. Nothing but Run may be called.
type single struct {
	neo4j.ManagedTransaction
	session neo4j.SessionWithContext
	config  func(*neo4j.TransactionConfig)
}

// Run implements neo4j.ManagedTransaction.
func (t single) Run(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error) {
	return t.session.Run(ctx, text, params, t.config)
}
