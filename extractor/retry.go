package extractor

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"relata/graph"
)

// Retry is the budget of one question to a model. Zero fields take the defaults.
type Retry struct {
	// Attempts bounds the calls after which an unavailable or slow provider is
	// given up: 4.
	Attempts int
	// RateLimited bounds the calls against a rate limit, which passes by waiting:
	// 10.
	RateLimited int
	// PerAttempt bounds one call: 2 minutes.
	PerAttempt time.Duration
	// Total bounds everything, waiting included: 6 minutes.
	Total time.Duration
	// Base and Max bound the wait before a repetition, which doubles from Base: 1
	// second and 30 seconds. A wait that the provider asks for is kept instead,
	// however long, or the question is given up at once if Total does not allow it.
	Base, Max time.Duration
	// MaxTokens is the output budget of the first call: 16,384. Where it does not
	// suffice, the question is asked once more with four times as much.
	MaxTokens int

	// Now, Sleep and Random are the clock and the dice; nil for the real ones.
	// Sleep ends early with the context's error.
	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Random func() float64 // in [0,1)
}

func (r Retry) withDefaults() Retry {
	set := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	if r.Attempts <= 0 {
		r.Attempts = 4
	}
	if r.RateLimited <= 0 {
		r.RateLimited = 10
	}
	set(&r.PerAttempt, 2*time.Minute)
	set(&r.Total, 6*time.Minute)
	set(&r.Base, time.Second)
	set(&r.Max, 30*time.Second)
	if r.MaxTokens <= 0 {
		r.MaxTokens = 16_384
	}
	if r.Now == nil {
		r.Now = time.Now
	}
	if r.Sleep == nil {
		r.Sleep = sleep
	}
	if r.Random == nil {
		r.Random = rand.Float64
	}
	return r
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// asker asks a model within a budget.
type asker struct {
	model Model
	retry Retry
	slots chan struct{} // one token for each call that may run now
	log   *slog.Logger
}

// moreTokens is by how much the output budget grows when it did not suffice.
const moreTokens = 4

// ask puts one question until accept takes the answer or the budget ends. accept
// gives an *[AnswerError] for a text that is no answer. usage grows with every
// call, also with those that fail. The error is a *[ModelError], an
// *[AnswerError] or that of ctx.
func (a *asker) ask(ctx context.Context, req Request, usage *graph.Usage, accept func(Answer) error) error {
	start := a.retry.Now()
	deadline := start.Add(a.retry.Total)
	defer func() { usage.Milliseconds += a.retry.Now().Sub(start).Milliseconds() }()
	usage.Model = a.model.Name()
	if req.MaxTokens == 0 {
		req.MaxTokens = a.retry.MaxTokens
	}
	failed := make(map[Kind]int)
	var shortOf error // what a call with a small output budget came to
	for calls := 1; ; calls++ {
		answer, err := a.once(ctx, req, usage)
		if err == nil {
			err = accept(answer)
			if err == nil && answer.Truncated && failed[KindMaxTokens] == 0 {
				err = &AnswerError{KindMaxTokens, "the answer was cut off"}
			}
			if err == nil {
				return nil
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		kind, wait := a.judge(err, failed)
		if kind == KindProtocol && shortOf != nil {
			return shortOf // the provider does not take the larger budget
		}
		if wait < 0 || a.retry.Now().Add(wait).After(deadline) {
			return err
		}
		if kind == KindMaxTokens {
			shortOf = err
			req.MaxTokens *= moreTokens
		}
		a.log.WarnContext(ctx, "model call repeated", "model", a.model.Name(), "step", req.Step, "kind", kind, "call", calls, "wait", wait)
		if wait > 0 {
			if err := a.retry.Sleep(ctx, wait); err != nil {
				return err
			}
		}
	}
}

// once makes one call, when a slot is free.
func (a *asker) once(ctx context.Context, req Request, usage *graph.Usage) (Answer, error) {
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, a.retry.PerAttempt)
	defer cancel()
	answer, err := a.model.Answer(ctx, req)
	usage.Calls++
	usage.InputTokens += answer.InputTokens
	usage.OutputTokens += answer.OutputTokens
	if me, ok := errors.AsType[*ModelError](err); ok {
		usage.InputTokens += me.InputTokens
		usage.OutputTokens += me.OutputTokens
	}
	return answer, err
}

// judge counts a failure and says how long to wait before the next call; less
// than 0 gives up.
func (a *asker) judge(err error, failed map[Kind]int) (Kind, time.Duration) {
	kind, after := KindProtocol, time.Duration(0)
	if me, ok := errors.AsType[*ModelError](err); ok {
		kind, after = me.Kind, me.RetryAfter
	} else if ae, ok := errors.AsType[*AnswerError](err); ok {
		kind = ae.Kind
	}
	failed[kind]++
	switch kind {
	case KindRateLimited:
		if failed[kind] >= a.retry.RateLimited {
			return kind, -1
		}
	case KindUnavailable, KindTimeout:
		if failed[KindUnavailable]+failed[KindTimeout] >= a.retry.Attempts {
			return kind, -1
		}
	case KindEmpty, KindNotADiff, KindMalformed:
		// The model can do better; the same prompt may come out otherwise. Once.
		if failed[KindEmpty]+failed[KindNotADiff]+failed[KindMalformed] > 1 {
			return kind, -1
		}
		return kind, 0
	case KindMaxTokens:
		if failed[kind] > 1 {
			return kind, -1
		}
		return kind, 0
	default: // blocked, auth, protocol, not recorded: the same call fails again
		return kind, -1
	}
	if after > 0 {
		return kind, after
	}
	wait := a.retry.Base
	for range failed[kind] - 1 {
		if wait *= 2; wait >= a.retry.Max {
			wait = a.retry.Max
			break
		}
	}
	// Half of it is fixed, half is chance, so that many callers do not come back
	// together.
	return kind, wait/2 + time.Duration(a.retry.Random()*float64(wait/2))
}
