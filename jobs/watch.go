package jobs

import (
	"context"
	"sync"
	"time"

	"relata/graph"
)

// Watch gives a job as it is now and then whenever what can be seen of it
// changes; a slow reader misses steps between, never the last. The channel closes
// when the job has ended or is gone, and when the context ends. What this process
// does is seen at once, what others do at the next poll. Errors: as
// [graph.Store.Job].
func (r *Runner) Watch(ctx context.Context, id graph.JobID) (<-chan graph.Job, error) {
	changed := r.watchers.add(id)
	job, err := r.store.Job(ctx, id)
	if err != nil {
		r.watchers.remove(id, changed)
		return nil, err
	}
	out := make(chan graph.Job)
	go func() {
		defer close(out)
		defer r.watchers.remove(id, changed)
		r.watch(ctx, job, changed, out)
	}()
	return out, nil
}

func (r *Runner) watch(ctx context.Context, job graph.Job, changed <-chan struct{}, out chan<- graph.Job) {
	tick := time.NewTicker(r.poll)
	defer tick.Stop()
	for {
		select {
		case out <- job:
		case <-ctx.Done():
			return
		}
		for seen := job; same(seen, job); {
			if job.Ended() {
				return
			}
			select {
			case <-changed:
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			now, err := r.store.Job(ctx, job.ID)
			switch {
			case graph.ErrorCode(err) == graph.CodeNotFound:
				return
			case err == nil: // else it is asked again at the next tick
				job = now
			}
		}
	}
}

// same says whether two states of a job look alike: a renewed lease does not show.
func same(a, b graph.Job) bool {
	return a.State == b.State && a.Done == b.Done && a.Total == b.Total && a.Attempts == b.Attempts &&
		a.Error == b.Error && a.Cancel == b.Cancel
}

// watchers are those who want to know of changes of jobs in this process.
type watchers struct {
	mu   sync.Mutex
	byID map[graph.JobID]map[chan struct{}]bool
}

// add gives a channel that holds something after each change until it is read.
func (w *watchers) add(id graph.JobID) chan struct{} {
	c := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byID == nil {
		w.byID = make(map[graph.JobID]map[chan struct{}]bool)
	}
	if w.byID[id] == nil {
		w.byID[id] = make(map[chan struct{}]bool)
	}
	w.byID[id][c] = true
	return c
}

func (w *watchers) remove(id graph.JobID, c chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.byID[id], c)
	if len(w.byID[id]) == 0 {
		delete(w.byID, id)
	}
}

func (w *watchers) notify(id graph.JobID) { w.notifyOthers(id, nil) }

// notifyOthers leaves out the one who made the change.
func (w *watchers) notifyOthers(id graph.JobID, who chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.byID[id] {
		if c == who {
			continue
		}
		select {
		case c <- struct{}{}:
		default:
		}
	}
}
