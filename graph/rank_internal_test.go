package graph

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// contents gives the order of candidates by their sentences.
func contents(ranked []candidate) []string {
	var out []string
	for _, c := range ranked {
		out = append(out, c.content)
	}
	return out
}

func TestRank(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	tests := []struct {
		name       string
		question   string
		relations  map[string]float64
		candidates []candidate
		want       []string
	}{
		{
			name: "nearest first where words say nothing", question: "where",
			candidates: []candidate{
				{id: 1, content: "far away", hasCosine: true, cosine: 0.1},
				{id: 2, content: "close by", hasCosine: true, cosine: 0.9},
			},
			want: []string{"close by", "far away"},
		},
		{
			name: "a rare word outweighs a small lead of the vector", question: "who paints kites",
			candidates: []candidate{
				{id: 1, content: "Tom paints walls", hasCosine: true, cosine: 0.60},
				{id: 2, content: "Ana sells kites", hasCosine: true, cosine: 0.58},
				{id: 3, content: "Tom paints doors", hasCosine: true, cosine: 0.2},
				{id: 4, content: "Ida paints chairs", hasCosine: true, cosine: 0.1},
			},
			want: []string{"Ana sells kites", "Tom paints walls", "Tom paints doors", "Ida paints chairs"},
		},
		{
			name: "across scripts the vector decides alone", question: "the cat of Ayan",
			candidates: []candidate{
				{id: 1, content: "阿岩养了一只猫", hasCosine: true, cosine: 0.8},
				{id: 2, content: "Ayan and the cat café", hasCosine: true, cosine: 0.3},
				{id: 3, content: "something else", hasCosine: true, cosine: 0.1},
			},
			want: []string{"阿岩养了一只猫", "Ayan and the cat café", "something else"},
		},
		{
			name: "the relation asked for decides among what hangs on a name", question: "阿岩住在哪里",
			relations: map[string]float64{"live_in": 1, "come_from": 0.2},
			candidates: []candidate{
				{id: 1, content: "阿岩来自漳州", relation: "come_from", hasCosine: true, cosine: 0.8, ways: []way{{hops: 1, along: []float64{0.8}}}},
				{id: 2, content: "阿岩搬到了杭州", relation: "live_in", hasCosine: true, cosine: 0.6, ways: []way{{hops: 1, along: []float64{0.6}}}},
				{id: 3, content: "别的", relation: "like", hasCosine: true, cosine: 0.1},
			},
			want: []string{"阿岩搬到了杭州", "阿岩来自漳州", "别的"},
		},
		{
			name: "ties go to the newer, then to the later id", question: "tea",
			candidates: []candidate{
				{id: 1, content: "one", date: day(1)}, {id: 2, content: "two", date: day(2)}, {id: 3, content: "three", date: day(2)},
			},
			want: []string{"three", "two", "one"},
		},
		{
			name: "the same sentence stands once", question: "tea",
			candidates: []candidate{
				{id: 1, content: "Maya drinks tea.", date: day(1)}, {id: 2, content: "maya drinks  tea", date: day(2)},
			},
			want: []string{"maya drinks  tea"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := &question{text: tt.question, limit: 10, relations: tt.relations, candidates: tt.candidates, size: len(tt.candidates)}
			if diff := cmp.Diff(tt.want, contents(rank(q))); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNewestFirst(t *testing.T) {
	ranked := []candidate{{id: 1, content: "oldest"}, {id: 2, content: "older"}, {id: 3, content: "other"}, {id: 4, content: "now"}}
	details := map[MemoryID]detail{1: {supersededBy: []MemoryID{2}}, 2: {supersededBy: []MemoryID{4}}, 3: {}, 4: {}}
	got := contents(newestFirst(ranked, details))
	at := make(map[string]int)
	for i, c := range got {
		at[c] = i
	}
	if !(at["now"] < at["older"] && at["older"] < at["oldest"]) {
		t.Errorf("the order is %v: nothing replaced may stand above what replaced it", got)
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
