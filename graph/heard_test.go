package graph_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

// A memory is found by what was said where it was read, too: by whoever may know
// what was said there.
func TestMemoriesAreFoundByTheWordsOfTheirMessages(t *testing.T) {
	w := newWorld(t)
	w.store = open(t, func(*graph.Options) {}) // without an embedder only words can find anything
	for _, name := range []string{"小满", "墨鱼", "Maya"} {
		w.persona(name, "")
	}
	messages := []graph.Source{
		{SourceID: 1, Content: "昨天终于去鼓楼东边那家修表铺，把奶奶的怀表取回来了", Present: []string{"小满"}},
		{SourceID: 2, Content: "The watchmaker beside the drum tower had kept it for a month", Present: []string{"小满", "Maya"}},
		{SourceID: 3, Content: "藏在船坞的抽屉里", Present: []string{"墨鱼"}},
	}
	ids := w.rememberAs(func(i int, add *graph.MemoryAdd, c *graph.ChangeSet) {
		if i == 0 {
			c.Sources = messages
		}
		add.SourceIDs = [][]int64{{1}, {1, 2}, {2, 3}}[i]
	},
		fact{"阿岩", "fetch", "怀表", []string{"小满", "墨鱼", "Maya"}},
		fact{"阿岩", "visit", "watchmaker", []string{"小满", "墨鱼", "Maya"}},
		fact{"Ana", "keep", "key", []string{"小满", "墨鱼", "Maya"}},
	)
	const watch, visit, key = "阿岩 fetch 怀表", "阿岩 visit watchmaker", "Ana keep key"
	tests := []struct {
		name, question, persona string
		want                    []string
	}{
		{"by its own words", "怀表", "", []string{watch, visit}},
		{"by a detail that it leaves out", "修表铺", "", []string{watch, visit}},
		{"in English", "drum tower", "", []string{key, visit}},
		{"by each of its messages", "船坞 drum", "", []string{key, visit}},
		{"by one who was there", "修表铺", "小满", []string{watch, visit}},
		{"not by one who was told", "修表铺", "墨鱼", []string{}},
		{"but by what the told one was told", "怀表", "墨鱼", []string{watch}},
		{"only where all of its messages were heard", "drum tower", "Maya", []string{}},
		{"nor by one who heard another of them", "船坞", "墨鱼", []string{}},
		{"nothing by a common word", "the had for", "", []string{}},
	}
	check := func(name, question, persona string, want []string) {
		t.Helper()
		got := w.ask(question, func(r *graph.SearchRequest) {
			r.AsPersona, r.Legs = persona, []graph.Leg{graph.LegText}
		})
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %q as %q finds (-want +got):\n%s", name, question, persona, diff)
		}
	}
	for _, tt := range tests {
		check(tt.name, tt.question, tt.persona, tt.want)
	}

	err := w.store.Write(t.Context(), w.space, func(ctx context.Context, tx *graph.Tx) error {
		return tx.Apply(ctx, &graph.ChangeSet{Update: []*graph.MemoryUpdate{
			{ID: ids[0], ReplaceSources: true},
			{ID: ids[1], ReplaceSources: true, MsgIDs: []int64{2}},
		}})
	})
	if err != nil {
		t.Fatal(err)
	}
	check("no longer by a message that was taken away", "修表铺", "", []string{})
	check("still by one that stays", "drum tower", "", []string{visit, key})
	check("and by all who heard it", "drum tower", "Maya", []string{visit})
}
