package extractor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

// shownTo gives what the model is shown of a space.
func shownTo(t *testing.T, w *world, b extractor.Batch, tokens int) extractor.Input {
	t.Helper()
	m := says(nothing)
	ingest(t, newExtractor(t, w, m, func(o *extractor.Options) { o.ContextTokens = tokens }), b, extractor.IngestOptions{})
	in, err := extractor.ReadInput(strings.NewReader(m.requests()[0].User))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestContextLevelsOffAsTheSpaceGrows(t *testing.T) {
	size := func(n int) (relations, memories, tokens int) {
		w := harbour()
		for i := range n {
			w.relations = append(w.relations, graph.Relation{Key: fmt.Sprintf("key_%d", i), Content: "表示主体与客体之间的某种关系"})
			w.memories = append(w.memories, graph.Memory{ID: graph.MemoryID(i + 1), Subject: "阿岩", Object: "厦门", Relation: "key_1", Content: strings.Repeat("阿岩住在厦门。", 10)})
		}
		in := shownTo(t, w, talk("a"), 10_000)
		in.Chats = nil
		return len(in.Relations), len(in.Memories), extractor.EstimateTokens(extractor.EncodeInput(in, ""))
	}
	if r, m, _ := size(20); r != 20 || m != 20 {
		t.Errorf("a small space is shown as %d relations, %d memories", r, m)
	}
	r1, m1, t1 := size(1000)
	r2, m2, t2 := size(2000)
	if r1 != r2 || m1 != m2 || t1 > 11_000 || t2 > 11_000 || r1 < 50 || m1 < 50 {
		t.Errorf("%d, %d relations; %d, %d memories; %d, %d tokens", r1, r2, m1, m2, t1, t2)
	}
}

func TestContextPrefersRelationsInUseAndNear(t *testing.T) {
	w := harbour()
	for i := range 200 {
		w.relations = append(w.relations, graph.Relation{Key: fmt.Sprintf("key_%d", i), Content: "表示别的意思"})
	}
	w.relations = append(
		w.relations, graph.Relation{Key: "have_pet", Content: "表示主体饲养客体（宠物）"},
		graph.Relation{Key: "play", Content: "表示主体打羽毛球之类的运动"},
		graph.Relation{Key: "old", Content: "旧", Status: graph.RelationDeprecated},
		graph.Relation{Key: "waits", Content: "待批准", Status: graph.RelationPending},
	)
	w.memories = []graph.Memory{{ID: 1, Subject: "阿岩", Object: "螺丝", Relation: "have_pet", Content: "阿岩养猫。"}}
	in := shownTo(t, w, talk("我周三打羽毛球"), 1000)
	var keys []string
	for _, r := range in.Relations {
		keys = append(keys, r.Key)
	}
	if n := len(keys); n < 3 || n > 20 || keys[n-2] != "have_pet" || keys[n-1] != "play" {
		t.Errorf("relations %v", keys)
	}
	w.relations = w.relations[200:]
	if in := shownTo(t, w, talk("a"), 0); len(in.Relations) != 2 {
		t.Errorf("relations that cannot be used are shown: %+v", in.Relations)
	}
}

func TestContextIsInTimeOrder(t *testing.T) {
	w := harbour()
	day := func(d int) time.Time { return time.Date(2026, 1, d, 0, 0, 0, 0, time.UTC) }
	w.memories = []graph.Memory{{ID: 3, Date: day(3), Content: "3"}, {ID: 1, Date: day(1), Content: "1"}, {ID: 2, Date: day(1), Content: "2"}}
	var got []string
	for _, m := range shownTo(t, w, talk("a"), 0).Memories {
		got = append(got, m.Content)
	}
	if diff := cmp.Diff([]string{"1", "2", "3"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestContextAsksWithWhatTheBatchBringsUp(t *testing.T) {
	w := harbour()
	b := talk("我养了猫", strings.Repeat("长", 5000))
	b.Present = []string{"墨鱼", "李明"}
	b.Chats = append(b.Chats,
		extractor.Chat{Role: "assistant", Speaker: "小满", ToolCalls: []graph.ToolCall{{Function: "f"}}},
		extractor.Chat{Role: "tool", Speaker: "f", Content: "{}"})
	shownTo(t, w, b, 0)
	q := w.asked[0]
	if diff := cmp.Diff([]string{"小满", "阿岩", "墨鱼", "舟舟", "李明"}, q.Names); diff != "" {
		t.Error(diff)
	}
	if q.Session != "s1" || len(q.Texts) != 2 || q.Texts[0] != "我养了猫" || len(q.Texts[1]) > 600 || q.Personas != nil || q.Limit == 0 {
		t.Errorf("%+v", q)
	}
}

func TestContextOfWhatThosePresentKnow(t *testing.T) {
	w := harbour()
	w.space.WriterSees = graph.WriterSeesPresent
	w.memories = []graph.Memory{{ID: 1, Content: "秘密"}}
	b := talk("a")
	b.Present = []string{"墨鱼"}
	shownTo(t, w, b, 0)
	if diff := cmp.Diff([]string{"小满", "墨鱼"}, w.asked[0].Personas); diff != "" {
		t.Error(diff)
	}
	b = talk("a")
	b.Persona, b.Session = nil, "s2"
	if in := shownTo(t, w, b, 0); len(w.asked) != 1 || len(in.Memories) > 0 {
		t.Error("with nobody there, something is shown")
	}
}

func TestEstimateTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abcd": 1, "abcde": 2, "阿岩养猫。": 5, "C++和Rust": 3, "👩": 1} {
		if got := extractor.EstimateTokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}

func TestCutEndsBetweenCharacters(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"abc", 5, "abc"},
		{"abc", 2, "ab"},
		{"abc", 0, ""},
		{"阿岩", 4, "阿"},
		{"阿岩", 2, ""},
		{"a👩‍💻b", 5, "a"},
		{"a👩‍💻b", 8, "a"},
		{"a👩‍💻b", 12, "a👩‍💻"},
		{"a👍🏽", 5, "a"},
		{"ae\u0301", 2, "a"},
		{"a❤\ufe0f", 4, "a"},
		{"a🇨🇳", 6, "a"},
		{"a\xff\xfe", 2, "a\xff"},
	} {
		if got := extractor.Cut(tt.text, tt.n); got != tt.want {
			t.Errorf("%q at %d: %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}
