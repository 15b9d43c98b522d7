package graph

import (
	"context"

	"relata/cypher"
)

var (
	memoryGet      = cypher.Load("memory_get")
	memoryList     = cypher.Load("memory_list")
	memoryListFrom = cypher.Load("memory_list_from")
	retiredList    = cypher.Load("retired_list")
	memoryHistory  = cypher.Load("memory_history")
	entityResolve  = cypher.Load("entity_resolve")
)

// Memory gives one memory, current or retired, as a persona sees it where one
// asks: of its sources the messages of batches where it was present, of who
// knows it and of what it replaced what it knows itself. Errors: CodeNotFound for
// the space, the persona, and a memory that is not there or that the persona is
// not aware of.
func (s *Store) Memory(ctx context.Context, space string, id MemoryID, asPersona string) (Memory, error) {
	found, err := s.MemoriesByID(ctx, space, []MemoryID{id}, asPersona)
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

// MemoriesByID gives those of some memories, current or retired, that the space
// has and the asker is aware of. Errors: CodeNotFound for the space or the persona.
func (s *Store) MemoriesByID(ctx context.Context, space string, ids []MemoryID, asPersona string) (map[MemoryID]Memory, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	persona, err := s.askerID(ctx, space, asPersona)
	if err != nil {
		return nil, err
	}
	return s.memoriesByID(ctx, space, ids, persona)
}

// memoriesByID reads memories as a persona (its id, or nil) sees them.
func (s *Store) memoriesByID(ctx context.Context, space string, ids []MemoryID, persona any) (map[MemoryID]Memory, error) {
	out := make(map[MemoryID]Memory, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	rows, err := read(ctx, s, memoryGet, map[string]any{"space": space, "ids": int64s(ids), "persona": persona}, toFullMemory)
	for _, m := range rows {
		out[m.ID] = m
	}
	return out, err
}

// History gives a memory with all that it replaced and that replaced it, oldest
// first, as far as a persona that asks is aware of it. Errors as for
// [Store.Memory].
func (s *Store) History(ctx context.Context, space string, id MemoryID, asPersona string) ([]Memory, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	persona, err := s.askerID(ctx, space, asPersona)
	if err != nil {
		return nil, err
	}
	rows, err := read(ctx, s, memoryHistory, map[string]any{"space": space, "id": int64(id), "persona": persona}, toFullMemory)
	if err == nil && len(rows) == 0 {
		err = noMemory(space, id)
	}
	return rows, err
}

// Memories lists memories in order of id. A subject, object or other name that
// the space does not know gives an empty page. Errors: CodeNotFound for the space
// and for who is named as knowing, CodeInvalid.
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
		"relation": textOrNull(f.Relation), "index0": nil, "index1": nil,
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
	st := memoryList
	if f.Retired {
		st = retiredList
	}
	if f.anchored() {
		st = memoryListFrom
		known, err := s.anchor(ctx, space, f, params)
		if err != nil || !known {
			return page([]Memory{}, limit, nil), err
		}
	}
	rows, err := read(ctx, s, st, params, toFullMemory)
	if err != nil {
		return empty, err
	}
	return page(rows, limit, func(m Memory) int64 { return int64(m.ID) }), nil
}

// anchored says whether a list can begin at less than the whole space.
func (f *MemoryFilter) anchored() bool {
	return f.Subject+f.Object+f.About+f.Session+f.KnownTo+f.UnknownTo+f.AsPersona != ""
}

// anchor fills in what memory_list_from takes beside the other parameters.
// known is false where a name means nothing in the space.
func (s *Store) anchor(ctx context.Context, space string, f MemoryFilter, params map[string]any) (known bool, err error) {
	params["retired"], params["session"] = f.Retired, textOrNull(f.Session)
	for param, name := range map[string]string{"subject": f.Subject, "object": f.Object, "about": f.About} {
		params[param] = nil
		if name == "" {
			continue
		}
		ref, ok, err := s.Resolve(ctx, space, name)
		if err != nil || !ok {
			return false, err
		}
		params[param] = int64(ref.ID)
	}
	for param, name := range map[string]string{"known_to": f.KnownTo, "unknown_to": f.UnknownTo} {
		params[param] = nil
		if name == "" {
			continue
		}
		ref, ok, err := s.Resolve(ctx, space, name)
		if err != nil {
			return false, err
		}
		if !ok {
			return false, Errorf(CodeNotFound, "the space %q has no persona and no entity %q", space, name)
		}
		params[param] = int64(ref.ID)
	}
	if f.KnownTo == "" && f.AsPersona != "" {
		params["known_to"] = params["persona"]
	}
	return true, nil
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
