package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"relata/extractor"
	"relata/graph"
)

type ingestCmd struct {
	Paths     []string `arg:"" type:"path" help:"Files, or folders that are read in order of their names: .json (the body of an ingest request), .jsonl (one on each line), images, and documents of any other name."`
	Space     string   `help:"The space; for chats that of the file if left out."`
	Mode      string   `default:"fast" enum:"fast,fine,fine_user" help:"How chats are read: fast, fine or fine_user."`
	GivenBy   string   `name:"given-by" help:"Who gave the documents and images."`
	VisibleTo []string `name:"visible-to" help:"Who knows what the documents and images say; every persona if left out."`
	DryRun    bool     `name:"dry-run" help:"Ask the model and check, but store nothing."`
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
	work, err := i.work(ctx, a.extractor)
	if err != nil {
		return err
	}
	progress := newProgress(std.err, len(work))
	failed := 0
	for _, piece := range work {
		if ctx.Err() != nil {
			break
		}
		line := ""
		receipt, err := piece.do()
		if err != nil {
			failed++
			line = "failed: " + withFields(err).Error()
		} else {
			line = receiptLine(receipt)
		}
		progress.done(piece.name + ": " + line)
	}
	progress.end()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("stopped: run it again to go on: %w", ctx.Err())
	case failed > 0:
		return fmt.Errorf("%d of %d pieces failed: run it again to retry them", failed, len(work))
	}
	return nil
}

// piece is a batch or a part of a document: one diff, done once however often it
// is run.
type piece struct {
	name string
	do   func() (graph.Receipt, error)
}

// work lists what the paths hold, in order. A file that cannot be read is a piece
// that fails.
func (i *ingestCmd) work(ctx context.Context, e *extractor.Extractor) ([]piece, error) {
	var out []piece
	for _, root := range i.Paths {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path != root && strings.HasPrefix(d.Name(), "."):
				if d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			case d.IsDir():
				return nil
			}
			pieces, err := i.pieces(ctx, e, path)
			if err != nil {
				pieces = []piece{{path, func() (graph.Receipt, error) { return graph.Receipt{}, err }}}
			}
			out = append(out, pieces...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (i *ingestCmd) pieces(ctx context.Context, e *extractor.Extractor, path string) ([]piece, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		return i.chats(ctx, e, path, [][]byte{raw})
	case ".jsonl":
		return i.chats(ctx, e, path, bytes.Split(bytes.TrimSpace(raw), []byte("\n")))
	case ".png", ".jpg", ".jpeg", ".webp":
		return i.material(ctx, e, path, extractor.Material{Name: filepath.Base(path), Data: raw, Image: true})
	}
	return i.material(ctx, e, path, extractor.Material{Name: filepath.Base(path), Data: raw})
}

func (i *ingestCmd) chats(ctx context.Context, e *extractor.Extractor, path string, bodies [][]byte) ([]piece, error) {
	var out []piece
	for n, raw := range bodies {
		b, err := readBatch(raw)
		if err != nil {
			return nil, err
		}
		if i.Space != "" {
			b.Space = i.Space
		}
		name := path
		if len(bodies) > 1 {
			name = fmt.Sprintf("%s:%d", path, n+1)
		}
		out = append(out, piece{name, func() (graph.Receipt, error) {
			return e.Ingest(ctx, b, extractor.IngestOptions{Mode: i.Mode, DryRun: i.DryRun, By: "cli"})
		}})
	}
	return out, nil
}

func (i *ingestCmd) material(ctx context.Context, e *extractor.Extractor, path string, m extractor.Material) ([]piece, error) {
	if i.Space == "" {
		return nil, errors.New("name the space of documents and images with --space")
	}
	m.Space, m.GivenBy, m.VisibleTo = i.Space, i.GivenBy, i.VisibleTo
	parts, err := e.Parts(ctx, m, "")
	if err != nil {
		return nil, err
	}
	var out []piece
	for _, p := range parts {
		name := path
		if len(parts) > 1 {
			name = fmt.Sprintf("%s, part %d of %d", path, p.Number, p.Parts)
		}
		out = append(out, piece{name, func() (graph.Receipt, error) {
			return e.Read(ctx, p, extractor.IngestOptions{DryRun: i.DryRun, By: "cli"})
		}})
	}
	return out, nil
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
