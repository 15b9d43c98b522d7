package embed

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/generative-ai-go/genai"
	"google.golang.org/api/option"
)

// Defaults of [GeminiOptions].
const (
	geminiBatch   = 100 // also the most that the API takes
	geminiTimeout = 30 * time.Second
	geminiBudget  = time.Minute
)

// geminiModel is what a model's name may consist of; it is put into a path.
var geminiModel = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// GeminiOptions configures [NewGemini].
type GeminiOptions struct {
	// APIKey is required. It appears in no error and no log.
	APIKey string
	// Model is required, such as "gemini-embedding-001".
	Model string
	// Endpoint replaces the address of Google's API, such as
	// "http://127.0.0.1:8080". Empty means Google's.
	Endpoint string
	// Dimensions is the expected length of the vectors; another length is an
	// error. 0 means whatever the first answer has. The model always gives
	// its native size.
	Dimensions int
	// BatchSize is how many texts go into one request, at most 100. 0 means
	// 100.
	BatchSize int
	// MaxRunes bounds a text as in [LocalOptions]. 0 means [DefaultMaxRunes],
	// which is within the 2,048 tokens that the API reads, for most languages.
	MaxRunes int
	// Timeout bounds one attempt. 0 means 30 seconds.
	Timeout time.Duration
	// RetryBudget bounds the pauses between attempts at one request, all
	// together. Statuses 408, 429 and 5xx and broken connections are tried
	// again, after the time the provider asks for or else after 1, 2, 4, … 20
	// seconds. 0 means one minute, a negative value no second attempt.
	RetryBudget time.Duration
	// Wait pauses between attempts. nil means to really wait; tests put in
	// something quicker.
	Wait func(ctx context.Context, d time.Duration) error
}

// Gemini embeds with one of Google's hosted models.
type Gemini struct {
	client *genai.Client
	opts   GeminiOptions
	task   genai.TaskType
	dims   *atomic.Int64 // shared with the embedder for queries
}

var _ Embedder = (*Gemini)(nil)

// NewGemini returns an embedder for texts that are to be found; [ForQueries]
// of it gives the one for queries. Nothing is sent yet. Close it after use.
func NewGemini(ctx context.Context, opts GeminiOptions) (*Gemini, error) {
	opts.Model = strings.TrimPrefix(opts.Model, "models/")
	switch {
	case opts.APIKey == "":
		return nil, errors.New("gemini embeddings: no API key")
	case !geminiModel.MatchString(opts.Model):
		return nil, fmt.Errorf("gemini embeddings: %q is no name of a model", opts.Model)
	case opts.BatchSize < 0 || opts.BatchSize > geminiBatch:
		return nil, fmt.Errorf("gemini embeddings: batch size %d is not within 1 and %d", opts.BatchSize, geminiBatch)
	case opts.Dimensions < 0:
		return nil, fmt.Errorf("gemini embeddings: %d dimensions", opts.Dimensions)
	}
	if opts.BatchSize == 0 {
		opts.BatchSize = geminiBatch
	}
	if opts.MaxRunes <= 0 {
		opts.MaxRunes = DefaultMaxRunes
	}
	if opts.Timeout <= 0 {
		opts.Timeout = geminiTimeout
	}
	if opts.RetryBudget == 0 {
		opts.RetryBudget = geminiBudget
	}
	if opts.Wait == nil {
		opts.Wait = sleep
	}
	transport := &retryTransport{
		base:    http.DefaultTransport,
		key:     opts.APIKey,
		timeout: opts.Timeout,
		budget:  opts.RetryBudget,
		wait:    opts.Wait,
	}
	// With a client of our own the SDK puts the key into no request. It still
	// asks for one.
	set := []option.ClientOption{
		option.WithAPIKey(opts.APIKey),
		option.WithHTTPClient(&http.Client{Transport: transport}),
	}
	if opts.Endpoint != "" {
		set = append(set, option.WithEndpoint(opts.Endpoint))
	}
	client, err := genai.NewClient(ctx, set...)
	if err != nil {
		return nil, errors.New("gemini embeddings: " + redact(err.Error(), opts.APIKey))
	}
	g := &Gemini{client: client, opts: opts, task: genai.TaskTypeRetrievalDocument, dims: new(atomic.Int64)}
	g.dims.Store(int64(opts.Dimensions))
	return g, nil
}

// Close frees what the SDK holds, also for the embedder for queries.
func (g *Gemini) Close() error { return g.client.Close() }

// Model implements [Embedder]. The name is "gemini:" and the model's.
func (g *Gemini) Model() Model {
	return Model{Name: "gemini:" + g.opts.Model, Dimensions: int(g.dims.Load())}
}

func (g *Gemini) forQueries() Embedder {
	q := *g
	q.task = genai.TaskTypeRetrievalQuery
	return &q
}

// Embed implements [Embedder]. Blank texts are not sent. A refusal of the
// provider is a *[StatusError].
func (g *Gemini) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var visible []int
	for i, text := range texts {
		if !Blank(text) {
			visible = append(visible, i)
		}
	}
	for batch := range slices.Chunk(visible, g.opts.BatchSize) {
		some := make([]string, len(batch))
		for i, at := range batch {
			some[i] = strings.ToValidUTF8(cut(texts[at], g.opts.MaxRunes), "\uFFFD")
		}
		got, err := g.embedBatch(ctx, some)
		if err != nil {
			return nil, fmt.Errorf("embed %d texts with %s: %w", len(texts), g.Model().Name, err)
		}
		for i, at := range batch {
			vectors[at] = got[i]
		}
	}
	return vectors, nil
}

// embedBatch embeds the texts with one request.
func (g *Gemini) embedBatch(ctx context.Context, texts []string) ([][]float32, error) {
	// The transport bounds the time. Without a deadline the SDK sets its own.
	bounded, cancel := context.WithTimeout(ctx, 10*g.opts.Timeout+max(g.opts.RetryBudget, 0))
	defer cancel()
	model := g.client.EmbeddingModel(g.opts.Model)
	model.TaskType = g.task
	request := model.NewBatch()
	for _, text := range texts {
		request.AddContent(genai.Text(text))
	}
	answer, err := model.BatchEmbedContents(bounded, request)
	if err != nil {
		return nil, g.explain(ctx, err)
	}
	vectors := make([][]float32, len(answer.Embeddings))
	for i, e := range answer.Embeddings {
		if e != nil {
			vectors[i] = e.Values
		}
	}
	dims, err := accept(vectors, len(texts), int(g.dims.Load()))
	if err != nil {
		return nil, err
	}
	// Of two first answers at a time, the other may have come before.
	if !g.dims.CompareAndSwap(0, int64(dims)) && g.dims.Load() != int64(dims) {
		return nil, fmt.Errorf("%w: vectors of %d and of %d dimensions", ErrAnswer, g.dims.Load(), dims)
	}
	return vectors, nil
}

// explain makes an error of the SDK one that can be shown.
func (g *Gemini) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status
	}
	text := redact(err.Error(), g.opts.APIKey)
	if _, ok := errors.AsType[*url.Error](err); ok {
		return errors.New(text)
	}
	return fmt.Errorf("%w: %s", ErrAnswer, text)
}
