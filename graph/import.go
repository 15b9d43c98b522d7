package graph

import (
	"context"
	"time"

	"relata/cypher"
)

var (
	importKnown        = cypher.Load("import_known")
	importKnownSources = cypher.Load("import_known_sources")
	importKnownDiffs   = cypher.Load("import_known_diffs")
	importRetired      = cypher.Load("import_retired")
	importRetire       = cypher.Load("import_retire")
	importSupersede    = cypher.Load("import_supersede")
	importEntities     = cypher.Load("import_entities")
	importDiffs        = cypher.Load("import_diffs")
)

// KnownMemory is a stored memory, as an import compares it.
type KnownMemory struct {
	ID        MemoryID
	Relation  string
	Date      time.Time
	RetiredAt time.Time // zero while current
}

// Known gives the memories, current and retired, that have one of some
// fingerprints, by fingerprint and in order of id.
func (t *Tx) Known(ctx context.Context, fingerprints []string) (map[string][]KnownMemory, error) {
	out := make(map[string][]KnownMemory)
	_, err := run(ctx, t.tx, importKnown, map[string]any{"space": t.space.Name, "fingerprints": fingerprints}, func(r record) (struct{}, error) {
		f := r.text("fingerprint")
		out[f] = append(out[f], KnownMemory{
			MemoryID(r.int("id")), r.text("relation"), asTime(r.get("date")), asTime(r.get("retired_at")),
		})
		return struct{}{}, nil
	})
	return out, err
}

