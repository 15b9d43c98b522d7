package graph

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// asHints gives the sentences of a question's hints in their order.
func asHints(q *question, details map[MemoryID]detail) []string {
	var out []string
	for _, h := range hints(q, hydrated{details: details}, false) {
		out = append(out, h.Memory)
	}
	return out
}

// found is a candidate with what it says.
type found struct {
	candidate
	content string
}

// asked makes a question over candidates, with their words as the text index
// holds them.
func asked(text string, relations map[string]float64, all []found) (*question, map[MemoryID]detail) {
	q := &question{text: text, limit: 10, legs: legSet{true, true, true}, relations: relations, size: len(all), spans: nameSpans(text)}
	details := make(map[MemoryID]detail)
	for _, f := range all {
		f.terms, f.chars = memoryTerms(Memory{Content: f.content})
		q.candidates = append(q.candidates, f.candidate)
		details[f.id] = detail{content: f.content, date: f.date, retired: f.retired}
	}
	q.ranked = rank(q)
	return q, details
}

func TestRank(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	near := func(id MemoryID, cosine float64, content string) found {
		return found{candidate{id: id, hasCosine: true, cosine: cosine}, content}
	}
	tests := []struct {
		name      string
		question  string
		relations map[string]float64
		found     []found
		want      []string
	}{
		{
			name: "nearest first where words say nothing", question: "where",
			found: []found{near(1, 0.1, "far away"), near(2, 0.9, "close by")},
			want:  []string{"close by", "far away"},
		},
		{
			name: "a rare word outweighs a small lead of the vector", question: "who paints kites",
			found: []found{
				near(1, 0.60, "Tom paints walls"), near(2, 0.58, "Ana sells kites"),
				near(3, 0.2, "Tom paints doors"), near(4, 0.1, "Ida paints chairs"),
			},
			want: []string{"Ana sells kites", "Tom paints walls", "Tom paints doors", "Ida paints chairs"},
		},
		{
			name: "across scripts the vector decides alone", question: "the cat of Ayan",
			found: []found{near(1, 0.8, "阿岩养了一只猫"), near(2, 0.3, "Ayan and the cat café"), near(3, 0.1, "something else")},
			want:  []string{"阿岩养了一只猫", "Ayan and the cat café", "something else"},
		},
		{
			name: "a character that stands alone is a word", question: "猫?",
			found: []found{near(1, 0.4, "阿岩有一只猫"), near(2, 0.41, "阿岩有一只狗"), near(3, 0, "别的")},
			want:  []string{"阿岩有一只猫", "阿岩有一只狗", "别的"},
		},
		{
			name: "the relation asked for decides among what hangs on a name", question: "阿岩住在哪里",
			relations: map[string]float64{"live_in": 1, "come_from": 0.2},
			found: []found{
				{candidate{id: 1, relation: "come_from", hasCosine: true, cosine: 0.8, ways: []way{{along: []float64{0.8}}}}, "阿岩来自漳州"},
				{candidate{id: 2, relation: "live_in", hasCosine: true, cosine: 0.6, ways: []way{{along: []float64{0.6}}}}, "阿岩搬到了杭州"},
				{candidate{id: 3, relation: "like", hasCosine: true, cosine: 0.1}, "别的"},
			},
			want: []string{"阿岩搬到了杭州", "阿岩来自漳州", "别的"},
		},
		{
			name: "ties go to the newer, then to the later id", question: "tea",
			found: []found{
				{candidate{id: 1, date: day(1)}, "one"}, {candidate{id: 2, date: day(2)}, "two"}, {candidate{id: 3, date: day(2)}, "three"},
			},
			want: []string{"three", "two", "one"},
		},
		{
			name: "the same sentence stands once", question: "tea",
			found: []found{{candidate{id: 1, date: day(1)}, "Maya drinks tea."}, {candidate{id: 2, date: day(2)}, "maya drinks  tea"}},
			want:  []string{"maya drinks  tea"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q, details := asked(tt.question, tt.relations, tt.found)
			if diff := cmp.Diff(tt.want, asHints(q, details)); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatWasReplacedStandsBesideWhatReplacedIt(t *testing.T) {
	tests := []struct {
		name, question string
		want           []string
	}{
		{"next to it where a question asks what was before", "这个以前是什么", []string{"now", "old", "other"}},
		{"a little below it elsewhere", "what now", []string{"now", "other", "old"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := &question{text: tt.question, limit: 10, ranked: []candidate{{id: 1, score: 1}, {id: 2, score: 0.95}}}
			got := hydrated{
				details: map[MemoryID]detail{
					1: {content: "now"}, 2: {content: "other"},
					3: {content: "old", retired: true, supersededBy: []MemoryID{1}},
				},
				before: map[MemoryID][]MemoryID{1: {3}},
			}
			var out []string
			for _, h := range hints(q, got, false) {
				out = append(out, h.Memory)
				if h.Outdated != (h.ID == 3) {
					t.Errorf("%q: outdated is %t", h.Memory, h.Outdated)
				}
			}
			if diff := cmp.Diff(tt.want, out); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMinScoreLeavesOutWhatHasLittleToDoWithTheQuestion(t *testing.T) {
	q := &question{limit: 10, minScore: 0.5, ranked: []candidate{{id: 1, score: 2, confidence: 0.4}, {id: 2, score: 1, confidence: 0.6}}}
	got := asHints(q, map[MemoryID]detail{1: {content: "unsure"}, 2: {content: "sure"}})
	if diff := cmp.Diff([]string{"sure"}, got); diff != "" {
		t.Errorf("hints (-want +got):\n%s", diff)
	}
}

func TestNewestFirst(t *testing.T) {
	ranked := []candidate{{id: 1}, {id: 2}, {id: 3}, {id: 4}}
	details := map[MemoryID]detail{1: {supersededBy: []MemoryID{2}}, 2: {supersededBy: []MemoryID{4}}, 3: {}, 4: {}}
	at := make(map[MemoryID]int)
	for i, c := range newestFirst(ranked, details) {
		at[c.id] = i
	}
	if !(at[4] < at[2] && at[2] < at[1]) {
		t.Errorf("places are %v: nothing replaced may stand above what replaced it", at)
	}
}

func TestNameSpans(t *testing.T) {
	tests := []struct {
		question string
		has, not []string
	}{
		{"阿岩现在住在哪里", []string{"阿岩"}, nil},
		{"how is Salt & Lantern played", []string{"salt&lantern", "salt"}, []string{"&lantern"}},
		{"收银机的Ｃ＋＋程序", []string{"c++", "收银机"}, nil},
		{"Maya和Theo的婚礼", []string{"maya和theo的婚礼", "theo"}, nil},
		{"李明華在哪", []string{"李明华", "李明"}, nil},
	}
	for _, tt := range tests {
		keys := make(map[string]bool)
		for _, s := range nameSpans(tt.question) {
			keys[s.key] = true
		}
		for _, k := range tt.has {
			if !keys[k] {
				t.Errorf("%q: the name %q is missing", tt.question, k)
			}
		}
		for _, k := range tt.not {
			if keys[k] {
				t.Errorf("%q: %q can be no name", tt.question, k)
			}
		}
	}
}

func FuzzTextQuery(f *testing.F) {
	for _, s := range []string{"C++", "tb-", "猫:", `"x`, "a AND (b", "NOT", "~", "真的吗!", "a/b \\", "\x00", "￿"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		nameSpans(s)
		words, chars := QueryTerms(s)
		q := textQuery("space", Category{}, s)
		if (len(words)+len(chars) == 0) != (q == "") {
			t.Fatalf("%q: %d words and %d characters give the query %q", s, len(words), len(chars), q)
		}
	})
}
