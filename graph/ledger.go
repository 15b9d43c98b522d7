package graph

import (
	"context"
	"encoding/json"
	"math"

	"relata/cypher"
)

var (
	diffGet  = cypher.Load("diff_get")
	diffList = cypher.Load("diff_list")
)

// DiffByKey gives the diff that stands for an idempotency key.
func (s *Store) DiffByKey(ctx context.Context, space, key string) (Diff, bool, error) {
	rows, err := read(ctx, s, diffByKey, map[string]any{"space": space, "key": key}, toDiff)
	if err != nil || len(rows) == 0 {
		return Diff{}, false, err
	}
	return rows[0], true, nil
}

// Diff gives one diff of the ledger, as a persona sees it where one asks: see
// [Store.Diffs]. Errors: CodeNotFound for the space, the persona, and a diff that
// is not there or of which the persona may see nothing.
func (s *Store) Diff(ctx context.Context, space string, id DiffID, asPersona string) (Diff, error) {
	found, err := s.DiffsByID(ctx, space, []DiffID{id}, asPersona)
	if err != nil {
		return Diff{}, err
	}
	d, ok := found[id]
	if !ok {
		return Diff{}, Errorf(CodeNotFound, "the space %q has no diff %d", space, id)
	}
	return d, nil
}

// DiffsByID gives those of some diffs that the space has and the asker may see,
// as for [Store.Diff]. Errors: CodeNotFound for the space or the persona.
func (s *Store) DiffsByID(ctx context.Context, space string, ids []DiffID, asPersona string) (map[DiffID]Diff, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	rows, err := read(ctx, s, diffGet, map[string]any{"space": space, "ids": int64s(ids)}, toDiff)
	if err == nil && asPersona != "" {
		rows, err = s.seenBy(ctx, space, asPersona, rows)
	}
	out := make(map[DiffID]Diff, len(rows))
	for _, d := range rows {
		out[d.ID] = d
	}
	return out, err
}

// Diffs lists the ledger, newest first. limit is 1–200, 0 for 50. A persona sees
// the diffs of batches where it was present and those with an item that it is
// aware of; of the others' items it sees that they were applied. Errors:
// CodeNotFound for the space or the persona, CodeInvalid.
func (s *Store) Diffs(ctx context.Context, space, cursor string, limit int, asPersona string) (Page[Diff], error) {
	if _, err := s.Space(ctx, space); err != nil {
		return Page[Diff]{}, err
	}
	before, err := readCursor(cursor, math.MaxInt64)
	if err != nil {
		return Page[Diff]{}, err
	}
	limit, err = pageSize(limit)
	if err != nil {
		return Page[Diff]{}, err
	}
	var found []Diff
	for {
		rows, err := read(ctx, s, diffList, map[string]any{"space": space, "before": before, "limit": limit + 1}, toDiff)
		if err != nil {
			return Page[Diff]{}, err
		}
		last := len(rows) <= limit
		if len(rows) > 0 {
			before = int64(rows[len(rows)-1].ID)
		}
		if asPersona != "" {
			if rows, err = s.seenBy(ctx, space, asPersona, rows); err != nil {
				return Page[Diff]{}, err
			}
		}
		// What the persona may not see leaves gaps, which the next rows fill.
		if found = append(found, rows...); last || len(found) > limit {
			return page(found, limit, func(d Diff) int64 { return int64(d.ID) }), nil
		}
	}
}

// Receipt rebuilds the answer to a diff from the ledger. Texts are read from
// the memories as they are now, and as a persona sees them where one asks; one
// that was erased since is left out.
func (s *Store) Receipt(ctx context.Context, space string, d Diff, asPersona string) (Receipt, error) {
	r := Receipt{DiffID: d.ID, Status: d.Status, Usage: d.Usage, Truncated: d.Truncated}
	persona, err := s.askerID(ctx, space, asPersona)
	if err != nil {
		return r, err
	}
	memories, err := s.memoriesByID(ctx, space, d.memories(), persona)
	if err != nil {
		return r, err
	}
	for _, it := range d.Items {
		r.Verdicts = append(r.Verdicts, it.Verdict)
		it.addTo(&r, memories)
	}
	return r, nil
}

