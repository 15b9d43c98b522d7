package extractor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

const secretKey = "AIza-secret+key/1"

// provider is one protocol, spoken by a local server.
type provider struct {
	name string
	// client makes a model of a server.
	client func(t *testing.T, url string) extractor.Model
	// good is the body of a good answer, as JSON of its text.
	good string
	// cutOff is one that the output budget ended.
	cutOff string
	// empty are answers of status 200 that hold nothing, by what they lack, with
	// the kind of failure that each is.
	empty map[string]nothingSaid
}

type nothingSaid struct {
	body string
	kind extractor.Kind
}

var providers = []provider{
	{
		name: "gemini",
		client: func(t *testing.T, url string) extractor.Model {
			t.Helper()
			m, err := extractor.NewGemini(t.Context(), extractor.GeminiOptions{Model: "test-1", Key: secretKey, Endpoint: url})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { m.Close() })
			return m
		},
		good: `{"candidates":[{"content":{"parts":[{"text":%s}]},"finishReason":"STOP"}],
			"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":20,"thoughtsTokenCount":30,"totalTokenCount":150},"unknownField":1}`,
		cutOff: `{"candidates":[{"content":{"parts":[{"text":%s}]},"finishReason":"MAX_TOKENS"}]}`,
		empty: map[string]nothingSaid{
			"prompt blocked":                {`{"promptFeedback":{"blockReason":"SAFETY"}}`, extractor.KindBlocked},
			"answer blocked":                {`{"candidates":[{"finishReason":"SAFETY"}]}`, extractor.KindBlocked},
			"answer prohibited, by number":  {`{"candidates":[{"finishReason":8}]}`, extractor.KindBlocked},
			"budget ended without text":     {`{"candidates":[{"finishReason":"MAX_TOKENS"}]}`, extractor.KindMaxTokens},
			"budget ended, empty part":      {`{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":2}]}`, extractor.KindMaxTokens},
			"no candidates":                 {`{}`, extractor.KindEmpty},
			"empty candidates":              {`{"candidates":[]}`, extractor.KindEmpty},
			"empty candidate":               {`{"candidates":[{}]}`, extractor.KindEmpty},
			"null content":                  {`{"candidates":[{"content":null,"finishReason":"STOP"}]}`, extractor.KindEmpty},
			"the other protocol's no words": {`{"choices":[]}`, extractor.KindEmpty},
		},
	},
	{
		name: "openai",
		client: func(_ *testing.T, url string) extractor.Model {
			return extractor.NewOpenAI(extractor.OpenAIOptions{Model: "test-1", Key: secretKey, URL: url + "/v1"})
		},
		good: `{"id":"c","object":"chat.completion","created":1,"model":"test-1","choices":[{"index":0,"message":{"role":"assistant",
			"content":%s,"reasoning_content":"the cat is new","reasoning":"the cat is new"},"finish_reason":"stop","logprobs":null}],
			"usage":{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150},"unknown_field":1}`,
		cutOff: `{"choices":[{"message":{"content":%s},"finish_reason":"length"}]}`,
		empty: map[string]nothingSaid{
			"answer blocked":                {`{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`, extractor.KindBlocked},
			"answer blocked half way":       {`{"choices":[{"message":{"content":"<relations>"},"finish_reason":"content_filter"}]}`, extractor.KindBlocked},
			"refusal":                       {`{"choices":[{"message":{"content":null,"refusal":"I cannot help with that."},"finish_reason":"stop"}]}`, extractor.KindBlocked},
			"budget ended without text":     {`{"choices":[{"message":{"content":null},"finish_reason":"length"}]}`, extractor.KindMaxTokens},
			"budget ended, only reasoning":  {`{"choices":[{"message":{"content":"\n","reasoning_content":"well"},"finish_reason":"length"}]}`, extractor.KindMaxTokens},
			"only reasoning":                {`{"choices":[{"message":{"reasoning_content":"well"},"finish_reason":"stop"}]}`, extractor.KindEmpty},
			"only a tool call":              {`{"choices":[{"message":{"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, extractor.KindEmpty},
			"empty choice":                  {`{"choices":[{}]}`, extractor.KindEmpty},
			"null message":                  {`{"choices":[{"message":null,"finish_reason":"stop"}]}`, extractor.KindEmpty},
			"empty choices":                 {`{"choices":[]}`, extractor.KindProtocol},
			"no choices":                    {`{}`, extractor.KindProtocol},
			"null choices":                  {`{"choices":null}`, extractor.KindProtocol},
			"an error with status 200":      {`{"error":{"message":"upstream, key ` + secretKey + `","code":502}}`, extractor.KindProtocol},
			"the other protocol's no words": {`{"candidates":[]}`, extractor.KindProtocol},
		},
	},
}

// eachProvider runs a test for both protocols.
func eachProvider(t *testing.T, test func(t *testing.T, p provider)) {
	t.Helper()
	for _, p := range providers {
		t.Run(p.name, func(t *testing.T) { test(t, p) })
	}
}

// serve gives a model whose server answers with handler.
func (p provider) serve(t *testing.T, handler http.HandlerFunc) extractor.Model {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	return p.client(t, srv.URL)
}

func answer(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// slowDrip sends one blank of an endless body after the other.
func slowDrip(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for r.Context().Err() == nil {
		<-tick.C
		io.WriteString(w, " ")
		w.(http.Flusher).Flush()
	}
}

func silent(_ http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// fault is what a server can do wrong in any protocol.
type fault struct {
	name    string
	handler http.HandlerFunc
	kind    extractor.Kind
	after   time.Duration // up to two seconds less where it is a date, which has whole seconds
	timeout bool          // the attempt's time ends it
	reused  bool          // net/http itself may repeat a call on a connection that broke
}

func faults() []fault {
	body := func(message string) string {
		return `{"error":{"message":"` + message + `","code":429,"type":"t","param":null}}`
	}
	until := func(d time.Duration) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			answer(429, body("quota"), "Retry-After", time.Now().Add(d).UTC().Format(http.TimeFormat))(w, r)
		}
	}
	return []fault{
		{name: "rate limit with seconds", handler: answer(429, body("quota, key "+secretKey), "Retry-After", "7"), kind: extractor.KindRateLimited, after: 7 * time.Second},
		{name: "rate limit with a date", handler: until(90 * time.Second), kind: extractor.KindRateLimited, after: 90 * time.Second},
		{name: "rate limit with a date gone by", handler: until(-time.Hour), kind: extractor.KindRateLimited},
		{name: "rate limit with milliseconds", handler: answer(429, body("quota"), "Retry-After-Ms", "1500", "Retry-After", "2"), kind: extractor.KindRateLimited, after: 1500 * time.Millisecond},
		{name: "rate limit with a header that is no time", handler: answer(429, body("quota"), "Retry-After", "soon"), kind: extractor.KindRateLimited},
		{name: "rate limit with a header below zero", handler: answer(429, body("quota"), "Retry-After", "-5"), kind: extractor.KindRateLimited},
		{name: "rate limit with details", handler: answer(429, `{"error":{"message":"quota","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"17s"}]}}`), kind: extractor.KindRateLimited, after: 17 * time.Second},
		{name: "rate limit without more", handler: answer(429, ``), kind: extractor.KindRateLimited},
		{name: "nothing left on the account", handler: answer(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`), kind: extractor.KindAuth},
		{name: "payment required", handler: answer(402, body("Insufficient Balance")), kind: extractor.KindAuth},
		{name: "overloaded", handler: answer(503, body("The model is overloaded.")), kind: extractor.KindUnavailable},
		{name: "overloaded, come back later", handler: answer(503, body("busy"), "Retry-After", "3"), kind: extractor.KindUnavailable, after: 3 * time.Second},
		{name: "internal error", handler: answer(500, `oops`), kind: extractor.KindUnavailable},
		{name: "a gateway's page", handler: answer(502, `<html>bad gateway</html>`, "Content-Type", "text/html"), kind: extractor.KindUnavailable},
		{name: "gateway timeout", handler: answer(504, ``), kind: extractor.KindTimeout},
		{name: "request timeout", handler: answer(408, ``), kind: extractor.KindTimeout},
		{name: "key missing", handler: answer(401, body("no key")), kind: extractor.KindAuth},
		{name: "key refused", handler: answer(403, body("denied: "+secretKey)), kind: extractor.KindAuth},
		{name: "key unknown", handler: answer(400, `{"error":{"message":"API key not valid.","details":[{"reason":"API_KEY_INVALID"}]}}`), kind: extractor.KindAuth},
		{name: "prompt filtered", handler: answer(400, `{"error":{"message":"filtered","code":"content_filter"}}`), kind: extractor.KindBlocked},
		{name: "bad request", handler: answer(400, body("a field is wrong")), kind: extractor.KindProtocol},
		{name: "no such model", handler: answer(404, `{"error":"model not found"}`), kind: extractor.KindProtocol},
		{name: "redirect elsewhere", handler: answer(302, ``, "Location", "http://127.0.0.1:1/"), kind: extractor.KindProtocol},
		{name: "redirect of a POST", handler: answer(307, ``, "Location", "http://127.0.0.1:1/"), kind: extractor.KindProtocol},
		{name: "HTML with 200", handler: answer(200, `<html><body>login</body></html>`, "Content-Type", "text/html"), kind: extractor.KindProtocol},
		{name: "HTML that claims to be JSON", handler: answer(200, `<html><body>login</body></html>`), kind: extractor.KindProtocol},
		{name: "other JSON", handler: answer(200, `[1,2]`), kind: extractor.KindProtocol},
		{name: "a JSON text", handler: answer(200, `"ok"`), kind: extractor.KindProtocol},
		{name: "no body with 200", handler: answer(200, ``), kind: extractor.KindProtocol},
		{name: "connection dropped", handler: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, kind: extractor.KindUnavailable, reused: true},
		{name: "body breaks off", handler: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"candidates":`)
		}, kind: extractor.KindUnavailable},
		{name: "no answer", handler: silent, kind: extractor.KindTimeout, timeout: true},
		{name: "slow drip", handler: slowDrip, kind: extractor.KindTimeout, timeout: true},
	}
}

func TestFaultsHaveAKindAndShowNoKey(t *testing.T) {
	eachProvider(t, func(t *testing.T, p provider) {
		all := faults()
		for name, e := range p.empty {
			all = append(all, fault{name: name, handler: answer(200, e.body), kind: e.kind})
		}
		for _, tt := range all {
			t.Run(tt.name, func(t *testing.T) {
				var calls atomic.Int32
				m := p.serve(t, func(w http.ResponseWriter, r *http.Request) { calls.Add(1); tt.handler(w, r) })
				ctx := t.Context()
				if tt.timeout {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
					defer cancel()
				}
				got, err := m.Answer(ctx, extractor.Request{User: "hello"})
				var me *extractor.ModelError
				if !errors.As(err, &me) || me.Kind != tt.kind || me.RetryAfter > tt.after || me.RetryAfter < tt.after-2*time.Second {
					t.Fatalf("%+v, %#v; want %s after %s", got, err, tt.kind, tt.after)
				}
				noSecrets(t, me)
				if calls.Load() > 1 && !tt.reused {
					t.Errorf("%d calls: the SDK repeats by rules of its own", calls.Load())
				}
			})
		}
	})
}

// noSecrets fails if key or prompt shows in an error or one that it wraps.
func noSecrets(t *testing.T, err error) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, "secret") || strings.Contains(text, "hello") {
			t.Errorf("key or prompt in %s", text)
		}
	}
}

