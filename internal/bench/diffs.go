package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"relata/graph"
	"relata/relations"
)

// writer makes diffs as one session of a space would: mostly new memories, some
// replaced, a few removed, about entities that all writers share. It is not safe
// for concurrent use.
type writer struct {
	*Bench
	space Space
	clock *clock
	pool  []relations.MemoryItem // current memories that this writer added, as sources
}

// clock numbers what the writers of a space write.
type clock struct {
	mu      sync.Mutex
	next    int // of items
	message int64
	diff    int
}

func (c *clock) take(items, messages int) (item int, message int64, diff int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	item, message, diff = c.next, c.message, c.diff
	c.next, c.message, c.diff = c.next+items, c.message+int64(messages), c.diff+1
	return item, message, diff
}

// sharedEntities is how many entities all writers write about.
const sharedEntities = 40

// firstMessage keeps the messages of diffs away from those of the world's items.
const firstMessage = 1 << 30

// diff makes a submission of n items, whose sources it takes from the pool, and
// gives the memories that it adds: see [writer.keep]. With fewer than eight items
// all are new.
func (w *writer) diff(n int) (sub relations.Submission, added []relations.MemoryItem) {
	replaces, removes := 0, 0
	if n >= 8 && len(w.pool) >= n {
		replaces, removes = n/5, n/10
	}
	messages := max(n/2, 1)
	number, message, diff := w.clock.take(n, messages)
	date := epoch.Add(time.Duration(diff) * time.Minute)
	sub = relations.Submission{
		Space: w.space.Name, Date: date, Session: fmt.Sprintf("writer-%d", diff%8), Persona: []string{"Keeper"},
		Key: fmt.Sprintf("bench-%d", diff),
	}
	for i := range messages {
		it := w.World.Item(w.space, number+i)
		sub.Sources = append(sub.Sources, graph.Source{
			SourceID: message + int64(i), Kind: graph.SourceMessage, Session: sub.Session, Role: "user",
			Speaker: "Harbour", Date: date, Content: it.Memory.Content, Present: sub.Persona,
		})
	}
	item := func(i int) relations.MemoryItem {
		it := w.World.Item(w.space, number+i)
		m := it.Memory
		m.Subject, m.Object = nameOf((number+i)*7%sharedEntities), nameOf((number+i*3+diff)%sharedEntities)
		it.Memory = m
		return relations.MemoryItem{
			Subject: m.Subject, Object: m.Object, Relation: m.Relation, Content: it.sentence(number + i),
			Index0: m.Index0, Index1: m.Index1, MsgIDs: []int64{message + int64(i%messages)},
		}
	}
	for i := range n - removes {
		m := item(i)
		if i < replaces {
			sub.Proposal.Memories.Replaces = append(sub.Proposal.Memories.Replaces, relations.MemoryReplace{Source: w.pool[i], Target: m})
		} else {
			sub.Proposal.Memories.Increments = append(sub.Proposal.Memories.Increments, m)
		}
		m.Date = date.Format(relations.DateLayout)
		m.Index0, m.Index1, m.MsgIDs = "", "", nil // a source is the date and the four texts
		added = append(added, m)
	}
	for i := range removes {
		sub.Proposal.Memories.Removes = append(sub.Proposal.Memories.Removes, w.pool[replaces+i])
	}
	w.pool = w.pool[replaces+removes:]
	return sub, added
}

// keep puts memories that were applied into the pool.
func (w *writer) keep(added []relations.MemoryItem) { w.pool = append(w.pool, added...) }

// submit applies a diff as everybody does.
func (w *writer) submit(ctx context.Context, n int) error {
	sub, added := w.diff(n)
	receipt, err := w.service.Submit(ctx, sub)
	if err != nil {
		return err
	}
	if err := allApplied(receipt.Verdicts); err != nil {
		return err
	}
	w.keep(added)
	return nil
}

func allApplied(verdicts []graph.Verdict) error {
	for _, v := range verdicts {
		if v.Outcome != graph.OutcomeApplied {
			return fmt.Errorf("an item of a synthetic diff was not applied: %s is %s, %s %s", v.Item, v.Outcome, v.Code, v.Message)
		}
	}
	return nil
}

// errRehearsed ends a transaction that must leave nothing.
var errRehearsed = errors.New("rehearsed")

// rehearsal is a store whose transactions write nothing.
type rehearsal struct{ *graph.Store }

// Write runs fn and rolls it back.
func (r rehearsal) Write(ctx context.Context, space string, fn func(context.Context, *graph.Tx) error) error {
	return r.Store.Write(ctx, space, func(ctx context.Context, tx *graph.Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return errRehearsed
	})
}

// rehearse runs a diff of n items without a trace in the database and gives the
// statements with which it would have written, to be run bare, and the memories
// that are there once they were.
func (w *writer) rehearse(ctx context.Context, n int) (writes []graph.Call, added []relations.MemoryItem, err error) {
	sub, added := w.diff(n)
	calls, err := w.rehearsed(ctx, sub)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range calls {
		if writing(c.Text) && c.Statement != "space_lock" && c.Statement != "id_block" {
			writes = append(writes, c)
		}
	}
	return writes, added, nil
}

// rehearsed gives all statements of a submission, in order.
func (b *Bench) rehearsed(ctx context.Context, sub relations.Submission) ([]graph.Call, error) {
	var calls recorder
	service := relations.NewService(relations.ServiceOptions{Store: rehearsal{b.store}})
	_, err := service.Submit(graph.WithTrace(ctx, calls.add), sub)
	if !errors.Is(err, errRehearsed) {
		return nil, fmt.Errorf("rehearse a diff: %w", err)
	}
	return calls.calls, nil
}

// writing says whether a statement changes the graph.
func writing(text string) bool {
	for _, word := range []string{"CREATE ", "MERGE ", "SET ", "DELETE ", "REMOVE "} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
