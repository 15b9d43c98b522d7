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

// protocol is one that a local server speaks.
type protocol struct {
	name string // of the model too
	path string
	key  func(h http.Header) string
	// texts reads a request.
	texts func(body []byte) (texts []string, tasks []int, err error)
	// body is an answer with vectors.
	body   func(vectors [][]float64) string
	client func(ctx context.Context, o remoteOptions) (embed.Embedder, error)
}

// remoteOptions are what both embedders can be told.
type remoteOptions struct {
	url                             string
	dimensions, batchSize, maxRunes int
	timeout, budget                 time.Duration
	wait                            func(context.Context, time.Duration) error
}

var protocols = []protocol{
	{
		name: "gemini:model-1", path: "/v1beta/models/model-1:batchEmbedContents",
		key: func(h http.Header) string { return h.Get("X-Goog-Api-Key") },
		texts: func(body []byte) (texts []string, tasks []int, err error) {
			var request struct {
				Requests []struct {
					Content  struct{ Parts []struct{ Text string } }
					TaskType int
				}
			}
			err = json.Unmarshal(body, &request)
			for _, one := range request.Requests {
				texts = append(texts, one.Content.Parts[0].Text)
				tasks = append(tasks, one.TaskType)
			}
			return texts, tasks, err
		},
		body: func(vectors [][]float64) string {
			list := []any{}
			for _, v := range vectors {
				list = append(list, map[string]any{"values": v})
			}
			return text(map[string]any{"embeddings": list, "futureField": map[string]any{}})
		},
		client: func(ctx context.Context, o remoteOptions) (embed.Embedder, error) {
			return embed.NewGemini(ctx, embed.GeminiOptions{
				APIKey: secret, Model: "model-1", Endpoint: o.url, Dimensions: o.dimensions, BatchSize: o.batchSize,
				MaxRunes: o.maxRunes, Timeout: o.timeout, RetryBudget: o.budget, Wait: o.wait,
			})
		},
	},
	{
		name: "openai:model-1", path: "/v1/embeddings",
		key: func(h http.Header) string { return strings.TrimPrefix(h.Get("Authorization"), "Bearer ") },
		texts: func(body []byte) (texts []string, tasks []int, err error) {
			var request struct {
				Input []string
				Model string
			}
			err = json.Unmarshal(body, &request)
			if err == nil && request.Model != "model-1" {
				err = fmt.Errorf("asked for the model %q", request.Model)
			}
			return request.Input, nil, err
		},
		body: func(vectors [][]float64) string {
			list := []any{}
			for i, v := range vectors {
				list = append(list, map[string]any{"object": "embedding", "index": i, "embedding": v})
			}
			return text(map[string]any{"object": "list", "model": "model-1", "data": list, "usage": map[string]any{"prompt_tokens": 1, "total_tokens": 1}, "future_field": 1})
		},
		client: func(_ context.Context, o remoteOptions) (embed.Embedder, error) {
			return embed.NewOpenAI(embed.OpenAIOptions{
				APIKey: secret, Model: "model-1", URL: o.url + "/v1", Dimensions: o.dimensions, BatchSize: o.batchSize,
				MaxRunes: o.maxRunes, Timeout: o.timeout, RetryBudget: o.budget, Wait: o.wait,
			})
		},
	},
}

func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // of a test's own values
	}
	return string(raw)
}

// eachProtocol runs a test for both.
func eachProtocol(t *testing.T, test func(t *testing.T, p protocol)) {
	t.Helper()
	t.Parallel()
	for _, p := range protocols {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			test(t, p)
		})
	}
}

// embedder gives a client of a server.
func (p protocol) embedder(t *testing.T, o remoteOptions) embed.Embedder {
	t.Helper()
	if o.wait == nil {
		o.wait = (&pauses{}).wait
	}
	e, err := p.client(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := e.(io.Closer); ok {
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return e
}

// server plays a provider and keeps what it was asked.
type server struct {
	*httptest.Server
	protocol
	mu       sync.Mutex
	requests []request
}

type request struct {
	path, query, key string
	tasks            []int
	texts            []string
}

// serve answers each request with answer, which gets its texts and its number,
// from 0.
func (p protocol) serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, texts []string, n int)) *server {
	t.Helper()
	s := &server{protocol: p}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		texts, tasks, err := p.texts(body)
		if err != nil {
			t.Errorf("request: %v", err)
		}
		s.mu.Lock()
		n := len(s.requests)
		s.requests = append(s.requests, request{r.URL.Path, r.URL.RawQuery, p.key(r.Header), tasks, texts})
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		answer(w, r, texts, n)
	}))
	t.Cleanup(s.Close)
	return s
}

