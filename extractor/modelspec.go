package extractor

import (
	"context"
	"os"
	"strings"

	"relata/graph"
)

// ModelOptions are what providers need besides the name of a model.
type ModelOptions struct {
	GeminiKey string
	// GeminiEndpoint is another address of the same protocol, for proxies and
	// tests; "" for the public one.
	GeminiEndpoint string
}

// ParseModel makes the model that a configuration names: "gemini:MODEL",
// "replay:DIR", or "none" or "" for no model, which gives nil. Errors:
// CodeInvalid, with what would be right.
func ParseModel(ctx context.Context, spec string, o ModelOptions) (Model, error) {
	provider, name, _ := strings.Cut(strings.TrimSpace(spec), ":")
	switch provider {
	case "", "none":
		return nil, nil
	case "gemini":
		if name == "" {
			return nil, graph.Errorf(graph.CodeInvalid, "the model %q names no model: use gemini:MODEL", spec)
		}
		if o.GeminiKey == "" {
			return nil, graph.Errorf(graph.CodeInvalid, "the model %q needs a Gemini API key", spec)
		}
		return NewGemini(ctx, GeminiOptions{Model: name, Key: o.GeminiKey, Endpoint: o.GeminiEndpoint})
	case "replay":
		dir, err := os.OpenRoot(name) // answers outside it cannot be reached, by links either
		if err != nil {
			return nil, graph.WrapError(graph.CodeInvalid, err, "the model %q names no directory of recorded answers: use replay:DIR", spec)
		}
		return NewReplay(dir.FS()), nil
	case "openai":
		return nil, graph.Errorf(graph.CodeInvalid, "the model %q cannot be used: this version speaks gemini:MODEL and replay:DIR", spec)
	}
	return nil, graph.Errorf(graph.CodeInvalid, "the model %q is unknown: use gemini:MODEL, replay:DIR or none", spec)
}
