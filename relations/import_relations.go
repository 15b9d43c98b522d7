package relations

import (
	"context"
	"fmt"
	"slices"
	"time"

	"relata/graph"
)

// relations adds those relations that the vocabulary lacks and fills in what a
// memory's line brought along bare. Others stay as they are.
func (r *importRun) relations(ctx context.Context, lines []relationLine) error {
	id, err := r.store.NewIDs(ctx, 1)
	if err != nil {
		return err
	}
	var report ImportReport
	var waiting []unlinked
	err = r.store.Write(ctx, r.req.Space, func(ctx context.Context, tx *graph.Tx) error {
		report, waiting = ImportReport{}, nil
		ground, err := tx.Ground(ctx, graph.GroundQuery{})
		if err != nil {
			return err
		}
		b := newVocabularyBatch(ground)
		for _, l := range lines {
			rel := l.Relation
			have := b.find(rel.Key)
			if have != nil && (have.Content != "" || rel.Content == "") {
				report.Duplicates++
				continue
			}
			if rel.Date.IsZero() {
				rel.Date = r.clock()
			}
			later, err := b.put(rel)
			if err != nil {
				report.fail(l.line, "%s", fieldsError(err))
				continue
			}
			if have == nil {
				report.Relations++
			}
			if later.inverse != "" || later.successor != "" {
				later.line = l.line
				waiting = append(waiting, later)
			}
		}
		return b.apply(ctx, tx, r.entry(graph.DiffID(id)))
	})
	if err != nil {
		return err
	}
	r.merge(report)
	r.unlinked = append(r.unlinked, waiting...)
	return nil
}

// linkRelations gives relations the inverses and successors that came after
// them.
func (r *importRun) linkRelations(ctx context.Context) error {
	if len(r.unlinked) == 0 {
		return nil
	}
	id, err := r.store.NewIDs(ctx, 1)
	if err != nil {
		return err
	}
	var report ImportReport
	err = r.store.Write(ctx, r.req.Space, func(ctx context.Context, tx *graph.Tx) error {
		report = ImportReport{}
		ground, err := tx.Ground(ctx, graph.GroundQuery{})
		if err != nil {
			return err
		}
		b := newVocabularyBatch(ground)
		for _, u := range r.unlinked {
			rel := b.find(u.key)
			if rel == nil {
				continue
			}
			next := *rel
			if u.inverse != "" {
				next.Inverse = u.inverse
			}
			if u.successor != "" {
				next.Successor = u.successor
			}
			later, err := b.put(next)
			switch {
			case err != nil:
				report.complain(u.line, "%s", fieldsError(err))
			case later.inverse != "":
				report.complain(u.line, "no relation %s is there to be the inverse", quote(later.inverse))
			case later.successor != "":
				report.complain(u.line, "no relation %s is there to be the successor", quote(later.successor))
			}
		}
		return b.apply(ctx, tx, r.entry(graph.DiffID(id)))
	})
	if err == nil {
		r.merge(report)
	}
	return err
}

// entry begins an entry of the ledger for one transaction.
func (r *importRun) entry(id graph.DiffID) *graph.Diff {
	now := r.clock()
	return &graph.Diff{ID: id, Status: graph.DiffApplied, By: r.req.By, Date: now, CreatedAt: now}
}

// vocabularyBatch is a vocabulary that takes several relations one after the
// other.
type vocabularyBatch struct {
	ground *graph.Ground // grows
	before map[string]graph.Relation
}

func newVocabularyBatch(ground *graph.Ground) *vocabularyBatch {
	b := &vocabularyBatch{ground: ground, before: make(map[string]graph.Relation, len(ground.Relations))}
	for _, r := range ground.Relations {
		b.before[r.Key] = r
	}
	return b
}

func (b *vocabularyBatch) find(key string) *graph.Relation {
	i := slices.IndexFunc(b.ground.Relations, func(r graph.Relation) bool { return r.Key == key })
	if i < 0 {
		return nil
	}
	return &b.ground.Relations[i]
}

