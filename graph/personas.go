package graph

import (
	"context"
	"fmt"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

var (
	personaPut  = cypher.Load("persona_put")
	personaList = cypher.Load("persona_list")
	aliasPut    = cypher.Load("alias_put")
)

// Personas gives the personas of a space in order of their making. A persona
// that asks sees itself, and the names of those it knows a memory of. Errors:
// CodeNotFound for the space or the persona.
func (s *Store) Personas(ctx context.Context, space, asPersona string) ([]Persona, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	persona, err := s.askerID(ctx, space, asPersona)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, personaList, map[string]any{"space": space, "persona": persona}, func(r record) (Persona, error) {
		return toPersona(r.node("persona")), nil
	})
}

// PutPersona makes a persona, or changes what is given: its name is that of an
// entity, which becomes a persona and keeps what it has. Aliases are added,
// never taken away. Errors: CodeNotFound for the space, CodeInvalid for a blank
// name, CodeConflict for an alias that another entity has.
func (s *Store) PutPersona(ctx context.Context, space string, p Persona) (Persona, error) {
	if err := checkNames(p); err != nil {
		return Persona{}, err
	}
	ids, err := s.NewIDs(ctx, 2)
	if err != nil {
		return Persona{}, err
	}
	var owner any
	if p.Owner != "" {
		owner = map[string]any{"key": EntityKey(p.Owner), "name": p.Owner, "id": ids + 1}
	}
	var out Persona
	err = s.Write(ctx, space, func(ctx context.Context, tx *Tx) error {
		rows, err := run(ctx, tx.tx, personaPut, map[string]any{
			"space":   space,
			"persona": map[string]any{"key": EntityKey(p.Name), "name": p.Name, "id": ids},
			"owner":   owner,
			"voice":   textOrNull(p.Voice),
		}, func(r record) (Persona, error) {
			return Persona{ID: EntityID(r.int("id")), OwnerID: EntityID(r.int("owner_id"))}, nil
		})
		if err != nil {
			return err
		}
		if err := declareAliases(ctx, tx.tx, space, rows[0].ID, p.Aliases); err != nil {
			return err
		}
		if rows[0].OwnerID != 0 {
			if err := declareAliases(ctx, tx.tx, space, rows[0].OwnerID, p.OwnerAliases); err != nil {
				return err
			}
		}
		all, err := run(ctx, tx.tx, personaList, map[string]any{"space": space, "persona": nil}, func(r record) (Persona, error) {
			return toPersona(r.node("persona")), nil
		})
		if err != nil {
			return err
		}
		for _, x := range all {
			if x.ID == rows[0].ID {
				out = x
			}
		}
		return nil
	})
	return out, err
}

func checkNames(p Persona) error {
	var fields []Field
	check := func(field, name string) {
		switch {
		case EntityKey(name) == "":
			fields = append(fields, Field{field, "must not be blank"})
		case len(name) > maxNameBytes:
			fields = append(fields, Field{field, fmt.Sprintf("must not be longer than %d bytes", maxNameBytes)})
		}
	}
	check("name", p.Name)
	if p.Owner != "" {
		check("owner", p.Owner)
	}
	for i, a := range p.Aliases {
		check(fmt.Sprintf("aliases[%d]", i), a)
	}
	for i, a := range p.OwnerAliases {
		check(fmt.Sprintf("owner_aliases[%d]", i), a)
	}
	if len(p.OwnerAliases) > 0 && p.Owner == "" {
		fields = append(fields, Field{"owner_aliases", "need an owner"})
	}
	if len(fields) > 0 {
		return &Error{Code: CodeInvalid, Message: "the persona is not valid", Fields: fields}
	}
	return nil
}

// maxNameBytes bounds names of entities: keys are range-indexed, and Neo4j
// refuses an index entry of about 8 kB.
const maxNameBytes = 1000

// declareAliases makes names resolve to an entity from now on.
func declareAliases(ctx context.Context, tx neo4j.ManagedTransaction, space string, id EntityID, aliases []string) error {
	rows := make([]map[string]any, 0, len(aliases))
	for _, a := range aliases {
		rows = append(rows, map[string]any{"key": EntityKey(a), "name": a, "entity_id": int64(id)})
	}
	if len(rows) == 0 {
		return nil
	}
	taken, err := run(ctx, tx, aliasPut, map[string]any{"space": space, "rows": rows}, func(r record) (string, error) {
		if other := r.text("taken_by"); other != "" {
			return fmt.Sprintf("%q is an alias of %q", r.text("name"), other), nil
		}
		return "", nil
	})
	if err != nil {
		return err
	}
	var clashes []string
	for _, t := range taken {
		if t != "" {
			clashes = append(clashes, t)
		}
	}
	if len(clashes) > 0 {
		return Errorf(CodeConflict, "an alias can belong to one entity only: %s", strings.Join(clashes, "; "))
	}
	return nil
}

func toPersona(f fields) Persona {
	return Persona{
		ID: EntityID(f.int("id")), Name: f.text("name"), Aliases: f.texts("aliases"), Voice: f.text("voice"),
		Owner: f.text("owner"), OwnerID: EntityID(f.int("owner_id")), OwnerAliases: f.texts("owner_aliases"),
	}
}
