package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"relata/graph"
)

// Why a job's context ended, beside the end of the process.
var (
	errCancelled = errors.New("the job was cancelled")
	errLost      = errors.New("the job belongs to another runner now")
)

// work runs one attempt at a job and writes down how it ended.
func (r *Runner) work(process context.Context, job graph.Job, input string) {
	r.watchers.notify(job.ID)
	log := r.log.With("job", job.ID, "space", job.Space, "kind", job.Kind, "attempt", job.Attempts)
	var diffs []graph.DiffID
	var err error
	var cause error
	switch {
	case job.Cancel: // its last owner died before it could stop
		err, cause = errCancelled, errCancelled
	case job.Attempts > r.retry.Attempts:
		err = graph.Errorf(graph.CodeTimeout, "the server ended %d times while the job ran", job.Attempts-1)
	default:
		log.InfoContext(process, "job begun", "session", job.Session)
		ctx, stop := context.WithCancelCause(process)
		k := r.hold(ctx, stop, job)
		diffs, err = r.handle(ctx, job, input, k.progress)
		cause = context.Cause(ctx)
		k.end()
		stop(nil)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(process), brief)
	defer cancel()
	state, ended := r.end(ctx, process.Err() != nil, job, diffs, err, cause)
	switch {
	case ended != nil:
		// The lease runs out, and the job is begun again.
		log.WarnContext(ctx, "write down how a job ended", "error", errors.Join(ended, err))
	case err != nil:
		log.WarnContext(ctx, "job ended", "state", state.State, "error", err, "next", state.RunAfter)
	default:
		log.InfoContext(ctx, "job ended", "state", state.State)
	}
}

// end writes down how an attempt ended.
func (r *Runner) end(ctx context.Context, processEnds bool, job graph.Job, diffs []graph.DiffID, err, cause error) (graph.Job, error) {
	switch {
	case errors.Is(cause, errLost):
		return graph.Job{}, errLost
	case err == nil:
		return r.store.FinishJob(ctx, job.ID, job.Owner, diffs)
	case errors.Is(cause, errCancelled):
		return r.store.StopJob(ctx, job.ID, job.Owner)
	case processEnds:
		return r.store.ReleaseJob(ctx, job.ID, job.Owner)
	}
	f := graph.JobFailure{Reason: reason(err), DiffIDs: diffs}
	f.Wait, f.Again = r.retry.after(err, job.Attempts)
	return r.store.FailJob(ctx, job.ID, job.Owner, f)
}

// handle calls the handler; a panic of it is an error like others.
func (r *Runner) handle(ctx context.Context, job graph.Job, input string, progress func(int, int)) (diffs []graph.DiffID, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = graph.WrapError(graph.CodeInternal, fmt.Errorf("%v\n%s", p, debug.Stack()), "the handler of %s jobs panicked", job.Kind)
		}
	}()
	return r.handlers[job.Kind].Handle(ctx, job, input, progress)
}

// keeper renews the lease of a job while it runs, and carries its progress.
type keeper struct {
	r     *Runner
	job   graph.Job
	stop  context.CancelCauseFunc
	moved chan struct{}
	done  chan struct{}
	gone  sync.WaitGroup

	mu          sync.Mutex
	count, from int
}

// hold begins to renew the lease of a job.
func (r *Runner) hold(ctx context.Context, stop context.CancelCauseFunc, job graph.Job) *keeper {
	k := &keeper{
		r: r, job: job, stop: stop, moved: make(chan struct{}, 1), done: make(chan struct{}), count: job.Done, from: job.Total,
	}
	k.gone.Go(func() { k.run(ctx) })
	return k
}

func (k *keeper) run(ctx context.Context) {
	tick := time.NewTicker(k.r.lease / 3)
	defer tick.Stop()
	asked := k.r.watchers.add(k.job.ID)
	defer k.r.watchers.remove(k.job.ID, asked)
	for {
		select {
		case <-k.done:
			return
		case <-ctx.Done():
			return
		case <-asked: // somebody changed the job, most likely to cancel it
			if k.renew(ctx) {
				continue
			}
			return
		case <-tick.C:
		case <-k.moved:
		}
		if !k.renew(ctx) {
			return
		}
		k.r.watchers.notifyOthers(k.job.ID, asked)
	}
}

// renew prolongs the lease; false: the job is this runner's no longer.
func (k *keeper) renew(ctx context.Context) bool {
	k.mu.Lock()
	done, total := k.count, k.from
	k.mu.Unlock()
	job, err := k.r.store.RenewJob(ctx, k.job.ID, k.job.Owner, k.r.lease, done, total)
	switch {
	case graph.ErrorCode(err) == graph.CodeConflict:
		k.stop(errLost)
		return false
	case ctx.Err() != nil:
		return false
	case err != nil:
		// The next tick tries again; a lease outlasts two of them. Should it be
		// lost, the work is done twice and written once.
		k.r.log.WarnContext(ctx, "renew the lease of a job", "job", k.job.ID, "error", err)
	case job.Cancel:
		k.stop(errCancelled)
		return false
	}
	return true
}

// progress notes how far the job is, and lets that be written soon.
func (k *keeper) progress(done, total int) {
	k.mu.Lock()
	k.count, k.from = done, total
	k.mu.Unlock()
	select {
	case k.moved <- struct{}{}:
	default:
	}
}

func (k *keeper) end() {
	close(k.done)
	k.gone.Wait()
}
