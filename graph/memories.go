package graph

import (
	"context"

	"relata/cypher"
)

var (
	memoryGet     = cypher.Load("memory_get")
	memoryList    = cypher.Load("memory_list")
	retiredList   = cypher.Load("retired_list")
	memoryHistory = cypher.Load("memory_history")
	entityResolve = cypher.Load("entity_resolve")
)

// Memory gives one memory, current or retired. Errors: CodeNotFound.
func (s *Store) Memory(ctx context.Context, space string, id MemoryID) (Memory, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return Memory{}, err
	}
	found, err := s.memoriesByID(ctx, space, []MemoryID{id})
	if err != nil {
		return Memory{}, err
	}
	m, ok := found[id]
	if !ok {
		return Memory{}, noMemory(space, id)
	}
	return m, nil
}

func noMemory(space string, id MemoryID) *Error {
	return Errorf(CodeNotFound, "the space %q has no memory %d", space, id)
}

func (s *Store) memoriesByID(ctx context.Context, space string, ids []MemoryID) (map[MemoryID]Memory, error) {
	out := make(map[MemoryID]Memory, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	rows, err := read(ctx, s, memoryGet, map[string]any{"space": space, "ids": int64s(ids)}, toFullMemory)
	for _, m := range rows {
		out[m.ID] = m
	}
	return out, err
}

// History gives a memory with all that it replaced and that replaced it, oldest
// first. Errors: CodeNotFound.
func (s *Store) History(ctx context.Context, space string, id MemoryID) ([]Memory, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	rows, err := read(ctx, s, memoryHistory, map[string]any{"space": space, "id": int64(id)}, toFullMemory)
	if err == nil && len(rows) == 0 {
		err = noMemory(space, id)
	}
	return rows, err
}

// Memories lists memories in order of id. A subject or object that the space
// does not know gives an empty page. Errors: CodeNotFound for the space or the
// persona, CodeInvalid.
func (s *Store) Memories(ctx context.Context, space string, f MemoryFilter) (Page[Memory], error) {
	var empty Page[Memory]
	if _, err := s.Space(ctx, space); err != nil {
		return empty, err
	}
	after, err := readCursor(f.Cursor, 0)
	if err != nil {
		return empty, err
	}
	limit, err := pageSize(f.Limit)
	if err != nil {
		return empty, err
	}
	params := map[string]any{
		"space": space, "after": after, "limit": limit + 1,
		"relation": textOrNull(f.Relation), "session": textOrNull(f.Session),
		"index0": nil, "index1": nil, "subject": nil, "object": nil, "persona": nil,
	}
	if f.Index0 != "" {
		c, err := ParseCategory(f.Index0, f.Index1)
		if err != nil {
			return empty, err
		}
		params["index0"], params["index1"] = c.Index0, textOrNull(c.Index1)
	} else if f.Index1 != "" {
		return empty, Errorf(CodeInvalid, "index1 needs an index0")
	}
	if params["persona"], err = s.askerID(ctx, space, f.AsPersona); err != nil {
		return empty, err
	}
	for param, name := range map[string]string{"subject": f.Subject, "object": f.Object} {
		if name == "" {
			continue
		}
		ref, ok, err := s.Resolve(ctx, space, name)
		if err != nil {
			return empty, err
		}
		if !ok {
			return page([]Memory{}, limit, nil), nil
		}
		params[param] = int64(ref.ID)
	}
	st := memoryList
	if f.Retired {
		st = retiredList
	}
	rows, err := read(ctx, s, st, params, toFullMemory)
	if err != nil {
		return empty, err
	}
	return page(rows, limit, func(m Memory) int64 { return int64(m.ID) }), nil
}

// Resolve gives the entity that a name means, by a declared alias or by its key.
func (s *Store) Resolve(ctx context.Context, space, name string) (EntityRef, bool, error) {
	rows, err := read(ctx, s, entityResolve, map[string]any{"space": space, "key": EntityKey(name)}, func(r record) (EntityRef, error) {
		f := r.node("entity")
		return EntityRef{ID: EntityID(f.int("id")), Key: f.text("key"), Name: f.text("name"), Persona: f.bool("persona")}, nil
	})
	if err != nil || len(rows) == 0 {
		return EntityRef{}, false, err
	}
	return rows[0], true, nil
}
