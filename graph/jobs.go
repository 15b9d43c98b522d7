package graph

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

var (
	sessionAhead = cypher.Load("session_ahead")
	jobLine      = cypher.Load("job_line")
	jobAdd       = cypher.Load("job_add")
	jobLock      = cypher.Load("job_lock")
	jobGet       = cypher.Load("job_get")
	jobList      = cypher.Load("job_list")
	jobWrite     = cypher.Load("job_write")
	jobInput     = cypher.Load("job_input")
	jobNext      = cypher.Load("job_next")
	jobDelete    = cypher.Load("job_delete")
)

// AddJob queues a job behind those of its session. A key that is there already
// gives the job that is there, and queued is false; but where that one failed or
// was cancelled, or where its diff gave the key back (rejected, reverted, cut
// off), the same job is queued anew with the new input.
//
// Errors: CodeNotFound for the space, CodeConflict where the key belongs to a job
// of another session or kind.
func (s *Store) AddJob(ctx context.Context, n NewJob) (job Job, queued bool, err error) {
	id, err := s.NewIDs(ctx, 1)
	if err != nil {
		return Job{}, false, err
	}
	err = s.transact(ctx, "job_add", func(tx neo4j.ManagedTransaction) error {
		seq := int64(0)
		if n.Session != "" {
			line, err := lockLine(ctx, tx, n.Space, n.Session, 1)
			if err != nil {
				return err
			}
			seq = line.first
		}
		job, queued, err = addJob(ctx, tx, n, id, seq)
		return err
	})
	return job, queued, err
}

// addJob adds a job in a transaction that holds the lock of its session's line.
func addJob(ctx context.Context, tx neo4j.ManagedTransaction, n NewJob, id, seq int64) (Job, bool, error) {
	if n.Key == "" {
		n.Key = fmt.Sprintf("job:%d", id)
	}
	released := false
	rows, err := run(ctx, tx, jobAdd, map[string]any{"space": n.Space, "key": n.Key, "id": id}, func(r record) (Job, error) {
		released = r.bool("released")
		return toJob(r)
	})
	switch {
	case err != nil:
		return Job{}, false, err
	case len(rows) == 0:
		return Job{}, false, noSpace(n.Space)
	}
	job := rows[0]
	if job.State != "" { // it was there
		if job.Kind != n.Kind || job.Session != n.Session {
			return Job{}, false, Errorf(CodeConflict, "the idempotency key %q belongs to job %d, which is another: choose a new key", n.Key, job.ID)
		}
		if !job.Ended() || job.State == JobDone && !released {
			return job, false, nil
		}
	}
	c := jobChange{props: map[string]any{
		"kind": n.Kind, "session": textOrNull(n.Session), "by": textOrNull(n.By), "state": string(JobQueued), "seq": seq,
		"done": 0, "total": n.Total, "attempts": 0, "error": nil, "diff_ids": nil, "cancel": nil,
	}}
	if n.Session == "" {
		c.due = dueIn
	}
	if err := c.write(ctx, tx, job.ID); err != nil {
		return Job{}, false, err
	}
	if err := exec(ctx, tx, jobInput, map[string]any{"space": n.Space, "id": int64(job.ID), "text": n.Input}); err != nil {
		return Job{}, false, err
	}
	job, err = settle(ctx, tx, n.Space, n.Session, job.ID)
	return job, true, err
}

// settle gives the turn to a job of the session if none has it, and reads a job.
func settle(ctx context.Context, tx neo4j.ManagedTransaction, space, session string, id JobID) (Job, error) {
	if session != "" {
		if err := exec(ctx, tx, jobNext, map[string]any{"space": space, "session": session}); err != nil {
			return Job{}, err
		}
	}
	rows, err := run(ctx, tx, jobGet, map[string]any{"id": int64(id)}, toJob)
	if err == nil && len(rows) == 0 {
		err = noJob(id)
	}
	if err != nil {
		return Job{}, err
	}
	return rows[0], nil
}

// Job gives one job. Errors: CodeNotFound.
func (s *Store) Job(ctx context.Context, id JobID) (Job, error) {
	rows, err := read(ctx, s, jobGet, map[string]any{"id": int64(id)}, toJob)
	if err == nil && len(rows) == 0 {
		err = noJob(id)
	}
	if err != nil {
		return Job{}, err
	}
	return rows[0], nil
}

// Ahead is what a session has before it.
type Ahead struct {
	Waiting bool  // turns that are not a job yet
	Last    JobID // the last of the jobs that wait or run, 0 for none
}

