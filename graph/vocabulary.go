package graph

import (
	"context"

	"relata/cypher"
)

var relationList = cypher.Load("relation_list")

// Relations gives a space's vocabulary in order of date and key, with the
// number of current memories that use each.
func (s *Store) Relations(ctx context.Context, space string) ([]Relation, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	return read(ctx, s, relationList, map[string]any{"space": space}, func(r record) (Relation, error) {
		rel := toRelation(r.node("relation"))
		rel.Uses = int(r.int("uses"))
		return rel, nil
	})
}
