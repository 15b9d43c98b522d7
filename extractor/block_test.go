package extractor_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

// library answers every question with the same hints.
type library struct {
	space graph.Space
	hints []graph.Hint
	asked []graph.SearchRequest
}

func (l *library) Space(context.Context, string) (graph.Space, error) { return l.space, nil }

func (l *library) Search(_ context.Context, r graph.SearchRequest) ([]graph.Result, error) {
	l.asked = append(l.asked, r)
	out := make([]graph.Result, len(r.Queries))
	for i := range out {
		out[i].Hints = l.hints
	}
	return out, nil
}

func hint(id int64, score float64, text string, outdated bool) graph.Hint {
	return graph.Hint{
		ID: graph.MemoryID(id), Memory: text, Outdated: outdated, MsgIDs: []int64{id * 10},
		CreatedAt: time.Date(2026, 4, 19, 20, 0, 0, 0, time.UTC), Explain: &graph.Explain{Score: score},
	}
}

func TestABlockSaysWhatHoldsBeforeWhatDoesNot(t *testing.T) {
	l := &library{space: graph.Space{Name: "cafe", Timezone: "Asia/Shanghai"}, hints: []graph.Hint{
		hint(1, 1.0, "阿岩住在厦门。", true), hint(2, 0.9, "阿岩住在杭州。", false), hint(3, 0.8, "阿岩养了一只橘猫。", false),
	}}
	b, err := extractor.ContextBlock(t.Context(), l, extractor.BlockRequest{
		Space: "cafe", AsPersona: "小满", Beliefs: true, Sources: true,
		Turns: []extractor.Chat{{Role: "user", Content: "在吗"}, {Role: "assistant", Content: "在"}, {Role: "tool", Content: "{}"}, {Role: "user", Content: "阿岩现在住哪里"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "记得的事：\n- 2026-04-20 阿岩住在杭州。 [20]\n- 2026-04-20 阿岩养了一只橘猫。 [30]\n从前如此，现在已不成立：\n- 2026-04-20 阿岩住在厦门。 [10]"
	if diff := cmp.Diff(want, b.Text); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]graph.MemoryID{2, 3, 1}, b.Memories); diff != "" {
		t.Error(diff)
	}
	var asked []string
	for _, q := range l.asked[0].Queries {
		asked = append(asked, q.Memory)
	}
	if diff := cmp.Diff([]string{"阿岩现在住哪里", "在", "在吗", "在吗\n在\n阿岩现在住哪里"}, asked); diff != "" {
		t.Errorf("what is asked: %s", diff)
	}
	if !l.asked[0].Beliefs || l.asked[0].AsPersona != "小满" {
		t.Error("it is not asked as the persona")
	}
}

func TestABlockKeepsItsBudget(t *testing.T) {
	l := &library{space: graph.Space{Name: "cafe"}}
	for i := range int64(40) {
		l.hints = append(l.hints, hint(i+1, 1-float64(i)/100, fmt.Sprintf("Fact number %d about the harbour and its many boats.", i), false))
	}
	for _, budget := range []int{1, 50, 200, 800} {
		b, err := extractor.ContextBlock(t.Context(), l, extractor.BlockRequest{Space: "cafe", Queries: []string{"harbour"}, MaxTokens: budget})
		if err != nil {
			t.Fatal(err)
		}
		if b.Tokens > budget || extractor.EstimateTokens(b.Text) != b.Tokens || strings.Count(b.Text, "\n- ") != len(b.Memories) {
			t.Errorf("budget %d: %d tokens, %d memories: %s", budget, b.Tokens, len(b.Memories), b.Text)
		}
	}
}

// A budget that the answers to its questions cannot fill is filled from each
// category, behind these answers.
func TestALargeBudgetIsFilledFromEachCategory(t *testing.T) {
	for _, tt := range []struct {
		budget int
		want   []string // index0 of the queries
	}{
		{800, []string{""}},
		{1600, []string{"", "过往事件", "人物画像", "百科知识", "经验方法"}},
	} {
		l := &library{space: graph.Space{Name: "cafe"}, hints: []graph.Hint{hint(1, 1, "阿岩养猫。", false)}}
		if _, err := extractor.ContextBlock(t.Context(), l, extractor.BlockRequest{Space: "cafe", Queries: []string{"阿岩养了什么"}, MaxTokens: tt.budget}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, q := range l.asked[0].Queries {
			if q.Memory != "阿岩养了什么" || q.All != (q.Index0 == "") {
				t.Errorf("asked %+v", q)
			}
			got = append(got, q.Index0)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || len(l.asked) != 1 {
			t.Errorf("%d tokens, %d searches: %s", tt.budget, len(l.asked), diff)
		}
	}
}

func TestABlockPrefersWhatAddsSomething(t *testing.T) {
	l := &library{space: graph.Space{Name: "cafe", Language: "en"}, hints: []graph.Hint{
		hint(1, 1.0, "Maya moved to Lisbon in May.", false), hint(2, 0.95, "In May Maya moved to Lisbon.", false), hint(3, 0.7, "Theo bakes bread.", false),
	}}
	b, err := extractor.ContextBlock(t.Context(), l, extractor.BlockRequest{Space: "cafe", Queries: []string{"Maya"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]graph.MemoryID{1, 3, 2}, b.Memories); diff != "" {
		t.Error(diff)
	}
}

func TestABlockThatAsksNothingIsRefused(t *testing.T) {
	for name, r := range map[string]extractor.BlockRequest{
		"no turns":         {},
		"blank turns":      {Turns: []extractor.Chat{{Role: "user", Content: "\u3000"}}},
		"a huge budget":    {Queries: []string{"x"}, MaxTokens: 1 << 20},
		"another language": {Queries: []string{"x"}, Language: "fr"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := extractor.ContextBlock(t.Context(), &library{}, r)
			if graph.ErrorCode(err) != graph.CodeInvalid {
				t.Errorf("error %v", err)
			}
		})
	}
}
