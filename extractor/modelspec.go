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
	OpenAIKey      string // "" for servers that ask for none
}

// modelForms are the forms that [ParseModel] reads, for error messages.
const modelForms = "gemini:MODEL, openai:MODEL, openai:MODEL@URL, replay:DIR, record:DIR=MODEL or none"

// ParseModel makes the model that a configuration names:
//
//   - "gemini:MODEL"
//   - "openai:MODEL" or "openai:MODEL@URL" for any server that speaks OpenAI's
//     chat completions; see [SplitModelURL]
//   - "replay:DIR" for recorded answers; see [Replay]
//   - "record:DIR=SPEC" for another of these, recorded into DIR; see [Record]. DIR
//     ends at the first =
//   - "none" or "" for no model, which gives nil
//
// Errors: CodeInvalid, with what would be right.
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
	case "openai":
		model, url, err := SplitModelURL(name)
		if err != nil {
			return nil, err
		}
		if url == "" && o.OpenAIKey == "" {
			return nil, graph.Errorf(graph.CodeInvalid, "the model %q needs an OpenAI API key, or the address of another server: openai:MODEL@URL", spec)
		}
		return NewOpenAI(OpenAIOptions{Model: model, Key: o.OpenAIKey, URL: url}), nil
	case "replay":
		dir, err := os.OpenRoot(name) // answers outside it cannot be reached, by links either
		if err != nil {
			return nil, graph.WrapError(graph.CodeInvalid, err, "the model %q names no directory of recorded answers: use replay:DIR", spec)
		}
		return NewReplay(dir.FS()), nil
	case "record":
		return parseRecord(ctx, name, o)
	}
	return nil, graph.Errorf(graph.CodeInvalid, "the provider %q is unknown: use %s", cut(provider, 40), modelForms)
}

// parseRecord reads "DIR=SPEC".
func parseRecord(ctx context.Context, name string, o ModelOptions) (Model, error) {
	dir, inner, ok := strings.Cut(name, "=")
	if !ok || dir == "" {
		return nil, graph.Errorf(graph.CodeInvalid, "what is to be recorded where is not clear: use record:DIR=MODEL, such as record:answers=gemini:MODEL")
	}
	model, err := ParseModel(ctx, inner, o)
	if err != nil {
		return nil, err
	}
	if model == nil {
		return nil, graph.Errorf(graph.CodeInvalid, "there is no model to record: use record:DIR=MODEL, such as record:answers=gemini:MODEL")
	}
	return NewRecord(model, dir)
}
