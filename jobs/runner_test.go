package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/internal/testkit"
	"relata/jobs"
)

func TestSessionsRunBesideEachOtherAndEachInOrder(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	order := make(map[string][]string)
	running := make(map[string]bool)
	met := make(chan struct{}) // the first jobs of two sessions wait for each other
	var jobIDs []graph.JobID
	for _, key := range []string{"a1", "b1", "a2", "b2", "a3"} {
		jobIDs = append(jobIDs, w.add(key[:1], key).ID)
	}
	r, _ := w.runner(handler(func(ctx context.Context, job graph.Job, input string, _ func(int, int)) ([]graph.DiffID, error) {
		mu.Lock()
		if running[job.Session] || input != "input of "+job.Key {
			t.Errorf("%s with %q runs beside another of its session: %t", job.Key, input, running[job.Session])
		}
		running[job.Session] = true
		order[job.Session] = append(order[job.Session], job.Key)
		mu.Unlock()
		if job.Key[1:] == "1" {
			select {
			case met <- struct{}{}:
			case <-met:
			case <-ctx.Done():
			}
		}
		mu.Lock()
		running[job.Session] = false
		mu.Unlock()
		return nil, nil
	}))
	for _, id := range jobIDs {
		w.await(r, id, is(graph.JobDone))
	}
	if diff := cmp.Diff(map[string][]string{"a": {"a1", "a2", "a3"}, "b": {"b1", "b2"}}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestTwoRunnersDoEachJobOnce(t *testing.T) {
	w := newWorld(t)
	const all = 200
	var ids []graph.JobID
	for i := range all {
		ids = append(ids, w.add(fmt.Sprint(i%25), fmt.Sprint(i)).ID)
	}
	var mu sync.Mutex
	times := make(map[string]int)
	by := make([]int, 2)
	var last *jobs.Runner
	for process := range by {
		store := w.store
		if process > 0 {
			store = testkit.Store(t)
		}
		last, _ = w.runner(handler(func(_ context.Context, job graph.Job, _ string, _ func(int, int)) ([]graph.DiffID, error) {
			mu.Lock()
			defer mu.Unlock()
			times[job.Key]++
			by[process]++
			return nil, nil
		}), func(o *jobs.Options) { o.Store = store })
	}
	for _, id := range ids {
		if job := w.await(last, id, is(graph.JobDone)); job.Attempts != 1 {
			t.Errorf("job %s was begun %d times", job.Key, job.Attempts)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(times) != all {
		t.Errorf("%d jobs ran, want %d", len(times), all)
	}
	for key, n := range times {
		if n != 1 {
			t.Errorf("job %s ran %d times", key, n)
		}
	}
	if by[0] == 0 || by[1] == 0 {
		t.Errorf("one runner did everything: %v", by)
	}
}

func TestAFailureThatMayPassIsTriedAgainLater(t *testing.T) {
	w := newWorld(t)
	job := w.add("s", "k")
	behind := w.add("s", "behind")
	r, _ := w.runner(handler(func(_ context.Context, job graph.Job, _ string, _ func(int, int)) ([]graph.DiffID, error) {
		if job.Key == "k" && job.Attempts < 3 {
			return nil, graph.Errorf(graph.CodeUnavailable, "the database is busy")
		}
		return []graph.DiffID{7}, nil
	}), func(o *jobs.Options) {
		o.Retry = jobs.Retry{Base: time.Hour, Max: 90 * time.Minute, Random: func() float64 { return 1 }}
	})
	for attempt, wait := range []time.Duration{time.Hour, 90 * time.Minute} {
		failed := w.await(r, job.ID, func(j graph.Job) bool { return j.State == graph.JobQueued && j.Attempts == attempt+1 })
		if got := failed.RunAfter.Sub(failed.UpdatedAt); got != wait || failed.Error != "the database is busy" {
			t.Errorf("after attempt %d it waits %s for %q, want %s", attempt+1, got, failed.Error, wait)
		}
		if next := must[graph.Job](t)(w.store.Job(w.ctx, behind.ID)); next.State != graph.JobQueued || next.Attempts != 0 {
			t.Errorf("the next of its session did not wait: %+v", next)
		}
		must[graph.Job](t)(r.Retry(w.ctx, job.ID)) // now instead of in an hour
	}
	done := w.await(r, job.ID, is(graph.JobDone))
	if done.Attempts != 3 || done.Error != "" || !slices.Equal(done.DiffIDs, []graph.DiffID{7}) {
		t.Errorf("done as %+v", done)
	}
	w.await(r, behind.ID, is(graph.JobDone))
}

func TestAJobThatCannotSucceedFailsWithItsReason(t *testing.T) {
	tests := []struct {
		name     string
		err      error // nil: it panics
		reason   string
		attempts int
	}{
		{"wrong input", graph.Errorf(graph.CodeInvalid, "the batch is not valid"), "the batch is not valid", 1},
		{"a failure that does not pass", graph.Errorf(graph.CodeTimeout, "too slow"), "too slow", 5},
		{"an unknown error", errors.New("secret"), "an internal error, see the log of the server", 1},
		{"a panic", nil, "an internal error, see the log of the server", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			var mu sync.Mutex
			mended := false
			r, _ := w.runner(handler(func(_ context.Context, _ graph.Job, input string, _ func(int, int)) ([]graph.DiffID, error) {
				mu.Lock()
				defer mu.Unlock()
				switch {
				case mended && input == "input of k":
					return nil, nil
				case tt.err == nil:
					panic("oh")
				}
				return nil, tt.err
			}))
			job := w.add("s", "k")
			failed := w.await(r, job.ID, is(graph.JobFailed))
			if failed.Error != tt.reason || failed.Attempts != tt.attempts {
				t.Errorf("failed after %d attempts: %q", failed.Attempts, failed.Error)
			}
			mu.Lock()
			mended = true
			mu.Unlock()
			w.await(r, w.add("s", "next").ID, func(j graph.Job) bool { return j.Ended() }) // it blocks nobody
			must[graph.Job](t)(r.Retry(w.ctx, job.ID))
			w.await(r, job.ID, is(graph.JobDone))
		})
	}
}

// untilStopped works until its context ends; every step of its progress renews
// the lease.
func untilStopped(begun chan<- struct{}) handler {
	return func(ctx context.Context, _ graph.Job, _ string, progress func(int, int)) ([]graph.DiffID, error) {
		select {
		case begun <- struct{}{}:
		default: // the test waits for the first run alone
		}
		for n := 0; ; n++ {
			progress(n, 0)
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
}

func TestARunningJobIsCancelled(t *testing.T) {
	w := newWorld(t)
	begun := make(chan struct{}, 2)
	r, _ := w.runner(untilStopped(begun))
	for name, cancel := range map[string]func(graph.JobID) error{
		"in this process":    func(id graph.JobID) error { _, err := r.Cancel(w.ctx, id); return err },
		"in another process": func(id graph.JobID) error { _, err := w.store.CancelJob(w.ctx, id); return err },
	} {
		job := w.add("s", name)
		<-begun
		if err := cancel(job.ID); err != nil {
			t.Fatal(err)
		}
		if j := w.await(r, job.ID, is(graph.JobCancelled)); j.Attempts != 1 {
			t.Errorf("%s: %+v", name, j)
		}
	}
}

func TestAJobOfADeadProcessIsTakenOver(t *testing.T) {
	w := newWorld(t)
	dies := func(key string, times int) graph.Job {
		job := w.add("", key)
		for n := range times {
			_, _, ok, err := w.store.ClaimJob(w.ctx, graph.JobClaim{Owner: fmt.Sprint(n), Kinds: []string{w.kind}})
			if !ok || err != nil {
				t.Fatalf("claim: %t, %v", ok, err)
			}
		}
		return job
	}
	// Each is claimed alone: a claim without a lease is due at once.
	often := dies("often", 10)
	must[graph.Job](t)(w.store.RenewJob(w.ctx, often.ID, "9", time.Hour, 0, 0))
	stopped := dies("stopped", 1)
	must[graph.Job](t)(w.store.CancelJob(w.ctx, stopped.ID))
	must[graph.Job](t)(w.store.RenewJob(w.ctx, stopped.ID, "0", time.Hour, 0, 0))
	once := dies("once", 1)
	w.cypher("MATCH (j:Job {space: $space}) SET j.due = datetime()", nil)
	r, _ := w.runner(handler(func(_ context.Context, job graph.Job, _ string, _ func(int, int)) ([]graph.DiffID, error) {
		if job.ID != once.ID {
			t.Errorf("job %s ran", job.Key)
		}
		return nil, nil
	}))
	if j := w.await(r, once.ID, is(graph.JobDone)); j.Attempts != 2 {
		t.Errorf("taken over as %+v", j)
	}
	if j := w.await(r, often.ID, is(graph.JobFailed)); j.Error != "the server ended 10 times while the job ran" {
		t.Errorf("the job that kills is %+v", j)
	}
	w.await(r, stopped.ID, is(graph.JobCancelled))
}

func TestARunnerStopsWhatItLost(t *testing.T) {
	w := newWorld(t)
	lost := make(chan error, 1)
	begun := make(chan struct{}, 1)
	w.runner(handler(func(ctx context.Context, job graph.Job, input string, progress func(int, int)) ([]graph.DiffID, error) {
		_, err := untilStopped(begun)(ctx, job, input, progress)
		lost <- context.Cause(ctx)
		return nil, err
	}))
	job := w.add("s", "k")
	<-begun
	// Another process takes it, as if this one had slept.
	w.cypher("MATCH (j:Job {space: $space}) SET j.owner = 'other', j.due = datetime() + duration('PT1H')", nil)
	if err := <-lost; err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("its context ended with %v", err)
	}
	if j := must[graph.Job](t)(w.store.Job(w.ctx, job.ID)); j.State != graph.JobRunning || j.Owner != "other" {
		t.Errorf("the job is %+v", j)
	}
}

func TestAProcessThatEndsGivesItsJobsBack(t *testing.T) {
	w := newWorld(t)
	begun := make(chan struct{})
	_, stop := w.runner(handler(func(ctx context.Context, _ graph.Job, _ string, _ func(int, int)) ([]graph.DiffID, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	job := w.add("s", "k")
	<-begun
	stop()
	j := must[graph.Job](t)(w.store.Job(w.ctx, job.ID))
	if j.State != graph.JobQueued || j.Attempts != 0 || j.RunAfter.IsZero() || j.Owner != "" {
		t.Errorf("given back as %+v", j)
	}
}

func TestAJobIsWatched(t *testing.T) {
	w := newWorld(t)
	step := make(chan struct{})
	wait := func() {
		select {
		case <-step:
		case <-w.ctx.Done():
		}
	}
	r, _ := w.runner(handler(func(_ context.Context, _ graph.Job, _ string, progress func(int, int)) ([]graph.DiffID, error) {
		wait()
		progress(3, 10)
		wait()
		return []graph.DiffID{5}, nil
	}))
	// One that runs nothing sees by asking.
	other := must[*jobs.Runner](t)(jobs.New(jobs.Options{Store: testkit.Store(t), Poll: 20 * time.Millisecond}))
	job := w.add("s", "k")
	here, there := must[<-chan graph.Job](t)(r.Watch(w.ctx, job.ID)), must[<-chan graph.Job](t)(other.Watch(w.ctx, job.ID))
	see := func(what string, want func(graph.Job) bool) {
		t.Helper()
		for _, c := range []<-chan graph.Job{here, there} {
			for {
				j, ok := <-c
				if !ok {
					t.Fatalf("the channel closed before %s was seen", what)
				}
				if want(j) {
					break
				}
			}
		}
	}
	see("running", is(graph.JobRunning))
	step <- struct{}{}
	see("progress", func(j graph.Job) bool { return j.Done == 3 && j.Total == 10 })
	step <- struct{}{}
	see("the end", func(j graph.Job) bool { return j.State == graph.JobDone && j.Done == 10 && len(j.DiffIDs) == 1 })
	for _, c := range []<-chan graph.Job{here, there} {
		if j, ok := <-c; ok {
			t.Errorf("after the end came %+v", j)
		}
	}
	// One that has ended is shown once.
	if j := w.await(r, job.ID, is(graph.JobDone)); j.ID != job.ID {
		t.Errorf("watched %+v", j)
	}
	_, err := r.Watch(w.ctx, 1)
	wantCode(t, err, graph.CodeNotFound)
}
