package embed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Cached keeps the vectors of the texts seen last over another embedder.
type Cached struct {
	inner   Embedder
	vectors *lru.Cache[textKey, []float32]
	queries Embedder
}

// textKey stands for a text, so that the cache keeps no text and its size
// doesn't hang on their length.
type textKey [sha256.Size]byte

var _ Embedder = (*Cached)(nil)

// NewCached returns inner with a cache of size vectors (at 512 dimensions
// about 2.3 kB each), nil ones included. size must be positive. Where inner
// embeds queries in another way, they have a cache of the same size for
// themselves, which [ForQueries] gives.
func NewCached(inner Embedder, size int) (*Cached, error) {
	c, err := newCached(inner, size)
	if err != nil {
		return nil, err
	}
	if q, ok := inner.(queryEmbedder); ok {
		if c.queries, err = newCached(q.forQueries(), size); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func newCached(inner Embedder, size int) (*Cached, error) {
	vectors, err := lru.New[textKey, []float32](size)
	if err != nil {
		return nil, fmt.Errorf("cache of %d vectors: %w", size, err)
	}
	return &Cached{inner: inner, vectors: vectors}, nil
}

// Model implements [Embedder].
func (c *Cached) Model() Model { return c.inner.Model() }

func (c *Cached) forQueries() Embedder {
	if c.queries == nil {
		return c
	}
	return c.queries
}

// Embed implements [Embedder]. Only texts not in the cache go to the inner
// embedder, in one call and each of them once. The vectors returned are the
// caller's own.
func (c *Cached) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	missing := map[textKey][]int{}
	var ask []string
	for i, text := range texts {
		key := textKey(sha256.Sum256([]byte(text)))
		if at, ok := missing[key]; ok {
			missing[key] = append(at, i)
			continue
		}
		if v, ok := c.vectors.Get(key); ok {
			out[i] = slices.Clone(v)
			continue
		}
		missing[key] = []int{i}
		ask = append(ask, text)
	}
	if len(ask) == 0 {
		return out, nil
	}
	fresh, err := c.inner.Embed(ctx, ask)
	if err != nil {
		return nil, err
	}
	if len(fresh) != len(ask) {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", ErrAnswer, len(fresh), len(ask))
	}
	for i, text := range ask {
		key := textKey(sha256.Sum256([]byte(text)))
		c.vectors.Add(key, fresh[i])
		for _, at := range missing[key] {
			out[at] = slices.Clone(fresh[i])
		}
	}
	return out, nil
}
