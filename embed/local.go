package embed

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// LocalOptions configures [NewLocal].
type LocalOptions struct {
	// Dir is the folder of the model's files, as [EnsureModel] returns it.
	Dir string
	// MaxRunes bounds a text: only its first MaxRunes code points are
	// embedded, less a character that the bound would split. 0 means
	// [DefaultMaxRunes].
	MaxRunes int
	// CacheRows is how many tokens' first layers are kept, 13.3 kB each.
	// 0 means 4,096.
	CacheRows int
	// Parallel is how many texts are computed at a time, over all calls. 0
	// means one per CPU that Go may use.
	Parallel int
	// Logger is told when the model is loaded. nil means no logging.
	Logger *slog.Logger
}

// Local is the multilingual Universal Sentence Encoder v3, run in process.
type Local struct {
	maxRunes int
	slots    chan struct{} // held while a text is computed

	loaded  chan struct{} // closed once the fields below are set
	err     error
	tokens  *tokenizer
	encoder *encoder
}

var _ Embedder = (*Local)(nil)

// NewLocal returns at once and loads the model in the background, which takes
// about a second of CPU time and 100 MB. The first Embed waits for it; if
// loading fails, every Embed returns why.
func NewLocal(opts LocalOptions) *Local { return newLocal(opts, kernels()[0]) }

func newLocal(opts LocalOptions, kern kernel) *Local {
	if opts.MaxRunes <= 0 {
		opts.MaxRunes = DefaultMaxRunes
	}
	if opts.CacheRows <= 0 {
		opts.CacheRows = defaultCacheRows
	}
	if opts.Parallel <= 0 {
		opts.Parallel = runtime.GOMAXPROCS(0)
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	l := &Local{
		maxRunes: opts.MaxRunes,
		slots:    make(chan struct{}, opts.Parallel),
		loaded:   make(chan struct{}),
	}
	go func() {
		defer close(l.loaded)
		start := time.Now()
		if err := l.load(opts, kern); err != nil {
			l.err = fmt.Errorf("load the local embedding model: %w", err)
			return
		}
		opts.Logger.Info("embedding model loaded", "model", localName, "kernel", kern.name, "took", time.Since(start))
	}()
	return l
}

// load checks both files of the model, then reads them side by side.
func (l *Local) load(opts LocalOptions, kern kernel) error {
	model, err := readChecked(filepath.Join(opts.Dir, tokenizerFile.name), tokenizerFile)
	if err != nil {
		return err
	}
	weights, err := readChecked(filepath.Join(opts.Dir, weightsFile.name), weightsFile)
	if err != nil {
		return err
	}
	var group errgroup.Group
	group.Go(func() (err error) {
		l.tokens, err = newTokenizer(model)
		return err
	})
	group.Go(func() error {
		net, err := loadNetwork(bytes.NewReader(weights), int64(len(weights)), kern)
		if err != nil {
			return err
		}
		l.encoder, err = newEncoder(net, opts.CacheRows)
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	if n := len(l.tokens.scores); n > tableChunks*chunkRows {
		return fmt.Errorf("%d pieces, but only %d embeddings", n, tableChunks*chunkRows)
	}
	return nil
}

// Ready waits until the model is loaded, and returns why if it can't be.
func (l *Local) Ready(ctx context.Context) error {
	select {
	case <-l.loaded:
		return l.err
	case <-ctx.Done():
		return fmt.Errorf("wait for the local embedding model: %w", ctx.Err())
	}
}

// Model implements [Embedder]. It doesn't wait for loading.
func (l *Local) Model() Model { return Model{Name: localName, Dimensions: localDimensions} }

// Embed implements [Embedder]. The texts of a call are computed side by side
// as far as [LocalOptions].Parallel allows. Text of spaces and of characters
// that the model treats as spaces (U+200B, U+FEFF, U+FFFD) gives nil too.
func (l *Local) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := l.Ready(ctx); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	var running sync.WaitGroup
	for i, text := range texts {
		if Blank(text) {
			continue
		}
		if err := l.acquire(ctx); err != nil {
			running.Wait()
			return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
		}
		running.Go(func() {
			defer func() { <-l.slots }()
			vectors[i] = l.vector(text)
		})
	}
	running.Wait()
	return vectors, nil
}

// acquire waits for a place to compute a text.
func (l *Local) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case l.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// vector returns the vector of one text, or nil if nothing of it is left after
// normalisation.
func (l *Local) vector(text string) []float32 {
	normalized := l.tokens.norm.normalize(cut(text, l.maxRunes))
	if normalized == "" {
		return nil
	}
	ids := l.tokens.split(normalized)
	// A few characters are rewritten as whole words. Were they the whole text,
	// there could be many more tokens than characters.
	if limit := l.maxRunes + 3; len(ids) > limit {
		ids = append(ids[:limit-1], idEnd)
	}
	return l.encoder.encode(ids)
}
