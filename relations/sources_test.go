package relations_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"relata/graph"
	"relata/relations"
)

func TestSources(t *testing.T) {
	date := "2026-03-03 20:26:45"
	setup := func(t *testing.T) (*world, graph.MemoryID) {
		w := café(t)
		id := w.memory("Maya", "like", "flat white", "Maya's usual order is an oat flat white, “no sugar”.", func(s *graph.Stored) { s.Date = at(date) })
		return w, id
	}
	tests := []struct {
		name   string
		change func(*relations.MemoryItem)
		hidden bool // not shown to the model
		want   string
		note   string
	}{
		{"an exact copy", func(*relations.MemoryItem) {}, false, "applied", ""},
		{"an exact copy of what the model was not shown", func(*relations.MemoryItem) {}, true, "applied", ""},
		{"two blanks for one", func(m *relations.MemoryItem) { m.Content = strings.Replace(m.Content, "oat flat", "oat  flat", 1) }, false, "applied", "matched loosely: content"},
		{"the same, but not shown", func(m *relations.MemoryItem) { m.Content = strings.Replace(m.Content, "oat flat", "oat  flat", 1) }, true, "rejected source_not_found", "copy it in full"},
		{"other quotes, width and stops", func(m *relations.MemoryItem) {
			m.Content = "Ｍaya’s usual order is an oat flat white， \"no sugar\""
		}, false, "applied", "matched loosely"},
		{"other case in a name", func(m *relations.MemoryItem) { m.Subject = "MAYA" }, false, "applied", "subject"},
		{"another date form", func(m *relations.MemoryItem) { m.Date = "2026-03-03T20:26:45Z" }, false, "applied", "matched loosely: date is " + date},
		{"the day alone", func(m *relations.MemoryItem) { m.Date = "2026年3月3日" }, false, "applied", "matched loosely"},
		{"no date", func(m *relations.MemoryItem) { m.Date = "" }, false, "applied", "date left out"},
		{"another date", func(m *relations.MemoryItem) { m.Date = "2026-03-04 20:26:45" }, false, "rejected source_not_found", ""},
		{"another spelling of the relation", func(m *relations.MemoryItem) { m.Relation = "Likes" }, false, "applied", "relation is like"},
		{"another relation", func(m *relations.MemoryItem) { m.Relation = "plan" }, false, "rejected source_not_found", ""},
		{"other words", func(m *relations.MemoryItem) { m.Content = "Maya's usual order is a soy flat white, “no sugar”." }, false, "rejected source_not_found", ""},
		{"no object", func(m *relations.MemoryItem) { m.Object = "" }, false, "rejected missing_field", "object missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, part := range []string{"replaces", "removes"} {
				w, id := setup(t)
				src := w.source(id)
				tt.change(&src)
				sub := private(relations.Proposal{})
				if part == "replaces" {
					sub.Proposal = replaces(src, item("Maya|like|soy flat white|Maya takes soy now."))
				} else {
					sub.Proposal.Memories.Removes = []relations.MemoryItem{src}
				}
				if !tt.hidden {
					sub.Shown = []graph.MemoryID{id}
				}
				r := w.submit(sub)
				checkVerdicts(t, r, "memories."+part+"[0] "+tt.want)
				checkNote(t, r, 0, tt.note)
				if got, want := len(w.retired), strings.Count(tt.want, "applied"); got != want {
					t.Errorf("%d retired, want %d", got, want)
				}
			}
		})
	}
	t.Run("two that fit are refused, an exact copy is not", func(t *testing.T) {
		w, id := setup(t)
		other := w.memory("Maya", "like", "flat white", "Maya's usual order is an oat flat white, 'no sugar'", func(s *graph.Stored) { s.Date = at(date) })
		w.memories[id].Content = "Maya's usual order is an oat flat white, ‘no sugar’."
		loose := w.source(id)
		loose.Content = "maya's usual order is an oat flat white, ’no sugar’"
		sub := private(relations.Proposal{Memories: relations.MemoryProposals{Removes: []relations.MemoryItem{loose, w.source(other)}}})
		sub.Shown = []graph.MemoryID{id, other}
		checkVerdicts(t, w.submit(sub), "memories.removes[0] rejected ambiguous_source", "memories.removes[1] applied")
	})
	t.Run("a date is shown in the space's time zone", func(t *testing.T) {
		w, id := setup(t)
		w.space.Timezone = "Asia/Shanghai"
		src := w.source(id)
		if src.Date != "2026-03-04 04:26:45" {
			t.Fatalf("date is %s", src.Date)
		}
		checkVerdicts(t, w.submit(private(relations.Proposal{Memories: relations.MemoryProposals{Removes: []relations.MemoryItem{src}}})), "memories.removes[0] applied")
	})
	t.Run("a memory without a date is copied without one", func(t *testing.T) {
		w := café(t)
		id := w.memory("A", "like", "B", "A likes B.", func(s *graph.Stored) { s.Date = time.Time{} })
		checkVerdicts(t, w.submit(private(relations.Proposal{Memories: relations.MemoryProposals{Removes: []relations.MemoryItem{w.source(id)}}})), "memories.removes[0] applied")
	})
	t.Run("the state before the diff counts, not what the diff adds", func(t *testing.T) {
		w := café(t)
		p := increments(item("阿岩|like|海|阿岩喜欢看海。"))
		p.Memories.Removes = []relations.MemoryItem{item("阿岩|like|海|阿岩喜欢看海。", func(m *relations.MemoryItem) { m.Date = "2026-03-05 10:00:00" })}
		checkVerdicts(t, w.submit(private(p)), "memories.increments[0] applied", "memories.removes[0] rejected source_not_found")
	})
}

