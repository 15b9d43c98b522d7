package extractor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/generative-ai-go/genai"
	"google.golang.org/api/option"
)

// GeminiOptions configure a [Gemini] model.
type GeminiOptions struct {
	Model    string
	Key      string
	Endpoint string // "" for the public one
}

// Gemini asks one of Google's models.
type Gemini struct {
	client *genai.Client
	model  string
	key    string
}

var _ Model = (*Gemini)(nil)

// NewGemini makes a client; nothing is sent yet.
func NewGemini(ctx context.Context, o GeminiOptions) (*Gemini, error) {
	opts := []option.ClientOption{
		// With a client of our own the SDK adds no key to its requests; the
		// transport does. The option is still what tells the SDK that there is one.
		option.WithAPIKey(o.Key),
		option.WithHTTPClient(httpClient(func(req *http.Request) {
			q := req.URL.Query()
			q.Del("key")
			req.URL.RawQuery = q.Encode()
			req.Header.Set("X-Goog-Api-Key", o.Key)
		})),
	}
	if o.Endpoint != "" {
		opts = append(opts, option.WithEndpoint(o.Endpoint))
	}
	client, err := genai.NewClient(ctx, opts...)
	if err != nil {
		return nil, errors.New("extractor: make the Gemini client: " + redact(err.Error(), o.Key))
	}
	return &Gemini{client: client, model: o.Model, key: o.Key}, nil
}

// Close gives back the client's connections.
func (g *Gemini) Close() error { return g.client.Close() }

// Name gives "gemini:" and the model.
func (g *Gemini) Name() string { return "gemini:" + g.model }

// Answer makes one call of generateContent.
func (g *Gemini) Answer(ctx context.Context, req Request) (Answer, error) {
	m := g.client.GenerativeModel(g.model)
	if req.System != "" {
		m.SystemInstruction = genai.NewUserContent(genai.Text(req.System))
	}
	if req.JSON {
		m.ResponseMIMEType = "application/json"
	}
	if req.MaxTokens > 0 {
		m.SetMaxOutputTokens(int32(req.MaxTokens))
	}
	parts := make([]genai.Part, 0, 1+len(req.Images))
	for _, image := range req.Images {
		parts = append(parts, genai.Blob{MIMEType: image.Type, Data: image.Data})
	}
	res, err := m.GenerateContent(ctx, append(parts, genai.Text(req.User))...)
	if err != nil {
		return Answer{}, g.fault(ctx, err)
	}
	return g.read(res)
}

// read takes text and counts out of an answer. Every part may be missing.
func (g *Gemini) read(res *genai.GenerateContentResponse) (Answer, error) {
	var a Answer
	if u := res.UsageMetadata; u != nil {
		a.InputTokens = int(u.PromptTokenCount)
		// What a model thought is only in the total.
		a.OutputTokens = max(int(u.CandidatesTokenCount), int(u.TotalTokenCount-u.PromptTokenCount))
	}
	fail := func(kind Kind, detail string) (Answer, error) {
		return Answer{}, &ModelError{
			Kind: kind, Model: g.Name(), Detail: detail, InputTokens: a.InputTokens, OutputTokens: a.OutputTokens,
		}
	}
	if len(res.Candidates) == 0 || res.Candidates[0] == nil {
		return fail(KindEmpty, "no candidates")
	}
	c := res.Candidates[0]
	var text strings.Builder
	if c.Content != nil {
		for _, p := range c.Content.Parts {
			if t, ok := p.(genai.Text); ok {
				text.WriteString(string(t))
			}
		}
	}
	a.Text = text.String()
	a.Truncated = c.FinishReason == genai.FinishReasonMaxTokens
	if !isBlank(a.Text) {
		return a, nil
	}
	switch {
	case a.Truncated:
		return fail(KindMaxTokens, "no text before the budget ended")
	case c.FinishReason > genai.FinishReasonOther:
		// Reasons that the SDK is too old to name: block lists, prohibited content,
		// personal data.
		return fail(KindBlocked, fmt.Sprintf("finish reason %d", c.FinishReason))
	}
	return fail(KindEmpty, fmt.Sprintf("finish reason %d", c.FinishReason))
}

// fault turns an error of the SDK into one of ours.
func (g *Gemini) fault(ctx context.Context, err error) *ModelError {
	if blocked, ok := errors.AsType[*genai.BlockedError](err); ok {
		return &ModelError{Kind: KindBlocked, Model: g.Name(), Detail: blocked.Error()}
	}
	return callFault(ctx, g.Name(), g.key, err)
}
