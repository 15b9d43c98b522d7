package extractor

import (
	"context"
	"errors"
	"io/fs"
	"strings"
)

// Replay answers from recorded answers: the diff step of a session from
// SESSION.xml, every other step from SESSION.json.
type Replay struct{ answers fs.FS }

var _ Model = (*Replay)(nil)

// NewReplay makes a model of a file system, which is read at each call.
func NewReplay(answers fs.FS) *Replay { return &Replay{answers: answers} }

// Name gives "replay".
func (r *Replay) Name() string { return "replay" }

// Answer reads the session's recorded answer. A session id that is no plain file
// name has none, whatever it points to.
func (r *Replay) Answer(ctx context.Context, req Request) (Answer, error) {
	fail := func(kind Kind, detail string) (Answer, error) {
		return Answer{}, &ModelError{Kind: kind, Model: r.Name(), Detail: detail}
	}
	if ctx.Err() != nil {
		return fail(KindTimeout, "")
	}
	if req.Session == "" || strings.ContainsAny(req.Session, `/\:`) || strings.HasPrefix(req.Session, ".") || strings.ContainsRune(req.Session, 0) {
		return fail(KindNotRecorded, "the session id is no plain file name")
	}
	name := req.Session + ".json"
	if req.Step == StepDiff {
		name = req.Session + ".xml"
	}
	text, err := fs.ReadFile(r.answers, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail(KindNotRecorded, name+" does not exist")
	case err != nil:
		return fail(KindUnavailable, name+" cannot be read")
	case isBlank(string(text)):
		return fail(KindEmpty, name+" is empty")
	}
	return Answer{
		Text:         string(text),
		InputTokens:  EstimateTokens(req.System) + EstimateTokens(req.User),
		OutputTokens: EstimateTokens(string(text)),
	}, nil
}
