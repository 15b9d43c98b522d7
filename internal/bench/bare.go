package bench

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

//go:embed statements/*.cypher
var statements embed.FS

// statement gives the text of a file of the folder statements. It panics where
// there is no such file, which every test of this package would show.
func statement(name string) string {
	raw, err := statements.ReadFile("statements/" + name + ".cypher")
	if err != nil {
		panic("bench: no statement " + name)
	}
	var b strings.Builder
	b.WriteString("CYPHER 25\n")
	for line := range strings.Lines(string(raw)) {
		if !strings.HasPrefix(line, "//") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// rows runs one of this package's own statements as a managed read, which is how
// anybody would ask a server that may be a cluster, and gives all its rows.
func (b *Bench) rows(ctx context.Context, name string, params map[string]any) ([]*neo4j.Record, error) {
	return b.collect(ctx, name, statement(name), params)
}

func (b *Bench) collect(ctx context.Context, name, text string, params map[string]any) ([]*neo4j.Record, error) {
	session := b.driver().NewSession(ctx, neo4j.SessionConfig{DatabaseName: b.connect.Database, AccessMode: neo4j.AccessModeRead})
	defer session.Close(ctx)
	out, err := neo4j.ExecuteRead(ctx, session, func(tx neo4j.ManagedTransaction) ([]*neo4j.Record, error) {
		result, err := tx.Run(ctx, text, params)
		if err != nil {
			return nil, err
		}
		return result.Collect(ctx)
	})
	if err != nil {
		return nil, fmt.Errorf("statement %s: %w", name, err)
	}
	return out, nil
}

func (b *Bench) driver() neo4j.DriverWithContext { return b.store.Driver() }

// row runs a statement that gives one row, as a map.
func (b *Bench) row(ctx context.Context, name string, params map[string]any) (map[string]any, error) {
	rows, err := b.rows(ctx, name, params)
	if err != nil {
		return nil, err
	}
	if len(rows) != 1 {
		return nil, fmt.Errorf("statement %s gave %d rows instead of one", name, len(rows))
	}
	return rows[0].AsMap(), nil
}

// float64s gives a vector as the driver packs it fast.
func float64s(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}
