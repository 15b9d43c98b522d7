package bench

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"relata/graph"
)

// Loading is what a load took.
type Loading struct {
	Present  int // memories that were there already
	Loaded   int
	Took     time.Duration
	HeapMB   []float64 // heap in use of this process at each tenth
	ServerMB []float64 // memory of the server's process likewise, where known
}

// PerSecond is how many memories a second were loaded.
func (l Loading) PerSecond() float64 {
	if l.Took == 0 {
		return 0
	}
	return float64(l.Loaded) / l.Took.Seconds()
}

// loadBatch is how many memories a transaction takes: bulk writes were fastest at
// 500 to 1,000.
const loadBatch = 500

// loadWriters: two spaces at once; writers do not scale much further.
const loadWriters = 2

// Load brings the world into the database by the store's own Apply, indexes live.
// What is there already stays: a second load of the same world does nothing, one
// that was interrupted goes on, and a world that grew gets what it lacks.
func (b *Bench) Load(ctx context.Context, w *World) (Loading, error) {
	l := loader{Bench: b, world: w, started: time.Now()}
	todo := make(chan part, len(w.sizes))
	for _, s := range w.Spaces() {
		have, err := b.count(ctx, s)
		if err != nil {
			return Loading{}, err
		}
		l.present += min(have, s.Size)
		if have < s.Size {
			l.missing += s.Size - have
			todo <- part{s, have}
		}
	}
	close(todo)
	if l.missing > 0 {
		b.say("loading %d memories", l.missing)
	}
	group, ctx := errgroup.WithContext(ctx)
	for range loadWriters {
		group.Go(func() error {
			for p := range todo {
				if err := l.load(ctx, p); err != nil {
					return fmt.Errorf("load the space %s: %w", p.Name, err)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return Loading{}, err
	}
	out := Loading{Present: l.present, Loaded: int(l.loaded.Load()), HeapMB: l.heap, ServerMB: l.server}
	if out.Loaded > 0 {
		out.Took = time.Since(l.started)
	}
	return out, nil
}

// Erase deletes the spaces of a world.
func (b *Bench) Erase(ctx context.Context, w *World) error {
	for _, s := range w.Spaces() {
		if err := b.erase(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bench) erase(ctx context.Context, s Space) error {
	_, err := b.store.DeleteSpace(ctx, s.Name)
	if graph.ErrorCode(err) == graph.CodeNotFound {
		return nil
	}
	return err
}

func (b *Bench) count(ctx context.Context, s Space) (int, error) {
	row, err := b.row(ctx, "memories_count", map[string]any{"space": s.Name})
	if err != nil {
		return 0, err
	}
	return int(row["memories"].(int64)), nil
}

// part is a space that lacks its memories from a number on.
type part struct {
	Space
	from int
}

type loader struct {
	*Bench
	world            *World
	started          time.Time
	present, missing int
	loaded           atomic.Int64

	mu           sync.Mutex
	heap, server []float64
}

func (l *loader) load(ctx context.Context, p part) error {
	if err := l.settle(ctx, l.world, p.Space); err != nil {
		return err
	}
	for n := p.from; n < p.Size; n += loadBatch {
		items := make([]Item, 0, loadBatch)
		for i := n; i < min(n+loadBatch, p.Size); i++ {
			items = append(items, l.world.Item(p.Space, i))
		}
		if err := l.write(ctx, p.Space, items); err != nil {
			return err
		}
		l.tell(len(items))
	}
	return nil
}

// settle makes a space with its vocabulary and personas.
func (b *Bench) settle(ctx context.Context, w *World, s Space) error {
	if _, _, err := b.store.PutSpace(ctx, graph.Space{Name: s.Name, Vocabulary: "core", Language: "en"}); err != nil {
		return err
	}
	if err := b.service.Seed(ctx, s.Name); err != nil {
		return err
	}
	for _, p := range w.Personas(s) {
		if _, err := b.store.PutPersona(ctx, s.Name, graph.Persona{Name: p.Name}); err != nil {
			return err
		}
	}
	return nil
}

// write applies items as one diff.
func (b *Bench) write(ctx context.Context, s Space, items []Item) error {
	// A memory, two entities and whoever is aware, for each; and the diff.
	first, err := b.store.NewIDs(ctx, 6*len(items)+1)
	if err != nil {
		return err
	}
	return b.store.Write(ctx, s.Name, func(ctx context.Context, tx *graph.Tx) error {
		return tx.Apply(ctx, changes(items, first))
	})
}

func changes(items []Item, next int64) *graph.ChangeSet {
	take := func() int64 { next++; return next - 1 }
	last := items[len(items)-1].Memory
	c := &graph.ChangeSet{
		NewEntityID: func() graph.EntityID { return graph.EntityID(take()) },
		Ledger: &graph.Diff{
			ID: graph.DiffID(take()), Status: graph.DiffApplied, Session: last.SessionID,
			Date: last.Date, CreatedAt: time.Now().UTC(),
		},
	}
	for _, it := range items {
		m := it.Memory
		m.ID = graph.MemoryID(take())
		add := &graph.MemoryAdd{
			Memory: m, Subject: reference(m.Subject), Object: reference(m.Object),
			Vector: it.Vector, SourceIDs: m.MsgIDs,
		}
		for _, name := range it.Aware {
			add.Aware = append(add.Aware, graph.Awareness{
				Entity: reference(name), Since: m.Date, How: graph.HowPresent, MsgIDs: m.MsgIDs, Persona: true,
			})
		}
		c.Add = append(c.Add, add)
		c.Sources = append(c.Sources, it.Source)
	}
	return c
}

func reference(name string) graph.EntityRef {
	return graph.EntityRef{Key: graph.EntityKey(name), Name: name}
}

// tell counts, and speaks at each tenth.
func (l *loader) tell(n int) {
	done := int(l.loaded.Add(int64(n)))
	if (done-n)*10/l.missing == done*10/l.missing {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heap = append(l.heap, heapMB())
	if mb, ok := processMB(l.serverPID); ok {
		l.server = append(l.server, mb)
	}
	l.say("loaded %d of %d, %.0f a second", done, l.missing, float64(done)/time.Since(l.started).Seconds())
}

// Table shows what a load took.
func (l Loading) Table() Table {
	t := Table{Title: "loading, indexes live", Rows: []Row{{
		Name: "memories", Count: l.Loaded, PerSecond: l.PerSecond(), Note: fmt.Sprintf("in %.1f s", l.Took.Seconds()),
	}}}
	if len(l.HeapMB) > 0 {
		t.Notes = append(t.Notes, "heap of this process at each tenth, MB: "+list(l.HeapMB))
	}
	if len(l.ServerMB) > 0 {
		t.Notes = append(t.Notes, "memory of the server's process at each tenth, MB: "+list(l.ServerMB))
	}
	return t
}

func list(values []float64) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprintf("%.0f", v)
	}
	return strings.Join(texts, ", ")
}
