package relations

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"log/slog"
	"slices"
	"time"

	"relata/graph"
)

const (
	// ImportBatch is how many lines of a kind one transaction takes: the fastest
	// with indexes live was seen between 500 and 1,000.
	ImportBatch = 500
	// MaxLineBytes bounds a line: a message as large as a body may be, with its
	// quotes escaped.
	MaxLineBytes = 16 << 20
	// MaxImportErrors is how many errors a report tells in full; all are counted.
	MaxImportErrors = 100

	// importBatchBytes closes a batch of large lines early.
	importBatchBytes = 4 << 20
)

// ImportStore is what an import needs of the graph. Implemented by *graph.Store.
type ImportStore interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	NewIDs(ctx context.Context, n int) (int64, error)
	Write(ctx context.Context, space string, fn func(context.Context, *graph.Tx) error) error
	Space(ctx context.Context, name string) (graph.Space, error)
	PutSpace(ctx context.Context, s graph.Space) (graph.Space, bool, error)
	Personas(ctx context.Context, space, asPersona string) ([]graph.Persona, error)
	PutPersona(ctx context.Context, space string, p graph.Persona) (graph.Persona, error)
	Memories(ctx context.Context, space string, f graph.MemoryFilter) (graph.Page[graph.Memory], error)
}

var _ ImportStore = (*graph.Store)(nil)

// ImporterOptions configure an [Importer].
type ImporterOptions struct {
	Store  ImportStore
	Logger *slog.Logger     // nil: no log
	Clock  func() time.Time // nil: time.Now
}

// Importer reads exported lines into spaces. It is safe for concurrent use.
type Importer struct {
	store ImportStore
	log   *slog.Logger
	clock func() time.Time
}

// NewImporter makes an importer.
func NewImporter(o ImporterOptions) *Importer {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = func() time.Time { return time.Now().UTC() }
	}
	return &Importer{store: o.Store, log: o.Logger, clock: o.Clock}
}

// ImportRequest is a stream of lines for a space.
type ImportRequest struct {
	Space string
	Lines io.Reader
	By    string // the caller, for the ledger
	// Progress is called after each transaction; nil for none.
	Progress func(ImportReport)
}

// ImportReport counts what came of the lines. The numbers by kind are of things
// that are new.
type ImportReport struct {
	Spaces     int // 1 where the settings of the file were taken over
	Personas   int
	Relations  int // those that memories brought along included
	Entities   int
	Sources    int
	Memories   int
	Diffs      int
	Duplicates int // lines that say what was there already
	Failed     int // lines that did not go in
	// MissingSources counts mentions, by msg_ids, of sources that the space does
	// not have: the memory went in without them.
	MissingSources int
	Lines          int         // read so far
	Bytes          int64       // read so far
	Errors         []LineError // at most MaxImportErrors, by line
	Complaints     int         // errors in all, told or not
}

// LineError says what is wrong with a line.
type LineError struct {
	Line    int // from 1
	Message string
}

func (r *ImportReport) complain(line int, format string, args ...any) {
	r.Complaints++
	if len(r.Errors) < MaxImportErrors {
		r.Errors = append(r.Errors, LineError{line, fmt.Sprintf(format, args...)})
	}
}

func (r *ImportReport) fail(line int, format string, args ...any) {
	r.Failed++
	r.complain(line, format, args...)
}

// run is one import.
type importRun struct {
	*Importer
	req    ImportRequest
	report ImportReport
	seed   maphash.Seed

	// keys leads from the hash of a line's key to its memory: 16 bytes a line
	// rather than the key itself.
	keys map[uint64]graph.MemoryID
	// awaited are keys that lines name before the line that has them.
	awaited map[uint64][]awaited
	// claimed are retired memories that a line of this file stands for, so that
	// words that went and came back and went are as many memories as lines.
	claimed map[graph.MemoryID]bool
	// foreign are source ids that the space has for something else.
	foreign map[int64]bool
	// unlinked are relations whose inverse or successor was not there yet.
	unlinked []unlinked
}

type awaited struct {
	line int
	key  string
	by   graph.MemoryID // what takes the place of the line awaited
	at   time.Time      // and since when
}

type unlinked struct {
	line                    int
	key, inverse, successor string
}

