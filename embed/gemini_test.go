package embed_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/embed"
)

func TestGeminiTellsQueriesFromDocuments(t *testing.T) {
	t.Parallel()
	gemini := protocols[0]
	s := gemini.serve(t, func(w http.ResponseWriter, _ *http.Request, texts []string, _ int) { gemini.vectorsOf(w, texts) })
	g := gemini.embedder(t, remoteOptions{url: s.URL})
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

func TestGeminiNamesAreTheSameWithTheirPrefix(t *testing.T) {
	t.Parallel()
	g, err := embed.NewGemini(t.Context(), embed.GeminiOptions{APIKey: secret, Model: "models/model-1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	if name := g.Model().Name; name != "gemini:model-1" {
		t.Errorf("name %q", name)
	}
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
