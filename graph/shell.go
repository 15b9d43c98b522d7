package graph

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

// Query runs a statement of the user's own and gives its rows as plain maps,
// for `relata db shell`: nodes and relationships as maps of their properties,
// vectors left out. Nothing else in Relata uses it.
func (s *Store) Query(ctx context.Context, statement string) ([]map[string]any, error) {
	st := cypher.Statement{Name: "shell", Text: statement}
	return write(ctx, s, st, nil, func(r record) (map[string]any, error) {
		row := make(map[string]any, len(r.Keys))
		for i, key := range r.Keys {
			row[key] = plain(r.Values[i])
		}
		return row, nil
	})
}

// plain turns nodes, relationships and paths into what JSON can show.
func plain(v any) any {
	switch x := v.(type) {
	case neo4j.Node:
		return map[string]any{"labels": x.Labels, "properties": plain(x.Props)}
	case neo4j.Relationship:
		return map[string]any{"type": x.Type, "properties": plain(x.Props)}
	case neo4j.Path:
		nodes := make([]any, len(x.Nodes))
		for i, n := range x.Nodes {
			nodes[i] = plain(n)
		}
		edges := make([]any, len(x.Relationships))
		for i, r := range x.Relationships {
			edges[i] = plain(r)
		}
		return map[string]any{"nodes": nodes, "relationships": edges}
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			if k != "embedding" { // hundreds of numbers that nobody reads
				out[k] = plain(e)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = plain(e)
		}
		return out
	}
	return v
}
