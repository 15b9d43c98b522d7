package extractor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

const secretKey = "AIza-secret+key/1"

// geminiServer speaks the REST protocol of generateContent: handler answers.
func geminiServer(t *testing.T, handler http.HandlerFunc) *extractor.Gemini {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	m, err := extractor.NewGemini(t.Context(), extractor.GeminiOptions{Model: "gemini-test", Key: secretKey, Endpoint: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
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

func TestGeminiAnswers(t *testing.T) {
	var path, key, query, body string
	m := geminiServer(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		path, key, query, body = r.URL.Path, r.Header.Get("X-Goog-Api-Key"), r.URL.RawQuery, string(b)
		answer(200, `{"candidates":[{"content":{"parts":[{"text":"<relations/>"},{"text":"<memories/>"}]},"finishReason":"STOP"}],
			"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":20,"thoughtsTokenCount":30,"totalTokenCount":150},"unknownField":1}`)(w, r)
	})
	got, err := m.Answer(t.Context(), extractor.Request{System: "rules", User: "{{chat}} <a>", MaxTokens: 77})
	if err != nil {
		t.Fatal(err)
	}
	want := extractor.Answer{Text: "<relations/><memories/>", InputTokens: 100, OutputTokens: 50}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if path != "/v1beta/models/gemini-test:generateContent" || key != secretKey || strings.Contains(query, "secret") {
		t.Errorf("asked %s?%s with key %q", path, query, key)
	}
	for _, part := range []string{`"rules"`, `{{chat}}`, `77`} {
		if !strings.Contains(strings.ReplaceAll(body, " ", ""), strings.ReplaceAll(part, " ", "")) {
			t.Errorf("the request lacks %s: %s", part, body)
		}
	}
	if m.Name() != "gemini:gemini-test" {
		t.Errorf("name %q", m.Name())
	}
}

func TestGeminiFaultsHaveAKindAndNoKey(t *testing.T) {
	tests := []struct {
		name    string
		handler http.HandlerFunc
		kind    extractor.Kind
		after   time.Duration
	}{
		{"rate limit with seconds", answer(429, `{"error":{"code":429,"message":"quota, key `+secretKey+`"}}`, "Retry-After", "7"), extractor.KindRateLimited, 7 * time.Second},
		{"rate limit with details", answer(429, `{"error":{"message":"quota","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"17s"}]}}`), extractor.KindRateLimited, 17 * time.Second},
		{"rate limit without more", answer(429, ``), extractor.KindRateLimited, 0},
		{"overloaded", answer(503, `{"error":{"message":"The model is overloaded."}}`), extractor.KindUnavailable, 0},
		{"internal error", answer(500, `oops`), extractor.KindUnavailable, 0},
		{"gateway timeout", answer(504, ``), extractor.KindTimeout, 0},
		{"key refused", answer(403, `{"error":{"message":"denied"}}`), extractor.KindAuth, 0},
		{"key unknown", answer(400, `{"error":{"message":"API key not valid.","details":[{"reason":"API_KEY_INVALID"}]}}`), extractor.KindAuth, 0},
		{"bad request", answer(400, `{"error":{"message":"maxOutputTokens"}}`), extractor.KindProtocol, 0},
		{"no such model", answer(404, `{"error":{"message":"not found"}}`), extractor.KindProtocol, 0},
		{"redirect elsewhere", answer(302, ``, "Location", "http://127.0.0.1:1/"), extractor.KindProtocol, 0},
		{"prompt blocked", answer(200, `{"promptFeedback":{"blockReason":"SAFETY"}}`), extractor.KindBlocked, 0},
		{"answer blocked", answer(200, `{"candidates":[{"finishReason":"SAFETY"}]}`), extractor.KindBlocked, 0},
		{"answer prohibited, by number", answer(200, `{"candidates":[{"finishReason":8}]}`), extractor.KindBlocked, 0},
		{"budget ended without text", answer(200, `{"candidates":[{"finishReason":"MAX_TOKENS"}]}`), extractor.KindMaxTokens, 0},
		{"budget ended, empty part", answer(200, `{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":2}]}`), extractor.KindMaxTokens, 0},
		{"no candidates", answer(200, `{}`), extractor.KindEmpty, 0},
		{"empty candidates", answer(200, `{"candidates":[]}`), extractor.KindEmpty, 0},
		{"empty candidate", answer(200, `{"candidates":[{}]}`), extractor.KindEmpty, 0},
		{"null content", answer(200, `{"candidates":[{"content":null,"finishReason":"STOP"}]}`), extractor.KindEmpty, 0},
		{"HTML with 200", answer(200, `<html><body>login</body></html>`), extractor.KindProtocol, 0},
		{"other JSON", answer(200, `[1,2]`), extractor.KindProtocol, 0},
		{"connection dropped", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, extractor.KindUnavailable, 0},
		{"body breaks off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"candidates":`)
		}, extractor.KindUnavailable, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			m := geminiServer(t, func(w http.ResponseWriter, r *http.Request) { calls++; tt.handler(w, r) })
			got, err := m.Answer(t.Context(), extractor.Request{User: "hello"})
			var me *extractor.ModelError
			if !errors.As(err, &me) || me.Kind != tt.kind || me.RetryAfter != tt.after {
				t.Fatalf("%+v, %#v; want %s after %s", got, err, tt.kind, tt.after)
			}
			for e := error(me); e != nil; e = errors.Unwrap(e) {
				if text := fmt.Sprintf("%v %+v %#v", e, e, e); strings.Contains(text, "secret") || strings.Contains(text, "hello") {
					t.Errorf("key or prompt in %s", text)
				}
			}
			if calls > 1 && tt.kind != extractor.KindUnavailable {
				t.Errorf("%d calls, want 1", calls)
			}
			if tt.name == "overloaded" && calls != 1 {
				t.Errorf("the SDK repeated the call by itself: %d calls", calls)
			}
		})
	}
}

