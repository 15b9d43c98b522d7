package extractor

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Steps of the pipeline that ask a model.
const (
	StepDiff   = "diff"   // messages or facts → diff
	StepReader = "reader" // a document, text or image → facts
)

// Model answers prompts. Implementations are safe for concurrent use, make one
// attempt a call (the retries are [Retry]'s) and give every failure as a
// *[ModelError]; a context that ends is one of KindTimeout.
type Model interface {
	Answer(ctx context.Context, req Request) (Answer, error)
	// Name is what the receipt calls the model, such as "gemini:MODEL".
	Name() string
}

// Request is one prompt.
type Request struct {
	Step      string // StepDiff or StepReader
	Session   string // what recorded answers are found by
	System    string // instructions
	User      string // material
	Images    []Image
	JSON      bool // the answer is to be one JSON object
	MaxTokens int  // output budget, thinking included; 0 for the provider's default
}

// Image is a picture to look at.
type Image struct {
	Type string // such as "image/png"
	Data []byte
}

// Answer is what a model said.
type Answer struct {
	Text         string
	InputTokens  int
	OutputTokens int  // thinking included
	Truncated    bool // the output budget ended it
}

// ModelError is a failed model call. Its texts never hold an API key.
type ModelError struct {
	Kind       Kind
	Model      string        // its name
	Detail     string        // what the provider said, shortened; for logs
	RetryAfter time.Duration // how long the provider asks to wait; 0 when it says nothing
	Err        error         // the cause, where its text is safe
	// InputTokens and OutputTokens are what the failed call was charged for.
	InputTokens, OutputTokens int
}

// Error says what failed, for logs.
func (e *ModelError) Error() string {
	s := fmt.Sprintf("model %s: %s", e.Model, e.Reason())
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Unwrap gives the cause.
func (e *ModelError) Unwrap() error { return e.Err }

// Reason says in words what failed; it is safe to send to callers.
func (e *ModelError) Reason() string { return reason(e.Kind) }

func reason(k Kind) string {
	switch k {
	case KindRateLimited:
		return "the provider limits the rate of calls"
	case KindUnavailable:
		return "the provider cannot be reached or is overloaded"
	case KindTimeout:
		return "no answer came in time"
	case KindEmpty:
		return "the answer was empty"
	case KindBlocked:
		return "the provider's content policy blocked the prompt or the answer"
	case KindNotADiff:
		return "the answer was no diff"
	case KindMalformed:
		return "the answer was a diff that contradicts itself"
	case KindMaxTokens:
		return "the output budget was used up before a usable answer"
	case KindAuth:
		return "the provider refuses the API key or its account"
	case KindProtocol:
		return "the provider refused the request or answered outside of its protocol"
	case KindNotRecorded:
		return "there is no recorded answer for this prompt, or it could not be recorded"
	}
	return string(k)
}

// redact takes a secret out of a text that is to be logged, also where it was
// escaped for a URL.
func redact(s, secret string) string {
	if secret == "" {
		return s
	}
	return strings.NewReplacer(secret, "[key]", url.QueryEscape(secret), "[key]").Replace(s)
}
