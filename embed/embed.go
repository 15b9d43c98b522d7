package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Model names what made a vector. Vectors of different models, or of the same
// model with other weights, must never be compared or stored side by side.
type Model struct {
	// Name is the identity to store with the vectors, such as
	// "use-multilingual-3@0db566fd0af8" (the part after @ begins the SHA-256
	// of the weights) or "gemini:gemini-embedding-001".
	Name string
	// Dimensions is the length of every vector, or 0 while a remote model has
	// not answered yet and was given no expected length.
	Dimensions int
}

// Embedder turns texts into vectors. Implementations are safe for concurrent
// use.
type Embedder interface {
	// Embed returns exactly one entry per text, in order: a vector of
	// Model().Dimensions components and Euclidean length 1, or nil when the
	// text cannot be embedded (see [Blank]). A nil entry is not an error. On
	// an error no vectors are returned; errors that come of ctx match
	// context.Canceled or context.DeadlineExceeded.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Model names the model. Its Name never changes during a process.
	Model() Model
}

// queryEmbedder is implemented by embedders whose model treats a question
// otherwise than the text that answers it.
type queryEmbedder interface {
	forQueries() Embedder
}

// ForQueries returns the embedder to use for search queries where e embeds
// what is searched. For a model that makes no difference, that is e itself.
// The model, and so Model(), is the same.
func ForQueries(e Embedder) Embedder {
	if q, ok := e.(queryEmbedder); ok {
		return q.forQueries()
	}
	return e
}

// ErrAnswer is matched by every error that says a model answered, but not
// with one usable vector per text. Asking again is not expected to help.
var ErrAnswer = errors.New("unusable answer of the embedding model")

// accept checks a model's raw answer to n texts and brings each vector to
// length 1 in place. A vector of zeros becomes nil. With dims 0 the first
// vector's length counts; the length is returned, 0 if there was no vector.
func accept(vectors [][]float32, n, dims int) (int, error) {
	if len(vectors) != n {
		return 0, fmt.Errorf("%w: %d vectors for %d texts", ErrAnswer, len(vectors), n)
	}
	for i, v := range vectors {
		if dims == 0 {
			dims = len(v)
		}
		if len(v) == 0 || len(v) != dims {
			return 0, fmt.Errorf("%w: vector %d has %d dimensions, not %d", ErrAnswer, i, len(v), dims)
		}
		square := 0.0
		for _, x := range v {
			square += float64(x) * float64(x)
		}
		switch {
		case math.IsNaN(square) || math.IsInf(square, 0):
			return 0, fmt.Errorf("%w: vector %d has a component that is not a finite number", ErrAnswer, i)
		case square == 0:
			vectors[i] = nil
		default:
			scale := 1 / math.Sqrt(square)
			for j, x := range v {
				v[j] = float32(float64(x) * scale)
			}
		}
	}
	return dims, nil
}