// seen returns the requests so far.
func (s *server) seen() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// vectorsOf answers each text with (its bytes, 1).
func (p protocol) vectorsOf(w io.Writer, texts []string) {
	vectors := make([][]float64, len(texts))
	for i, text := range texts {
		vectors[i] = []float64{float64(len(text)), 1}
	}
	io.WriteString(w, p.body(vectors))
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"code":%d,"message":%q,"status":"X","type":"x","param":null}}`, status, message)
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

// checkBytes wants each text's vector to stand for its number of bytes, none for
// a text of 0.
func checkBytes(t *testing.T, vectors [][]float32, want ...float64) {
	t.Helper()
	if len(vectors) != len(want) {
		t.Fatalf("%d vectors, want %d", len(vectors), len(want))
	}
	for i, bytes := range want {
		if bytes == 0 {
			if vectors[i] != nil {
				t.Errorf("text %d is blank and has a vector", i)
			}
			continue
		}
		if v := vectors[i]; v == nil || math.Abs(float64(v[0]/v[1])-bytes) > 1e-3*bytes || math.Abs(length(v)-1) > 1e-6 {
			t.Errorf("text %d: %v, want that of %v bytes", i, v, bytes)
		}
	}
}

func TestRemoteEmbedsInBatches(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		s := p.serve(t, func(w http.ResponseWriter, _ *http.Request, texts []string, _ int) { p.vectorsOf(w, texts) })
		e := p.embedder(t, remoteOptions{url: s.URL, batchSize: 2, maxRunes: 6})
		if diff := cmp.Diff(embed.Model{Name: p.name}, e.Model()); diff != "" {
			t.Error(diff)
		}
		checkBytes(t, mustEmbed(t, e, "a", " ", "我很开心", "\u3000", "much too long", "bad\xff"), 1, 0, 12, 0, 6, 6)
		want := []request{
			{path: p.path, key: secret, texts: []string{"a", "我很开心"}},
			{path: p.path, key: secret, texts: []string{"much t", "bad\ufffd"}},
		}
		got := s.seen()
		for i := range got {
			got[i].tasks = nil
			if strings.Contains(got[i].query, "secret") || strings.Contains(got[i].query, "key") {
				t.Errorf("the key is in the address: %s", got[i].query)
			}
			got[i].query = ""
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(request{})); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
		if got := e.Model().Dimensions; got != 2 {
			t.Errorf("%d dimensions learnt", got)
		}
	})
}

func TestRemoteAnswersWithoutATypeAreRead(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		s := p.serve(t, func(w http.ResponseWriter, _ *http.Request, texts []string, _ int) {
			w.Header().Set("Content-Type", "")
			p.vectorsOf(w, texts)
		})
		checkBytes(t, mustEmbed(t, p.embedder(t, remoteOptions{url: s.URL}), "a"), 1)
	})
}

func TestRemoteTriesAgain(t *testing.T) {
	second := time.Second
	type trouble struct {
		name   string
		refuse func(w http.ResponseWriter)
		pause  time.Duration // the least; at most a quarter more
	}
	after := func(header, value string, status int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set(header, value)
			refuse(w, status, "quota")
		}
	}
	troubles := []trouble{
		{"429 with seconds", after("Retry-After", "7", 429), 7 * second},
		{"429 with milliseconds", after("Retry-After-Ms", "1500", 429), 1500 * time.Millisecond},
		{"429 with a date", func(w http.ResponseWriter) {
			after("Retry-After", time.Now().Add(30*second).UTC().Format(http.TimeFormat), 429)(w)
		}, 24 * second},
		{"429 with a delay in its body", func(w http.ResponseWriter) {
			w.WriteHeader(429)
			fmt.Fprint(w, `{"error":{"message":"quota","details":[{"@type":"x/Help"},{"@type":"x/RetryInfo","retryDelay":"3.5s"}]}}`)
		}, 3500 * time.Millisecond},
		{"429 with a header that is no time", after("Retry-After", "soon", 429), second},
		{"429 with a header below zero", after("Retry-After", "-5", 429), second},
		{"429 without", func(w http.ResponseWriter) { refuse(w, 429, "quota") }, second},
		{"408", func(w http.ResponseWriter) { refuse(w, 408, "slow") }, second},
		{"500", func(w http.ResponseWriter) { refuse(w, 500, "oops") }, second},
		{"503, which an SDK would try by itself", func(w http.ResponseWriter) { refuse(w, 503, "busy") }, second},
		{"503 with seconds", after("Retry-After", "3", 503), 3 * second},
		{"a gateway's page", func(w http.ResponseWriter) { w.WriteHeader(502); fmt.Fprint(w, "<html>") }, second},
		{"a broken connection", func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, second},
		{"half an answer", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"embeddings":[`)
		}, second},
	}
	eachProtocol(t, func(t *testing.T, p protocol) {
		for _, tt := range troubles {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				s := p.serve(t, func(w http.ResponseWriter, _ *http.Request, texts []string, n int) {
					if n == 0 {
						tt.refuse(w)
						return
					}
					p.vectorsOf(w, texts)
				})
				var pause pauses
				e := p.embedder(t, remoteOptions{url: s.URL, wait: pause.wait})
				checkBytes(t, mustEmbed(t, e, "a", "bc"), 1, 2)
				if len(pause.list) != 1 || pause.list[0] < tt.pause || pause.list[0] > tt.pause*5/4 {
					t.Errorf("paused %v, want about %v", pause.list, tt.pause)
				}
				if seen := s.seen(); len(seen) != 2 || !cmp.Equal(seen[0].texts, seen[1].texts) {
					t.Errorf("requests %v", seen)
				}
			})
		}
	})
}