// KnownSources gives those of some source ids that exist.
func (t *Tx) KnownSources(ctx context.Context, ids []int64) (map[int64]bool, error) {
	out := make(map[int64]bool, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	_, err := run(ctx, t.tx, importKnownSources, map[string]any{"space": t.space.Name, "ids": ids}, func(r record) (struct{}, error) {
		out[r.int("id")] = true
		return struct{}{}, nil
	})
	return out, err
}

// ImportBatch is what one transaction of an import writes of memories.
type ImportBatch struct {
	AddRelations []Relation
	// Add are new memories; those with a RetiredAt hold no longer and are made
	// as history. Their Supersedes are left aside: see Supersede.
	Add []*MemoryAdd
	// Retire takes memories out of what is current, where they are, before the
	// new ones are made.
	Retire []ImportRetire
	// Supersede says what replaced what; the old one is retired by then.
	Supersede []ImportSupersede
	// Ledger is the entry of the batch, left out where nothing changes.
	Ledger *Diff
	// NewEntityID is as in [ChangeSet].
	NewEntityID func() EntityID
}

// ImportRetire is a memory that another one took the place of, and when.
type ImportRetire struct {
	ID MemoryID
	At time.Time
}

// ImportSupersede is that New took the place of Old.
type ImportSupersede struct{ New, Old MemoryID }

// Import writes a batch of an import.
func (t *Tx) Import(ctx context.Context, b *ImportBatch) error {
	a := applier{
		Tx: t, c: &ChangeSet{AddRelations: b.AddRelations, Add: b.Add, NewEntityID: b.NewEntityID},
		space: t.space.Name, entities: make(map[string]EntityID),
	}
	if err := a.relations(ctx); err != nil {
		return err
	}
	t.vocabulary = t.vocabulary || len(b.AddRelations) > 0
	if err := a.makeEntities(ctx); err != nil {
		return err
	}
	rows := make([]map[string]any, 0, len(b.Retire))
	for _, r := range b.Retire {
		rows = append(rows, map[string]any{"id": int64(r.ID), "date": dateOrNull(r.At)})
	}
	went, err := a.count(ctx, importRetire, sortRows(rows, "id"), "retired")
	if err != nil {
		return err
	}
	var current []*MemoryAdd
	var retired []map[string]any
	for _, m := range b.Add {
		if m.Memory.RetiredAt.IsZero() {
			current = append(current, m)
		} else {
			retired = append(retired, a.retiredRow(m))
		}
	}
	if err := a.rows(ctx, importRetired, sortRows(retired, "id")); err != nil {
		return err
	}
	a.c.Add = current
	for _, step := range []func(context.Context) error{a.add, a.linkSources, a.awareness} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	links := make([]map[string]any, 0, len(b.Supersede))
	for _, s := range b.Supersede {
		links = append(links, map[string]any{"new": int64(s.New), "old": int64(s.Old)})
	}
	linked, err := a.count(ctx, importSupersede, sortRows(links, "new"), "linked")
	if err != nil {
		return err
	}
	if b.Ledger == nil || len(b.Add)+len(b.AddRelations)+went+linked == 0 {
		return nil
	}
	return t.ImportDiffs(ctx, []ImportDiff{{Diff: *b.Ledger}})
}

// count runs a statement over rows and gives the number in its column.
func (a *applier) count(ctx context.Context, st cypher.Statement, rows []map[string]any, column string) (int, error) {
	if len(rows) == 0 {
		return 0, nil
	}
	n, err := run(ctx, a.tx, st, map[string]any{"space": a.space, "rows": rows}, func(r record) (int, error) {
		return int(r.int(column)), nil
	})
	if err != nil || len(n) == 0 {
		return 0, err
	}
	return n[0], nil
}

func (a *applier) retiredRow(m *MemoryAdd) map[string]any {
	props := memoryProps(m.Memory, Fingerprint(m.Subject.Key, m.Object.Key, m.Memory.Content))
	props["retired_at"], props["retired_by"] = dateOrNull(m.Memory.RetiredAt), textOrNull(m.Memory.RetiredBy)
	aware := make([]map[string]any, 0, len(m.Aware))
	for _, k := range m.Aware {
		aware = append(aware, map[string]any{"entity_id": a.entity(k.Entity), "props": awareProps(k)})
	}
	sources := m.SourceIDs
	if sources == nil {
		sources = []int64{}
	}
	row := map[string]any{
		"id": int64(m.Memory.ID), "subject_id": a.entity(m.Subject), "object_id": a.entity(m.Object),
		"props": props, "sources": sources, "aware": aware, "vector": nil,
	}
	if m.Vector != nil {
		row["vector"] = float64s(m.Vector)
	}
	return row
}

func awareProps(k Awareness) map[string]any {
	msgs := k.MsgIDs
	if msgs == nil {
		msgs = []int64{}
	}
	return map[string]any{"since": dateOrNull(k.Since), "how": string(k.How), "by": textOrNull(k.By), "msg_ids": msgs}
}

// ImportEntity is an entity to make, with the aliases it goes by.
type ImportEntity struct {
	ID      EntityID // for one that the space lacks
	Name    string
	Kind    string
	Aliases []string
}

// ImportEntities makes those entities that a space lacks and declares aliases.
// added says which are new; refused names, for each, those aliases that another
// entity has.
func (t *Tx) ImportEntities(ctx context.Context, entities []ImportEntity) (added []bool, refused [][]string, err error) {
	added, refused = make([]bool, len(entities)), make([][]string, len(entities))
	rows := make([]map[string]any, 0, len(entities))
	for _, e := range entities {
		rows = append(rows, map[string]any{"key": EntityKey(e.Name), "name": e.Name, "id": int64(e.ID), "kind": textOrNull(e.Kind)})
	}
	ids := make(map[string]int64, len(rows))
	_, err = run(ctx, t.tx, importEntities, map[string]any{"space": t.space.Name, "rows": sortRows(rows, "key")}, func(r record) (struct{}, error) {
		ids[r.text("key")] = r.int("id")
		return struct{}{}, nil
	})
	if err != nil {
		return nil, nil, err
	}
	var aliases []map[string]any
	at := make(map[int64]int, len(entities))
	for i, e := range entities {
		id := ids[EntityKey(e.Name)]
		added[i], at[id] = id == int64(e.ID), i
		for _, name := range e.Aliases {
			aliases = append(aliases, map[string]any{"key": EntityKey(name), "name": name, "entity_id": id})
		}
	}
	if len(aliases) == 0 {
		return added, refused, nil
	}
	_, err = run(ctx, t.tx, aliasPut, map[string]any{"space": t.space.Name, "rows": aliases}, func(r record) (struct{}, error) {
		if r.text("taken_by") != "" {
			i := at[r.int("entity_id")]
			refused[i] = append(refused[i], r.text("name"))
		}
		return struct{}{}, nil
	})
	return added, refused, err
}

// ImportSources keeps sources; those that exist already stay as they are.
func (t *Tx) ImportSources(ctx context.Context, sources []Source) error {
	rows := make([]map[string]any, 0, len(sources))
	for _, src := range sources {
		props, err := sourceProps(src)
		if err != nil {
			return err
		}
		rows = append(rows, map[string]any{"source_id": src.SourceID, "label": sourceLabel(src.Kind), "props": props})
	}
	a := applier{Tx: t, space: t.space.Name}
	return a.rows(ctx, sourceAdd, sortRows(rows, "source_id"))
}

// ImportDiff is an entry of the ledger with what waits for approval.
type ImportDiff struct {
	Diff
	Held string
}

// KnownDiffs gives the entries that were made at some moments or stand for some
// keys; of each its CreatedAt, Session and Key.
func (t *Tx) KnownDiffs(ctx context.Context, moments []time.Time, keys []string) ([]Diff, error) {
	return run(ctx, t.tx, importKnownDiffs, map[string]any{"space": t.space.Name, "moments": moments, "keys": keys}, func(r record) (Diff, error) {
		return Diff{CreatedAt: asTime(r.get("created_at")), Session: r.text("session"), Key: r.text("key")}, nil
	})
}

// ImportDiffs writes entries into the ledger, linked to the memories that their
// items name.
func (t *Tx) ImportDiffs(ctx context.Context, diffs []ImportDiff) error {
	rows := make([]map[string]any, 0, len(diffs))
	for _, d := range diffs {
		props, err := diffProps(d.Diff)
		if err != nil {
			return err
		}
		texts := []map[string]any{}
		if d.Held != "" {
			texts = append(texts, map[string]any{"kind": "held", "text": d.Held})
		}
		rows = append(rows, map[string]any{"props": props, "texts": texts, "links": diffLinks(d.Items)})
	}
	a := applier{Tx: t, space: t.space.Name}
	return a.rows(ctx, importDiffs, rows)
}

// diffLinks gives the edges from a diff to memories, each once.
func diffLinks(items []DiffItem) []map[string]any {
	links := []map[string]any{}
	seen := make(map[MemoryID]string)
	link := func(id MemoryID, kind string) {
		if id != 0 && seen[id] != kind {
			seen[id] = kind
			links = append(links, map[string]any{"id": int64(id), "type": kind})
		}
	}
	for _, it := range items {
		switch it.Action {
		case ActionAdd, ActionReplace:
			link(it.Memory, "ADDED")
		case ActionUpdate, ActionMerge:
			link(it.Memory, "UPDATED")
		}
		link(it.Old, "RETIRED")
	}
	return links
}
