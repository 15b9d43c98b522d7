package bench

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"sync"

	"relata/graph"
)

// Embedder gives known vectors for known texts, and for any other text one that
// depends on the text alone, near to one of the clusters. It costs next to
// nothing, so that a measurement with it leaves embedding out.
type Embedder struct {
	clusters [][]float32
	mu       sync.RWMutex
	known    map[string][]float32
}

var _ graph.Embedder = (*Embedder)(nil)

// Embed gives one vector of length 1 for each text. It never fails.
func (e *Embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	out := make([][]float32, len(texts))
	for i, t := range texts {
		v, ok := e.known[t]
		if !ok {
			h := fnv.New64a()
			_, _ = h.Write([]byte(t)) // never fails
			r := rand.New(rand.NewPCG(h.Sum64(), 0))
			v = near(r, e.clusters[r.IntN(len(e.clusters))], spread)
		}
		out[i] = v
	}
	return out, nil
}

// learn makes a text known.
func (e *Embedder) learn(text string, vector []float32) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.known == nil {
		e.known = make(map[string][]float32)
	}
	e.known[text] = vector
}

// Lengths of the noise that is added to a unit vector: memories of a cluster
// then have a cosine of about 0.6 to each other, a question about 0.9 to the
// memory it is made from.
const (
	spread = 0.8
	likely = 0.45
)

// unit gives a random direction.
func unit(r *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return normalize(v)
}

// near gives a direction around another one.
func near(r *rand.Rand, center []float32, noise float64) []float32 {
	v := make([]float32, len(center))
	scale := noise / math.Sqrt(float64(len(center)))
	for i := range v {
		v[i] = center[i] + float32(scale*r.NormFloat64())
	}
	return normalize(v)
}

func normalize(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := float32(math.Sqrt(sum))
	for i := range v {
		v[i] /= length
	}
	return v
}
