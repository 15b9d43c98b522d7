package graph_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"relata/graph"
	"relata/internal/testkit"
)

// world is a space of a test's own with what stands in it.
type world struct {
	t     *testing.T
	store *graph.Store
	space string
	ids   map[string]graph.EntityID // by name
}

func newWorld(t *testing.T) *world {
	t.Helper()
	store := testkit.Store(t)
	return &world{t: t, store: store, space: testkit.Space(t, store, graph.Space{}), ids: make(map[string]graph.EntityID)}
}

// fact is a memory to be made: subject, relation, object, and who is aware of it.
type fact struct {
	subject, relation, object string
	known                     []string
}

// remembering changes how facts are remembered: the memory of each, and the
// change set.
type remembering func(i int, add *graph.MemoryAdd, c *graph.ChangeSet)

// persona makes a persona, with an owner where there is one.
func (w *world) persona(name, owner string, aliases ...string) {
	w.t.Helper()
	p, err := w.store.PutPersona(w.t.Context(), w.space, graph.Persona{Name: name, Owner: owner, Aliases: aliases})
	if err != nil {
		w.t.Fatal(err)
	}
	w.ids[name] = p.ID
	if owner != "" {
		w.ids[owner] = p.OwnerID
	}
}

// remember writes memories in one transaction and gives their ids in order.
func (w *world) remember(facts ...fact) []graph.MemoryID {
	w.t.Helper()
	return w.rememberAs(func(int, *graph.MemoryAdd, *graph.ChangeSet) {}, facts...)
}

func (w *world) rememberAs(change remembering, facts ...fact) []graph.MemoryID {
	w.t.Helper()
	ctx := w.t.Context()
	first, err := w.store.NewIDs(ctx, 3*len(facts))
	if err != nil {
		w.t.Fatal(err)
	}
	var made []graph.MemoryID
	err = w.store.Write(ctx, w.space, func(ctx context.Context, tx *graph.Tx) error {
		next := first
		take := func() int64 { next++; return next - 1 }
		var names []string
		for _, f := range facts {
			names = append(append(names, f.subject, f.object), f.known...)
		}
		ground, err := tx.Ground(ctx, graph.GroundQuery{Names: names})
		if err != nil {
			return err
		}
		c := &graph.ChangeSet{NewEntityID: func() graph.EntityID { return graph.EntityID(take()) }}
		have := make(map[string]bool)
		for _, r := range ground.Relations {
			have[r.Key] = true
		}
		made = nil
		for i, f := range facts {
			if !have[f.relation] {
				have[f.relation] = true
				c.AddRelations = append(c.AddRelations, graph.Relation{Key: f.relation, Content: f.relation, Date: day(1)})
			}
			add := &graph.MemoryAdd{
				Memory: graph.Memory{
					ID: graph.MemoryID(take()), Subject: f.subject, Relation: f.relation, Object: f.object,
					Content: fmt.Sprintf("%s %s %s", f.subject, f.relation, f.object), Index0: graph.Knowledge, Index1: "其他", Date: day(2),
				},
				Subject: ground.Resolve(f.subject), Object: ground.Resolve(f.object),
			}
			for _, name := range f.known {
				add.Aware = append(add.Aware, graph.Awareness{Entity: ground.Resolve(name), Since: day(2), How: graph.HowTold, Persona: true})
			}
			change(i, add, c)
			made = append(made, add.Memory.ID)
			c.Add = append(c.Add, add)
		}
		return tx.Apply(ctx, c)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range facts {
		for _, name := range []string{f.subject, f.object} {
			if w.ids[name] == 0 {
				ref, ok, err := w.store.Resolve(ctx, w.space, name)
				if err != nil || !ok {
					w.t.Fatalf("resolve %s: %v, %v", name, ok, err)
				}
				w.ids[name] = ref.ID
			}
		}
	}
	return made
}

// retire takes a memory out of what is current.
func (w *world) retire(id graph.MemoryID, relation string) {
	w.t.Helper()
	err := w.store.Write(w.t.Context(), w.space, func(ctx context.Context, tx *graph.Tx) error {
		return tx.Apply(ctx, &graph.ChangeSet{Retire: []*graph.MemoryRetire{{ID: id, Relation: relation, By: "remove"}}})
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func day(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }

func names(entities []graph.Entity) []string {
	out := []string{}
	for _, e := range entities {
		out = append(out, e.Name)
	}
	return out
}

func wantCode(t *testing.T, err error, code graph.Code) {
	t.Helper()
	var e *graph.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("error %v, want code %s", err, code)
	}
}
