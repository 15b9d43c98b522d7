package api_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

func TestEntitiesAreByteForByteAsDocumented(t *testing.T) {
	people := []graph.Entity{
		{ID: 3, Name: "阿岩", Key: "阿岩", Aliases: []string{"林岩"}, Kind: "person"},
		{ID: 4, Name: "小满", Kind: "persona", Persona: true},
	}
	edges := []graph.Edge{{MemoryID: 17, Relation: "own", Subject: 3, Object: 4}}
	const (
		first  = `{"id":3,"name":"阿岩","aliases":["林岩"],"kind":"person","persona":false}`
		second = `{"id":4,"name":"小满","aliases":[],"kind":"persona","persona":true}`
		link   = `{"relation":"own","memory_id":17,"subject":3,"object":4}`
	)
	f := &fake{
		entities: func(graph.EntityFilter) (graph.Page[graph.Entity], error) {
			return graph.Page[graph.Entity]{Items: people, Cursor: "c"}, nil
		},
		entity: func(graph.EntityID, string) (graph.Entity, error) { return people[0], nil },
		around: func(graph.NeighbourhoodQuery) (graph.Subgraph, error) {
			return graph.Subgraph{Nodes: people, Edges: edges, Truncated: true}, nil
		},
		paths: func(graph.PathQuery) ([]graph.Path, error) {
			return []graph.Path{{Nodes: people, Edges: edges}, {Nodes: people[:1]}}, nil
		},
	}
	tests := map[string]string{
		"/entities":                 `{"entities":[` + first + `,` + second + `],"cursor":"c"}`,
		"/entities/3":               first,
		"/entities/3/neighbourhood": `{"nodes":[` + first + `,` + second + `],"edges":[` + link + `],"truncated":true}`,
		"/paths?from=3&to=4":        `{"paths":[{"nodes":[` + first + `,` + second + `],"edges":[` + link + `]},{"nodes":[` + first + `],"edges":[]}]}`,
	}
	for path, want := range tests {
		t.Run(path, func(t *testing.T) {
			w := call(t, serve(t, f), request("GET", "/v1/spaces/cafe"+path, ""))
			wantStatus(t, w, 200)
			wantBody(t, w, want)
		})
	}
	t.Run("nothing is no null", func(t *testing.T) {
		s := serve(t, &fake{})
		wantBody(t, call(t, s, request("GET", "/v1/spaces/cafe/entities", "")), `{"entities":[]}`)
		wantBody(t, call(t, s, request("GET", "/v1/spaces/cafe/entities/3/neighbourhood", "")), `{"nodes":[],"edges":[]}`)
		wantBody(t, call(t, s, request("GET", "/v1/spaces/cafe/paths?from=a&to=b", "")), `{"paths":[]}`)
	})
}

func TestQuestionsAboutEntitiesReachTheStore(t *testing.T) {
	var filter graph.EntityFilter
	var around graph.NeighbourhoodQuery
	var path graph.PathQuery
	var added []string
	var as string
	s := serve(t, &fake{
		entities: func(q graph.EntityFilter) (graph.Page[graph.Entity], error) {
			filter = q
			return graph.Page[graph.Entity]{}, nil
		},
		entity: func(id graph.EntityID, persona string) (graph.Entity, error) {
			as = persona
			return graph.Entity{ID: id}, nil
		},
		around: func(q graph.NeighbourhoodQuery) (graph.Subgraph, error) {
			around = q
			return graph.Subgraph{}, nil
		},
		paths: func(q graph.PathQuery) ([]graph.Path, error) {
			path = q
			return nil, nil
		},
		addAliases: func(id graph.EntityID, aliases []string) (graph.Entity, error) {
			added = aliases
			return graph.Entity{ID: id, Aliases: aliases}, nil
		},
	})
	get := func(path string) { wantStatus(t, call(t, s, request("GET", "/v1/spaces/cafe"+path, "")), 200) }

	get("/entities?name=C%2B%2B&as_persona=%E5%B0%8F%E6%BB%A1&cursor=abc&limit=7")
	if diff := cmp.Diff(graph.EntityFilter{Name: "C++", AsPersona: "小满", Cursor: "abc", Limit: 7}, filter); diff != "" {
		t.Errorf("filter (-want +got)\n%s", diff)
	}
	get("/entities/9?as_persona=x")
	if as != "x" {
		t.Errorf("asked as %q", as)
	}
	get("/entities/9/neighbourhood")
	if diff := cmp.Diff(graph.NeighbourhoodQuery{Entity: 9, Depth: 1, Limit: 50}, around); diff != "" {
		t.Errorf("neighbourhood (-want +got)\n%s", diff)
	}
	get("/entities/9/neighbourhood?depth=3&relations=own,live_in&limit=200&as_persona=x")
	if diff := cmp.Diff(graph.NeighbourhoodQuery{Entity: 9, Depth: 3, Relations: []string{"own", "live_in"}, Limit: 200, AsPersona: "x"}, around); diff != "" {
		t.Errorf("neighbourhood (-want +got)\n%s", diff)
	}
	get("/paths?from=%e5%b2%a9&to=7&max_hops=6&as_persona=x")
	if diff := cmp.Diff(graph.PathQuery{From: "岩", To: "7", MaxHops: 6, AsPersona: "x"}, path); diff != "" {
		t.Errorf("path (-want +got)\n%s", diff)
	}
	w := call(t, s, request("POST", "/v1/spaces/cafe/entities/9/aliases", `{"aliases":["林岩"]}`))
	wantStatus(t, w, 200)
	wantBody(t, w, `{"id":9,"name":"","aliases":["林岩"],"kind":"","persona":false}`)
	if !cmp.Equal(added, []string{"林岩"}) {
		t.Errorf("added %v", added)
	}
}
