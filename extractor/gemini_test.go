package extractor_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"relata/extractor"
)

func TestGeminiIsAskedInItsProtocol(t *testing.T) {
	gemini := providers[0]
	var path, key, query, body string
	m := gemini.serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		path, key, query, body = r.URL.Path, r.Header.Get("X-Goog-Api-Key"), r.URL.RawQuery, string(b)
		answer(200, fmt.Sprintf(gemini.good, `"x"`))(w, r)
	})
	_, err := m.Answer(t.Context(), extractor.Request{
		System: "rules", User: "{{chat}} <a>", JSON: true, MaxTokens: 77, Images: []extractor.Image{{Type: "image/png", Data: []byte("png")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if path != "/v1beta/models/test-1:generateContent" || key != secretKey || strings.Contains(query, "secret") {
		t.Errorf("asked %s?%s with key %q", path, query, key)
	}
	for _, part := range []string{`"rules"`, `{{chat}}`, `77`, `"application/json"`, `"image/png"`, `"cG5n"`} {
		if !strings.Contains(body, part) {
			t.Errorf("the request lacks %s: %s", part, body)
		}
	}
}

func TestGeminiJoinsTheParts(t *testing.T) {
	m := providers[0].serve(t, answer(200, `{"candidates":[{"content":{"parts":[{"text":"<relations/>"},{"text":"<memories/>"}]},"finishReason":"STOP"}]}`))
	got, err := m.Answer(t.Context(), extractor.Request{User: "hello"})
	if err != nil || got.Text != "<relations/><memories/>" {
		t.Errorf("%+v, %v", got, err)
	}
}