func TestServerOutOfReachIsUnavailable(t *testing.T) {
	eachProvider(t, func(t *testing.T, p provider) {
		srv := httptest.NewServer(nil)
		srv.Close()
		_, err := p.client(t, srv.URL).Answer(t.Context(), extractor.Request{User: "hello"})
		var me *extractor.ModelError
		if !errors.As(err, &me) || me.Kind != extractor.KindUnavailable {
			t.Fatalf("%v", err)
		}
		noSecrets(t, me)
	})
}

func TestCancelledCallsEnd(t *testing.T) {
	eachProvider(t, func(t *testing.T, p provider) {
		ctx, cancel := context.WithCancel(t.Context())
		m := p.serve(t, func(w http.ResponseWriter, r *http.Request) { cancel(); silent(w, r) })
		if _, err := m.Answer(ctx, extractor.Request{User: "hello"}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

func TestGoodAnswersWithTheirCounts(t *testing.T) {
	eachProvider(t, func(t *testing.T, p provider) {
		for name, content := range map[string]string{"as JSON": "application/json", "with a charset": "application/json; charset=utf-8", "without a type": ""} {
			t.Run(name, func(t *testing.T) {
				m := p.serve(t, answer(200, fmt.Sprintf(p.good, `"<relations/>\n<memories>我&lt;</memories>"`), "Content-Type", content))
				got, err := m.Answer(t.Context(), extractor.Request{System: "rules", User: "hello"})
				want := extractor.Answer{Text: "<relations/>\n<memories>我&lt;</memories>", InputTokens: 100, OutputTokens: 50}
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("%v %s", err, diff)
				}
			})
		}
		if name := p.client(t, "http://127.0.0.1:1").Name(); name != p.name+":test-1" {
			t.Errorf("name %q", name)
		}
	})
}

func TestAnEndedBudgetGivesWhatIsThere(t *testing.T) {
	eachProvider(t, func(t *testing.T, p provider) {
		m := p.serve(t, answer(200, fmt.Sprintf(p.cutOff, `"<relations>"`)))
		got, err := m.Answer(t.Context(), extractor.Request{User: "hello"})
		if err != nil || !got.Truncated || got.Text != "<relations>" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// Eight batches at a server that takes one call at a time: Retry-After is kept,
// and none is lost.
func TestALimitOfOneCallAtATimeLosesNothing(t *testing.T) {
	eachProvider(t, func(t *testing.T, p provider) {
		busy := make(chan struct{}, 1)
		good := answer(200, fmt.Sprintf(p.good, `"<relations/><memories/>"`))
		m := p.serve(t, func(w http.ResponseWriter, r *http.Request) {
			select {
			case busy <- struct{}{}:
				defer func() { <-busy }()
				good(w, r)
			default:
				answer(429, `{"error":{"message":"one at a time"}}`, "Retry-After", "1")(w, r)
			}
		})
		w, c := harbour(), newClock()
		// The waits are real for the server: a refused call comes back after a
		// free place.
		retry := c.retry()
		retry.RateLimited, retry.Total = 1_000_000, 1000*time.Hour
		e := newExtractor(t, w, m, func(o *extractor.Options) { o.Retry = retry })
		failed := make(chan error, 8)
		for i := range 8 {
			b := talk("你好")
			b.Session = fmt.Sprint(i)
			go func() {
				_, err := e.Ingest(t.Context(), b, extractor.IngestOptions{})
				failed <- err
			}()
		}
		for range 8 {
			if err := <-failed; err != nil {
				t.Error(err)
			}
		}
		if len(w.submissions()) != 8 {
			t.Errorf("%d diffs", len(w.submissions()))
		}
		for _, d := range c.slept {
			if d != time.Second {
				t.Errorf("waited %s, was asked for a second", d)
			}
		}
	})
}

func TestAttemptsAreBoundedAndRepeated(t *testing.T) {
	eachProvider(t, func(t *testing.T, p provider) {
		var calls atomic.Int32
		m := p.serve(t, func(w http.ResponseWriter, r *http.Request) {
			if calls.Add(1) == 1 {
				slowDrip(w, r)
				return
			}
			answer(200, fmt.Sprintf(p.good, `"<relations/><memories/>"`))(w, r)
		})
		retry := newClock().retry()
		retry.PerAttempt = 100 * time.Millisecond
		r := ingest(t, newExtractor(t, harbour(), m, func(o *extractor.Options) { o.Retry = retry }), talk("你好"), extractor.IngestOptions{})
		if r.Usage.Calls != 2 || calls.Load() != 2 {
			t.Errorf("usage %+v after %d calls", r.Usage, calls.Load())
		}
	})
}

func TestLogsAndErrorsToCallersShowNoKey(t *testing.T) {
	eachProvider(t, func(t *testing.T, p provider) {
		for _, tt := range faults() {
			if tt.timeout {
				continue // they say nothing
			}
			t.Run(tt.name, func(t *testing.T) {
				var log strings.Builder
				e := newExtractor(t, harbour(), p.serve(t, tt.handler), func(o *extractor.Options) {
					o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}))
					o.Retry = newClock().retry()
				})
				_, err := e.Ingest(t.Context(), talk("hello"), extractor.IngestOptions{})
				noSecrets(t, wantError(t, err, graph.CodeModel))
				if strings.Contains(log.String(), "secret") || strings.Contains(log.String(), "hello") {
					t.Errorf("key or prompt in the log: %s", log.String())
				}
			})
		}
	})
}
