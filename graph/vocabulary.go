package graph

import (
	"context"

	"relata/cypher"
)

var relationList = cypher.Load("relation_list")

// Relations gives a space's vocabulary in order of date and key, with the
// number of current memories that use each. A persona sees the relations of what
// it is aware of, and their uses there. Errors: CodeNotFound for the space or the
// persona.
func (s *Store) Relations(ctx context.Context, space, asPersona string) ([]Relation, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	persona, err := s.askerID(ctx, space, asPersona)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, relationList, map[string]any{"space": space, "persona": persona}, func(r record) (Relation, error) {
		rel := toRelation(r.node("relation"))
		rel.Uses = int(r.int("uses"))
		return rel, nil
	})
}