// Ahead gives what a session has before it.
func (s *Store) Ahead(ctx context.Context, space, session string) (Ahead, error) {
	rows, err := read(ctx, s, sessionAhead, map[string]any{"space": space, "session": session}, func(r record) (Ahead, error) {
		return Ahead{r.bool("waiting"), JobID(r.node("job").int("id"))}, nil
	})
	if err != nil {
		return Ahead{}, err
	}
	return rows[0], nil
}

// Jobs lists the jobs of a space, newest first. Errors: CodeNotFound for the
// space, CodeInvalid.
func (s *Store) Jobs(ctx context.Context, space string, f JobFilter) (Page[Job], error) {
	if _, err := s.Space(ctx, space); err != nil {
		return Page[Job]{}, err
	}
	switch f.State {
	case "", JobQueued, JobRunning, JobDone, JobFailed, JobCancelled:
	default:
		return Page[Job]{}, &Error{
			Code: CodeInvalid, Message: "the state is unknown",
			Fields: []Field{{"state", "must be queued, running, done, failed or cancelled"}},
		}
	}
	before, err := readCursor(f.Cursor, math.MaxInt64)
	if err != nil {
		return Page[Job]{}, err
	}
	limit, err := pageSize(f.Limit)
	if err != nil {
		return Page[Job]{}, err
	}
	rows, err := read(ctx, s, jobList, map[string]any{
		"space": space, "before": before, "limit": limit + 1,
		"state": textOrNull(string(f.State)), "session": textOrNull(f.Session), "by": textOrNull(f.By),
	}, toJob)
	if err != nil {
		return Page[Job]{}, err
	}
	return page(rows, limit, func(j Job) int64 { return int64(j.ID) }), nil
}

// CancelJob takes back a job: a queued or failed one is cancelled at once, a
// running one is asked to stop, which its owner sees when it renews. What a job
// has written stays. Cancelling again changes nothing. Errors: CodeNotFound,
// CodeConflict for a job that is done.
func (s *Store) CancelJob(ctx context.Context, id JobID) (Job, error) {
	return s.change(ctx, id, func(_ neo4j.ManagedTransaction, j Job) (jobChange, error) {
		switch j.State {
		case JobQueued, JobFailed:
			return jobChange{props: ended(JobCancelled)}, nil
		case JobRunning:
			// The owner keeps its lease: when that ends, another one stops the job.
			return jobChange{props: map[string]any{"cancel": true}, due: dueKept}, nil
		case JobCancelled:
			return jobChange{}, nil
		}
		return jobChange{}, Errorf(CodeConflict, "job %d is done: revert its diff instead", id)
	})
}

// RetryJob queues a failed or cancelled job again, with its input and all its
// attempts; of its session it comes before those that arrived later. A queued job
// that waits for its next attempt may run at once. Errors: CodeNotFound,
// CodeConflict for a job that runs or is done.
func (s *Store) RetryJob(ctx context.Context, id JobID) (Job, error) {
	return s.change(ctx, id, func(_ neo4j.ManagedTransaction, j Job) (jobChange, error) {
		switch {
		case j.State == JobQueued && j.RunAfter.IsZero():
			return jobChange{}, nil // it waits for others of its session, not for a time
		case j.State == JobQueued:
			return jobChange{props: map[string]any{}, due: dueIn}, nil
		case j.State == JobDone || j.State == JobRunning:
			return jobChange{}, Errorf(CodeConflict, "job %d is %s: only a failed, cancelled or waiting job can be tried again", id, j.State)
		}
		c := jobChange{props: map[string]any{"state": string(JobQueued), "attempts": 0, "error": nil, "cancel": nil}}
		if j.Session == "" {
			c.due = dueIn // else the turn comes with settle
		}
		return c, nil
	})
}

// deleteBatch is how many jobs one transaction of [Store.DeleteJobs] takes.
const deleteBatch = 500

// DeleteJobs deletes what was done or cancelled longer ago than age, in the given
// spaces (nil for all), and counts it. Failed jobs stay: somebody may want to try
// them again, or cancels them.
func (s *Store) DeleteJobs(ctx context.Context, spaces []string, age time.Duration) (int, error) {
	total := 0
	for {
		rows, err := write(ctx, s, jobDelete, map[string]any{
			"spaces": textsOrNull(spaces), "age": age.Milliseconds(), "limit": deleteBatch,
		}, func(r record) (int, error) { return int(r.int("deleted")), nil })
		if err != nil {
			return total, err
		}
		total += rows[0]
		if rows[0] < deleteBatch {
			return total, nil
		}
	}
}
