package graph_test

import (
	"testing"

	"relata/graph"
)

// What a question names to say when is looked for, and what lies in the time that
// it means is preferred.
func TestQuestionsSayWhenByWhatHappened(t *testing.T) {
	w := newWorld(t)
	dates := []string{"2024-03-01", "2025-06-10", "2025-09-01", "2023-05-02", "2025-01-15", "2026-02-01", "2026-03-01", "2022-02-01"}
	contents := []string{
		"Ana drew maps for a harbour office", "Ana moved to Lisbon", "Ana drew maps for a tram company",
		"小满在城南的面包店帮忙", "小满考上了美术学院", "小满在一家画廊帮忙",
		"Tom moved to Porto", "舟舟考上了美术学院的附中",
	}
	w.rememberAs(func(i int, add *graph.MemoryAdd, _ *graph.ChangeSet) {
		add.Memory.Content, add.Memory.EventDate = contents[i], dates[i]
		vectors, err := w.store.Embed(t.Context(), []string{contents[i]})
		if err != nil {
			t.Fatal(err)
		}
		add.Vector = vectors[0]
	},
		fact{"Ana", "work_for", "harbour office", nil}, fact{"Ana", "move_to", "Lisbon", nil}, fact{"Ana", "work_for", "tram company", nil},
		fact{"小满", "work_for", "面包店", nil}, fact{"小满", "enter", "美术学院", nil}, fact{"小满", "work_for", "画廊", nil},
		fact{"Tom", "move_to", "Porto", nil}, fact{"舟舟", "enter", "附中", nil},
	)
	first := func(question string, among ...int) string {
		t.Helper()
		for _, got := range w.ask(question) {
			for _, i := range among {
				if got == contents[i] {
					return got
				}
			}
		}
		return ""
	}
	for _, tt := range []struct {
		question string
		among    []int // which of these comes first is what counts
		want     int
	}{
		{"Who did Ana draw maps for before she moved to Lisbon?", []int{0, 2}, 0},
		{"Who did Ana draw maps for after she moved to Lisbon?", []int{0, 2}, 2},
		{"Who has Ana drawn maps for since she moved to Lisbon?", []int{0, 2}, 2},
		{"Who did Ana draw maps for before she moved?", []int{0, 2}, 0},
		{"Who did Ana draw maps for after she moved?", []int{0, 2}, 2},
		{"小满考上学校之前在哪里帮忙？", []int{3, 5}, 3},
		{"小满在她考上附中之前在哪里帮忙？", []int{3, 5}, 3},
		{"Who did Ana draw maps for before 2025?", []int{0, 2}, 0},
		{"小满考上美术学院之前在哪里帮忙？", []int{3, 5}, 3},
		{"小满考上美术学院以后在哪里帮忙？", []int{3, 5}, 5},
		{"小满考上美术学院前在哪里帮忙？", []int{3, 5}, 3},
		{"2024年之前小满在哪里帮忙？", []int{3, 5}, 3},
	} {
		if got := first(tt.question, tt.among...); got != contents[tt.want] {
			t.Errorf("%s: %q comes first, want %q", tt.question, got, contents[tt.want])
		}
	}
}
