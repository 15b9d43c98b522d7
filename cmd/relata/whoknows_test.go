package main

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/graph"
)

type whoKnowsCase struct {
	ID        string   `json:"id"`
	Question  string   `json:"question"`
	AsPersona string   `json:"as_persona"`
	Memory    *wanted  `json:"memory"`
	Personas  []string `json:"expected_personas"`
	Visible   []wanted `json:"expected_visible"`
	Hidden    []wanted `json:"expected_hidden"`
}

// checkWhoKnows holds the fifteen cases of who-knows.json against the graph.
func checkWhoKnows(t *testing.T, a *app, space string) {
	var file struct{ Cases []whoKnowsCase }
	expected(t, "who-knows.json", &file)
	if len(file.Cases) != 15 {
		t.Fatalf("%d cases, want 15", len(file.Cases))
	}
	byContent := make(map[string]graph.Memory)
	for _, m := range allMemories(t, a, space, false) {
		byContent[m.Content] = m
	}
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			if c.Memory == nil {
				checkSeenBy(t, a, space, c)
				return
			}
			m, ok := byContent[c.Memory.Content]
			if !ok {
				t.Fatalf("the memory %q is not there", c.Memory.Content)
			}
			known, err := a.store.WhoKnows(t.Context(), space, graph.WhoKnowsQuery{Memory: m.ID})
			if err != nil {
				t.Fatal(err)
			}
			var personas []string
			for _, k := range known[0].KnownBy {
				if k.Persona {
					personas = append(personas, k.Entity.Name)
				}
			}
			slices.Sort(personas)
			slices.Sort(c.Personas)
			if diff := gocmp.Diff(c.Personas, personas); diff != "" {
				t.Errorf("who knows it (-want +got):\n%s", diff)
			}
			// Who does not know it does not find it, whatever it asks.
			about, err := a.store.WhoKnows(t.Context(), space, graph.WhoKnowsQuery{About: c.Question, Limit: 50})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(about, func(k graph.Known) bool { return k.ID == m.ID }) {
				t.Errorf("the question %q does not lead to it", c.Question)
			}
			for _, p := range []string{"小满", "Lumen", "墨鱼"} {
				found := slices.ContainsFunc(askAll(t, a, space, p, c.Question), func(h graph.Hint) bool { return h.ID == m.ID })
				if knows := slices.Contains(c.Personas, p); found && !knows {
					t.Errorf("%s finds it and does not know it", p)
				}
			}
		})
	}
}

// checkSeenBy checks what a persona sees and what it must not see.
func checkSeenBy(t *testing.T, a *app, space string, c whoKnowsCase) {
	hints := askAll(t, a, space, c.AsPersona, c.Question)
	has := func(w wanted) bool {
		return slices.ContainsFunc(hints, func(h graph.Hint) bool { return h.Memory == w.Content })
	}
	for _, w := range c.Visible {
		if !has(w) {
			t.Errorf("%s does not find %q", c.AsPersona, w.Content)
		}
	}
	known, err := a.store.Memories(t.Context(), space, graph.MemoryFilter{KnownTo: c.AsPersona, Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range c.Hidden {
		if has(w) || slices.ContainsFunc(known.Items, func(m graph.Memory) bool { return m.Content == w.Content }) {
			t.Errorf("%s sees %q", c.AsPersona, w.Content)
		}
	}
}

// askAll asks over all categories, for as many hints as there can be.
func askAll(t *testing.T, a *app, space, as, question string) []graph.Hint {
	t.Helper()
	return ask(t.Context(), t, a, space, as, graph.Query{Memory: question, All: true, Limit: 50})
}
