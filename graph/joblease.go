package graph

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

var (
	jobClaim = cypher.Load("job_claim")
	jobRenew = cypher.Load("job_renew")
	jobDone  = cypher.Load("job_done")
)

// ClaimJob gives the owner a lease on the job that has been due longest, with its
// input; ok is false where none is due. A job is due when it is queued, its wait
// is over and no job of its session that came before is queued or running; so is
// a running one whose lease ran out. Times are those of the database's clock, so
// that processes whose clocks differ do not take each other's jobs.
func (s *Store) ClaimJob(ctx context.Context, c JobClaim) (job Job, input string, ok bool, err error) {
	type row struct {
		job   Job
		input string
		taken bool
	}
	params := map[string]any{"kinds": c.Kinds, "spaces": textsOrNull(c.Spaces), "owner": c.Owner, "lease": c.Lease.Milliseconds()}
	for {
		rows, err := write(ctx, s, jobClaim, params, func(r record) (row, error) {
			return row{jobOf(r.node("job")), r.text("input"), r.bool("taken")}, nil
		})
		switch {
		case err != nil:
			return Job{}, "", false, err
		case len(rows) == 0:
			return Job{}, "", false, nil
		case rows[0].taken:
			return rows[0].job, rows[0].input, true, nil
		}
		// Another was faster; the next one may be free.
	}
}

// RenewJob prolongs the owner's lease and notes how far the job is. The job that
// comes back says whether it is asked to stop. Errors: CodeConflict where the
// owner no longer has it.
func (s *Store) RenewJob(ctx context.Context, id JobID, owner string, lease time.Duration, done, total int) (Job, error) {
	rows, err := write(ctx, s, jobRenew, map[string]any{
		"id": int64(id), "owner": owner, "lease": lease.Milliseconds(), "done": done, "total": total,
	}, toJob)
	if err == nil && len(rows) == 0 {
		err = lostJob(id)
	}
	if err != nil {
		return Job{}, err
	}
	return rows[0], nil
}

// FinishJob ends a job well: its input and the turns it was made of are deleted,
// and the next of its session may run. Errors: CodeConflict where the owner no
// longer has it, CodeNotFound.
func (s *Store) FinishJob(ctx context.Context, id JobID, owner string, diffs []DiffID) (Job, error) {
	return s.change(ctx, id, func(tx neo4j.ManagedTransaction, j Job) (jobChange, error) {
		if !j.heldBy(owner) {
			return jobChange{}, lostJob(id)
		}
		props := ended(JobDone)
		props["diff_ids"] = diffInts(diffs)
		if j.Total > 0 {
			props["done"] = j.Total
		}
		return jobChange{props: props}, exec(ctx, tx, jobDone, map[string]any{"id": int64(id)})
	})
}

// FailJob ends an attempt: the job waits for the next one, before all others of
// its session, or is given up with the reason; then the next of its session may
// run, and the input stays for [Store.RetryJob]. A job that is asked to stop is
// cancelled instead of tried again. Errors: as [Store.FinishJob].
func (s *Store) FailJob(ctx context.Context, id JobID, owner string, f JobFailure) (Job, error) {
	return s.change(ctx, id, func(_ neo4j.ManagedTransaction, j Job) (jobChange, error) {
		if !j.heldBy(owner) {
			return jobChange{}, lostJob(id)
		}
		c := jobChange{props: ended(JobFailed)}
		switch {
		case f.Again && j.Cancel:
			c.props = ended(JobCancelled)
		case f.Again:
			c.props["state"], c.due, c.wait = string(JobQueued), dueIn, f.Wait
		}
		c.props["error"] = textOrNull(f.Reason)
		if len(f.DiffIDs) > 0 {
			c.props["diff_ids"] = diffInts(f.DiffIDs)
		}
		return c, nil
	})
}

// ReleaseJob gives a job back that its owner could not go on with, as when the
// process ends: it may run at once, and the attempt does not count. Errors: as
// [Store.FinishJob].
func (s *Store) ReleaseJob(ctx context.Context, id JobID, owner string) (Job, error) {
	return s.change(ctx, id, func(_ neo4j.ManagedTransaction, j Job) (jobChange, error) {
		if !j.heldBy(owner) {
			return jobChange{}, lostJob(id)
		}
		return jobChange{props: map[string]any{"state": string(JobQueued), "owner": nil, "attempts": j.Attempts - 1}, due: dueIn}, nil
	})
}

// StopJob ends a running job that was asked to stop. Errors: as
// [Store.FinishJob].
func (s *Store) StopJob(ctx context.Context, id JobID, owner string) (Job, error) {
	return s.change(ctx, id, func(_ neo4j.ManagedTransaction, j Job) (jobChange, error) {
		if !j.heldBy(owner) {
			return jobChange{}, lostJob(id)
		}
		return jobChange{props: ended(JobCancelled)}, nil
	})
}