func TestRemoteDropsNothingAtOneRequestAtATime(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		var busy sync.Mutex
		s := p.serve(t, func(w http.ResponseWriter, _ *http.Request, texts []string, _ int) {
			if !busy.TryLock() {
				w.Header().Set("Retry-After", "1")
				refuse(w, 429, "one at a time")
				return
			}
			defer busy.Unlock()
			p.vectorsOf(w, texts)
		})
		e := p.embedder(t, remoteOptions{url: s.URL, budget: time.Hour})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if v, err := e.Embed(t.Context(), []string{"a"}); err != nil || v[0] == nil {
					t.Errorf("got %v, %v", v, err)
				}
			})
		}
		wg.Wait()
	})
}

func TestRemoteGivesUpWithinItsBudget(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		for _, tt := range []struct {
			name, after string
			budget      time.Duration
			requests    int // at least; at most one more
		}{
			{"pauses grow", "", 10 * time.Second, 3},
			{"the provider asks for too long a pause", "3600", 10 * time.Second, 1},
			{"for a pause past counting", "1e300", 10 * time.Second, 1},
			{"till the end of days", "Fri, 31 Dec 9999 23:59:59 GMT", 10 * time.Second, 1},
			{"no budget", "", -1, 1},
		} {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				s := p.serve(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) {
					w.Header().Set("Retry-After", tt.after)
					refuse(w, 429, "quota of key "+secret)
				})
				var pause pauses
				e := p.embedder(t, remoteOptions{url: s.URL, budget: tt.budget, wait: pause.wait})
				_, err := e.Embed(t.Context(), []string{"a"})
				status, ok := errors.AsType[*embed.StatusError](err)
				if !ok || status.Status != 429 || !strings.Contains(err.Error(), "quota") {
					t.Fatalf("error %v", err)
				}
				noSecret(t, err)
				if n := len(s.seen()); n < tt.requests || n > tt.requests+1 {
					t.Errorf("%d requests, want %d, after pauses %v", n, tt.requests, pause.list)
				}
			})
		}
	})
}

