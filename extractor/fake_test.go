package extractor_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// world is the little of a store and of a submitter that ingesting touches. How
// diffs are planned and applied is tested on a real database.
type world struct {
	mu        sync.Mutex
	space     graph.Space
	personas  []graph.Persona
	relations []graph.Relation
	memories  []graph.Memory
	done      map[string]graph.Receipt // by idempotency key
	nextID    int64
	submitted []relations.Submission
	asked     []graph.ContextQuery
	fail      error // of Submit
}

var (
	_ extractor.Store     = (*world)(nil)
	_ extractor.Submitter = (*world)(nil)
)

func harbour() *world {
	return &world{
		space: graph.Space{Name: "harbour-cafe", Timezone: "Asia/Shanghai"},
		personas: []graph.Persona{
			{Name: "小满", Aliases: []string{"满满", "Xiaoman"}, Owner: "阿岩", OwnerAliases: []string{"林岩", "岩哥"}, Voice: "活泼，\n说到做到"},
			{Name: "Lumen", Aliases: []string{"Lu"}, Owner: "Maya"},
			{Name: "墨鱼", Owner: "舟舟"},
		},
		done: make(map[string]graph.Receipt), nextID: 1 << 50,
	}
}

func (w *world) Space(_ context.Context, name string) (graph.Space, error) {
	if name != w.space.Name {
		return graph.Space{}, graph.Errorf(graph.CodeNotFound, "there is no space %q", name)
	}
	return w.space, nil
}

func (w *world) Personas(context.Context, string, string) ([]graph.Persona, error) {
	return w.personas, nil
}

func (w *world) Relations(context.Context, string, string) ([]graph.Relation, error) {
	return w.relations, nil
}

func (w *world) Context(_ context.Context, _ string, q graph.ContextQuery) ([]graph.Memory, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, q)
	return w.memories, nil
}

func (w *world) NewSourceIDs(_ context.Context, n int) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := w.nextID
	w.nextID += int64(n)
	return first, nil
}

func (w *world) DiffByKey(_ context.Context, _, key string) (graph.Diff, bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r, ok := w.done[key]
	return graph.Diff{ID: r.DiffID, Key: key}, ok, nil
}

func (w *world) Receipt(_ context.Context, _ string, d graph.Diff, _ string) (graph.Receipt, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done[d.Key], nil
}

func (w *world) Submit(_ context.Context, s relations.Submission) (graph.Receipt, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fail != nil {
		return graph.Receipt{}, w.fail
	}
	w.submitted = append(w.submitted, s)
	r := graph.Receipt{DiffID: graph.DiffID(len(w.submitted)), Status: graph.DiffApplied, Usage: s.Usage, Truncated: s.Truncated}
	if s.Key != "" && !s.Truncated && !s.DryRun {
		w.done[s.Key] = r
	}
	return r, nil
}

func (w *world) submissions() []relations.Submission {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.submitted)
}

// script is a model that answers from a list, then repeats its last answer.
type script struct {
	mu    sync.Mutex
	steps []step
	asked []extractor.Request
	hold  chan struct{} // when set, each call waits for it
}

type step struct {
	answer extractor.Answer
	err    error
}

func (s *script) Name() string { return "script" }

func (s *script) Answer(ctx context.Context, req extractor.Request) (extractor.Answer, error) {
	s.mu.Lock()
	s.asked = append(s.asked, req)
	st := s.steps[min(len(s.asked), len(s.steps))-1]
	hold := s.hold
	s.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return extractor.Answer{}, &extractor.ModelError{Kind: extractor.KindTimeout, Model: "script", Err: ctx.Err()}
		}
	}
	return st.answer, st.err
}

func (s *script) requests() []extractor.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func says(texts ...string) *script {
	s := &script{}
	for _, t := range texts {
		s.steps = append(s.steps, step{answer: extractor.Answer{Text: t, InputTokens: 10, OutputTokens: 5}})
	}
	return s
}

func fails(kind extractor.Kind) step {
	return step{err: &extractor.ModelError{Kind: kind, Model: "script", InputTokens: 1}}
}

// clock is a clock that sleeping moves.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(_ context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return nil
}

func (c *clock) retry() extractor.Retry {
	return extractor.Retry{Now: c.Now, Sleep: c.Sleep, Random: func() float64 { return 1 }}
}

func newExtractor(t testing.TB, w *world, m extractor.Model, more ...func(*extractor.Options)) *extractor.Extractor {
	t.Helper()
	o := extractor.Options{Store: w, Relations: w, Model: m, Retry: newClock().retry()}
	for _, f := range more {
		f(&o)
	}
	e, err := extractor.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func talk(contents ...string) extractor.Batch {
	b := extractor.Batch{Space: "harbour-cafe", Session: "s1", Persona: []string{"小满"}}
	for i, c := range contents {
		b.Chats = append(b.Chats, extractor.Chat{
			ID: id(int64(i + 1)), Date: "2026-03-03 20:00:00", Role: "user", Speaker: "阿岩", Content: c,
		})
	}
	return b
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
