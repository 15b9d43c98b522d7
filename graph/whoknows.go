package graph

import (
	"cmp"
	"context"
	"slices"

	"relata/cypher"
)

var awarenessRead = cypher.Load("awareness_read")

// Known is a memory with those aware of it.
type Known struct {
	ID      MemoryID
	Content string
	// KnownBy are personas before people, then who knew it first. Entity.Key,
	// Name and ID are set, Persona says which kind.
	KnownBy []Awareness
}

// WhoKnowsQuery asks who is aware of memories.
type WhoKnowsQuery struct {
	About     string   // what the memories are about, in natural language
	Memory    MemoryID // or one memory; 0 for none
	Limit     int      // memories at most, 1–50, 0 for 10
	AsPersona string   // only memories that this persona is aware of, and of who knows them itself
}

// WhoKnows gives current memories with those aware of them: the ones that match
// a question best, best first, or one memory, current or retired. Errors:
// CodeNotFound for the space, the persona or the memory, CodeInvalid where not
// exactly one of About and Memory is given.
func (s *Store) WhoKnows(ctx context.Context, space string, q WhoKnowsQuery) ([]Known, error) {
	switch {
	case (Fold(q.About) == "") == (q.Memory == 0):
		return nil, &Error{
			Code: CodeInvalid, Message: "either a text or the number of a memory is needed",
			Fields: []Field{{"about", "must be given, and not blank, where memory_id is not"}},
		}
	case q.Limit < 0 || q.Limit > 50:
		return nil, &Error{Code: CodeInvalid, Message: "the limit is out of range", Fields: []Field{{"limit", "must be between 1 and 50"}}}
	}
	if q.Memory != 0 {
		known, err := s.Awareness(ctx, space, q.Memory, q.AsPersona)
		return []Known{known}, err
	}
	limit := cmp.Or(q.Limit, 10)
	results, err := s.Search(ctx, SearchRequest{
		Space: space, AsPersona: q.AsPersona,
		Queries: []Query{{Memory: q.About, All: true, Limit: max(limit, 10)}},
	})
	if err != nil {
		return nil, err
	}
	if results[0].Err != nil {
		return nil, results[0].Err
	}
	var ids []MemoryID
	for _, h := range results[0].Hints[:min(limit, len(results[0].Hints))] {
		ids = append(ids, h.ID)
	}
	found, err := s.awareness(ctx, space, ids, q.AsPersona)
	out := make([]Known, 0, len(ids))
	for _, id := range ids {
		if k, ok := found[id]; ok {
			out = append(out, k)
		}
	}
	return out, err
}

// Awareness gives one memory, current or retired, with those aware of it. A
// persona sees of them itself alone. Errors: CodeNotFound for the space, the
// persona, and a memory that is not there or that the persona is not aware of.
func (s *Store) Awareness(ctx context.Context, space string, id MemoryID, asPersona string) (Known, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return Known{}, err
	}
	found, err := s.awareness(ctx, space, []MemoryID{id}, asPersona)
	if err != nil {
		return Known{}, err
	}
	k, ok := found[id]
	if !ok {
		return Known{}, noMemory(space, id)
	}
	return k, nil
}

func (s *Store) awareness(ctx context.Context, space string, ids []MemoryID, asPersona string) (map[MemoryID]Known, error) {
	out := make(map[MemoryID]Known, len(ids))
	persona, err := s.askerID(ctx, space, asPersona)
	if err != nil || len(ids) == 0 {
		return out, err
	}
	_, err = read(ctx, s, awarenessRead, map[string]any{"space": space, "ids": int64s(ids), "persona": persona}, func(r record) (struct{}, error) {
		k := Known{ID: MemoryID(r.int("id")), Content: r.text("content"), KnownBy: []Awareness{}}
		for _, f := range r.nodes("aware") {
			k.KnownBy = append(k.KnownBy, toAwareness(f))
		}
		slices.SortFunc(k.KnownBy, func(a, b Awareness) int {
			if a.Persona != b.Persona {
				if a.Persona {
					return -1
				}
				return 1
			}
			return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Entity.ID, b.Entity.ID))
		})
		out[k.ID] = k
		return struct{}{}, nil
	})
	return out, err
}
