package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/embed"
)

func TestEmbeddersOfTheConfiguration(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/embeddings" {
			t.Errorf("%s: %v", r.URL, err)
		}
		fmt.Fprintf(w, `{"data":[{"index":0,"embedding":[3,4,0]}]}`)
	}))
	t.Cleanup(srv.Close)
	c := &Config{Embedder: "openai:bge-m3:latest@" + srv.URL}
	e, err := c.embedder(t.Context(), io.Discard, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	m, err := sized(t.Context(), e)
	if diff := gocmp.Diff(embed.Model{Name: "openai:bge-m3:latest", Dimensions: 3}, m); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for spec, want := range map[string]string{
		"openai:": "no model", "openai:m": "no API key", "openai:m@host": "no URL", "gemini:": "unknown", "gemini:m": "no API key", "bert": "openai:MODEL@URL",
	} {
		c := &Config{Embedder: spec}
		if _, err := c.embedder(t.Context(), io.Discard, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", spec, err)
		}
	}
}

func TestKeysPrintAsNothing(t *testing.T) {
	c := Config{GeminiKey: "hush-1", OpenAIKey: "hush-2", Neo4jPassword: "hush-3"}
	for _, text := range []string{fmt.Sprint(c.OpenAIKey), fmt.Sprintf("%v %+v", c, &c), slog.AnyValue(c.OpenAIKey).Resolve().String()} {
		if strings.Contains(text, "hush") {
			t.Errorf("a key shows in %s", text)
		}
	}
}
