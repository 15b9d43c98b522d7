package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"relata/extractor"
	"relata/graph"
)

type ingestCmd struct {
	Files  []string `arg:"" type:"existingfile" help:"Files, each the JSON body of an ingest request."`
	Space  string   `help:"The space; that of the file if left out."`
	DryRun bool     `name:"dry-run" help:"Ask the model and check, but store nothing."`
}

// Run reads the files in the order given. It goes on after a file that fails,
// and fails at the end: a file that was done is not done again by a second run.
func (i *ingestCmd) Run(ctx context.Context, c *Config, std streams) error {
	a, err := c.open(ctx, std.err, c.logger(std.err), nil)
	if err != nil {
		return err
	}
	return errors.Join(i.ingest(ctx, a, std), a.close(context.WithoutCancel(ctx)))
}

func (i *ingestCmd) ingest(ctx context.Context, a *app, std streams) error {
	if a.extractor == nil {
		return errors.New("no model is configured: set GEMINI_API_KEY, or --llm, such as gemini:MODEL or openai:MODEL@URL")
	}
	progress := newProgress(std.err, len(i.Files))
	failed := 0
	for _, file := range i.Files {
		if ctx.Err() != nil {
			break
		}
		line, err := i.file(ctx, a.extractor, file)
		if err != nil {
			failed++
			line = "failed: " + err.Error()
		}
		progress.done(file + ": " + line)
	}
	progress.end()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("stopped: run it again to go on: %w", ctx.Err())
	case failed > 0:
		return fmt.Errorf("%d of %d files failed: run it again to retry them", failed, len(i.Files))
	}
	return nil
}

func (i *ingestCmd) file(ctx context.Context, e *extractor.Extractor, file string) (string, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	b, err := readBatch(raw)
	if err != nil {
		return "", err
	}
	if i.Space != "" {
		b.Space = i.Space
	}
	r, err := e.Ingest(ctx, b, extractor.IngestOptions{DryRun: i.DryRun, By: "cli"})
	if err != nil {
		return "", withFields(err)
	}
	return receiptLine(r), nil
}

// receiptLine says in one line what a diff did.
func receiptLine(r graph.Receipt) string {
	line := fmt.Sprintf("%s, relations +%d ~%d -%d, memories +%d ~%d -%d", r.Status,
		len(r.Relations.Added), len(r.Relations.Replaced), len(r.Relations.Removed),
		len(r.Memories.Added), len(r.Memories.Replaced), len(r.Memories.Removed))
	rejected := 0
	for _, v := range r.Verdicts {
		if v.Outcome == graph.OutcomeRejected {
			rejected++
		}
	}
	if rejected > 0 {
		line += fmt.Sprintf(", %d items rejected", rejected)
	}
	if r.Truncated {
		line += ", the answer was cut off"
	}
	if r.Repeated {
		line += " (done before)"
	}
	return line
}

// progress shows a bar on a terminal and plain lines elsewhere.
type progress struct {
	w    io.Writer
	bars *mpb.Progress
	bar  *mpb.Bar
}

func newProgress(w io.Writer, total int) *progress {
	p := &progress{w: w}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(50))
		p.bar = p.bars.AddBar(int64(total), mpb.PrependDecorators(decor.CountersNoUnit("%d / %d")),
			mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO)))
	}
	return p
}

func (p *progress) done(line string) {
	if p.bars == nil {
		fmt.Fprintln(p.w, line)
		return
	}
	fmt.Fprintln(p.bars, line)
	p.bar.Increment()
}

func (p *progress) end() {
	if p.bars == nil {
		return
	}
	p.bar.Abort(false) // a run that stops early must not wait for the rest
	p.bars.Wait()
}
