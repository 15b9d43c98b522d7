package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"relata/graph"
	"relata/relations"
)

type importCmd struct {
	Space  string   `required:"" help:"The space to put the lines into."`
	Files  []string `arg:"" type:"existingfile" help:"Files of JSON Lines, as export writes them; a line without a type is a memory."`
	Create bool     `help:"Make the space where it does not exist, with an empty vocabulary."`
}

// Run imports the files in the order given. What is there already stays as it
// is, so that a run that stopped can be repeated.
func (i *importCmd) Run(ctx context.Context, c *Config, std streams) error {
	a, err := c.open(ctx, std.err, c.logger(std.err), nil)
	if err != nil {
		return err
	}
	return errors.Join(i.imports(ctx, a.store, std), a.close(context.WithoutCancel(ctx)))
}

func (i *importCmd) imports(ctx context.Context, store *graph.Store, std streams) error {
	_, err := store.Space(ctx, i.Space)
	if i.Create && graph.ErrorCode(err) == graph.CodeNotFound {
		_, _, err = store.PutSpace(ctx, graph.Space{Name: i.Space, Vocabulary: "empty"})
	}
	if err != nil {
		return withFields(err)
	}
	im := relations.NewImporter(relations.ImporterOptions{Store: store})
	failed := 0
	for _, file := range i.Files {
		report, err := i.file(ctx, im, file, std.err)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		failed += report.Failed
		if err := tellImport(std.out, file, report); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d lines did not go in: mend them and import the file again", failed)
	}
	return nil
}

func (i *importCmd) file(ctx context.Context, im *relations.Importer, file string, w io.Writer) (relations.ImportReport, error) {
	f, err := os.Open(file)
	if err != nil {
		return relations.ImportReport{}, err
	}
	info, err := f.Stat()
	if err != nil {
		return relations.ImportReport{}, errors.Join(err, f.Close())
	}
	p := newImportProgress(w, file, info.Size())
	report, err := im.Import(ctx, relations.ImportRequest{Space: i.Space, Lines: f, By: "cli", Progress: p.at})
	p.end()
	return report, errors.Join(err, f.Close())
}

// tellImport says what came of a file, and which lines were bad.
func tellImport(w io.Writer, file string, r relations.ImportReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d lines: %d memories, %d relations, %d personas, %d entities, %d sources, %d diffs new; %d there already, %d failed\n",
		file, r.Lines, r.Memories, r.Relations, r.Personas, r.Entities, r.Sources, r.Diffs, r.Duplicates, r.Failed)
	if r.MissingSources > 0 {
		fmt.Fprintf(&b, "  %d mentions of messages that the space does not have were left out\n", r.MissingSources)
	}
	for _, e := range r.Errors {
		fmt.Fprintf(&b, "  line %d: %s\n", e.Line, e.Message)
	}
	if more := r.Complaints - len(r.Errors); more > 0 {
		fmt.Fprintf(&b, "  … and %d more\n", more)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// importProgress shows a bar on a terminal and now and then a line elsewhere.
type importProgress struct {
	w       io.Writer
	file    string
	size    int64
	bars    *mpb.Progress
	bar     *mpb.Bar
	started time.Time
	told    time.Time
}

// tellEvery is the time between two lines of progress.
const tellEvery = 5 * time.Second

func newImportProgress(w io.Writer, file string, size int64) *importProgress {
	now := time.Now()
	p := &importProgress{w: w, file: file, size: size, started: now, told: now}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(50))
		p.bar = p.bars.AddBar(size, mpb.PrependDecorators(decor.Name(file+" "), decor.CountersKibiByte("% .1f / % .1f")),
			mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO)))
	}
	return p
}

func (p *importProgress) at(r relations.ImportReport) {
	if p.bar != nil {
		p.bar.SetCurrent(min(r.Bytes, p.size))
		return
	}
	if now := time.Now(); now.Sub(p.told) >= tellEvery {
		p.told = now
		// Progress that cannot be shown must not stop the import.
		_, _ = fmt.Fprintf(p.w, "%s: %d lines, %d%%, %.0f lines a second\n", p.file, r.Lines,
			100*r.Bytes/max(p.size, 1), float64(r.Lines)/now.Sub(p.started).Seconds())
	}
}

func (p *importProgress) end() {
	if p.bars == nil {
		return
	}
	p.bar.Abort(false) // an import that stops early must not wait for the rest
	p.bars.Wait()
}