// memories gives the memories that a diff touched.
func (d *Diff) memories() []MemoryID {
	var ids []MemoryID
	for _, it := range d.Items {
		for _, id := range []MemoryID{it.Memory, it.Old} {
			if id != 0 {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// addTo puts an item's change into a receipt.
func (it DiffItem) addTo(r *Receipt, memories map[MemoryID]Memory) {
	switch {
	case it.RelationBefore != nil && it.RelationAfter != nil:
		r.Relations.Replaced = append(r.Relations.Replaced, ReplacedRelation{Old: *it.RelationBefore, New: *it.RelationAfter, Carried: it.Carried})
		return
	case it.RelationAfter != nil:
		r.Relations.Added = append(r.Relations.Added, *it.RelationAfter)
		return
	case it.RelationBefore != nil:
		r.Relations.Removed = append(r.Relations.Removed, *it.RelationBefore)
		return
	}
	now, ok := memories[it.Memory]
	old, had := memories[it.Old]
	switch {
	case it.Action == ActionAdd && ok:
		r.Memories.Added = append(r.Memories.Added, now)
	case (it.Action == ActionReplace || it.Action == ActionMerge) && ok && had:
		r.Memories.Replaced = append(r.Memories.Replaced, ReplacedMemory{Old: old, New: now})
	case it.Action == ActionUpdate && ok:
		r.Memories.Replaced = append(r.Memories.Replaced, ReplacedMemory{Old: it.Before.of(now), New: now})
	case it.Action == ActionRemove && had:
		r.Memories.Removed = append(r.Memories.Removed, old)
	}
}

// of gives a memory as it was before an update in place.
func (f *MemoryFields) of(m Memory) Memory {
	if f == nil {
		return m
	}
	m.Date, m.Index0, m.Index1, m.EventDate = f.Date, f.Index0, f.Index1, f.EventDate
	m.Tags, m.MsgIDs, m.KnownBy = f.Tags, f.MsgIDs, f.KnownBy
	if f.Relation != "" {
		m.Relation = f.Relation
	}
	return m
}

func diffProps(d Diff) (map[string]any, error) {
	items, err := json.Marshal(d.Items)
	if err != nil {
		return nil, WrapError(CodeInternal, err, "the items of the diff cannot be stored")
	}
	usage, err := json.Marshal(d.Usage)
	if err != nil {
		return nil, WrapError(CodeInternal, err, "the usage of the diff cannot be stored")
	}
	stages, err := json.Marshal(d.Stages)
	if err != nil {
		return nil, WrapError(CodeInternal, err, "the stages of the diff cannot be stored")
	}
	present := d.Present
	if present == nil {
		present = []string{}
	}
	return map[string]any{
		"id": int64(d.ID), "status": string(d.Status), "session": textOrNull(d.Session), "persona": textOrNull(d.Persona),
		"present": present, "by": textOrNull(d.By), "key": textOrNull(d.Key), "date": dateOrNull(d.Date),
		"created_at": dateOrNull(d.CreatedAt), "prompt_version": textOrNull(d.PromptVersion),
		"usage": string(usage), "stages": string(stages), "summary": textOrNull(d.Summary), "truncated": d.Truncated, "items": string(items),
	}, nil
}

func toDiff(r record) (Diff, error) {
	f := r.node("diff")
	d := Diff{
		ID: DiffID(f.int("id")), Status: DiffStatus(f.text("status")), Session: f.text("session"),
		Persona: f.text("persona"), Present: f.texts("present"), By: f.text("by"), Key: f.text("key"),
		Date: f.time("date"), CreatedAt: f.time("created_at"), PromptVersion: f.text("prompt_version"),
		Truncated: f.bool("truncated"), Summary: f.text("summary"),
	}
	if stages := f.text("stages"); stages != "" {
		if err := json.Unmarshal([]byte(stages), &d.Stages); err != nil {
			return d, WrapError(CodeInternal, err, "the stages of diff %d cannot be read", d.ID)
		}
	}
	if err := json.Unmarshal([]byte(f.text("items")), &d.Items); err != nil {
		return d, WrapError(CodeInternal, err, "the items of diff %d cannot be read", d.ID)
	}
	if err := json.Unmarshal([]byte(f.text("usage")), &d.Usage); err != nil {
		return d, WrapError(CodeInternal, err, "the usage of diff %d cannot be read", d.ID)
	}
	return d, nil
}
