package embed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/embed"
)

const secret = "sEcr3t+key/with=signs"

// geminiServer plays Google's API: answer gets the texts of each request and
// its number, from 0.
type geminiServer struct {
	*httptest.Server
	mu       sync.Mutex
	requests []geminiRequest
}

type geminiRequest struct {
	path, key string
	tasks     []int
	texts     []string
}

func newGeminiServer(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, texts []string, n int)) *geminiServer {
	t.Helper()
	s := &geminiServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model    string
			Requests []struct {
				Content  struct{ Parts []struct{ Text string } }
				TaskType int
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Errorf("request: %v", err)
		}
		request := geminiRequest{path: r.URL.Path, key: r.URL.Query().Get("key")}
		for _, one := range body.Requests {
			request.texts = append(request.texts, one.Content.Parts[0].Text)
			request.tasks = append(request.tasks, one.TaskType)
		}
		s.mu.Lock()
		n := len(s.requests)
		s.requests = append(s.requests, request)
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		answer(w, r, request.texts, n)
	}))
	t.Cleanup(s.Close)
	return s
}

// seen returns the requests so far.
func (s *geminiServer) seen() []geminiRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// vectorsOf answers each text with (its bytes, 1).
func vectorsOf(w io.Writer, texts []string) {
	var list []string
	for _, text := range texts {
		list = append(list, fmt.Sprintf(`{"values":[%d,1]}`, len(text)))
	}
	fmt.Fprintf(w, `{"embeddings":[%s],"futureField":{}}`, strings.Join(list, ","))
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"code":%d,"message":%q,"status":"X"}}`, status, message)
}

// pauses is a Wait that notes the pauses and takes none.
type pauses struct {
	mu   sync.Mutex
	list []time.Duration
}

func (p *pauses) wait(ctx context.Context, d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, d)
	return ctx.Err()
}

func newGemini(t *testing.T, opts embed.GeminiOptions) *embed.Gemini {
	t.Helper()
	opts.APIKey = secret
	if opts.Model == "" {
		opts.Model = "gemini-embedding-001"
	}
	g, err := embed.NewGemini(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func TestGeminiEmbedsInBatches(t *testing.T) {
	t.Parallel()
	s := newGeminiServer(t, func(w http.ResponseWriter, _ *http.Request, texts []string, _ int) { vectorsOf(w, texts) })
	g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL, BatchSize: 2, MaxRunes: 6, Model: "models/gemini-embedding-001"})
	if diff := cmp.Diff(embed.Model{Name: "gemini:gemini-embedding-001"}, g.Model()); diff != "" {
		t.Error(diff)
	}
	vectors := mustEmbed(t, g, "a", " ", "我很开心", "\u3000", "much too long", "bad\xff")
	for i, bytes := range []float64{1, 0, 12, 0, 6, 6} {
		if bytes == 0 {
			if vectors[i] != nil {
				t.Errorf("text %d is blank and has a vector", i)
			}
			continue
		}
		if got := float64(vectors[i][0] / vectors[i][1]); math.Abs(got-bytes) > 1e-4 || math.Abs(length(vectors[i])-1) > 1e-6 {
			t.Errorf("text %d: %v", i, vectors[i])
		}
	}
	const path = "/v1beta/models/gemini-embedding-001:batchEmbedContents"
	want := []geminiRequest{
		{path, secret, []int{2, 2}, []string{"a", "我很开心"}},
		{path, secret, []int{2, 2}, []string{"much t", "bad\ufffd"}},
	}
	if diff := cmp.Diff(want, s.seen(), cmp.AllowUnexported(geminiRequest{})); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if got := g.Model().Dimensions; got != 2 {
		t.Errorf("%d dimensions learnt", got)
	}
}

func TestGeminiTellsQueriesFromDocuments(t *testing.T) {
	t.Parallel()
	s := newGeminiServer(t, func(w http.ResponseWriter, _ *http.Request, texts []string, _ int) { vectorsOf(w, texts) })
	g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL})
	cached, err := embed.NewCached(g, 10)
	if err != nil {
		t.Fatal(err)
	}
	mustEmbed(t, cached, "a")
	mustEmbed(t, embed.ForQueries(cached), "a")
	mustEmbed(t, embed.ForQueries(cached), "a")
	mustEmbed(t, cached, "a")
	seen := s.seen()
	if len(seen) != 2 || seen[0].tasks[0] != 2 || seen[1].tasks[0] != 1 {
		t.Errorf("requests %v, want one of task 2 (document) and one of task 1 (query)", seen)
	}
	if diff := cmp.Diff(g.Model(), embed.ForQueries(cached).Model()); diff != "" {
		t.Error(diff)
	}
}

func TestGeminiTriesAgain(t *testing.T) {
	t.Parallel()
	second := time.Second
	for _, tt := range []struct {
		name   string
		refuse func(w http.ResponseWriter)
		pause  time.Duration // the least; at most a quarter more
	}{
		{"429 with a header", func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "7")
			refuse(w, 429, "quota")
		}, 7 * second},
		{"429 with a delay in its body", func(w http.ResponseWriter) {
			w.WriteHeader(429)
			fmt.Fprint(w, `{"error":{"message":"quota","details":[{"@type":"x/Help"},{"@type":"x/RetryInfo","retryDelay":"3.5s"}]}}`)
		}, 3500 * time.Millisecond},
		{"429 without", func(w http.ResponseWriter) { refuse(w, 429, "quota") }, second},
		{"500", func(w http.ResponseWriter) { refuse(w, 500, "oops") }, second},
		{"503, which the SDK would try by itself", func(w http.ResponseWriter) { refuse(w, 503, "busy") }, second},
		{"a gateway's page", func(w http.ResponseWriter) { w.WriteHeader(502); fmt.Fprint(w, "<html>") }, second},
		{"a broken connection", func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, second},
		{"half an answer", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"embeddings":[`)
		}, second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newGeminiServer(t, func(w http.ResponseWriter, _ *http.Request, texts []string, n int) {
				if n == 0 {
					tt.refuse(w)
					return
				}
				vectorsOf(w, texts)
			})
			var p pauses
			g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL, Wait: p.wait})
			if v := mustEmbed(t, g, "a", "b"); v[0] == nil || v[1] == nil {
				t.Errorf("vectors %v", v)
			}
			if len(p.list) != 1 || p.list[0] < tt.pause || p.list[0] > tt.pause*5/4 {
				t.Errorf("paused %v, want about %v", p.list, tt.pause)
			}
			if seen := s.seen(); len(seen) != 2 || !cmp.Equal(seen[0].texts, seen[1].texts) {
				t.Errorf("requests %v", seen)
			}
		})
	}
}

