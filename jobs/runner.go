package jobs

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"relata/graph"
)

// Handler does the jobs of one kind. It may be called again for a job that it has
// done in part or in whole, when a process ended before that was written down: so
// whatever it writes must be idempotent.
type Handler interface {
	// Handle does a job and gives the diffs it wrote, in order. progress says how
	// far it is; it returns at once and may be called from any goroutine. The
	// context ends when the job is cancelled, when its lease is lost, and when
	// the process ends. An error that may pass leads to another attempt, see
	// [Retry].
	Handle(ctx context.Context, job graph.Job, input string, progress func(done, total int)) ([]graph.DiffID, error)
}

// Options make a [Runner].
type Options struct {
	Store    *graph.Store
	Handlers map[string]Handler // by kind; jobs of other kinds are left to others
	Spaces   []string           // only jobs of these; nil for all
	Workers  int                // jobs that run at a time; 0 for 8
	// Lease is how long a job stays with a process that has died: 0 for a minute.
	// A living one renews it three times as often.
	Lease time.Duration
	// Poll is how often to look for what other processes added or freed: 0 for a
	// second.
	Poll time.Duration
	// Keep is how long jobs that are done or cancelled can be looked at: 0 for 7
	// days. Failed ones stay until somebody tries them again or cancels them.
	Keep   time.Duration
	Retry  Retry
	Logger *slog.Logger // nil discards
}

// Runner runs jobs. It is safe for concurrent use.
type Runner struct {
	store    *graph.Store
	handlers map[string]Handler
	kinds    []string
	spaces   []string
	workers  int
	lease    time.Duration
	poll     time.Duration
	keep     time.Duration
	retry    Retry
	log      *slog.Logger
	wake     chan struct{}
	watchers watchers
}

// New makes a runner. It does nothing before [Runner.Run]; adding and watching
// work without.
func New(o Options) (*Runner, error) {
	if o.Store == nil {
		return nil, errors.New("jobs: a store is required")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Runner{
		store: o.Store, handlers: o.Handlers, kinds: slices.Sorted(maps.Keys(o.Handlers)), spaces: o.Spaces,
		workers: cmp.Or(o.Workers, 8), lease: cmp.Or(o.Lease, time.Minute), poll: cmp.Or(o.Poll, time.Second),
		keep: cmp.Or(o.Keep, 7*24*time.Hour), retry: o.Retry.withDefaults(), log: o.Logger,
		wake: make(chan struct{}, 1),
	}, nil
}

// Add queues a job, see [graph.Store.AddJob], and lets this process look for it
// at once.
func (r *Runner) Add(ctx context.Context, n graph.NewJob) (job graph.Job, queued bool, err error) {
	job, queued, err = r.store.AddJob(ctx, n)
	if queued {
		r.changed(job.ID)
	}
	return job, queued, err
}

// Cancel takes back a job, see [graph.Store.CancelJob]; one that runs in this
// process is stopped at once.
func (r *Runner) Cancel(ctx context.Context, id graph.JobID) (graph.Job, error) {
	job, err := r.store.CancelJob(ctx, id)
	if err == nil {
		r.changed(id)
	}
	return job, err
}

// Retry queues a failed or cancelled job again, see [graph.Store.RetryJob].
func (r *Runner) Retry(ctx context.Context, id graph.JobID) (graph.Job, error) {
	job, err := r.store.RetryJob(ctx, id)
	if err == nil {
		r.changed(id)
	}
	return job, err
}

// Wake lets the runner look for jobs now instead of at its next poll.
func (r *Runner) Wake() {
	select {
	case r.wake <- struct{}{}:
	default: // it will look anyway
	}
}

func (r *Runner) changed(id graph.JobID) {
	r.watchers.notify(id)
	r.Wake()
}

// Run claims and runs jobs until the context ends; then it stops those that run
// and gives them back, so that another process can begin them at once. A database
// that cannot be reached is waited for. The error is always nil.
func (r *Runner) Run(ctx context.Context) error {
	var working sync.WaitGroup
	defer working.Wait()
	working.Go(func() { r.sweep(ctx) })
	slots := make(chan struct{}, r.workers)
	for {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		job, input, ok := r.claim(ctx)
		if !ok {
			return nil
		}
		working.Go(func() {
			r.work(ctx, job, input)
			<-slots
			r.changed(job.ID) // the next of its session may run
		})
	}
}

// claim waits for a job; ok is false when the context ended.
func (r *Runner) claim(ctx context.Context) (job graph.Job, input string, ok bool) {
	for ctx.Err() == nil {
		job, input, ok, err := r.claimOnce(ctx)
		if ok {
			return job, input, true
		}
		if err != nil {
			r.log.WarnContext(ctx, "claim a job", "error", err)
		}
		pause := time.NewTimer(r.poll)
		select {
		case <-r.wake:
		case <-pause.C:
		case <-ctx.Done():
		}
		pause.Stop()
	}
	return graph.Job{}, "", false
}

// brief bounds the short writes that have to go through although the process ends.
const brief = 15 * time.Second

// claimOnce does not hear the context's end: a claim that was written and whose
// answer nobody read would hold the job for the length of a lease.
func (r *Runner) claimOnce(ctx context.Context) (graph.Job, string, bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), brief)
	defer cancel()
	return r.store.ClaimJob(ctx, graph.JobClaim{Owner: rand.Text(), Kinds: r.kinds, Spaces: r.spaces, Lease: r.lease})
}

// sweep deletes now and then what ended long ago.
func (r *Runner) sweep(ctx context.Context) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		if n, err := r.store.DeleteJobs(ctx, r.spaces, r.keep); err != nil && ctx.Err() == nil {
			r.log.WarnContext(ctx, "delete old jobs", "error", err)
		} else if n > 0 {
			r.log.InfoContext(ctx, "old jobs deleted", "jobs", n)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
