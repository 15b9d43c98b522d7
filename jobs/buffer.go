package jobs

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// BufferOptions make a [Buffer].
type BufferOptions struct {
	Store  *graph.Store
	Runner *Runner  // told of the jobs that are made
	Kind   string   // of those jobs; "" for [KindIngest]
	Spaces []string // only sessions of these are ingested by itself; nil for all
	// Idle is how long a conversation pauses before it is ingested: 0 for 3
	// minutes.
	Idle time.Duration
	// Turns and Tokens are what a conversation grows to before it is ingested
	// without a pause: 0 for 40 and 6,000, as estimated by
	// extractor.EstimateTokens.
	Turns, Tokens int
	// Poll is how often to look for sessions that paused: 0 for 5 seconds.
	Poll   time.Duration
	Now    func() time.Time // of turns without a date; nil for the real clock
	Logger *slog.Logger     // nil discards
}

// Buffer collects single turns, as a bot sends them, into batches worth a model
// call. It is safe for concurrent use, and several processes may share sessions.
type Buffer struct {
	store  *graph.Store
	runner *Runner
	kind   string
	spaces []string
	rule   graph.BatchRule
	poll   time.Duration
	now    func() time.Time
	log    *slog.Logger
	wake   chan struct{}
}

// NewBuffer makes a buffer. Sessions that pause are ingested while [Buffer.Run]
// runs, in this process or another.
func NewBuffer(o BufferOptions) (*Buffer, error) {
	if o.Store == nil || o.Runner == nil {
		return nil, errors.New("jobs: a buffer needs a store and a runner")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Buffer{
		store: o.Store, runner: o.Runner, kind: cmp.Or(o.Kind, KindIngest), spaces: o.Spaces,
		rule: graph.BatchRule{Idle: cmp.Or(o.Idle, 3*time.Minute), Turns: cmp.Or(o.Turns, 40), Tokens: cmp.Or(o.Tokens, 6000)},
		poll: cmp.Or(o.Poll, 5*time.Second), now: o.Now, log: o.Logger, wake: make(chan struct{}, 1),
	}, nil
}

// Buffered is what became of turns that were added.
type Buffered struct {
	Added int // the others were there already, by their ids
	graph.Waiting
}

// Add keeps the turns of a batch until their session is ingested. It writes, asks
// no model and is quick. A turn without a date gets the present. A turn with an
// id that was sent before with the same content is left out; without an id it
// cannot be known again, and is kept twice if it is sent twice.
//
// Turns are ingested with those around them: with the same persona, present and
// tags. When these change, what came before is ingested.
//
// Errors: those of [extractor.Batch.Validate], CodeInvalid for a date or a persona
// that is none, CodeNotFound for the space, CodeConflict for an id that is there
// with other content. Nothing is kept then.
func (b *Buffer) Add(ctx context.Context, batch extractor.Batch) (Buffered, error) {
	if err := batch.Validate(); err != nil {
		return Buffered{}, err
	}
	space, err := b.store.Space(ctx, batch.Space)
	if err != nil {
		return Buffered{}, err
	}
	sources, err := batch.Sources(space.Location(), nil)
	if err != nil {
		return Buffered{}, err
	}
	turns := make([]graph.Turn, len(sources))
	for i, s := range sources {
		if s.Date.IsZero() {
			s.Date = b.now().Truncate(time.Second)
		}
		turns[i] = graph.Turn{Source: s, Tokens: tokens(s)}
	}
	p := graph.People{Persona: batch.Persona, Present: batch.Present, Tags: batch.Tags}
	waiting, added, err := b.store.AddPending(ctx, batch.Space, batch.Session, turns, p, b.rule)
	if err != nil {
		return Buffered{}, err
	}
	if waiting.Due {
		select {
		case b.wake <- struct{}{}:
		default:
		}
	}
	return Buffered{added, waiting}, nil
}

// tokens estimates what a turn takes in a prompt.
func tokens(s graph.Source) int {
	n := extractor.EstimateTokens(s.Speaker) + extractor.EstimateTokens(s.Content)
	for _, c := range s.ToolCalls {
		n += extractor.EstimateTokens(c.Function) + extractor.EstimateTokens(c.Arguments)
	}
	return n
}

// Flush makes jobs of all turns of a session that wait, without waiting for a
// pause, and gives them in order; none where nothing waits. Errors: CodeNotFound
// for the space.
func (b *Buffer) Flush(ctx context.Context, space, session string) ([]graph.Job, error) {
	return b.take(ctx, graph.SessionRef{Space: space, Session: session}, true)
}

// Run makes jobs of sessions that paused or grew until the context ends. A
// database that cannot be reached is waited for. The error is always nil.
func (b *Buffer) Run(ctx context.Context) error {
	tick := time.NewTicker(b.poll)
	defer tick.Stop()
	for ctx.Err() == nil {
		b.sweep(ctx)
		select {
		case <-b.wake:
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// sweepSessions is how many sessions are looked up at a time.
const sweepSessions = 100

func (b *Buffer) sweep(ctx context.Context) {
	due, err := b.store.DuePending(ctx, b.spaces, sweepSessions)
	if err != nil && ctx.Err() == nil {
		b.log.WarnContext(ctx, "look for sessions to ingest", "error", err)
	}
	taken := false
	for _, at := range due {
		if _, err := b.take(ctx, at, false); err == nil {
			taken = true
		} else if ctx.Err() == nil {
			// Its turns stay, and are due at the next look.
			b.log.WarnContext(ctx, "make a job of a session's turns", "space", at.Space, "session", at.Session, "error", err)
		}
	}
	if taken && len(due) == sweepSessions {
		select {
		case b.wake <- struct{}{}: // there may be more
		default:
		}
	}
}

// take makes jobs of what is due of a session.
func (b *Buffer) take(ctx context.Context, at graph.SessionRef, force bool) ([]graph.Job, error) {
	space, err := b.store.Space(ctx, at.Space)
	if err != nil {
		return nil, err
	}
	var made []graph.Job
	for {
		job, ok, err := b.store.TakePending(ctx, at, b.rule, force, func(turns []graph.Turn, p graph.People) (graph.NewJob, error) {
			return ingestJob(b.kind, batchOf(at, turns, p, space.Location()), extractor.IngestOptions{}, true)
		})
		if err != nil || !ok {
			return made, err
		}
		made = append(made, job)
		b.runner.changed(job.ID)
	}
}

// batchOf gives turns as the batch that a client would have sent.
func batchOf(at graph.SessionRef, turns []graph.Turn, p graph.People, loc *time.Location) extractor.Batch {
	batch := extractor.Batch{Space: at.Space, Session: at.Session, Persona: p.Persona, Present: p.Present, Tags: p.Tags}
	for _, t := range turns {
		chat := extractor.Chat{
			Date: relations.FormatDate(t.Date, loc), Role: t.Role, Speaker: t.Speaker, Content: t.Content,
			ToolCalls: t.ToolCalls, ToolCallID: t.ToolCallID,
		}
		if t.SourceID != 0 {
			chat.ID = &t.SourceID
		}
		batch.Chats = append(batch.Chats, chat)
	}
	return batch
}
