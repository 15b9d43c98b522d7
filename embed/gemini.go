package embed

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/google/generative-ai-go/genai"
	"google.golang.org/api/option"
)

// geminiBatch is the most texts in a request that the API takes.
const geminiBatch = 100

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
	*remote // shared with the embedder for queries
	client  *genai.Client
	model   string
	task    genai.TaskType
	bound   time.Duration // of a request, with all its attempts
}

var _ Embedder = (*Gemini)(nil)

// NewGemini returns an embedder for texts that are to be found; [ForQueries]
// of it gives the one for queries. Nothing is sent yet. Close it after use.
// Model().Name is "gemini:" and the model's.
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
	transport := newRetryTransport(opts.APIKey, opts.Timeout, opts.RetryBudget, opts.Wait)
	transport.sign = func(req *http.Request) { req.Header.Set("X-Goog-Api-Key", opts.APIKey) }
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
	g := &Gemini{
		remote: &remote{name: "gemini:" + opts.Model, key: opts.APIKey, batch: opts.BatchSize, maxRunes: opts.MaxRunes},
		client: client, model: opts.Model, task: genai.TaskTypeRetrievalDocument,
		// Without a deadline the SDK sets one of its own.
		bound: 10*transport.timeout + max(transport.budget, 0),
	}
	g.dims.Store(int64(opts.Dimensions))
	return g, nil
}

// Close frees what the SDK holds, also for the embedder for queries.
func (g *Gemini) Close() error { return g.client.Close() }

func (g *Gemini) forQueries() Embedder {
	q := *g
	q.task = genai.TaskTypeRetrievalQuery
	return &q
}

// Embed implements [Embedder]. Blank texts are not sent. A refusal of the
// provider is a *[StatusError].
func (g *Gemini) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return g.embed(ctx, texts, g.ask)
}

// ask embeds the texts with one request.
func (g *Gemini) ask(ctx context.Context, texts []string) ([][]float32, error) {
	bounded, cancel := context.WithTimeout(ctx, g.bound)
	defer cancel()
	model := g.client.EmbeddingModel(g.model)
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
	return vectors, nil
}
