package extractor_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

func TestPromptIsWhatIsSent(t *testing.T) {
	nameless := talk("我养了猫", "叫螺丝")
	nameless.Chats[0].ID, nameless.Chats[1].ID = nil, nil
	chats := sampleChats(t)
	for name, b := range map[string]extractor.Batch{
		"private": talk("我养了猫"), "without ids": nameless, "Chinese sample": chats[0], "group": chats[2],
	} {
		for _, profile := range []extractor.Profile{extractor.ProfileExtended, extractor.ProfilePlain} {
			t.Run(name+" "+string(profile), func(t *testing.T) {
				w, m := harbour(), says(nothing)
				w.relations = []graph.Relation{{Key: "own", Content: "拥有"}}
				w.memories = []graph.Memory{{ID: 7, Subject: "阿岩", Object: "厦门", Relation: "live_in", Content: "阿岩住在厦门。", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}
				set := func(o *extractor.Options) { o.Profile = profile }
				got, err := newExtractor(t, w, nil, set).Prompt(t.Context(), b)
				if err != nil {
					t.Fatal(err)
				}
				if len(w.submissions()) > 0 || w.nextID != 1<<50 {
					t.Errorf("showing the prompt wrote: %d diffs, next id %d", len(w.submissions()), w.nextID)
				}
				ingest(t, newExtractor(t, w, m, set), b, extractor.IngestOptions{})
				sent := m.requests()[0]
				sent.MaxTokens = 0 // set by the budget, not by the prompt
				if diff := cmp.Diff(sent, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestPromptRefusesWhatIngestRefuses(t *testing.T) {
	e := newExtractor(t, harbour(), nil)
	bad, elsewhere, stranger := talk("a"), talk("a"), talk("a")
	bad.Chats[0].Role, elsewhere.Space, stranger.Persona = "x", "x", []string{"大满"}
	for code, b := range map[graph.Code][]extractor.Batch{graph.CodeInvalid: {bad, stranger}, graph.CodeNotFound: {elsewhere}} {
		for _, one := range b {
			_, err := e.Prompt(t.Context(), one)
			wantError(t, err, code)
		}
	}
}
