package jobs

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

func TestHowOftenAFailureIsTriedAgain(t *testing.T) {
	model := func(k extractor.Kind) error {
		return graph.WrapError(graph.CodeModel, &extractor.ModelError{Kind: k, Model: "m"}, "no diff")
	}
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"the database cannot be reached", graph.Errorf(graph.CodeUnavailable, "x"), 10},
		{"too slow", graph.Errorf(graph.CodeTimeout, "x"), 5},
		{"the embedder", graph.Errorf(graph.CodeModel, "x"), 5},
		{"rate limit", model(extractor.KindRateLimited), 10},
		{"provider down", model(extractor.KindUnavailable), 10},
		{"no answer in time", model(extractor.KindTimeout), 5},
		{"empty answer", model(extractor.KindEmpty), 3},
		{"no diff", graph.WrapError(graph.CodeModel, &extractor.AnswerError{Kind: extractor.KindNotADiff}, "x"), 3},
		{"malformed", model(extractor.KindMalformed), 3},
		{"blocked", model(extractor.KindBlocked), 1},
		{"wrong key", model(extractor.KindAuth), 1},
		{"output budget", model(extractor.KindMaxTokens), 1},
		{"not recorded", model(extractor.KindNotRecorded), 1},
		{"refused", model(extractor.KindProtocol), 1},
		{"invalid", graph.Errorf(graph.CodeInvalid, "x"), 1},
		{"conflict", graph.Errorf(graph.CodeConflict, "x"), 1},
		{"the space is gone", graph.Errorf(graph.CodeNotFound, "x"), 1},
		{"internal", errors.New("x"), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Retry{}.withDefaults()
			got := 1
			for ; ; got++ {
				if _, again := r.after(tt.err, got); !again {
					break
				}
			}
			if got != tt.want {
				t.Errorf("begun %d times, want %d", got, tt.want)
			}
			r.Attempts = 2
			if got := r.attempts(tt.err); got > 2 {
				t.Errorf("begun %d times, although 2 is the most", got)
			}
		})
	}
}

func TestTheWaitDoublesUpToALimit(t *testing.T) {
	busy := graph.Errorf(graph.CodeUnavailable, "x")
	waits := func(random float64) []string {
		r := Retry{Base: 4 * time.Second, Max: time.Minute, Random: func() float64 { return random }}.withDefaults()
		var out []string
		for attempt := 1; ; attempt++ {
			wait, again := r.after(busy, attempt)
			if !again {
				return out
			}
			out = append(out, wait.String())
		}
	}
	most := []string{"4s", "8s", "16s", "32s", "1m0s", "1m0s", "1m0s", "1m0s", "1m0s"}
	least := []string{"2s", "4s", "8s", "16s", "30s", "30s", "30s", "30s", "30s"}
	if diff := cmp.Diff(most, waits(1)); diff != "" {
		t.Errorf("the longest waits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(least, waits(0)); diff != "" {
		t.Errorf("the shortest waits (-want +got):\n%s", diff)
	}
	asked := graph.WrapError(graph.CodeModel, &extractor.ModelError{Kind: extractor.KindRateLimited, RetryAfter: time.Hour}, "x")
	if wait, _ := (Retry{}).withDefaults().after(asked, 1); wait != time.Hour {
		t.Errorf("waits %s, although the provider asks for an hour", wait)
	}
}

func TestTheReasonIsForPeople(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{graph.WrapError(graph.CodeModel, errors.New("key=secret"), "the model gave no diff"), "the model gave no diff"},
		{fmt.Errorf("op: %w", &graph.Error{Code: graph.CodeInvalid, Message: "wrong", Fields: []graph.Field{{Name: "persona[0]", Message: "is none"}}}), "wrong; persona[0] is none"},
		{graph.WrapError(graph.CodeInternal, errors.New("MATCH (n)"), "statement x failed"), "an internal error, see the log of the server"},
		{errors.New("nil pointer"), "an internal error, see the log of the server"},
	}
	for _, tt := range tests {
		if got := reason(tt.err); got != tt.want {
			t.Errorf("%v is told as %q, want %q", tt.err, got, tt.want)
		}
	}
}
