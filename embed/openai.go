package embed

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// Defaults of [OpenAIOptions].
const (
	openAIURL     = "https://api.openai.com/v1"
	openAIBatch   = 32   // what the strictest of common servers takes
	mostOpenAI    = 2048 // texts that OpenAI itself takes
	shortestRunes = 64   // a text of fewer is not cut any further
)

// OpenAIOptions configures [NewOpenAI].
type OpenAIOptions struct {
	// APIKey may be empty for servers that ask for none. It appears in no error,
	// no log and no URL.
	APIKey string
	// Model is required, such as "text-embedding-3-small" or "bge-m3".
	Model string
	// URL is the address that "embeddings" is added to, such as
	// "http://127.0.0.1:11434/v1". Empty means OpenAI's own.
	URL string
	// Dimensions is the expected length of the vectors; another length is an
	// error. 0 means whatever the first answer has. The model always gives its
	// native size.
	Dimensions int
	// BatchSize is how many texts go into one request, at most 2,048. 0 means
	// 32.
	BatchSize int
	// MaxRunes bounds a text as in [LocalOptions]. 0 means [DefaultMaxRunes].
	MaxRunes int
	// Timeout, RetryBudget and Wait are those of [GeminiOptions].
	Timeout     time.Duration
	RetryBudget time.Duration
	Wait        func(ctx context.Context, d time.Duration) error
}

// OpenAI embeds with a model behind OpenAI's embeddings protocol, which Ollama,
// vLLM and most other servers speak too.
type OpenAI struct {
	remote
	service openai.EmbeddingService
	model   string
}

var _ Embedder = (*OpenAI)(nil)

// NewOpenAI returns an embedder for texts and for queries, which the protocol
// does not tell apart. Nothing is sent yet. Model().Name is "openai:" and the
// model's, without the address: a model may move to another server.
func NewOpenAI(opts OpenAIOptions) (*OpenAI, error) {
	if opts.URL == "" {
		opts.URL = openAIURL
	}
	base, err := url.Parse(opts.URL)
	switch {
	case opts.Model == "":
		return nil, errors.New("openai embeddings: no model")
	case err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" || base.User != nil:
		return nil, errors.New("openai embeddings: the URL is not one like http://127.0.0.1:11434/v1, without user and password")
	case opts.APIKey == "" && opts.URL == openAIURL:
		return nil, errors.New("openai embeddings: no API key")
	case opts.BatchSize < 0 || opts.BatchSize > mostOpenAI:
		return nil, fmt.Errorf("openai embeddings: batch size %d is not within 1 and %d", opts.BatchSize, mostOpenAI)
	case opts.Dimensions < 0:
		return nil, fmt.Errorf("openai embeddings: %d dimensions", opts.Dimensions)
	}
	if opts.BatchSize == 0 {
		opts.BatchSize = openAIBatch
	}
	if opts.MaxRunes <= 0 {
		opts.MaxRunes = DefaultMaxRunes
	}
	transport := newRetryTransport(opts.APIKey, opts.Timeout, opts.RetryBudget, opts.Wait)
	if opts.APIKey != "" {
		transport.sign = func(req *http.Request) { req.Header.Set("Authorization", "Bearer "+opts.APIKey) }
	}
	o := &OpenAI{
		remote: remote{name: "openai:" + opts.Model, key: opts.APIKey, batch: opts.BatchSize, maxRunes: opts.MaxRunes},
		model:  opts.Model,
		// The service, unlike the SDK's client, reads nothing from the environment.
		service: openai.NewEmbeddingService(
			option.WithBaseURL(opts.URL), option.WithMaxRetries(0), option.WithHTTPClient(&http.Client{Transport: transport}),
		),
	}
	o.dims.Store(int64(opts.Dimensions))
	return o, nil
}

// Embed implements [Embedder]. Blank texts are not sent. A text that is longer
// than the model reads is embedded by its beginning. A refusal of the provider is
// a *[StatusError].
func (o *OpenAI) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return o.embed(ctx, texts, o.ask)
}

// ask embeds the texts. What is too much for the server, in number or length, is
// asked in halves: servers and models have limits of their own, in tokens that
// nobody else can count.
func (o *OpenAI) ask(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := o.request(ctx, texts)
	if !tooMuch(err) {
		return vectors, err
	}
	if half := len(texts) / 2; half > 0 {
		first, err := o.ask(ctx, texts[:half])
		if err != nil {
			return nil, err
		}
		second, err := o.ask(ctx, texts[half:])
		if err != nil {
			return nil, err
		}
		return append(first, second...), nil
	}
	half := utf8.RuneCountInString(texts[0]) / 2
	if half < shortestRunes {
		return nil, err
	}
	return o.ask(ctx, []string{cut(texts[0], half)})
}

// tooMuch reports whether a refusal may be due to the number or the length of
// the texts. The protocol has no code for it.
func tooMuch(err error) bool {
	status, ok := errors.AsType[*StatusError](err)
	if !ok {
		return false
	}
	switch status.Status {
	case http.StatusRequestEntityTooLarge:
		return true
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		for _, sign := range []string{"batch", "length", "token", "too l", "too many", "maximum", "exceed"} {
			if strings.Contains(strings.ToLower(status.Message), sign) {
				return true
			}
		}
	}
	return false
}

// request makes one request.
func (o *OpenAI) request(ctx context.Context, texts []string) ([][]float32, error) {
	answer, err := o.service.New(ctx, openai.EmbeddingNewParams{
		Model: o.model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts},
	})
	if err != nil {
		return nil, o.explain(ctx, err)
	}
	return inOrder(answer.Data)
}

// inOrder puts vectors into the order of the texts. A server that numbers none
// is taken to keep the order itself; how many there are is checked later.
func inOrder(data []openai.Embedding) ([][]float32, error) {
	vectors := make([][]float32, len(data))
	for i, d := range data {
		at := i
		if d.JSON.Index.Valid() {
			at = int(d.Index)
		}
		if at < 0 || at >= len(data) || vectors[at] != nil {
			return nil, fmt.Errorf("%w: vector %d of %d has the number %d", ErrAnswer, i, len(data), at)
		}
		v := make([]float32, len(d.Embedding))
		for j, x := range d.Embedding {
			v[j] = float32(x)
		}
		vectors[at] = v
	}
	return vectors, nil
}
