package graph

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// BatchRule says when the turns of a session are ingested.
type BatchRule struct {
	Idle   time.Duration // after the last turn
	Turns  int           // or when so many wait
	Tokens int           // or when they come to so many
}

func (r BatchRule) full(turns, tokens int) bool { return turns >= r.Turns || tokens >= r.Tokens }

// maxTurns is how many turns are looked at for one batch: a batch holds fewer.
const maxTurns = 1000

// TakePending makes the next batch of a session's turns into a job, in one
// transaction: the turns are the job's from then on, are deleted when it is done,
// and stay when it fails. A batch ends where the people change, where the rule's
// size is reached, and never between a tool's call and its answer. ok is false
// where nothing is due: force takes what waits all the same.
//
// job makes the job of some turns; its space, session and key are filled in, and
// under that key their diff has to stand. It must have no effect of its own.
func (s *Store) TakePending(ctx context.Context, at SessionRef, r BatchRule, force bool, job func([]Turn, People) (NewJob, error)) (made Job, ok bool, err error) {
	id, err := s.NewIDs(ctx, 1)
	if err != nil {
		return Job{}, false, err
	}
	key := "turns:" + rand.Text() // no client's, and no other batch's
	err = s.transact(ctx, "pending_take", func(tx neo4j.ManagedTransaction) error {
		made, ok = Job{}, false
		line, err := lockLine(ctx, tx, at.Space, at.Session, 1)
		if err != nil {
			return err
		}
		turns, err := run(ctx, tx, pendingRead, map[string]any{"space": at.Space, "session": at.Session, "limit": maxTurns}, toTurn)
		if err != nil {
			return err
		}
		n, due := r.next(turns, force || line.quiet >= r.Idle)
		if due && n > 0 {
			made, err = takeTurns(ctx, tx, at, turns[:n], func(turns []Turn, p People) (Job, error) {
				n, err := job(turns, p)
				if err != nil {
					return Job{}, err
				}
				n.Space, n.Session, n.Key = at.Space, at.Session, key
				made, _, err := addJob(ctx, tx, n, id, line.first)
				return made, err
			})
			if err != nil {
				return err
			}
			ok = true
			for _, t := range turns[:n] {
				line.turns--
				line.tokens -= t.Tokens
			}
			turns = turns[n:]
		}
		return reschedule(ctx, tx, at, line, turns, r, force)
	})
	return made, ok, err
}

// takeTurns gives some turns to the job that add makes of them.
func takeTurns(ctx context.Context, tx neo4j.ManagedTransaction, at SessionRef, turns []Turn, add func([]Turn, People) (Job, error)) (Job, error) {
	var p People
	if err := json.Unmarshal([]byte(turns[0].people), &p); err != nil {
		return Job{}, WrapError(CodeInternal, err, "the people of a turn cannot be read")
	}
	made, err := add(turns, p)
	if err != nil {
		return Job{}, err
	}
	return made, exec(ctx, tx, pendingMark, map[string]any{
		"space": at.Space, "session": at.Session, "from": turns[0].seq, "to": turns[len(turns)-1].seq,
		"job": int64(made.ID), "batch": made.Key,
	})
}

// reschedule notes what is left of a session and when it is due.
func reschedule(ctx context.Context, tx neo4j.ManagedTransaction, at SessionRef, line lineState, rest []Turn, r BatchRule, force bool) error {
	if len(rest) == 0 {
		return noteLine(ctx, tx, at.Space, at.Session, Waiting{}, "", false, nil)
	}
	wait := max(0, r.Idle-line.quiet)
	if _, due := r.next(rest, force); due {
		wait = 0
	}
	w := Waiting{Turns: line.turns, Tokens: line.tokens}
	return noteLine(ctx, tx, at.Space, at.Session, w, line.people, false, &wait)
}

// next says how many of the turns make the next batch, and whether it is due: if
// all are, if the people changed after it, or if it is large enough.
func (r BatchRule) next(turns []Turn, all bool) (n int, due bool) {
	if len(turns) == 0 {
		return 0, false
	}
	tokens := 0
	for n < len(turns) && turns[n].people == turns[0].people {
		t := turns[n]
		switch answers := t.Role == "tool"; {
		case n == 0:
		case answers && tokens+t.Tokens <= 4*r.Tokens:
			// It goes with its call, unless that makes the batch too long by far.
		case n >= r.Turns || tokens+t.Tokens > r.Tokens:
			return n, true
		}
		tokens += t.Tokens
		n++
	}
	return n, all || n < len(turns) || r.full(n, tokens)
}

// lineState is what stands in a session's line, whose lock is held.
type lineState struct {
	first         int64 // of the numbers that were handed out
	turns, tokens int
	people        string // of the newest turn
	quiet         time.Duration
}

// lockLine locks the line of a session for the rest of the transaction and hands
// out count numbers. Errors: CodeNotFound for the space.
func lockLine(ctx context.Context, tx neo4j.ManagedTransaction, space, session string, count int) (lineState, error) {
	rows, err := run(ctx, tx, jobLine, map[string]any{"space": space, "session": session, "count": count}, func(r record) (lineState, error) {
		f := r.node("line")
		return lineState{
			first: r.int("first"), turns: int(f.int("turns")), tokens: int(f.int("tokens")), people: f.text("people"),
			quiet: time.Duration(r.int("quiet")) * time.Millisecond,
		}, nil
	})
	switch {
	case err != nil:
		return lineState{}, err
	case len(rows) == 0:
		return lineState{}, noSpace(space)
	}
	return rows[0], nil
}

// noteLine writes what waits of a session; wait is nil where nothing does.
func noteLine(ctx context.Context, tx neo4j.ManagedTransaction, space, session string, w Waiting, people string, arrived bool, wait *time.Duration) error {
	params := map[string]any{
		"space": space, "session": session, "turns": w.Turns, "tokens": w.Tokens,
		"people": textOrNull(people), "arrived": arrived, "wait": nil,
	}
	if wait != nil {
		params["wait"] = wait.Milliseconds()
	}
	return exec(ctx, tx, pendingLine, params)
}
