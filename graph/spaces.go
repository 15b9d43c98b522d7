package graph

import (
	"context"
	"time"

	"relata/cypher"
)

var (
	spaceGet       = cypher.Load("space_get")
	spacePut       = cypher.Load("space_put")
	spaceList      = cypher.Load("space_list")
	spaceErase     = cypher.Load("space_erase")
	spaceRemaining = cypher.Load("space_remaining")
	spaceDelete    = cypher.Load("space_delete")
)

// Space gives one space. Errors: CodeNotFound.
func (s *Store) Space(ctx context.Context, name string) (Space, error) {
	rows, err := read(ctx, s, spaceGet, map[string]any{"space": name}, toSpace)
	if err != nil {
		return Space{}, err
	}
	if len(rows) == 0 {
		return Space{}, noSpace(name)
	}
	return rows[0], nil
}

// Spaces gives all spaces by name.
func (s *Store) Spaces(ctx context.Context) ([]Space, error) {
	return read(ctx, s, spaceList, nil, toSpace)
}

// PutSpace makes a space or changes the settings of one; empty settings keep
// what is there (for a new space: UTC, core, open, space). created says which.
// Errors: CodeInvalid.
func (s *Store) PutSpace(ctx context.Context, in Space) (out Space, created bool, err error) {
	if err := in.Validate(); err != nil {
		return Space{}, false, err
	}
	params := map[string]any{
		"space": in.Name,
		"defaults": map[string]any{
			"timezone": "UTC", "language": "", "vocabulary": "core",
			"governance": string(GovernanceOpen), "writer_sees": string(WriterSeesSpace),
		},
		"settings": map[string]any{},
		"now":      time.Now().UTC(),
	}
	settings := params["settings"].(map[string]any)
	for name, value := range map[string]string{
		"timezone": in.Timezone, "language": in.Language, "vocabulary": in.Vocabulary,
		"governance": string(in.Governance), "writer_sees": string(in.WriterSees), "content_policy": in.ContentPolicy,
	} {
		if value != "" {
			settings[name] = value
		}
	}
	type row struct {
		space   Space
		created bool
	}
	rows, err := write(ctx, s, spacePut, params, func(r record) (row, error) {
		sp, err := toSpace(r)
		return row{sp, r.bool("created")}, err
	})
	if err != nil {
		return Space{}, false, err
	}
	return rows[0].space, rows[0].created, nil
}

// eraseBatch is how many nodes of each kind one transaction of a deletion
// takes: 1,000 vectors stay well within a small transaction memory.
const eraseBatch = 1000

// DeleteSpace deletes everything of a space, in transactions of bounded size,
// and counts afterwards what is left (0, unless somebody wrote meanwhile).
// The space itself goes last: a deletion that was interrupted can be repeated.
// Errors: CodeNotFound.
func (s *Store) DeleteSpace(ctx context.Context, name string) (Deletion, error) {
	if _, err := s.Space(ctx, name); err != nil {
		return Deletion{}, err
	}
	release, err := s.locks.lock(ctx, name)
	if err != nil {
		return Deletion{}, translate("space_erase", err)
	}
	defer release()
	var d Deletion
	for {
		var round int
		_, err := write(ctx, s, spaceErase, map[string]any{"space": name, "limit": eraseBatch}, func(r record) (struct{}, error) {
			memories := int(r.int("memories") + r.int("retired"))
			entities := int(r.int("entities"))
			relations := int(r.int("relations"))
			sources := int(r.int("sources"))
			diffs := int(r.int("diffs"))
			other := int(r.int("aliases") + r.int("retired_relations") + r.int("answers") +
				r.int("jobs") + r.int("inputs") + r.int("lines") + r.int("turns"))
			d.Memories += memories
			d.Entities += entities
			d.Relations += relations
			d.Sources += sources
			d.Diffs += diffs
			d.Other += other
			round = memories + entities + relations + sources + diffs + other
			return struct{}{}, nil
		})
		if err != nil {
			return d, err
		}
		if round == 0 {
			break
		}
	}
	if _, err := write(ctx, s, spaceDelete, map[string]any{"space": name}, drop); err != nil {
		return d, err
	}
	left, err := read(ctx, s, spaceRemaining, map[string]any{"space": name}, func(r record) (int, error) {
		return int(r.int("remaining")), nil
	})
	if err != nil {
		return d, err
	}
	d.Remaining = left[0]
	return d, nil
}

func drop(record) (struct{}, error) { return struct{}{}, nil }

func toSpace(r record) (Space, error) {
	f := r.node("space")
	return Space{
		Name: f.text("name"), Timezone: f.text("timezone"), Language: f.text("language"),
		Vocabulary: f.text("vocabulary"), Governance: Governance(f.text("governance")),
		WriterSees: WriterSees(f.text("writer_sees")), ContentPolicy: f.text("content_policy"), Version: f.int("version"), CreatedAt: f.time("created_at"),
	}, nil
}

func noSpace(name string) *Error {
	return Errorf(CodeNotFound, "the space %q does not exist: make it with PUT /v1/spaces/%s", name, name)
}