func TestRemoves(t *testing.T) {
	fill := func(t *testing.T, n int) (*world, relations.Submission) {
		w := café(t)
		sub := private(relations.Proposal{})
		for i := range n {
			id := w.memory("阿岩", "like", fmt.Sprintf("东西%d", i), fmt.Sprintf("阿岩喜欢东西%d。", i))
			sub.Proposal.Memories.Removes = append(sub.Proposal.Memories.Removes, w.source(id))
		}
		return w, sub
	}
	t.Run("a removed memory is kept as history", func(t *testing.T) {
		w, sub := fill(t, 1)
		r := w.submit(sub)
		checkVerdicts(t, r, "memories.removes[0] applied")
		if len(r.Memories.Removed) != 1 || r.Memories.Removed[0].RetiredBy != "remove" || len(w.memories) != 0 {
			t.Errorf("receipt %+v, %d current", r.Memories, len(w.memories))
		}
	})
	t.Run("twice is once", func(t *testing.T) {
		w, sub := fill(t, 1)
		sub.Proposal.Memories.Removes = append(sub.Proposal.Memories.Removes, sub.Proposal.Memories.Removes[0])
		checkVerdicts(t, w.submit(sub), "memories.removes[0] applied", "memories.removes[1] duplicate")
	})
	for _, tt := range []struct {
		name      string
		n, shown  int
		approved  bool
		remaining int
	}{
		{"twenty go", 20, 0, false, 0},
		{"twenty-one wait", 21, 0, false, 21},
		{"twenty-one go when approved", 21, 0, true, 0},
		{"nine of nine that were shown go", 9, 9, false, 0},
		{"ten of twelve that were shown wait", 10, 12, false, 10},
		{"ten of fifty that were shown go", 10, 50, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, sub := fill(t, tt.n)
			for i := range tt.shown {
				sub.Shown = append(sub.Shown, graph.MemoryID(1000+i))
			}
			sub.Approved = tt.approved
			r := w.submit(sub)
			if len(w.memories) != tt.remaining {
				t.Errorf("%d remain, want %d: %v", len(w.memories), tt.remaining, verdicts(r)[0])
			}
		})
	}
}
