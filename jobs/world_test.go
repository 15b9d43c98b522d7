package jobs_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/extractor"
	"relata/graph"
	"relata/internal/testkit"
	"relata/jobs"
	"relata/relations"
)

// patience bounds what a test waits for on a slow machine.
const patience = 2 * time.Minute

// world is a space of a test's own. Its jobs are of a kind that no other test
// runs, for all share one database.
type world struct {
	t     *testing.T
	ctx   context.Context
	store *graph.Store
	space string
	kind  string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	store := testkit.Store(t)
	space := testkit.Space(t, store, graph.Space{Timezone: "Asia/Shanghai"})
	return &world{t, ctx, store, space, space}
}

// runner makes a runner of the test's jobs and runs it until the end of the test,
// or until the function that comes back is called.
func (w *world) runner(h jobs.Handler, change ...func(*jobs.Options)) (r *jobs.Runner, stop func()) {
	w.t.Helper()
	o := jobs.Options{
		Store: w.store, Handlers: map[string]jobs.Handler{w.kind: h}, Spaces: []string{w.space},
		Lease: time.Hour, Poll: 50 * time.Millisecond, Retry: jobs.Retry{Base: time.Millisecond},
	}
	for _, c := range change {
		c(&o)
	}
	r = must[*jobs.Runner](w.t)(jobs.New(o))
	ctx, cancel := context.WithCancel(w.ctx)
	var running sync.WaitGroup
	running.Go(func() { _ = r.Run(ctx) })
	stop = func() { cancel(); running.Wait() }
	w.t.Cleanup(stop)
	return r, stop
}

// add adds a job.
func (w *world) add(session, key string) graph.Job {
	w.t.Helper()
	job, _, err := w.store.AddJob(w.ctx, graph.NewJob{Space: w.space, Kind: w.kind, Session: session, Key: key, Input: "input of " + key})
	if err != nil {
		w.t.Fatal(err)
	}
	return job
}

// await watches a job until it looks as wanted, and fails where it ends otherwise.
func (w *world) await(r *jobs.Runner, id graph.JobID, want func(graph.Job) bool) graph.Job {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	var last graph.Job
	for job := range must[<-chan graph.Job](w.t)(r.Watch(ctx, id)) {
		if last = job; want(job) {
			return job
		}
	}
	w.t.Fatalf("the job came to %+v", last)
	return last
}

func is(s graph.JobState) func(graph.Job) bool {
	return func(j graph.Job) bool { return j.State == s }
}

// cypher runs a statement past the store and gives its first number.
func (w *world) cypher(statement string, params map[string]any) int64 {
	w.t.Helper()
	if params == nil {
		params = make(map[string]any)
	}
	params["space"] = w.space
	res, err := neo4j.ExecuteQuery(w.ctx, w.store.Driver(), statement, params, neo4j.EagerResultTransformer)
	if err != nil {
		w.t.Fatal(err)
	}
	if len(res.Records) == 0 {
		return 0
	}
	n, _ := res.Records[0].Values[0].(int64)
	return n
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func wantCode(t *testing.T, err error, code graph.Code) {
	t.Helper()
	if e, ok := errors.AsType[*graph.Error](err); !ok || e.Code != code {
		t.Errorf("error %v, want code %s", err, code)
	}
}

// handler is a function as a handler.
type handler func(ctx context.Context, job graph.Job, input string, progress func(done, total int)) ([]graph.DiffID, error)

func (h handler) Handle(ctx context.Context, job graph.Job, input string, progress func(done, total int)) ([]graph.DiffID, error) {
	return h(ctx, job, input, progress)
}

// model gives hand-written answers: each call the next, the last one for ever.
type model struct {
	mu     sync.Mutex
	steps  []any // a text, or an error
	asked  []string
	before func() // each call, outside of the lock
}

func (m *model) Name() string { return "script" }

func (m *model) Answer(_ context.Context, req extractor.Request) (extractor.Answer, error) {
	if m.before != nil {
		m.before()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, req.User)
	switch step := m.steps[min(len(m.asked), len(m.steps))-1].(type) {
	case error:
		return extractor.Answer{}, step
	case string:
		return extractor.Answer{Text: step}, nil
	}
	panic("a step is a text or an error")
}

func (m *model) calls() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.asked)
}

// likesTea is an answer written by hand.
const likesTea = `<relations><replaces/><increments><increment><key>like</key><content>喜欢</content></increment></increments><removes/></relations>
<memories><replaces/><increments><increment><subject>阿岩</subject><object>茶</object><relation>like</relation><content>阿岩喜欢喝茶。</content></increment></increments><removes/></memories>`

// ingester is the real one but for its model.
func (w *world) ingester(m extractor.Model) *extractor.Extractor {
	w.t.Helper()
	return must[*extractor.Extractor](w.t)(extractor.New(extractor.Options{
		Store: w.store, Relations: relations.NewService(relations.ServiceOptions{Store: w.store}), Model: m,
		Retry: extractor.Retry{Attempts: 1, RateLimited: 1},
	}))
}

// talk is a batch of one session.
func (w *world) talk(session string, contents ...string) extractor.Batch {
	b := extractor.Batch{Space: w.space, Session: session}
	for _, c := range contents {
		b.Chats = append(b.Chats, extractor.Chat{Date: "2026-03-03 20:00:00", Role: "user", Speaker: "阿岩", Content: c})
	}
	return b
}
