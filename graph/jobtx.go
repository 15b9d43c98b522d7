package graph

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// transact runs fn in a write transaction that need not hold a space's lock. fn
// may run again.
func (s *Store) transact(ctx context.Context, name string, fn func(neo4j.ManagedTransaction) error) error {
	session := s.session(ctx, neo4j.AccessModeWrite)
	defer session.Close(ctx)
	_, err := neo4j.ExecuteWrite(ctx, session, func(tx neo4j.ManagedTransaction) (struct{}, error) {
		return struct{}{}, fn(s.observed(tx))
	}, s.txConfig(name))
	return translate(name, err)
}

// jobChange is what becomes of a job.
type jobChange struct {
	props map[string]any // what changes; null takes a property away. nil: nothing does
	due   due
	wait  time.Duration // with dueIn
}

// due says what becomes of the time at which a job may be claimed.
type due int

const (
	dueNever due = iota // it has ended, or waits for others of its session
	dueIn               // after a while
	dueKept             // as it was
)

func (c jobChange) write(ctx context.Context, tx neo4j.ManagedTransaction, id JobID) error {
	params := map[string]any{"id": int64(id), "props": c.props, "wait": nil, "keep": c.due == dueKept}
	if c.due == dueIn {
		params["wait"] = c.wait.Milliseconds()
	}
	return exec(ctx, tx, jobWrite, params)
}

// change decides under the locks of a job and of its session's line what becomes
// of the job, writes that, and gives the turn to the next of the session if it is
// free.
func (s *Store) change(ctx context.Context, id JobID, decide func(neo4j.ManagedTransaction, Job) (jobChange, error)) (job Job, err error) {
	params := map[string]any{"id": int64(id)}
	err = s.transact(ctx, "job_change", func(tx neo4j.ManagedTransaction) error {
		if err := exec(ctx, tx, jobLock, params); err != nil {
			return err
		}
		// Only now: what was read with the lock could be out of date.
		rows, err := run(ctx, tx, jobGet, params, toJob)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return noJob(id)
		}
		job = rows[0]
		c, err := decide(tx, job)
		if err != nil || c.props == nil {
			return err
		}
		if err := c.write(ctx, tx, id); err != nil {
			return err
		}
		job, err = settle(ctx, tx, job.Space, job.Session, id)
		return err
	})
	return job, err
}

// heldBy says whether an owner has a job.
func (j Job) heldBy(owner string) bool { return j.State == JobRunning && j.Owner == owner }

// ended gives the properties of a job that ends in a state.
func ended(state JobState) map[string]any {
	return map[string]any{"state": string(state), "owner": nil, "cancel": nil, "error": nil}
}

func textsOrNull(texts []string) any {
	if texts == nil {
		return nil
	}
	return texts
}

func noJob(id JobID) *Error { return Errorf(CodeNotFound, "there is no job %d", id) }

func lostJob(id JobID) *Error {
	return Errorf(CodeConflict, "job %d is no longer this runner's: its lease ran out, or it was taken back", id)
}