// Import reads lines into a space that exists, in the order of their coming:
// batches of [ImportBatch], one transaction each, while the next one is read and
// embedded. What is there already stays as it is. A bad line is in the report
// and the others go in. An error, unlike that, ends the import; the lines before
// it are in, and importing the file again goes on where it ended.
//
// A memory is there already where the space has one with the same subject,
// relation, object and content that is current; one that a line says is retired,
// or that was retired since, where the date is the same too.
//
// The settings of the file's space are taken over by a space without memories;
// its dates are read in the file's time zone anyway.
//
// Errors: CodeNotFound for the space, CodeModel where embedding fails,
// CodeInvalid for a stream that breaks off, CodeUnavailable, CodeTimeout.
func (im *Importer) Import(ctx context.Context, req ImportRequest) (ImportReport, error) {
	space, err := im.store.Space(ctx, req.Space)
	if err != nil {
		return ImportReport{}, err
	}
	run := &importRun{
		Importer: im, req: req, seed: maphash.MakeSeed(), keys: make(map[uint64]graph.MemoryID),
		awaited: make(map[uint64][]awaited), claimed: make(map[graph.MemoryID]bool), foreign: make(map[int64]bool),
	}
	err = run.all(ctx, space)
	if e, ok := errors.AsType[*graph.Error](err); ok && run.report.Lines > 0 {
		told := *e
		told.Message = fmt.Sprintf("%s; the lines up to %d are in, importing the same again goes on from there", e.Message, run.report.Lines)
		err = &told
	}
	slices.SortStableFunc(run.report.Errors, func(a, b LineError) int { return a.Line - b.Line })
	im.log.InfoContext(ctx, "import ended", "space", req.Space, "lines", run.report.Lines, "memories", run.report.Memories,
		"duplicates", run.report.Duplicates, "failed", run.report.Failed, "complete", err == nil)
	return run.report, err
}

// all moves batches from the reader to the writer.
func (r *importRun) all(ctx context.Context, space graph.Space) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	batches := make(chan *lineBatch)
	var readErr error
	go func() {
		defer close(batches)
		reader := newLineReader(r.req.Lines, space.Location())
		readErr = reader.batches(func(b *lineBatch) error {
			if err := r.embed(ctx, b); err != nil {
				return err
			}
			select {
			case batches <- b:
				return nil
			case <-ctx.Done():
				return graph.WrapError(graph.CodeTimeout, ctx.Err(), "the import was stopped")
			}
		})
	}()
	for b := range batches {
		err := r.write(ctx, b)
		if err != nil {
			cancel()
			// The reader may hang in its stream; it ends with that, and nobody
			// listens to it any more.
			return err
		}
		r.report.Lines, r.report.Bytes = b.lastLine, b.bytes
		if r.req.Progress != nil {
			r.req.Progress(r.report)
		}
	}
	if readErr != nil {
		return readErr
	}
	return r.finish(ctx)
}

// embed gives the memories of a batch their vectors.
func (r *importRun) embed(ctx context.Context, b *lineBatch) error {
	if len(b.memories) == 0 {
		return nil
	}
	texts := make([]string, len(b.memories))
	for i, m := range b.memories {
		texts[i] = m.Content
	}
	vectors, err := r.store.Embed(ctx, texts)
	if err != nil {
		return err
	}
	for i := range b.memories {
		b.memories[i].vector = vectors[i]
	}
	return nil
}

func (r *importRun) write(ctx context.Context, b *lineBatch) error {
	for _, bad := range b.bad {
		r.report.fail(bad.Line, "%s", bad.Message)
	}
	switch {
	case b.space != nil:
		return r.settings(ctx, b.space)
	case b.persona != nil:
		return r.persona(ctx, b.persona)
	case len(b.relations) > 0:
		return r.relations(ctx, b.relations)
	case len(b.entities) > 0:
		return r.entities(ctx, b.entities)
	case len(b.sources) > 0:
		return r.sources(ctx, b.sources)
	case len(b.memories) > 0:
		return r.memories(ctx, b.memories)
	case len(b.diffs) > 0:
		return r.diffs(ctx, b.diffs)
	}
	return nil
}

// finish settles what had to wait for the end of the file.
func (r *importRun) finish(ctx context.Context) error {
	for _, waiting := range r.awaited {
		for _, w := range waiting {
			r.report.complain(w.line, "supersedes names the key %s, which no line has", quote(w.key))
		}
	}
	return r.linkRelations(ctx)
}

func (r *importRun) hash(key string) uint64 { return maphash.String(r.seed, key) }
