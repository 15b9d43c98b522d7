package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"golang.org/x/sync/errgroup"

	"relata/graph"
	"relata/relations"
)

const (
	bareWrites = "bare transaction, same writes"
	wholeDiff  = "diff, planned and applied"
	// writersItems is the size of a diff where several write at once.
	writersItems = 20
)

// Apply measures diffs of 1, 20 and 100 items, then 1, 4 and 8 writers on the
// same entities, in a space of their own that is deleted afterwards.
func (b *Bench) Apply(ctx context.Context) (tables []Table, err error) {
	space, clock, err := b.writingSpace(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.erase(context.WithoutCancel(ctx), space)) }()

	w, err := b.newWriter(ctx, space, clock)
	if err != nil {
		return nil, err
	}
	for _, n := range []int{1, 20, 100} {
		b.say("applying diffs of %d", n)
		rows, err := b.applyAlone(ctx, w, n)
		if err != nil {
			return nil, err
		}
		tables = append(tables, Table{Title: fmt.Sprintf("apply, %d items, one writer", n), Rows: rows})
	}
	for _, n := range []int{1, 4, 8} {
		b.say("applying diffs of %d by %d writers", writersItems, n)
		rows, err := b.applyTogether(ctx, space, clock, n)
		if err != nil {
			return nil, err
		}
		tables = append(tables, Table{
			Title: fmt.Sprintf("apply, %d items, %d writers on the same %d entities", writersItems, n, sharedEntities), Rows: rows,
		})
	}
	whole, err := b.row(ctx, "space_whole", map[string]any{"space": space.Name})
	if err != nil {
		return nil, err
	}
	last := &tables[len(tables)-1]
	last.Notes = append(last.Notes, fmt.Sprintf("afterwards: %d current memories, %d of them without an end, a typed edge or the diff that wrote them",
		whole["memories"], whole["broken"]))
	return tables, nil
}

// writingSpace makes the space that diffs are applied to.
func (b *Bench) writingSpace(ctx context.Context) (Space, *clock, error) {
	space := Space{Name: fmt.Sprintf("%s%d-apply", Prefix, b.World.Seed), number: writingNumber}
	if err := b.erase(ctx, space); err != nil {
		return space, nil, err
	}
	return space, &clock{message: firstMessage}, b.settle(ctx, b.World, space)
}

// writingNumber is the number of a space that no world has.
const writingNumber = 1 << 20

// seeded is how many memories each writer has before it begins: enough to replace
// and remove some in every round.
func (b *Bench) seeded() int { return min(writersItems*(b.rounds+1), 200) }

// newWriter makes a writer that has some memories to replace and remove.
func (b *Bench) newWriter(ctx context.Context, space Space, c *clock) (*writer, error) {
	w := &writer{Bench: b, space: space, clock: c}
	for len(w.pool) < b.seeded() {
		if err := w.submit(ctx, b.seeded()/2); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (b *Bench) applyAlone(ctx context.Context, w *writer, n int) ([]Row, error) {
	var writes []graph.Call
	var added []relations.MemoryItem
	bare := probe{
		name: bareWrites, parts: true,
		before: func(ctx context.Context) (err error) {
			writes, added, err = w.rehearse(ctx, n)
			return err
		},
		run:   func(ctx context.Context, _ int) error { return b.replay(ctx, writes) },
		after: func(context.Context) error { w.keep(added); return nil },
	}
	whole := probe{name: wholeDiff, of: bareWrites, parts: true, run: func(ctx context.Context, _ int) error {
		return w.submit(ctx, n)
	}}
	return b.alternate(ctx, b.rounds, []probe{bare, whole})
}

// replay runs statements in one managed transaction, with nothing between them.
func (b *Bench) replay(ctx context.Context, calls []graph.Call) error {
	record, _ := ctx.Value(recorderKey{}).(*recorder)
	session := b.driver().NewSession(ctx, neo4j.SessionConfig{DatabaseName: b.connect.Database})
	defer session.Close(ctx)
	_, err := neo4j.ExecuteWrite(ctx, session, func(tx neo4j.ManagedTransaction) (struct{}, error) {
		for _, c := range calls {
			c.Start = time.Now()
			result, err := tx.Run(ctx, c.Text, c.Params)
			if err != nil {
				return struct{}{}, err
			}
			if _, err := result.Consume(ctx); err != nil {
				return struct{}{}, err
			}
			if c.End = time.Now(); record != nil {
				record.add(c)
			}
		}
		return struct{}{}, nil
	})
	if err != nil {
		return fmt.Errorf("run writes bare: %w", err)
	}
	return nil
}

// applyTogether lets writers apply some diffs each, by turns with bare
// transactions of the same kind.
func (b *Bench) applyTogether(ctx context.Context, space Space, c *clock, n int) ([]Row, error) {
	writers := make([]*writer, n)
	for i := range writers {
		var err error
		if writers[i], err = b.newWriter(ctx, space, c); err != nil {
			return nil, err
		}
	}
	const turns = 2
	each := max(min(b.rounds/turns/n, b.seeded()/writersItems), 2)
	probes := []probe{{name: bareWrites}, {name: wholeDiff, of: bareWrites}}
	all := make([]samples, len(probes))
	for turn := -1; turn < turns; turn++ {
		bare, err := rehearseAll(ctx, writers, each)
		if err != nil {
			return nil, err
		}
		for i, run := range []func(context.Context, *writer, int) error{
			func(ctx context.Context, w *writer, k int) error { return b.replay(ctx, bare[w][k]) },
			func(ctx context.Context, w *writer, _ int) error { return w.submit(ctx, writersItems) },
		} {
			took, err := atOnce(ctx, writers, each, run)
			if err != nil {
				return nil, err
			}
			if turn >= 0 {
				all[i].times = append(all[i].times, took.times...)
				all[i].wall += took.wall
			}
		}
	}
	return rows(probes, all), nil
}

// rehearseAll prepares bare writes for each writer.
func rehearseAll(ctx context.Context, writers []*writer, each int) (map[*writer][][]graph.Call, error) {
	out := make(map[*writer][][]graph.Call)
	for _, w := range writers {
		for range each {
			// What these add does not come back into the pool: it is not there
			// while the others are rehearsed.
			writes, _, err := w.rehearse(ctx, writersItems)
			if err != nil {
				return nil, err
			}
			out[w] = append(out[w], writes)
		}
		for len(w.pool) < w.seeded() {
			if err := w.submit(ctx, w.seeded()/2); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// atOnce lets each writer run something a number of times.
func atOnce(ctx context.Context, writers []*writer, each int, run func(context.Context, *writer, int) error) (samples, error) {
	var out samples
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	started := time.Now()
	for _, w := range writers {
		group.Go(func() error {
			for k := range each {
				began := time.Now()
				if err := run(ctx, w, k); err != nil {
					return err
				}
				took := time.Since(began)
				mu.Lock()
				out.add(took)
				mu.Unlock()
			}
			return nil
		})
	}
	err := group.Wait()
	out.wall = time.Since(started)
	return out, err
}
