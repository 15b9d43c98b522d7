package graph

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"relata/cypher"
)

var (
	entityList  = cypher.Load("entity_list")
	entityFind  = cypher.Load("entity_find")
	entityKnown = cypher.Load("entity_known")
	entityRead  = cypher.Load("entity_read")
)

// EntityFilter selects entities for [Store.Entities]; zero fields do not filter.
type EntityFilter struct {
	Name      string // a name or a part of one, aliases included
	AsPersona string // only what this persona knows of
	Cursor    string
	Limit     int // 1–200, default 50
}

// Entities lists the entities of a space: all of them in order of their keys,
// or those whose name or alias is or holds a name, likeliest first: the one
// that the name means, names that begin with it, names that hold it.
//
// A persona sees itself, its owner and what it knows a memory of, current or
// retired; of their aliases those that stand in a memory it knows.
//
// Errors: CodeNotFound for the space or the persona, CodeInvalid.
func (s *Store) Entities(ctx context.Context, space string, f EntityFilter) (Page[Entity], error) {
	var empty Page[Entity]
	if _, err := s.Space(ctx, space); err != nil {
		return empty, err
	}
	after, err := readPlace(f.Cursor)
	if err != nil {
		return empty, err
	}
	limit, err := pageSize(f.Limit)
	if err != nil {
		return empty, err
	}
	key := EntityKey(f.Name)
	if key == "" && f.Name != "" {
		return empty, &Error{Code: CodeInvalid, Message: "the name is blank", Fields: []Field{{"name", "must not be blank"}}}
	}
	params := map[string]any{"space": space, "after": after.key, "limit": limit + 1}
	st := entityList
	switch {
	case f.AsPersona != "":
		persona, err := s.asker(ctx, space, f.AsPersona)
		if err != nil {
			return empty, err
		}
		st = entityKnown
		params["persona"], params["key"], params["rank"] = int64(persona.ID), key, after.rank
	case key != "":
		st = entityFind
		params["key"], params["rank"] = key, after.rank
	}
	type found struct {
		Entity
		rank int64
	}
	rows, err := read(ctx, s, st, params, func(r record) (found, error) {
		return found{toEntity(r.node("entity")), r.int("rank")}, nil
	})
	if err != nil {
		return empty, err
	}
	out := Page[Entity]{Items: make([]Entity, 0, min(limit, len(rows)))}
	for i, e := range rows {
		if i == limit {
			last := rows[limit-1]
			out.Cursor = place{last.rank, last.Key}.cursor()
			break
		}
		out.Items = append(out.Items, e.Entity)
	}
	return out, nil
}

// place is where a page of entities ended.
type place struct {
	rank int64
	key  string
}

func (p place) cursor() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(p.rank, 10) + " " + p.key))
}

// readPlace gives the place that a cursor stands for, that before all for "".
func readPlace(cursor string) (place, error) {
	if cursor == "" {
		return place{}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		rank, key, ok := strings.Cut(string(raw), " ")
		if n, err := strconv.ParseInt(rank, 10, 64); err == nil && ok {
			return place{n, key}, nil
		}
	}
	return place{}, wrongCursor()
}

// Entity gives one entity, as a persona sees it where one asks. Errors:
// CodeNotFound for the space, the persona, and an entity that is not there or
// that the persona does not know of.
func (s *Store) Entity(ctx context.Context, space string, id EntityID, asPersona string) (Entity, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return Entity{}, err
	}
	persona, err := s.askerID(ctx, space, asPersona)
	if err != nil {
		return Entity{}, err
	}
	rows, err := read(ctx, s, entityRead, map[string]any{
		"space": space, "ids": []int64{int64(id)}, "persona": persona,
	}, func(r record) (Entity, error) { return toEntity(r.node("entity")), nil })
	if err == nil && len(rows) == 0 {
		err = noEntity(space, id)
	}
	if err != nil {
		return Entity{}, err
	}
	return rows[0], nil
}

// AddAliases makes names resolve to an entity from now on, at write time and in
// searches, and gives the entity with all its aliases. Its own name is no alias
// and left out; names that it has stay. What was written under such a name
// before keeps its own entity.
//
// Errors: CodeNotFound for the space or the entity, CodeInvalid for blank or
// overlong names, CodeConflict for an alias that another entity has.
func (s *Store) AddAliases(ctx context.Context, space string, id EntityID, aliases []string) (Entity, error) {
	var fields []Field
	for i, a := range aliases {
		field := fmt.Sprintf("aliases[%d]", i)
		switch {
		case EntityKey(a) == "":
			fields = append(fields, Field{field, "must not be blank"})
		case len(a) > maxNameBytes:
			fields = append(fields, Field{field, fmt.Sprintf("must not be longer than %d bytes", maxNameBytes)})
		}
	}
	if len(fields) > 0 {
		return Entity{}, &Error{Code: CodeInvalid, Message: "the aliases are not valid", Fields: fields}
	}
	var out Entity
	err := s.Write(ctx, space, func(ctx context.Context, tx *Tx) error {
		before, err := tx.entities(ctx, []EntityID{id}, nil)
		if err != nil {
			return err
		}
		if len(before) == 0 {
			return noEntity(space, id)
		}
		own := before[0].Key
		names := make([]string, 0, len(aliases))
		for _, a := range aliases {
			if EntityKey(a) != own {
				names = append(names, strings.TrimSpace(a))
			}
		}
		if err := declareAliases(ctx, tx.tx, space, id, names); err != nil {
			return err
		}
		after, err := tx.entities(ctx, []EntityID{id}, nil)
		if err == nil {
			out = after[0]
		}
		return err
	})
	return out, err
}

// entities reads entities by id, as far as a persona (its id, or nil) sees them.
func (t *Tx) entities(ctx context.Context, ids []EntityID, persona any) ([]Entity, error) {
	return run(ctx, t.tx, entityRead, map[string]any{"space": t.space.Name, "ids": int64s(ids), "persona": persona},
		func(r record) (Entity, error) { return toEntity(r.node("entity")), nil })
}

// asker resolves the persona that a reader asks as. Errors: CodeNotFound.
func (s *Store) asker(ctx context.Context, space, name string) (EntityRef, error) {
	ref, ok, err := s.Resolve(ctx, space, name)
	if err == nil && (!ok || !ref.Persona) {
		err = Errorf(CodeNotFound, "the space %q has no persona %q", space, name)
	}
	return ref, err
}

// askerID gives the id of the persona that a reader asks as, nil for none.
func (s *Store) askerID(ctx context.Context, space, name string) (any, error) {
	if name == "" {
		return nil, nil
	}
	ref, err := s.asker(ctx, space, name)
	return int64(ref.ID), err
}

func noEntity(space string, id EntityID) *Error {
	return Errorf(CodeNotFound, "the space %q has no entity %d", space, id)
}

func toEntity(f fields) Entity {
	return Entity{
		ID: EntityID(f.int("id")), Name: f.text("name"), Key: f.text("key"), Aliases: f.texts("aliases"),
		Kind: f.text("kind"), Persona: f.bool("persona"),
	}
}
