package extractor

import (
	"context"
	"errors"
	"io/fs"
	"strings"
)

// Replay answers from recorded answers: the diff step of a session from
// SESSION.xml, every other step from SESSION.json. Where a session has none, the
// prompt's hash stands in its place, as [Record] names its files.
type Replay struct{ answers fs.FS }

var _ Model = (*Replay)(nil)

// NewReplay makes a model of a file system, which is read at each call.
func NewReplay(answers fs.FS) *Replay { return &Replay{answers: answers} }

// Name gives "replay".
func (r *Replay) Name() string { return "replay" }

// Answer reads the recorded answer. A session id that is no plain file name has
// none of its own, whatever it points to.
func (r *Replay) Answer(ctx context.Context, req Request) (Answer, error) {
	fail := func(kind Kind, detail string) (Answer, error) {
		return Answer{}, &ModelError{Kind: kind, Model: r.Name(), Detail: detail}
	}
	if ctx.Err() != nil {
		return fail(KindTimeout, "")
	}
	names := []string{answerFile(promptHash(req), req.Step)}
	if plainName(req.Session) {
		names = []string{answerFile(req.Session, req.Step), names[0]}
	}
	for _, name := range names {
		text, err := fs.ReadFile(r.answers, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
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
	return fail(KindNotRecorded, "there is no "+strings.Join(names, " and no "))
}

// plainName says whether a session's id can name a file.
func plainName(session string) bool {
	return session != "" && !strings.ContainsAny(session, "/\\:\x00") && !strings.HasPrefix(session, ".")
}