func TestGeminiGivesWhatAnEndedBudgetLeft(t *testing.T) {
	m := geminiServer(t, answer(200, `{"candidates":[{"content":{"parts":[{"text":"<relations>"}]},"finishReason":"MAX_TOKENS"}]}`))
	got, err := m.Answer(t.Context(), extractor.Request{User: "hello"})
	if err != nil || !got.Truncated || got.Text != "<relations>" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestGeminiTimesOut(t *testing.T) {
	done := make(chan struct{})
	m := geminiServer(t, func(http.ResponseWriter, *http.Request) { <-done })
	t.Cleanup(func() { close(done) })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := m.Answer(ctx, extractor.Request{User: "hello"})
	var me *extractor.ModelError
	if !errors.As(err, &me) || me.Kind != extractor.KindTimeout || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

func TestReplayAnswersBySession(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.xml": "<relations/>", "a.json": "{}", "empty.xml": "\n", "..hidden.xml": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(filepath.Dir(dir), "outside.xml")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.xml")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		step, session string
		want          string
		kind          extractor.Kind
	}{
		{extractor.StepDiff, "a", "<relations/>", ""},
		{extractor.StepReader, "a", "{}", ""},
		{extractor.StepDiff, "b", "", extractor.KindNotRecorded},
		{extractor.StepDiff, "empty", "", extractor.KindEmpty},
		{extractor.StepDiff, "", "", extractor.KindNotRecorded},
		{extractor.StepDiff, "../outside", "", extractor.KindNotRecorded},
		{extractor.StepDiff, `..\outside`, "", extractor.KindNotRecorded},
		{extractor.StepDiff, ".", "", extractor.KindNotRecorded},
		{extractor.StepDiff, "a\x00", "", extractor.KindNotRecorded},
		{extractor.StepDiff, outside, "", extractor.KindNotRecorded},
		{extractor.StepDiff, "link", "", extractor.KindUnavailable},
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	m := extractor.NewReplay(root.FS())
	for _, tt := range tests {
		t.Run(tt.step+" "+strings.ReplaceAll(tt.session, "/", "|"), func(t *testing.T) {
			got, err := m.Answer(t.Context(), extractor.Request{Step: tt.step, Session: tt.session})
			var me *extractor.ModelError
			if tt.kind == "" && err != nil || tt.kind != "" && (!errors.As(err, &me) || me.Kind != tt.kind) || got.Text != tt.want {
				t.Errorf("%q, %v", got.Text, err)
			}
		})
	}
}

func TestParseModel(t *testing.T) {
	dir := t.TempDir()
	o := extractor.ModelOptions{GeminiKey: secretKey, GeminiEndpoint: "http://127.0.0.1:1"}
	for spec, want := range map[string]string{
		"": "", "none": "", "gemini:gemini-test": "gemini:gemini-test", "replay:" + dir: "replay",
	} {
		m, err := extractor.ParseModel(t.Context(), spec, o)
		if err != nil || (m == nil) != (want == "") || m != nil && m.Name() != want {
			t.Errorf("%q: %v, %v", spec, m, err)
		}
	}
	for spec, part := range map[string]string{
		"gemini:": "gemini:MODEL", "replay:": "replay:DIR", "replay:" + dir + "/none": "no directory",
		"openai:gpt@http://x": "this version", "claude:x": "unknown",
	} {
		_, err := extractor.ParseModel(t.Context(), spec, o)
		if e := wantError(t, err, graph.CodeInvalid); !strings.Contains(e.Message, part) {
			t.Errorf("%q: %q", spec, e.Message)
		}
	}
	_, err := extractor.ParseModel(t.Context(), "gemini:x", extractor.ModelOptions{})
	wantError(t, err, graph.CodeInvalid)
}

// replayOf answers from a directory of the sample.
func replayOf(t testing.TB, dir string) *extractor.Replay {
	t.Helper()
	root, err := os.OpenRoot(filepath.Join(sampleDir, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return extractor.NewReplay(root.FS())
}
