package graph

import (
	"context"
	"slices"

	"relata/cypher"
)

var awarenessKnown = cypher.Load("awareness_known")

// seenBy gives diffs as a persona sees them, without those of which it may see
// nothing.
func (s *Store) seenBy(ctx context.Context, space, persona string, diffs []Diff) ([]Diff, error) {
	ref, err := s.asker(ctx, space, persona)
	if err != nil || len(diffs) == 0 {
		return nil, err
	}
	var ids []MemoryID
	for i := range diffs {
		ids = append(ids, diffs[i].memories()...)
	}
	rows, err := read(ctx, s, awarenessKnown, map[string]any{"space": space, "persona": int64(ref.ID), "ids": int64s(ids)}, func(r record) (view, error) {
		v := view{persona: ref.Name, memories: make(map[MemoryID]bool), relations: r.texts("relations")}
		for _, id := range r.ints("ids") {
			v.memories[MemoryID(id)] = true
		}
		return v, nil
	})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	var out []Diff
	for _, d := range diffs {
		if seen, ok := rows[0].diff(d); ok {
			out = append(out, seen)
		}
	}
	return out, nil
}

// view is what a persona may see of the ledger.
type view struct {
	persona   string
	memories  map[MemoryID]bool // those it is aware of
	relations []string          // keys that these use
}

// diff gives a diff as the persona sees it; ok is false where it sees nothing.
func (v view) diff(d Diff) (_ Diff, ok bool) {
	present := slices.Contains(d.Present, v.persona)
	aware := false
	items := make([]DiffItem, len(d.Items))
	for i, it := range d.Items {
		seen, ok := v.item(it)
		aware = aware || ok
		items[i] = seen
	}
	if !present && !aware {
		return Diff{}, false
	}
	out := d
	out.Items = items
	out.Stages = nil // their notes quote what was sorted out
	if !present {
		// Who was there, and in which conversation, it does not know.
		out.Session, out.Persona, out.Present, out.By, out.Summary = "", "", nil, "", ""
	}
	return out, true
}

// item gives an item as the persona sees it: one that it may not see is applied,
// and nothing more is said. Notes are left out, since they name names.
func (v view) item(it DiffItem) (_ DiffItem, aware bool) {
	hidden := DiffItem{Verdict: Verdict{Item: it.Item, Outcome: OutcomeApplied}}
	seen := it
	seen.Message, seen.Note = "", ""
	switch {
	case it.RelationBefore != nil || it.RelationAfter != nil:
		for _, r := range []*Relation{it.RelationBefore, it.RelationAfter} {
			if r != nil && !slices.Contains(v.relations, r.Key) {
				return hidden, false
			}
		}
		// The vocabulary alone says nothing of what somebody knows.
		return seen, false
	case it.Memory == 0 && it.Old == 0:
		return hidden, false
	case it.Memory != 0 && !v.memories[it.Memory], it.Old != 0 && !v.memories[it.Old]:
		return hidden, false
	}
	if it.Before != nil {
		before := *it.Before
		before.MsgIDs = nil
		before.KnownBy = slices.DeleteFunc(slices.Clone(before.KnownBy), func(name string) bool { return name != v.persona })
		seen.Before = &before
	}
	return seen, true
}