func TestRemoteRefusals(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		says := func(body string) func(http.ResponseWriter, *http.Request) {
			return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
		}
		pair := []float64{1, 1}
		for _, tt := range []struct {
			name   string
			answer func(w http.ResponseWriter, r *http.Request)
			dims   int
			status int // of the StatusError, or 0 for ErrAnswer
			want   string
		}{
			{"a bad key", func(w http.ResponseWriter, r *http.Request) {
				refuse(w, 400, "API key not valid: "+r.URL.RawQuery+" "+p.key(r.Header))
			}, 0, 400, "API key not valid"},
			{"a missing key", func(w http.ResponseWriter, _ *http.Request) { refuse(w, 401, "no key") }, 0, 401, "no key"},
			{"a forbidden model", func(w http.ResponseWriter, _ *http.Request) { refuse(w, 403, "no access") }, 0, 403, "no access"},
			{"an unknown model", func(w http.ResponseWriter, _ *http.Request) { refuse(w, 404, "no model") }, 0, 404, p.name},
			{"an error that is a text", func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(404)
				fmt.Fprint(w, `{"error":"pull it first"}`)
			}, 0, 404, "pull it first"},
			{"nothing left on the account", func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(429)
				fmt.Fprint(w, `{"error":{"message":"exceeded","code":"insufficient_quota"}}`)
			}, 0, 429, "exceeded"},
			{"a redirect, which would take the key elsewhere", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(307)
			}, 0, 307, "Temporary Redirect"},
			{"one vector for all texts", says(p.body([][]float64{pair})), 0, 0, "1 vectors for 3 texts"},
			{"a vector too few", says(p.body([][]float64{pair, pair})), 0, 0, "2 vectors for 3 texts"},
			{"a vector too many", says(p.body([][]float64{pair, pair, pair, pair})), 0, 0, "4 vectors for 3 texts"},
			{"no vectors", says(p.body(nil)), 0, 0, "0 vectors for 3 texts"},
			{"nothing at all", says(`{}`), 0, 0, "0 vectors for 3 texts"},
			{"another size than expected", says(p.body([][]float64{pair, pair, pair})), 3, 0, "2 dimensions, not 3"},
			{"unequal sizes", says(p.body([][]float64{pair, {1}, {}})), 0, 0, "1 dimensions, not 2"},
			{"empty vectors", says(p.body([][]float64{{}, {}, {}})), 0, 0, "0 dimensions"},
			{"a web page", says("<html>log in</html>"), 0, 0, "unusable answer"},
			{"a web page that says so", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				says("<html>log in</html>")(w, r)
			}, 0, 0, "unusable answer"},
			{"an error with status 200", says(`{"error":{"message":"upstream"}}`), 0, 0, "0 vectors for 3 texts"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				s := p.serve(t, func(w http.ResponseWriter, r *http.Request, _ []string, _ int) { tt.answer(w, r) })
				e := p.embedder(t, remoteOptions{url: s.URL, dimensions: tt.dims})
				v, err := e.Embed(t.Context(), []string{"a", "b", "c"})
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
	})
}

func TestRemoteVectorsKeepOneSize(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		s := p.serve(t, func(w http.ResponseWriter, _ *http.Request, _ []string, n int) {
			io.WriteString(w, p.body([][]float64{make([]float64, n+2)}))
		})
		e := p.embedder(t, remoteOptions{url: s.URL})
		mustEmbed(t, e, "a")
		if _, err := e.Embed(t.Context(), []string{"b"}); !errors.Is(err, embed.ErrAnswer) || e.Model().Dimensions != 2 {
			t.Errorf("%v, then %d dimensions", err, e.Model().Dimensions)
		}
	})
}

func TestRemoteZerosAreNoVector(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		s := p.serve(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) {
			io.WriteString(w, p.body([][]float64{{0, 0}, {0, 2}}))
		})
		if diff := cmp.Diff([][]float32{nil, {0, 1}}, mustEmbed(t, p.embedder(t, remoteOptions{url: s.URL}), "。。。", "a")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRemoteOutOfReach(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		s := httptest.NewServer(nil)
		s.Close()
		_, err := p.embedder(t, remoteOptions{url: s.URL}).Embed(t.Context(), []string{"a"})
		if err == nil || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("error %v", err)
		}
		noSecret(t, err)
	})
}

// slowDrip sends one blank of an endless body after the other.
func slowDrip(w http.ResponseWriter, r *http.Request) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for r.Context().Err() == nil {
		<-tick.C
		io.WriteString(w, " ")
		w.(http.Flusher).Flush()
	}
}

func TestRemoteSlowAnswers(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		for name, slow := range map[string]http.HandlerFunc{
			"no answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "a slow drip": slowDrip,
		} {
			t.Run(name+" is bounded for each attempt", func(t *testing.T) {
				t.Parallel()
				s := p.serve(t, func(w http.ResponseWriter, r *http.Request, texts []string, n int) {
					if n == 0 {
						slow(w, r)
						return
					}
					p.vectorsOf(w, texts)
				})
				mustEmbed(t, p.embedder(t, remoteOptions{url: s.URL, timeout: 200 * time.Millisecond}), "a")
				if len(s.seen()) != 2 {
					t.Errorf("%d requests", len(s.seen()))
				}
			})
			t.Run(name+" can be stopped by the caller", func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithCancel(t.Context())
				s := p.serve(t, func(w http.ResponseWriter, r *http.Request, _ []string, _ int) {
					cancel()
					slow(w, r)
				})
				if _, err := p.embedder(t, remoteOptions{url: s.URL}).Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
					t.Errorf("error %v", err)
				}
			})
		}
		t.Run("the caller may stop a pause", func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			s := p.serve(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) {
				w.Header().Set("Retry-After", "50")
				refuse(w, 429, "quota")
			})
			e := p.embedder(t, remoteOptions{url: s.URL, wait: func(ctx context.Context, d time.Duration) error {
				cancel()
				return embed.Sleep(ctx, d)
			}})
			if _, err := e.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		})
	})
}
