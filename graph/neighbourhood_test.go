package graph_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

// edges gives edges as "subject relation object", sorted.
func (w *world) edges(nodes []graph.Entity, edges []graph.Edge) []string {
	byID := make(map[graph.EntityID]string)
	for _, n := range nodes {
		byID[n.ID] = n.Name
	}
	out := []string{}
	for _, e := range edges {
		out = append(out, byID[e.Subject]+" "+e.Relation+" "+byID[e.Object])
	}
	slices.Sort(out)
	return out
}

func TestANeighbourhoodGrowsStepByStep(t *testing.T) {
	w := newWorld(t)
	w.persona("小满", "")
	w.remember(
		fact{"阿岩", "work_at", "海港咖啡", []string{"小满"}},
		fact{"阿岩", "like", "阿岩", nil}, // about himself
		fact{"海港咖啡", "located_in", "里斯本", nil},
		fact{"Maya", "live_in", "里斯本", []string{"小满"}},
		fact{"Maya", "know", "阿岩", nil}, // closes a cycle
		fact{"别处", "near", "天边", nil},
	)
	tests := map[string]struct {
		query graph.NeighbourhoodQuery
		nodes []string
		edges []string
	}{
		"one step": {
			graph.NeighbourhoodQuery{},
			[]string{"Maya", "海港咖啡", "阿岩"},
			[]string{"Maya know 阿岩", "阿岩 like 阿岩", "阿岩 work_at 海港咖啡"},
		},
		"two steps": {
			graph.NeighbourhoodQuery{Depth: 2},
			[]string{"Maya", "海港咖啡", "里斯本", "阿岩"},
			[]string{"Maya know 阿岩", "Maya live_in 里斯本", "海港咖啡 located_in 里斯本", "阿岩 like 阿岩", "阿岩 work_at 海港咖啡"},
		},
		"round the cycle": {
			graph.NeighbourhoodQuery{Depth: 3},
			[]string{"Maya", "海港咖啡", "里斯本", "阿岩"},
			[]string{"Maya know 阿岩", "Maya live_in 里斯本", "海港咖啡 located_in 里斯本", "阿岩 like 阿岩", "阿岩 work_at 海港咖啡"},
		},
		"over some relations": {
			graph.NeighbourhoodQuery{Depth: 3, Relations: []string{"work_at", "located_in"}},
			[]string{"海港咖啡", "里斯本", "阿岩"},
			[]string{"海港咖啡 located_in 里斯本", "阿岩 work_at 海港咖啡"},
		},
		"as a persona": {
			graph.NeighbourhoodQuery{Depth: 3, AsPersona: "小满"},
			[]string{"海港咖啡", "阿岩"},
			[]string{"阿岩 work_at 海港咖啡"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.query.Entity = w.ids["阿岩"]
			got, err := w.store.Neighbourhood(t.Context(), w.space, tt.query)
			if err != nil {
				t.Fatal(err)
			}
			if got.Nodes[0].Name != "阿岩" || got.Truncated {
				t.Errorf("the first is %s, truncated %v", got.Nodes[0].Name, got.Truncated)
			}
			if diff := cmp.Diff(tt.edges, w.edges(got.Nodes, got.Edges)); diff != "" {
				t.Errorf("edges (-want +got)\n%s", diff)
			}
			found := names(got.Nodes)
			slices.Sort(found)
			if diff := cmp.Diff(tt.nodes, found); diff != "" {
				t.Errorf("nodes (-want +got)\n%s", diff)
			}
		})
	}
	t.Run("of what the persona does not know", func(t *testing.T) {
		_, err := w.store.Neighbourhood(t.Context(), w.space, graph.NeighbourhoodQuery{Entity: w.ids["别处"], AsPersona: "小满"})
		wantCode(t, err, graph.CodeNotFound)
	})
	t.Run("a wrong depth", func(t *testing.T) {
		_, err := w.store.Neighbourhood(t.Context(), w.space, graph.NeighbourhoodQuery{Entity: w.ids["阿岩"], Depth: 4})
		wantCode(t, err, graph.CodeInvalid)
	})
	t.Run("a retired memory is no edge", func(t *testing.T) {
		id := w.remember(fact{"阿岩", "own", "龟", nil})
		w.retire(id[0], "own")
		got, err := w.store.Neighbourhood(t.Context(), w.space, graph.NeighbourhoodQuery{Entity: w.ids["龟"], Depth: 3})
		if err != nil || len(got.Nodes) != 1 || len(got.Edges) != 0 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// hub is a world with an entity of a thousand edges within a cycle: from the
// hub to every leaf, from the last leaves on to a ring that leads back.
func hub(t *testing.T) *world {
	w := newWorld(t)
	w.persona("小满", "")
	var facts []fact
	for i := range 1000 {
		facts = append(facts, fact{"hub", "hold", fmt.Sprintf("leaf %d", i), nil})
	}
	facts = append(
		facts,
		fact{"leaf 1", "next", "ring 1", []string{"小满"}},
		fact{"ring 1", "next", "ring 2", []string{"小满"}},
		fact{"ring 2", "next", "leaf 2", nil},
		fact{"leaf 3", "next", "far", nil},
	)
	w.remember(facts...)
	return w
}

func TestAHubInACycleStaysBounded(t *testing.T) {
	w := hub(t)
	started := time.Now()
	for _, from := range []string{"hub", "leaf 1", "ring 1", "far"} {
		got, err := w.store.Neighbourhood(t.Context(), w.space, graph.NeighbourhoodQuery{Entity: w.ids[from], Depth: 3, Limit: 200})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Nodes) != 200 || !got.Truncated {
			t.Errorf("from %s: %d nodes, truncated %v, want 200 and true", from, len(got.Nodes), got.Truncated)
		}
		seen := make(map[graph.EntityID]bool)
		for _, n := range got.Nodes {
			if seen[n.ID] {
				t.Errorf("from %s: %s twice", from, n.Name)
			}
			seen[n.ID] = true
		}
		memories := make(map[graph.MemoryID]bool)
		for _, e := range got.Edges {
			if memories[e.MemoryID] || !seen[e.Subject] || !seen[e.Object] {
				t.Errorf("from %s: edge %+v is there twice or leads out", from, e)
			}
			memories[e.MemoryID] = true
		}
		if from == "ring 1" && !seen[w.ids["ring 2"]] {
			t.Error("the hub crowded out a neighbour")
		}
	}
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("four neighbourhoods took %v", took)
	}
}

func TestManyMemoriesBetweenTwoDoNotHideOthers(t *testing.T) {
	w := newWorld(t)
	var facts []fact
	for i := range 60 {
		facts = append(facts, fact{"阿岩", fmt.Sprintf("say_%d", i), "小满", nil})
	}
	facts = append([]fact{{"阿岩", "own", "龟", nil}}, facts...)
	w.remember(facts...)
	got, err := w.store.Neighbourhood(t.Context(), w.space, graph.NeighbourhoodQuery{Entity: w.ids["阿岩"], Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Nodes) != 3 || len(got.Edges) != 21 || !got.Truncated {
		t.Errorf("%d nodes, %d edges, truncated %v, want 3, 21, true", len(got.Nodes), len(got.Edges), got.Truncated)
	}
}
