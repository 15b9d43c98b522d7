package graph

import "context"

// Embedder turns texts into vectors. Implemented by package embed.
type Embedder interface {
	// Embed gives one vector of length 1 for each text, in order; nil for a text
	// that has none (blank, or all of it unknown to the model).
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
