package embed

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Defaults of [GeminiOptions] and [OpenAIOptions].
const (
	remoteTimeout = 30 * time.Second
	remoteBudget  = time.Minute
)

// remote is what embedders that ask a provider share: which texts go into a
// request, and what of its answer is believed.
type remote struct {
	name     string // as in [Model]
	key      string
	batch    int // texts in a request
	maxRunes int // code points of a text
	dims     atomic.Int64
}

// Model implements [Embedder].
func (r *remote) Model() Model {
	return Model{Name: r.name, Dimensions: int(r.dims.Load())}
}

// embed implements [Embedder] over ask, which makes one request for texts none
// of which is blank. Its vectors need not be of length 1.
func (r *remote) embed(ctx context.Context, texts []string, ask func(context.Context, []string) ([][]float32, error)) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var visible []int
	for i, text := range texts {
		if !Blank(text) {
			visible = append(visible, i)
		}
	}
	for batch := range slices.Chunk(visible, r.batch) {
		some := make([]string, len(batch))
		for i, at := range batch {
			some[i] = strings.ToValidUTF8(cut(texts[at], r.maxRunes), "\uFFFD")
		}
		got, err := ask(ctx, some)
		if err == nil {
			err = r.accept(got, len(some))
		}
		if err != nil {
			return nil, fmt.Errorf("embed %d texts with %s: %w", len(texts), r.name, err)
		}
		for i, at := range batch {
			vectors[at] = got[i]
		}
	}
	return vectors, nil
}

// accept checks an answer and learns the size of the vectors from the first.
func (r *remote) accept(vectors [][]float32, n int) error {
	dims, err := accept(vectors, n, int(r.dims.Load()))
	if err != nil {
		return err
	}
	// Of two first answers at a time, the other may have come before.
	if !r.dims.CompareAndSwap(0, int64(dims)) && r.dims.Load() != int64(dims) {
		return fmt.Errorf("%w: vectors of %d and of %d dimensions", ErrAnswer, r.dims.Load(), dims)
	}
	return nil
}

// explain makes an error of an SDK one that can be shown.
func (r *remote) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status
	}
	text := redact(err.Error(), r.key)
	if _, ok := errors.AsType[*url.Error](err); ok {
		return errors.New(text)
	}
	return fmt.Errorf("%w: %s", ErrAnswer, text)
}
