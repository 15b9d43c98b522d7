package graph

import (
	"context"
	"time"

	"relata/cypher"
)

// Call is one statement that the store ran.
type Call struct {
	Statement  string // its name in package cypher
	Text       string
	Params     map[string]any // must not be changed
	Start, End time.Time      // from sending it to its last row
}

type traceKey struct{}

// WithTrace gives a context under which fn hears of every statement that the
// store ran, after its last row. fn may be called from several goroutines at
// once. It is for measuring.
func WithTrace(ctx context.Context, fn func(Call)) context.Context {
	return context.WithValue(ctx, traceKey{}, fn)
}

// trace begins a statement and gives what ends it.
func trace(ctx context.Context, st cypher.Statement, params map[string]any) func() {
	fn, ok := ctx.Value(traceKey{}).(func(Call))
	if !ok {
		return func() {}
	}
	start := time.Now()
	return func() { fn(Call{st.Name, st.Text, params, start, time.Now()}) }
}
