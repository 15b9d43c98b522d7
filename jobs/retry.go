package jobs

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"relata/extractor"
	"relata/graph"
)

// Retry says how a job is tried again whose failure may pass. A model call has
// been repeated by the extractor already when its job fails: this is for what
// lasts longer. Zero fields take the defaults.
type Retry struct {
	// Attempts bounds the runs of a job, those included that a crash ended: 10. The
	// database that cannot be reached and a provider that is down or limits the
	// rate of calls get them all, time-outs 5, answers that are no diff 3, and
	// what fails alike each time one.
	Attempts int
	// Base and Max bound the wait before the next attempt, which doubles from Base:
	// 5 seconds and 10 minutes. A provider that asks for a longer wait gets it.
	Base, Max time.Duration
	// Random is the dice, in [0,1); nil for a real one.
	Random func() float64
}

func (r Retry) withDefaults() Retry {
	r.Attempts = cmp.Or(r.Attempts, 10)
	r.Base = cmp.Or(r.Base, 5*time.Second)
	r.Max = cmp.Or(r.Max, 10*time.Minute)
	if r.Random == nil {
		r.Random = rand.Float64
	}
	return r
}

// attempts says how often a job is begun in all that fails like this.
func (r Retry) attempts(err error) int {
	switch graph.ErrorCode(err) {
	case graph.CodeUnavailable: // the database
		return r.Attempts
	case graph.CodeTimeout:
		return min(5, r.Attempts)
	case graph.CodeModel:
	default:
		return 1 // the same input fails again: a person has to look
	}
	kind := extractor.Kind("")
	if e, ok := errors.AsType[*extractor.ModelError](err); ok {
		kind = e.Kind
	} else if e, ok := errors.AsType[*extractor.AnswerError](err); ok {
		kind = e.Kind
	}
	switch kind {
	case extractor.KindRateLimited, extractor.KindUnavailable:
		return r.Attempts
	case extractor.KindTimeout, "": // "": the embedder
		return min(5, r.Attempts)
	case extractor.KindEmpty, extractor.KindNotADiff, extractor.KindMalformed:
		return min(3, r.Attempts) // a model may do better another time
	}
	return 1 // blocked, refused, not recorded, budget used up: the same call fails again
}

// after says whether a job is tried again after its attempt-th run failed, and in
// how long: half of the wait is fixed, half is chance, so that many jobs do not
// come back together.
func (r Retry) after(err error, attempt int) (time.Duration, bool) {
	if attempt >= r.attempts(err) {
		return 0, false
	}
	wait := r.Base
	for range attempt - 1 {
		if wait *= 2; wait >= r.Max {
			wait = r.Max
			break
		}
	}
	wait = wait/2 + time.Duration(r.Random()*float64(wait/2))
	if e, ok := errors.AsType[*extractor.ModelError](err); ok {
		wait = max(wait, e.RetryAfter)
	}
	return wait, true
}

// reason gives an error in words for people; what is internal stays in the log.
func reason(err error) string {
	e, ok := errors.AsType[*graph.Error](err)
	if !ok || e.Code == graph.CodeInternal {
		return "an internal error, see the log of the server"
	}
	parts := []string{e.Message}
	for _, f := range e.Fields {
		parts = append(parts, f.Name+" "+f.Message)
	}
	return strings.Join(parts, "; ")
}
