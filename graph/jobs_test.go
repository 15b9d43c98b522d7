package graph_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/graph"
	"relata/internal/testkit"
)

// lease is longer than any test.
const lease = time.Hour

// add adds a job of the test's own kind, which no other test claims.
func (w *world) add(session, key string) graph.Job {
	w.t.Helper()
	job, _, err := w.store.AddJob(w.t.Context(), graph.NewJob{Space: w.space, Kind: w.space, Session: session, Key: key, Input: "input of " + key})
	if err != nil {
		w.t.Fatal(err)
	}
	return job
}

// claim claims the next job, of which the owner is the name.
func (w *world) claim(owner string, lease time.Duration) (graph.Job, string, bool) {
	w.t.Helper()
	job, input, ok, err := w.store.ClaimJob(w.t.Context(), graph.JobClaim{Owner: owner, Kinds: []string{w.space}, Lease: lease})
	if err != nil {
		w.t.Fatal(err)
	}
	return job, input, ok
}

// claims claims all that may run, each for an owner called like its key.
func (w *world) claims() []string {
	w.t.Helper()
	var keys []string
	for {
		job, _, ok := w.claim("one", lease)
		if !ok {
			slices.Sort(keys)
			return keys
		}
		keys = append(keys, job.Key)
	}
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

func TestAJobIsAddedOnceForItsKey(t *testing.T) {
	w := newWorld(t)
	first := w.add("s", "k")
	if first.State != graph.JobQueued || first.RunAfter.IsZero() || first.CreatedAt.IsZero() || first.Key != "k" || first.Session != "s" {
		t.Errorf("the job is %+v", first)
	}
	tests := []struct {
		name   string
		before func()
		queued bool
	}{
		{"while it waits", func() {}, false},
		{"while it runs", func() { w.claim("a", lease) }, false},
		{"after it failed", func() {
			must[graph.Job](t)(w.store.FailJob(t.Context(), first.ID, "a", graph.JobFailure{Reason: "why"}))
		}, true},
		{"after it was cancelled", func() { must[graph.Job](t)(w.store.CancelJob(t.Context(), first.ID)) }, true},
		{"after it was done", func() {
			w.claim("b", lease)
			must[graph.Job](t)(w.store.FinishJob(t.Context(), first.ID, "b", []graph.DiffID{1 << 40}))
		}, false},
		{"after its diff gave the key back", func() {
			w.cypher("CREATE (:Diff {space: $space, id: $id})", map[string]any{"id": 1 << 40})
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.before()
			job, queued, err := w.store.AddJob(t.Context(), graph.NewJob{Space: w.space, Kind: w.space, Session: "s", Key: "k", Input: tt.name})
			if err != nil {
				t.Fatal(err)
			}
			if job.ID != first.ID || queued != tt.queued {
				t.Errorf("job %d, queued %t, want job %d and %t", job.ID, queued, first.ID, tt.queued)
			}
			if queued && (job.State != graph.JobQueued || job.Error != "" || job.Attempts != 0 || job.RunAfter.IsZero() || job.DiffIDs != nil) {
				t.Errorf("queued again as %+v", job)
			}
		})
	}
	if _, input, _ := w.claim("c", lease); input != "after its diff gave the key back" {
		t.Errorf("the input is %q, want the last one", input)
	}
	for _, n := range []graph.NewJob{
		{Space: w.space, Kind: w.space, Session: "other", Key: "k"},
		{Space: w.space, Kind: "other", Session: "s", Key: "k"},
	} {
		_, _, err := w.store.AddJob(t.Context(), n)
		wantCode(t, err, graph.CodeConflict)
	}
	for _, session := range []string{"", "s"} {
		_, _, err := w.store.AddJob(t.Context(), graph.NewJob{Space: "nowhere", Kind: "x", Session: session})
		wantCode(t, err, graph.CodeNotFound)
	}
	if a, b := w.add("", ""), w.add("", ""); a.ID == b.ID || a.Key == b.Key {
		t.Errorf("two jobs without a key are one: %+v", a)
	}
}

func TestJobsOfASessionGoInOrder(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	jobs := make(map[string]graph.Job)
	for _, key := range []string{"a1", "a2", "a3", "b1", "b2", "-1", "-2"} {
		session := key[:1]
		if session == "-" {
			session = ""
		}
		jobs[key] = w.add(session, key)
	}
	steps := []struct {
		name string
		do   func() (graph.Job, error)
		want []string // what may run then
	}{
		{"the first of each session, and all without one", nil, []string{"-1", "-2", "a1", "b1"}},
		{"nothing twice", nil, nil},
		{"the next when one is done", func() (graph.Job, error) { return w.store.FinishJob(ctx, jobs["a1"].ID, "one", nil) }, []string{"a2"}},
		{"none while one waits for its next attempt", func() (graph.Job, error) {
			return w.store.FailJob(ctx, jobs["a2"].ID, "one", graph.JobFailure{Again: true, Wait: time.Hour})
		}, nil},
		{"the same again when somebody asks", func() (graph.Job, error) { return w.store.RetryJob(ctx, jobs["a2"].ID) }, []string{"a2"}},
		{"one that was given up blocks no longer", func() (graph.Job, error) {
			return w.store.FailJob(ctx, jobs["a2"].ID, "one", graph.JobFailure{Reason: "why"})
		}, []string{"a3"}},
		{"tried again, it waits for the one that runs", func() (graph.Job, error) { return w.store.RetryJob(ctx, jobs["a2"].ID) }, nil},
		{"and goes before those that came later", func() (graph.Job, error) {
			jobs["a4"] = w.add("a", "a4")
			return w.store.FinishJob(ctx, jobs["a3"].ID, "one", nil)
		}, []string{"a2"}},
		{"one that waits is cancelled", func() (graph.Job, error) {
			jobs["a5"] = w.add("a", "a5")
			must[graph.Job](t)(w.store.CancelJob(ctx, jobs["a4"].ID))
			return w.store.FinishJob(ctx, jobs["a2"].ID, "one", nil)
		}, []string{"a5"}},
		{"one that is given back comes again", func() (graph.Job, error) { return w.store.ReleaseJob(ctx, jobs["b1"].ID, "one") }, []string{"b1"}},
		{"one that stops lets the next in", func() (graph.Job, error) { return w.store.StopJob(ctx, jobs["b1"].ID, "one") }, []string{"b2"}},
		{"a cancelled one can be tried again", func() (graph.Job, error) {
			must[graph.Job](t)(w.store.FinishJob(ctx, jobs["b2"].ID, "one", nil))
			return w.store.RetryJob(ctx, jobs["b1"].ID)
		}, []string{"b1"}},
	}
	for _, s := range steps {
		if s.do != nil {
			must[graph.Job](t)(s.do())
		}
		if diff := cmp.Diff(s.want, w.claims()); diff != "" {
			t.Fatalf("%s: may run (-want +got):\n%s", s.name, diff)
		}
	}
}

func TestAnEndedLeaseIsTakenOver(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	job := w.add("s", "k")
	w.add("s", "later")
	if first, input, ok := w.claim("a", 0); !ok || first.Attempts != 1 || first.Owner != "a" || input != "input of k" {
		t.Fatalf("claimed %+v with %q", first, input)
	}
	second, _, ok := w.claim("b", lease)
	if !ok || second.ID != job.ID || second.Attempts != 2 || second.Owner != "b" || second.Lease.IsZero() {
		t.Fatalf("taken over %+v", second)
	}
	if _, _, ok := w.claim("c", lease); ok {
		t.Error("taken twice")
	}
	_, err := w.store.RenewJob(ctx, job.ID, "a", lease, 0, 0)
	wantCode(t, err, graph.CodeConflict)
	_, err = w.store.FinishJob(ctx, job.ID, "a", nil)
	wantCode(t, err, graph.CodeConflict)
	_, err = w.store.FailJob(ctx, job.ID, "a", graph.JobFailure{})
	wantCode(t, err, graph.CodeConflict)
	_, err = w.store.ReleaseJob(ctx, job.ID, "a")
	wantCode(t, err, graph.CodeConflict)
	_, err = w.store.StopJob(ctx, job.ID, "a")
	wantCode(t, err, graph.CodeConflict)
	if j := must[graph.Job](t)(w.store.RenewJob(ctx, job.ID, "b", lease, 3, 10)); j.Done != 3 || j.Total != 10 {
		t.Errorf("renewed %+v", j)
	}
	j := must[graph.Job](t)(w.store.FinishJob(ctx, job.ID, "b", []graph.DiffID{5, 6}))
	if j.State != graph.JobDone || j.Done != 10 || j.Owner != "" || !slices.Equal(j.DiffIDs, []graph.DiffID{5, 6}) {
		t.Errorf("done %+v", j)
	}
	if n := w.cypher("MATCH (i:JobInput {job: $id}) RETURN count(i)", map[string]any{"id": int64(job.ID)}); n != 0 {
		t.Error("its input is still there")
	}
}

func TestACancelledJobStops(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	job := w.add("s", "k")
	w.claim("a", lease)
	asked := must[graph.Job](t)(w.store.CancelJob(ctx, job.ID))
	if asked.State != graph.JobRunning || !asked.Cancel || asked.Lease.IsZero() {
		t.Errorf("asked to stop: %+v", asked)
	}
	if j := must[graph.Job](t)(w.store.RenewJob(ctx, job.ID, "a", lease, 0, 0)); !j.Cancel {
		t.Error("the owner does not see it")
	}
	// A failure that would be tried again ends it too.
	j := must[graph.Job](t)(w.store.FailJob(ctx, job.ID, "a", graph.JobFailure{Reason: "busy", Again: true}))
	if j.State != graph.JobCancelled || j.Error != "busy" || j.Cancel {
		t.Errorf("it is %+v", j)
	}
	if j = must[graph.Job](t)(w.store.CancelJob(ctx, job.ID)); j.State != graph.JobCancelled {
		t.Errorf("cancelled again it is %+v", j)
	}
	done := w.add("", "done")
	w.claim("a", lease)
	_, err := w.store.RetryJob(ctx, done.ID)
	wantCode(t, err, graph.CodeConflict)
	must[graph.Job](t)(w.store.FinishJob(ctx, done.ID, "a", nil))
	_, err = w.store.CancelJob(ctx, done.ID)
	wantCode(t, err, graph.CodeConflict)
	_, err = w.store.RetryJob(ctx, done.ID)
	wantCode(t, err, graph.CodeConflict)
	for _, do := range []func(context.Context, graph.JobID) (graph.Job, error){w.store.Job, w.store.CancelJob, w.store.RetryJob} {
		_, err = do(ctx, 1)
		wantCode(t, err, graph.CodeNotFound)
	}
}

func TestJobsAreListedNewestFirst(t *testing.T) {
	w := newWorld(t)
	var ids []graph.JobID
	for i := range 5 {
		ids = append(ids, w.add([]string{"s", "t"}[i%2], fmt.Sprint(i)).ID)
	}
	w.claim("a", lease)
	tests := map[string]struct {
		filter graph.JobFilter
		want   []graph.JobID
		more   bool
	}{
		"all":          {graph.JobFilter{}, []graph.JobID{ids[4], ids[3], ids[2], ids[1], ids[0]}, false},
		"of a session": {graph.JobFilter{Session: "t"}, []graph.JobID{ids[3], ids[1]}, false},
		"running":      {graph.JobFilter{State: graph.JobRunning}, ids[:1], false},
		"a page":       {graph.JobFilter{Limit: 2}, []graph.JobID{ids[4], ids[3]}, true},
		"of a caller":  {graph.JobFilter{By: "somebody"}, nil, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			page := must[graph.Page[graph.Job]](t)(w.store.Jobs(t.Context(), w.space, tt.filter))
			var got []graph.JobID
			for _, j := range page.Items {
				got = append(got, j.ID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || (page.Cursor != "") != tt.more {
				t.Errorf("cursor %q, jobs (-want +got):\n%s", page.Cursor, diff)
			}
		})
	}
	page := must[graph.Page[graph.Job]](t)(w.store.Jobs(t.Context(), w.space, graph.JobFilter{Limit: 4}))
	page = must[graph.Page[graph.Job]](t)(w.store.Jobs(t.Context(), w.space, graph.JobFilter{Cursor: page.Cursor}))
	if len(page.Items) != 1 || page.Items[0].ID != ids[0] {
		t.Errorf("the second page is %+v", page)
	}
	_, err := w.store.Jobs(t.Context(), w.space, graph.JobFilter{State: "sleeping"})
	wantCode(t, err, graph.CodeInvalid)
	_, err = w.store.Jobs(t.Context(), "nowhere", graph.JobFilter{})
	wantCode(t, err, graph.CodeNotFound)
}

func TestEndedJobsAreDeleted(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	jobs := make(map[string]graph.Job)
	for _, key := range []string{"done", "failed", "cancelled", "queued", "running"} {
		jobs[key] = w.add("", key)
	}
	w.claims()
	must[graph.Job](t)(w.store.FinishJob(ctx, jobs["done"].ID, "one", nil))
	must[graph.Job](t)(w.store.FailJob(ctx, jobs["failed"].ID, "one", graph.JobFailure{}))
	must[graph.Job](t)(w.store.StopJob(ctx, jobs["cancelled"].ID, "one"))
	must[graph.Job](t)(w.store.ReleaseJob(ctx, jobs["queued"].ID, "one"))
	if n := must[int](t)(w.store.DeleteJobs(ctx, []string{w.space}, time.Hour)); n != 0 {
		t.Errorf("%d young jobs were deleted", n)
	}
	if n := must[int](t)(w.store.DeleteJobs(ctx, []string{w.space}, 0)); n != 2 {
		t.Errorf("%d jobs were deleted, want those done and cancelled", n)
	}
	if n := w.cypher("MATCH (j:Job {space: $space}) RETURN count(j)", nil); n != 3 {
		t.Errorf("%d jobs are left", n)
	}
	if n := w.cypher("MATCH (i:JobInput {space: $space}) RETURN count(i)", nil); n != 3 {
		t.Errorf("%d inputs are left", n)
	}
}

// TestTwoProcessesDoEachJobOnce lets two stores, as two processes have them, race
// for the same jobs.
func TestTwoProcessesDoEachJobOnce(t *testing.T) {
	w := newWorld(t)
	other := testkit.Store(t)
	const sessions, each = 10, 6
	for i := range sessions * each {
		w.add(fmt.Sprint(i%sessions), fmt.Sprint(i))
	}
	var mu sync.Mutex
	order := make(map[string][]graph.JobID)
	running := make(map[string]bool)
	var wg sync.WaitGroup
	for runner := range 8 {
		store := []*graph.Store{w.store, other}[runner%2]
		wg.Go(func() {
			for n := 0; ; n++ {
				mu.Lock()
				done := 0
				for _, ids := range order {
					done += len(ids)
				}
				mu.Unlock()
				if done >= sessions*each {
					return
				}
				owner := fmt.Sprintf("%d-%d", runner, n)
				job, input, ok, err := store.ClaimJob(t.Context(), graph.JobClaim{Owner: owner, Kinds: []string{w.space}, Lease: lease})
				if err != nil {
					t.Error(err)
					return
				}
				if !ok {
					continue // the next of its session comes when another is done
				}
				mu.Lock()
				if running[job.Session] || input != "input of "+job.Key || job.Attempts != 1 {
					t.Errorf("%+v with %q, while another of its session runs: %t", job, input, running[job.Session])
				}
				running[job.Session] = true
				order[job.Session] = append(order[job.Session], job.ID)
				mu.Unlock()
				mu.Lock()
				running[job.Session] = false
				mu.Unlock()
				if _, err := store.FinishJob(t.Context(), job.ID, owner, nil); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	for session, ids := range order {
		if len(ids) != each || !slices.IsSorted(ids) {
			t.Errorf("session %s: %v", session, ids)
		}
	}
	if n := w.cypher("MATCH (j:Job {space: $space, state: 'done'}) RETURN count(j)", nil); n != sessions*each {
		t.Errorf("%d jobs are done, want %d", n, sessions*each)
	}
}

// TestRacingAddsOfAKeyMakeOneJob does so without a session, whose lock would keep
// them apart.
func TestRacingAddsOfAKeyMakeOneJob(t *testing.T) {
	w := newWorld(t)
	other := testkit.Store(t)
	var wg sync.WaitGroup
	ids := make([]graph.JobID, 8)
	queued := make([]bool, len(ids))
	for i := range ids {
		store := []*graph.Store{w.store, other}[i%2]
		wg.Go(func() {
			job, q, err := store.AddJob(t.Context(), graph.NewJob{Space: w.space, Kind: w.space, Key: "k"})
			if err != nil {
				t.Error(err)
			}
			ids[i], queued[i] = job.ID, q
		})
	}
	wg.Wait()
	if len(slices.Compact(ids)) != 1 {
		t.Errorf("several jobs: %v", ids)
	}
	n := 0
	for _, q := range queued {
		if q {
			n++
		}
	}
	if n != 1 {
		t.Errorf("queued %d times", n)
	}
}

func TestDeletingASpaceDeletesItsJobs(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.add("s", "waits")
	w.add("s", "behind")
	failed := w.add("", "failed")
	w.claims()
	must[graph.Job](t)(w.store.FailJob(ctx, failed.ID, "one", graph.JobFailure{}))
	if _, _, err := w.store.AddPending(ctx, w.space, "s", turns("a", "b"), graph.People{}, rule); err != nil {
		t.Fatal(err)
	}
	d := must[graph.Deletion](t)(w.store.DeleteSpace(ctx, w.space))
	// Three jobs, their inputs, a line, two turns.
	if d.Other != 9 || d.Remaining != 0 {
		t.Errorf("deleted %+v", d)
	}
	if n := w.cypher("MATCH (n:Job|JobInput|Line|Pending) WHERE n.space = $space RETURN count(n)", nil); n != 0 {
		t.Errorf("%d nodes are left", n)
	}
}

// cypher runs a statement past the store and gives its first number, 0 for none.
func (w *world) cypher(statement string, params map[string]any) int64 {
	w.t.Helper()
	if params == nil {
		params = map[string]any{}
	}
	params["space"] = w.space
	res, err := neo4j.ExecuteQuery(w.t.Context(), w.store.Driver(), statement, params, neo4j.EagerResultTransformer)
	if err != nil {
		w.t.Fatal(err)
	}
	if len(res.Records) == 0 {
		return 0
	}
	n, _ := res.Records[0].Values[0].(int64)
	return n
}
