package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"relata/relations"
)

// TestTheTerminalTellsWhoKnowsAndHowThingsHangTogether runs the commands that
// look at the graph, for people and for pipes.
func TestTheTerminalTellsWhoKnowsAndHowThingsHangTogether(t *testing.T) {
	a := sampleApp(t, nil)
	space := sampleSpace(t, a)
	if err := a.relations.Seed(t.Context(), space); err != nil {
		t.Fatal(err)
	}
	_, err := a.relations.Submit(t.Context(), relations.Submission{
		Space: space, Present: []string{"墨鱼"}, FreeKnownBy: true,
		Proposal: relations.Proposal{Memories: relations.MemoryProposals{Increments: []relations.MemoryItem{
			{Subject: "阿岩", Relation: "work_at", Object: "海港咖啡", Content: "阿岩在海港咖啡上班。"},
			{Subject: "海港咖啡", Relation: "located_in", Object: "厦门", Content: "海港咖啡在厦门。"},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		run  func(w *bytes.Buffer, asJSON bool) error
		want []string // for people
		keys []string // for pipes
	}{
		"who knows": {
			func(w *bytes.Buffer, asJSON bool) error {
				c := whoKnowsCmd{About: "阿岩在哪里上班", Space: space, Limit: 5, JSON: asJSON}
				return c.ask(t.Context(), a.store, w)
			},
			[]string{"阿岩在海港咖啡上班。", "墨鱼 (persona)"},
			[]string{`"memories"`, `"known_by"`, `"how"`},
		},
		"a path": {
			func(w *bytes.Buffer, asJSON bool) error {
				c := pathCmd{From: "岩哥", To: "厦门", Space: space, MaxHops: 4, JSON: asJSON}
				return c.show(t.Context(), a.store, w)
			},
			[]string{"(阿岩)-[work_at]->(海港咖啡)-[located_in]->(厦门)", "海港咖啡在厦门。"},
			[]string{`"paths"`, `"memory_id"`},
		},
		"a path as one who does not know it": {
			func(w *bytes.Buffer, asJSON bool) error {
				c := pathCmd{From: "小满", To: "阿岩", Space: space, MaxHops: 4, As: "小满", JSON: asJSON}
				return c.show(t.Context(), a.store, w)
			},
			[]string{"(no way of at most 4 steps)"},
			[]string{`"paths": []`},
		},
		"a search as a persona": {
			func(w *bytes.Buffer, asJSON bool) error {
				c := searchCmd{Questions: []string{"阿岩在哪里上班"}, Space: space, As: "墨鱼", Limit: 10, AsOf: "2099", JSON: asJSON}
				return c.search(t.Context(), a.store, w)
			},
			[]string{"? 阿岩在哪里上班", "阿岩在海港咖啡上班。"},
			[]string{`"results"`, `"legs"`, `"createdAt"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var people, pipe bytes.Buffer
			if err := tt.run(&people, false); err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				if !strings.Contains(people.String(), want) {
					t.Errorf("%q is missing in:\n%s", want, people.String())
				}
			}
			if err := tt.run(&pipe, true); err != nil {
				t.Fatal(err)
			}
			if !json.Valid(pipe.Bytes()) {
				t.Fatalf("no JSON: %s", pipe.String())
			}
			for _, key := range tt.keys {
				if !strings.Contains(pipe.String(), key) {
					t.Errorf("%s is missing in %s", key, pipe.String())
				}
			}
		})
	}
}