// put takes a relation in and gives those links of it that lead nowhere yet.
// Errors are those of putChanges.
func (b *vocabularyBatch) put(r graph.Relation) (later unlinked, err error) {
	later.key = r.Key
	there := func(raw string) (key string, ok bool) {
		key, err := NormalizeKey(raw)
		return key, err == nil && (key == r.Key || b.find(key) != nil)
	}
	if r.Inverse != "" {
		if _, ok := there(r.Inverse); !ok {
			later.inverse, r.Inverse = r.Inverse, ""
		}
	}
	// A chain of deprecated relations may be kept as it was, which a call on one
	// relation may not make: the successor goes past its check.
	successor := ""
	if r.Successor != "" {
		if key, ok := there(r.Successor); !ok || key == r.Key {
			later.successor = r.Successor
		} else {
			successor = key
		}
		r.Successor = ""
	}
	bare := r.Content == ""
	if bare {
		r.Content = r.Key // only to pass the check
	}
	changes, err := putChanges(b.ground, r)
	if err != nil {
		return later, err
	}
	for _, now := range slices.Concat(changes.AddRelations, changes.UpdateRelations) {
		if now.Key == r.Key {
			now.Successor = successor
			if bare {
				now.Content = ""
			}
		}
		if have := b.find(now.Key); have != nil {
			*have = now
			continue
		}
		b.add(now)
	}
	return later, nil
}

func (b *vocabularyBatch) add(r graph.Relation) {
	b.ground.Relations = append(b.ground.Relations, r)
	b.ground.KeysEver++
	b.ground.TypesEver++
}

// changes gives what is new and what is other than before.
func (b *vocabularyBatch) changes() (added, updated []graph.Relation) {
	for _, r := range b.ground.Relations {
		before, ok := b.before[r.Key]
		switch {
		case !ok:
			added = append(added, r)
		case !sameRelation(before, r):
			updated = append(updated, r)
		}
	}
	return added, updated
}

func (b *vocabularyBatch) apply(ctx context.Context, tx *graph.Tx, entry *graph.Diff) error {
	c := &graph.ChangeSet{Ledger: entry}
	c.AddRelations, c.UpdateRelations = b.changes()
	if c.Empty() {
		return nil
	}
	for i, r := range c.AddRelations {
		entry.Items = append(entry.Items, relationItem("relations.increments", i, graph.ActionAdd, nil, r))
	}
	for i, r := range c.UpdateRelations {
		before := b.before[r.Key]
		entry.Items = append(entry.Items, relationItem("relations.replaces", i, graph.ActionReplace, &before, r))
	}
	return tx.Apply(ctx, c)
}

func relationItem(part string, i int, action graph.Action, before *graph.Relation, after graph.Relation) graph.DiffItem {
	return graph.DiffItem{
		Verdict: graph.Verdict{Item: itemName(part, i), Outcome: graph.OutcomeApplied},
		Action:  action, RelationBefore: before, RelationAfter: &after,
	}
}

// resolve finds the relation that a memory's line names, adding it bare where
// the vocabulary lacks it, but for history: a relation that only retired
// memories have may have been removed. Aliases lead to what they stand for; a
// deprecated relation stays, for the line may be old.
func (b *vocabularyBatch) resolve(v *vocabulary, raw string, history bool, now time.Time) (*entry, error) {
	key, err := NormalizeKey(raw)
	if err != nil {
		if e := v.aliases[graph.Fold(raw)]; e != nil {
			return e, nil
		}
		return nil, err
	}
	if e := v.byKey[key]; e != nil {
		return e, nil
	}
	if e := v.aliases[key]; e != nil {
		return e, nil
	}
	rel := graph.Relation{Key: key, Date: now, Status: graph.RelationActive}
	switch {
	case history:
		return &entry{Relation: rel}, nil
	case b.ground.KeysEver >= MaxKeysEver:
		return nil, fmt.Errorf("relation %s cannot be added: a space may have %d relation keys over its life", key, MaxKeysEver)
	case b.ground.TypesEver >= MaxTypesEver:
		return nil, fmt.Errorf("relation %s cannot be added: the database has %d relationship types, which cannot be given back", key, b.ground.TypesEver)
	}
	b.add(rel)
	return v.add(rel), nil
}
