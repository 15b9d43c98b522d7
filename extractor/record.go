package extractor

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"relata/graph"
)

// Record keeps what a model is asked and what it answers, so that [Replay] can
// give the same answers again. Each call leaves two files, readable only by
// their owner and named by the prompt's hash: HASH.prompt.txt and the answer as
// it came, HASH.xml for the diff step and HASH.json for others. A prompt that is
// asked again replaces its answer: of an answer that was cut off and its
// repetition the whole one stays. Failed calls leave nothing.
//
// The files hold conversations and memories in plain text.
type Record struct {
	model Model
	dir   string
}

var _ Model = (*Record)(nil)

// NewRecord records a model into a directory, which is made if it is missing.
// Errors: CodeInvalid where it cannot be written to.
func NewRecord(m Model, dir string) (*Record, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, graph.WrapError(graph.CodeInvalid, err, "the directory %q for recordings cannot be made", dir)
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return nil, graph.WrapError(graph.CodeInvalid, err, "the directory %q for recordings cannot be written to", dir)
	}
	_ = probe.Close()
	if err := os.Remove(probe.Name()); err != nil {
		return nil, graph.WrapError(graph.CodeInvalid, err, "the directory %q for recordings cannot be written to", dir)
	}
	return &Record{model: m, dir: dir}, nil
}

// Name gives the name of the recorded model.
func (r *Record) Name() string { return r.model.Name() }

// Answer asks the model and records. An answer that cannot be recorded is a
// failure of KindNotRecorded: a recording with holes is found out too late.
func (r *Record) Answer(ctx context.Context, req Request) (Answer, error) {
	a, err := r.model.Answer(ctx, req)
	if err != nil {
		return a, err
	}
	hash := promptHash(req)
	err = r.write(hash+".prompt.txt", promptText(req))
	if err == nil {
		err = r.write(answerFile(hash, req.Step), a.Text)
	}
	if err != nil {
		return Answer{}, &ModelError{
			Kind: KindNotRecorded, Model: r.Name(), Detail: shorten("the answer cannot be recorded: " + err.Error()), Err: err,
			InputTokens: a.InputTokens, OutputTokens: a.OutputTokens,
		}
	}
	return a, nil
}

// write puts a file in place as a whole.
func (r *Record) write(name, text string) error {
	f, err := os.CreateTemp(r.dir, ".part-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(r.dir, name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// promptText shows a prompt to people. Images are only described.
func promptText(req Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "=== step\n%s\n=== system\n%s\n=== user\n%s\n", req.Step, req.System, req.User)
	for i, image := range req.Images {
		fmt.Fprintf(&b, "=== image %d\n%s, %d bytes, SHA-256 %x\n", i+1, image.Type, len(image.Data), sha256.Sum256(image.Data))
	}
	return b.String()
}
