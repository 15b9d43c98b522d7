package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

type promptsCmd struct {
	Show promptsShowCmd `cmd:"" help:"Print the prompt for a batch of chats, exactly as it would be sent."`
}

type promptsShowCmd struct {
	File    string            `arg:"" help:"The body of an ingest request, as JSON or XML; - for standard input."`
	Step    string            `enum:"diff" default:"diff" help:"The step whose prompt is shown: diff."`
	Lang    string            `enum:"zh,en," default:"" help:"Language of the prompt, zh or en; the space's, else the chats', if left out."`
	Profile extractor.Profile `enum:"plain,extended" default:"extended" help:"Form of the format: extended or plain."`
	Space   string            `help:"Show what this space knows. Without it nothing is known, and no database is needed."`
	Session string            `help:"The session, where the file has none (XML)."`
	Persona []string          `help:"Personas that took part, where the file names none (XML)."`
	Present []string          `help:"Who else was there, where the file names nobody (XML)."`
}

// Run prints instructions and material. No model is asked.
func (p *promptsShowCmd) Run(ctx context.Context, c *Config, std streams) error {
	b, err := p.batch(std.in)
	if err != nil {
		return err
	}
	if p.Space == "" {
		return p.show(ctx, p.blankSpace(b), nobodySubmits{}, b, std.out)
	}
	b.Space = p.Space
	c.LLM = "none"
	a, err := c.open(ctx, std.err, c.logger(std.err), nil)
	if err != nil {
		return err
	}
	return errors.Join(p.show(ctx, a.store, a.relations, b, std.out), a.close(context.WithoutCancel(ctx)))
}

// batch reads the file.
func (p *promptsShowCmd) batch(in io.Reader) (extractor.Batch, error) {
	raw, err := readFile(p.File, in)
	if err != nil {
		return extractor.Batch{}, err
	}
	var b extractor.Batch
	if bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff"))), []byte("<")) {
		input, err := extractor.ReadInput(bytes.NewReader(raw))
		if err != nil {
			return b, fmt.Errorf("%s: %w", p.File, err)
		}
		b.Chats = input.Chats
	} else if b, err = readBatch(raw); err != nil {
		return b, fmt.Errorf("%s: %w", p.File, err)
	}
	if b.Session == "" {
		b.Session = p.Session
	}
	if b.Session == "" {
		// It stands in no prompt: any name will do.
		b.Session = strings.TrimSuffix(filepath.Base(p.File), filepath.Ext(p.File))
	}
	if len(b.Persona) == 0 {
		b.Persona = p.Persona
	}
	if len(b.Present) == 0 {
		b.Present = p.Present
	}
	return b, nil
}

// readFile reads a file, or the input for "-".
func readFile(name string, in io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(in)
	}
	return os.ReadFile(name)
}

// show prints the prompt over what a store knows.
func (p *promptsShowCmd) show(ctx context.Context, store extractor.Store, submit extractor.Submitter, b extractor.Batch, w io.Writer) error {
	e, err := extractor.New(extractor.Options{
		Store: spaceInLanguage{store, p.Lang}, Relations: submit, Profile: p.Profile,
	})
	if err != nil {
		return err
	}
	req, err := e.Prompt(ctx, b)
	if err != nil {
		return withFields(err)
	}
	_, err = fmt.Fprintf(w, "=== system\n%s\n=== user\n%s", req.System, req.User)
	return err
}

// spaceInLanguage is a store whose spaces have a language, unless it is "".
type spaceInLanguage struct {
	extractor.Store
	lang string
}

// Space implements extractor.Store.
func (s spaceInLanguage) Space(ctx context.Context, name string) (graph.Space, error) {
	space, err := s.Store.Space(ctx, name)
	if s.lang != "" {
		space.Language = s.lang
	}
	return space, err
}

// blankSpace is a space that knows nothing but the batch's personas, by name.
type blankSpace struct{ personas []graph.Persona }

var _ extractor.Store = blankSpace{}

func (p *promptsShowCmd) blankSpace(b extractor.Batch) blankSpace {
	var s blankSpace
	for _, name := range b.Persona {
		s.personas = append(s.personas, graph.Persona{Name: strings.TrimSpace(name)})
	}
	return s
}

// Space implements extractor.Store.
func (blankSpace) Space(_ context.Context, name string) (graph.Space, error) {
	return graph.Space{Name: name}, nil
}

// Personas implements extractor.Store.
func (s blankSpace) Personas(context.Context, string, string) ([]graph.Persona, error) {
	return s.personas, nil
}

// Relations implements extractor.Store.
func (blankSpace) Relations(context.Context, string, string) ([]graph.Relation, error) {
	return nil, nil
}

// Context implements extractor.Store.
func (blankSpace) Context(context.Context, string, graph.ContextQuery) ([]graph.Memory, error) {
	return nil, nil
}

// NewSourceIDs implements extractor.Store: large ids, as a database gives them.
func (blankSpace) NewSourceIDs(context.Context, int) (int64, error) { return 1 << 50, nil }

// DiffByKey implements extractor.Store.
func (blankSpace) DiffByKey(context.Context, string, string) (graph.Diff, bool, error) {
	return graph.Diff{}, false, nil
}

// Receipt implements extractor.Store.
func (blankSpace) Receipt(context.Context, string, graph.Diff, string) (graph.Receipt, error) {
	return graph.Receipt{}, nil
}

// nobodySubmits is for an extractor that only shows prompts.
type nobodySubmits struct{}

var _ extractor.Submitter = nobodySubmits{}

// Submit implements extractor.Submitter.
func (nobodySubmits) Submit(context.Context, relations.Submission) (graph.Receipt, error) {
	return graph.Receipt{}, errors.New("nothing is stored here")
}
