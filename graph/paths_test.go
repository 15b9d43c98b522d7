package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

// ways gives paths as texts: "A -relation> B <relation- C".
func ways(paths []graph.Path) []string {
	out := []string{}
	for _, p := range paths {
		var b strings.Builder
		b.WriteString(p.Nodes[0].Name)
		for i, e := range p.Edges {
			if e.Subject == p.Nodes[i].ID && e.Object == p.Nodes[i+1].ID {
				fmt.Fprintf(&b, " -%s> ", e.Relation)
			} else {
				fmt.Fprintf(&b, " <%s- ", e.Relation)
			}
			b.WriteString(p.Nodes[i+1].Name)
		}
		out = append(out, b.String())
	}
	return out
}

func TestPathsComeShortestFirst(t *testing.T) {
	w := newWorld(t)
	w.persona("小满", "")
	w.remember(
		fact{"阿岩", "work_at", "海港咖啡", []string{"小满"}},
		fact{"海港咖啡", "located_in", "里斯本", []string{"小满"}},
		fact{"Maya", "live_in", "里斯本", []string{"小满"}},
		fact{"Maya", "friend_of", "阿岩", nil},
		fact{"Maya", "know", "阿岩", nil},
		fact{"墨鱼", "also", "鱼哥", []string{"小满"}},
		fact{"鱼哥", "alias_of", "墨鱼", nil},
		fact{"墨鱼", "work_at", "海港咖啡", nil},
		fact{"鱼哥", "own", "船", nil},
		fact{"孤岛", "near", "灯塔", nil},
		fact{"42", "near", "船", nil},
	)
	tests := map[string]struct {
		query graph.PathQuery
		want  []string
	}{
		"the newest memory stands for several, longer ways follow": {
			graph.PathQuery{From: "阿岩", To: "Maya"},
			[]string{"阿岩 <know- Maya"},
		},
		"two steps, then three": {
			graph.PathQuery{From: "阿岩", To: "里斯本"},
			[]string{"阿岩 <know- Maya -live_in> 里斯本", "阿岩 -work_at> 海港咖啡 -located_in> 里斯本"},
		},
		"as far as a persona knows": {
			graph.PathQuery{From: "阿岩", To: "Maya", AsPersona: "小满"},
			[]string{"阿岩 -work_at> 海港咖啡 -located_in> 里斯本 <live_in- Maya"},
		},
		"not farther than asked": {graph.PathQuery{From: "阿岩", To: "Maya", AsPersona: "小满", MaxHops: 2}, []string{}},
		"an alias costs nothing": {
			graph.PathQuery{From: "海港咖啡", To: "船", MaxHops: 2},
			[]string{"海港咖啡 <work_at- 墨鱼 <alias_of- 鱼哥 -own> 船"},
		},
		"by number":              {graph.PathQuery{From: fmt.Sprint(w.ids["海港咖啡"]), To: "里斯本", MaxHops: 1}, []string{"海港咖啡 -located_in> 里斯本"}},
		"a number may be a name": {graph.PathQuery{From: "42", To: "船", MaxHops: 1}, []string{"42 -near> 船"}},
		"to itself":              {graph.PathQuery{From: "阿岩", To: "阿岩"}, []string{"阿岩"}},
		"nowhere":                {graph.PathQuery{From: "阿岩", To: "孤岛", MaxHops: 6}, []string{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := w.store.Paths(t.Context(), w.space, tt.query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, ways(got)); diff != "" {
				t.Errorf("paths (-want +got)\n%s", diff)
			}
		})
	}
	wrong := map[string]struct {
		query graph.PathQuery
		code  graph.Code
	}{
		"no end":                        {graph.PathQuery{From: "阿岩"}, graph.CodeInvalid},
		"an unknown end":                {graph.PathQuery{From: "阿岩", To: "谁"}, graph.CodeNotFound},
		"an unknown number":             {graph.PathQuery{From: "阿岩", To: "9007199254740000"}, graph.CodeNotFound},
		"an end the persona never met":  {graph.PathQuery{From: "阿岩", To: "孤岛", AsPersona: "小满"}, graph.CodeNotFound},
		"an unknown persona":            {graph.PathQuery{From: "阿岩", To: "Maya", AsPersona: "谁"}, graph.CodeNotFound},
		"too many hops":                 {graph.PathQuery{From: "阿岩", To: "Maya", MaxHops: 7}, graph.CodeInvalid},
		"as somebody who is no persona": {graph.PathQuery{From: "阿岩", To: "Maya", AsPersona: "Maya"}, graph.CodeNotFound},
	}
	for name, tt := range wrong {
		t.Run(name, func(t *testing.T) {
			_, err := w.store.Paths(t.Context(), w.space, tt.query)
			wantCode(t, err, tt.code)
		})
	}
}

func TestPathsThroughAHubStayBounded(t *testing.T) {
	w := hub(t)
	started := time.Now()
	for _, tt := range []struct {
		from, to string
		hops     int
		want     string
	}{
		{"leaf 998", "leaf 999", 2, "leaf 998 <hold- hub -hold> leaf 999"},
		{"hub", "far", 2, "hub -hold> leaf 3 -next> far"},
		{"ring 1", "far", 4, "ring 1 <next- leaf 1 <hold- hub -hold> leaf 3 -next> far"},
	} {
		got, err := w.store.Paths(t.Context(), w.space, graph.PathQuery{From: tt.from, To: tt.to, MaxHops: 6})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 0 || ways(got)[0] != tt.want || len(got) > 5 {
			t.Errorf("%s to %s: %v, want %s first", tt.from, tt.to, ways(got), tt.want)
		}
	}
	got, err := w.store.Paths(t.Context(), w.space, graph.PathQuery{From: "ring 2", To: "leaf 1", MaxHops: 6, AsPersona: "小满"})
	if err != nil || !cmp.Equal(ways(got), []string{"ring 2 <next- ring 1 <next- leaf 1"}) {
		t.Errorf("as a persona: %v, %v", ways(got), err)
	}
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("four questions took %v", took)
	}
}