func TestGeminiDropsNothingAtOneRequestAtATime(t *testing.T) {
	t.Parallel()
	var busy sync.Mutex
	s := newGeminiServer(t, func(w http.ResponseWriter, _ *http.Request, texts []string, _ int) {
		if !busy.TryLock() {
			w.Header().Set("Retry-After", "1")
			refuse(w, 429, "one at a time")
			return
		}
		defer busy.Unlock()
		vectorsOf(w, texts)
	})
	g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL, RetryBudget: time.Hour, Wait: (&pauses{}).wait})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if v, err := g.Embed(t.Context(), []string{"a"}); err != nil || v[0] == nil {
				t.Errorf("got %v, %v", v, err)
			}
		})
	}
	wg.Wait()
}

func TestGeminiGivesUpWithinItsBudget(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, after string
		budget      time.Duration
		requests    int // at least; at most one more
	}{
		{"pauses grow", "", 10 * time.Second, 3},
		{"the provider asks for too long a pause", "3600", 10 * time.Second, 1},
		{"no budget", "", -1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newGeminiServer(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) {
				w.Header().Set("Retry-After", tt.after)
				refuse(w, 429, "quota of key "+secret)
			})
			var p pauses
			g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL, RetryBudget: tt.budget, Wait: p.wait})
			_, err := g.Embed(t.Context(), []string{"a"})
			status, ok := errors.AsType[*embed.StatusError](err)
			if !ok || status.Status != 429 || !strings.Contains(err.Error(), "quota") {
				t.Fatalf("error %v", err)
			}
			noSecret(t, err)
			if n := len(s.seen()); n < tt.requests || n > tt.requests+1 {
				t.Errorf("%d requests, want %d, after pauses %v", n, tt.requests, p.list)
			}
		})
	}
}

// noSecret fails if any error in err's tree shows the API key.
func noSecret(t *testing.T, err error) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		for _, part := range []string{"sEcr3t", "with=signs", "with%3Dsigns"} {
			if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, part) {
				t.Errorf("the error shows the API key: %s", text)
			}
		}
	}
}

func TestGeminiRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		answer func(w http.ResponseWriter, r *http.Request)
		dims   int
		status int // of the StatusError, or 0 for ErrAnswer
		want   string
	}{
		{"a bad key", func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 400, "API key not valid: "+r.URL.RawQuery+" "+r.URL.Query().Get("key"))
		}, 0, 400, "API key not valid"},
		{"a forbidden model", func(w http.ResponseWriter, _ *http.Request) { refuse(w, 403, "no access") }, 0, 403, "no access"},
		{"an unknown model", func(w http.ResponseWriter, _ *http.Request) { refuse(w, 404, "no model") }, 0, 404, "gemini:gemini-embedding-001"},
		{"a redirect, which would take the key elsewhere", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(307)
		}, 0, 307, "Temporary Redirect"},
		{"one vector for all texts", func(w http.ResponseWriter, _ *http.Request) { vectorsOf(w, []string{"a"}) }, 0, 0, "1 vectors for 3 texts"},
		{"a vector too many", func(w http.ResponseWriter, _ *http.Request) { vectorsOf(w, make([]string, 4)) }, 0, 0, "4 vectors for 3 texts"},
		{"no vectors", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{}`) }, 0, 0, "0 vectors for 3 texts"},
		{"another size than expected", func(w http.ResponseWriter, _ *http.Request) { vectorsOf(w, make([]string, 3)) }, 3, 0, "2 dimensions, not 3"},
		{"unequal sizes", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"embeddings":[{"values":[1,2]},{"values":[1]},{}]}`)
		}, 0, 0, "1 dimensions, not 2"},
		{"a web page", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>log in</html>") }, 0, 0, "unusable answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newGeminiServer(t, func(w http.ResponseWriter, r *http.Request, _ []string, _ int) { tt.answer(w, r) })
			g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL, Dimensions: tt.dims, Wait: (&pauses{}).wait})
			v, err := g.Embed(t.Context(), []string{"a", "b", "c"})
			if v != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, error %v, want one with %q", v, err, tt.want)
			}
			noSecret(t, err)
			status, _ := errors.AsType[*embed.StatusError](err)
			if tt.status == 0 && !errors.Is(err, embed.ErrAnswer) || tt.status != 0 && (status == nil || status.Status != tt.status) {
				t.Errorf("error of another kind: %v", err)
			}
			if len(s.seen()) != 1 {
				t.Errorf("%d requests", len(s.seen()))
			}
		})
	}
}

func TestGeminiZerosAreNoVector(t *testing.T) {
	t.Parallel()
	s := newGeminiServer(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) {
		fmt.Fprint(w, `{"embeddings":[{"values":[0,0]},{"values":[0,2]}]}`)
	})
	g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL})
	if diff := cmp.Diff([][]float32{nil, {0, 1}}, mustEmbed(t, g, "。。。", "a")); diff != "" {
		t.Error(diff)
	}
}

func TestGeminiOutOfReach(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(nil)
	s.Close()
	g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL, Wait: (&pauses{}).wait})
	_, err := g.Embed(t.Context(), []string{"a"})
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("error %v", err)
	}
	noSecret(t, err)
}

func TestGeminiSlowAnswers(t *testing.T) {
	t.Parallel()
	t.Run("each attempt is bounded", func(t *testing.T) {
		t.Parallel()
		s := newGeminiServer(t, func(w http.ResponseWriter, r *http.Request, texts []string, n int) {
			if n == 0 {
				<-r.Context().Done()
				return
			}
			vectorsOf(w, texts)
		})
		g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL, Timeout: 200 * time.Millisecond, Wait: (&pauses{}).wait})
		mustEmbed(t, g, "a")
		if len(s.seen()) != 2 {
			t.Errorf("%d requests", len(s.seen()))
		}
	})
	t.Run("the caller may stop", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		s := newGeminiServer(t, func(_ http.ResponseWriter, r *http.Request, _ []string, _ int) {
			cancel()
			<-r.Context().Done()
		})
		g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL})
		if _, err := g.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("the caller may stop a pause", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		s := newGeminiServer(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) {
			w.Header().Set("Retry-After", "50")
			refuse(w, 429, "quota")
		})
		g := newGemini(t, embed.GeminiOptions{Endpoint: s.URL, Wait: func(ctx context.Context, d time.Duration) error {
			cancel()
			return embed.Sleep(ctx, d)
		}})
		if _, err := g.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func TestNewGeminiRefuses(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]embed.GeminiOptions{
		"no key":              {Model: "m"},
		"no model":            {APIKey: secret},
		"a path for a model":  {APIKey: secret, Model: "a/b?c"},
		"too large a batch":   {APIKey: secret, Model: "m", BatchSize: 101},
		"negative dimensions": {APIKey: secret, Model: "m", Dimensions: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := embed.NewGemini(t.Context(), opts)
			if err == nil {
				t.Error("no error")
			}
			noSecret(t, err)
		})
	}
}
