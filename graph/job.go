package graph

import "time"

// JobID is the number of a job.
type JobID int64

// JobState is where a job stands.
type JobState string

const (
	// JobQueued: it waits for a runner, for its next attempt, or for the jobs of
	// its session that came before.
	JobQueued JobState = "queued"
	// JobRunning: a runner has it.
	JobRunning JobState = "running"
	// JobDone: it did what it was for. Its input is gone.
	JobDone JobState = "done"
	// JobFailed: it was given up, with a reason. Its input stays.
	JobFailed JobState = "failed"
	// JobCancelled: somebody did not want it any more.
	JobCancelled JobState = "cancelled"
)

// Job is work that outlives the request that asked for it and the process that
// does it.
type Job struct {
	ID      JobID
	Space   string
	Kind    string // what handles it
	Session string // jobs of one session run one at a time, in order of arrival; "" for none
	Key     string // idempotency key, unique in the space
	By      string // the caller's key name
	State   JobState
	Done    int // of Total; both 0 where nothing can be counted
	Total   int
	// Attempts counts the runs begun, with those that a crash ended.
	Attempts int
	// RunAfter is from when a queued job may run; zero while it waits for others
	// of its session.
	RunAfter  time.Time
	Lease     time.Time // until when Owner has it, of a running job
	Owner     string    // who runs it, once for each run
	Cancel    bool      // a running job is asked to stop
	DiffIDs   []DiffID  // what it wrote: see [Store.Receipt]
	Error     string    // why it failed, for people
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Ended says whether a job will not change by itself any more.
func (j Job) Ended() bool {
	return j.State == JobDone || j.State == JobFailed || j.State == JobCancelled
}

// NewJob is a job to be added.
type NewJob struct {
	Space   string
	Kind    string
	Session string
	Key     string // "" for one that nobody can repeat
	By      string
	Total   int
	Input   string // what the handler of its kind reads, JSON as a rule
}

// JobFilter selects jobs for [Store.Jobs]; zero fields do not filter.
type JobFilter struct {
	State   JobState
	Session string
	By      string // those that this caller asked for
	Cursor  string
	Limit   int // 1–200, default 50
}

// JobClaim says which job [Store.ClaimJob] shall give to whom.
type JobClaim struct {
	Owner  string        // a new name for each claim: two runs must not be mistaken for each other
	Kinds  []string      // those that the owner can do
	Spaces []string      // nil for all
	Lease  time.Duration // how long the owner has it without renewing
}

// JobFailure is an attempt that failed.
type JobFailure struct {
	Reason  string        // for people
	Again   bool          // it is to be tried again after Wait; else it is given up
	Wait    time.Duration // ignored where it is given up
	DiffIDs []DiffID      // what was written all the same
}

func toJob(r record) (Job, error) { return jobOf(r.node("job")), nil }

func jobOf(f fields) Job {
	j := Job{
		ID: JobID(f.int("id")), Space: f.text("space"), Kind: f.text("kind"), Session: f.text("session"),
		Key: f.text("key"), By: f.text("by"), State: JobState(f.text("state")),
		Done: int(f.int("done")), Total: int(f.int("total")), Attempts: int(f.int("attempts")),
		Owner: f.text("owner"), Cancel: f.bool("cancel"), Error: f.text("error"),
		CreatedAt: f.time("created_at"), UpdatedAt: f.time("updated_at"),
	}
	switch j.State {
	case JobQueued:
		j.RunAfter = f.time("due")
	case JobRunning:
		j.Lease = f.time("due")
	}
	for _, id := range f.ints("diff_ids") {
		j.DiffIDs = append(j.DiffIDs, DiffID(id))
	}
	return j
}

func diffInts(ids []DiffID) []int64 {
	out := make([]int64, len(ids))
	for i, id := range ids {
		out[i] = int64(id)
	}
	return out
}
