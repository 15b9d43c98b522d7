package relations_test

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/relations"
)

// TestFunctional: under live_in a subject has one current value.
func TestFunctional(t *testing.T) {
	event := func(d string) func(*relations.MemoryItem) {
		return func(m *relations.MemoryItem) { m.EventDate = d }
	}
	tests := []struct {
		name    string
		stored  []string
		items   func(*world) relations.Proposal
		want    []string
		current []string
	}{
		{
			"a new value retires the old one",
			[]string{"阿岩|live_in|厦门|旧"},
			func(*world) relations.Proposal { return increments(item("阿岩|live_in|杭州|新")) },
			[]string{"memories.increments[0] superseded"},
			[]string{"新"},
		},
		{
			"through an alias of the subject too",
			[]string{"小满|live_in|厦门|旧"},
			func(*world) relations.Proposal { return increments(item("满满|live_in|杭州|新")) },
			[]string{"memories.increments[0] superseded"},
			[]string{"新"},
		},
		{
			"another sentence about the same value stands beside it",
			[]string{"阿岩|live_in|厦门|旧"},
			func(*world) relations.Proposal { return increments(item("阿岩|live_in|厦门|更细")) },
			[]string{"memories.increments[0] applied"},
			[]string{"旧", "更细"},
		},
		{
			"another subject keeps its own",
			[]string{"李明|live_in|厦门|旧"},
			func(*world) relations.Proposal { return increments(item("李明华|live_in|杭州|新")) },
			[]string{"memories.increments[0] applied"},
			[]string{"旧", "新"},
		},
		{
			"a relation that is not functional keeps all",
			[]string{"阿岩|like|香菜|旧"},
			func(*world) relations.Proposal { return increments(item("阿岩|like|茶|新")) },
			[]string{"memories.increments[0] applied"},
			[]string{"旧", "新"},
		},
		{
			"of two new values the later item holds", nil,
			func(*world) relations.Proposal {
				return increments(item("阿岩|live_in|厦门|一"), item("阿岩|live_in|杭州|二"))
			},
			[]string{"memories.increments[0] superseded", "memories.increments[1] applied"},
			[]string{"二"},
		},
		{
			"unless the earlier one begins later", nil,
			func(*world) relations.Proposal {
				return increments(item("阿岩|live_in|厦门|一", event("2026-05")), item("阿岩|live_in|杭州|二", event("2026-04")))
			},
			[]string{"memories.increments[0] applied", "memories.increments[1] superseded"},
			[]string{"一"},
		},
		{
			"repeating the old value beside a new one does not save it",
			[]string{"阿岩|live_in|厦门|旧"},
			func(*world) relations.Proposal {
				return increments(item("阿岩|live_in|厦门|旧"), item("阿岩|live_in|杭州|新"))
			},
			[]string{"memories.increments[0] superseded", "memories.increments[1] superseded"},
			[]string{"新"},
		},
		{
			"a replace retires its source, and a stray older value as well",
			[]string{"阿岩|live_in|厦门|旧", "阿岩|live_in|漳州|更旧"},
			func(w *world) relations.Proposal {
				return replaces(w.source(w.find("旧").ID), item("阿岩|live_in|杭州|新"))
			},
			[]string{"memories.replaces[0] superseded"},
			[]string{"新"},
		},
		{
			"a replace alone is applied",
			[]string{"阿岩|live_in|厦门|旧"},
			func(w *world) relations.Proposal {
				return replaces(w.source(w.find("旧").ID), item("阿岩|live_in|杭州|新"))
			},
			[]string{"memories.replaces[0] applied"},
			[]string{"新"},
		},
		{
			"a renamed relation stays functional",
			[]string{"阿岩|live_in|厦门|旧"},
			func(w *world) relations.Proposal {
				p := increments(item("阿岩|reside_in|杭州|新"))
				p.Relations.Replaces = []relations.RelationReplace{{Source: w.relationSource("live_in"), Target: rel("reside_in", "lives in")}}
				return p
			},
			[]string{"relations.replaces[0] applied", "memories.increments[0] superseded"},
			[]string{"新"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := café(t)
			for _, s := range tt.stored {
				m := item(s)
				w.memory(m.Subject, m.Relation, m.Object, m.Content)
			}
			checkVerdicts(t, w.submit(private(tt.items(w))), tt.want...)
			if diff := gocmp.Diff(slices.Sorted(slices.Values(tt.current)), w.contents("")); diff != "" {
				t.Errorf("current (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("old and new are linked and shown as replaced", func(t *testing.T) {
		w := café(t)
		id := w.memory("阿岩", "live_in", "厦门", "旧")
		planned, err := w.plan(private(increments(item("阿岩|live_in|杭州|新"))))
		if err != nil {
			t.Fatal(err)
		}
		r := planned.Receipt()
		add, ledger := planned.Changes.Add[0], planned.Changes.Ledger.Items[0]
		if !slices.Equal(add.Supersedes, []graph.MemoryID{id}) || ledger.Old != id || ledger.Memory != add.Memory.ID || ledger.Action != graph.ActionReplace {
			t.Errorf("supersedes %v, ledger %+v", add.Supersedes, ledger)
		}
		if len(r.Memories.Added) != 0 || len(r.Memories.Replaced) != 1 || r.Memories.Replaced[0].Old.ID != id {
			t.Errorf("receipt %+v", r.Memories)
		}
	})
}
