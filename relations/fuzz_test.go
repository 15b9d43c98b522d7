package relations_test

import (
	"slices"
	"testing"

	"relata/graph"
	"relata/relations"
)

// draw builds a proposal out of bytes: each picks one of a few values that meet
// in interesting ways, so that the same sources, names and keys come up again.
type draw struct {
	bytes []byte
	wild  string // one text that is anything
}

func (d *draw) next(n int) int {
	if len(d.bytes) == 0 {
		return 0
	}
	b := int(d.bytes[0])
	d.bytes = d.bytes[1:]
	return b % n
}

func pickOne[T any](d *draw, values ...T) T { return values[d.next(len(values))] }

func (d *draw) key() string {
	return pickOne(d, "like", "live_in", "enjoy", "fond_of", "plan", "Works At", "adore", "old", "", "retired", d.wild)
}

func (d *draw) relation() relations.RelationItem {
	key := d.key()
	return relations.RelationItem{Key: key, Content: pickOne(d, "content of "+key, "new", "", d.wild)}
}

func (d *draw) memory() relations.MemoryItem {
	m := pickOne(
		d,
		item("阿岩|live_in|厦门|阿岩住在厦门。"), item("阿岩|like|海|阿岩喜欢看海。"), item("小满|plan|海|我打算看海。"),
		item("阿岩|live_in|杭州|阿岩住在杭州。"), item("用户|like|海|阿岩喜欢看海！"), item("满满|plan|海|我打算看海。"),
		item("我|like|山|x"), item(d.wild+"|like|"+d.wild+"|"+d.wild), item("阿岩|like||x"),
	)
	m.Date = pickOne(d, "2026-01-02 10:00:00", "", "2026-1-2", "2030-01-01", d.wild)
	if d.next(3) == 0 {
		m.Relation = d.key()
	}
	m.MsgIDs = pickOne(d, nil, []int64{1}, []int64{2}, []int64{}, []int64{9, 3})
	m.KnownBy = pickOne(d, nil, []string{"小满"}, []string{"Lumen", "满满"}, []string{}, []string{"谁"})
	m.EventDate = pickOne(d, "", "2026-03", "2027", d.wild)
	m.Index0 = pickOne(d, "", "event", d.wild)
	return m
}

func (d *draw) proposal() relations.Proposal {
	var p relations.Proposal
	for len(d.bytes) > 0 {
		switch d.next(6) {
		case 0:
			p.Relations.Replaces = append(p.Relations.Replaces, relations.RelationReplace{Source: d.relation(), Target: d.relation()})
		case 1:
			p.Relations.Increments = append(p.Relations.Increments, d.relation())
		case 2:
			p.Relations.Removes = append(p.Relations.Removes, d.relation())
		case 3:
			p.Memories.Replaces = append(p.Memories.Replaces, relations.MemoryReplace{Source: d.memory(), Target: d.memory()})
		case 4:
			p.Memories.Increments = append(p.Memories.Increments, d.memory())
		case 5:
			p.Memories.Removes = append(p.Memories.Removes, d.memory())
		}
	}
	return p
}

// FuzzPlan: whatever is proposed over a small state, nothing panics, every item
// gets exactly one verdict that says why, the change set can be carried out,
// and a subject keeps one value under a functional relation.
func FuzzPlan(f *testing.F) {
	for flags := byte(0); flags < 64; flags += 5 {
		f.Add([]byte{3, 0, 0, 1, 0, 0, 3, 0, 1, 1, 4, 1, 0, 1, 2, 0, 5, 0, 0, 0, 1, 5, 1, 2, 0, 2, 1, 0}, "own`]->(x) //", flags)
		f.Add([]byte{4, flags, 0, 1, 4, 3, 0, 1, 2, flags, 3, 1, 0, 1, flags, 5, 1, 0}, "抱歉，我无法处理这段对话", flags)
	}
	f.Fuzz(func(t *testing.T, bytes []byte, wild string, flags byte) {
		if len(bytes) > 120 || len(wild) > 200 {
			return
		}
		d := draw{bytes, wild}
		p := d.proposal()
		w := café(t)
		w.relation(graph.Relation{Key: "old", Status: graph.RelationDeprecated, Successor: "like", Inverse: "live_in"})
		liked := w.relations["like"]
		liked.Aliases = []string{"enjoy"}
		w.relations["like"] = liked
		a := w.memory("阿岩", "live_in", "厦门", "阿岩住在厦门。", w.knownBy("小满"))
		b := w.memory("阿岩", "like", "海", "阿岩喜欢看海。", w.knownBy("Lumen"))
		c := w.memory("小满", "plan", "海", "我打算看海。")
		w.space.Governance = []graph.Governance{"", graph.GovernanceReview, graph.GovernanceClosed, ""}[flags&3]
		sub := private(p)
		sub.Review, sub.ItemDates, sub.FreeKnownBy = flags&12 == 12, flags&8 != 0, flags&16 != 0
		if flags&32 != 0 {
			sub.Shown = []graph.MemoryID{a, b, c}
		}
		for range 2 { // the second time it meets what it did itself
			planned, err := w.plan(sub)
			if err != nil {
				t.Fatalf("a proposal alone makes no error of the whole: %v", err)
			}
			r := planned.Receipt()
			checkEveryItem(t, p, r)
			if got := len(planned.Changes.Ledger.Items); got != len(r.Verdicts) {
				t.Fatalf("%d items in the ledger, %d verdicts", got, len(r.Verdicts))
			}
			w.apply(planned.Changes)
			w.checkFunctional()
		}
	})
}

// checkFunctional holds every functional relation to one value for a subject.
func (w *world) checkFunctional() {
	w.t.Helper()
	values := make(map[string]string)
	for _, m := range w.memories {
		if !w.relations[m.Relation].Functional {
			continue
		}
		at := m.SubjectKey + " " + m.Relation
		if object, ok := values[at]; ok && object != m.ObjectKey {
			w.t.Fatalf("%s has two values, %s and %s", at, object, m.ObjectKey)
		}
		values[at] = m.ObjectKey
	}
}

// checkEveryItem holds the verdicts against the items of the proposal.
func checkEveryItem(t *testing.T, p relations.Proposal, r graph.Receipt) {
	t.Helper()
	n := len(p.Relations.Replaces) + len(p.Relations.Increments) + len(p.Relations.Removes) +
		len(p.Memories.Replaces) + len(p.Memories.Increments) + len(p.Memories.Removes)
	if len(r.Verdicts) != n {
		t.Fatalf("%d verdicts for %d items", len(r.Verdicts), n)
	}
	outcomes := []graph.Outcome{
		graph.OutcomeApplied, graph.OutcomeDuplicate, graph.OutcomeSuperseded,
		graph.OutcomeMapped, graph.OutcomePending, graph.OutcomeRejected,
	}
	seen := make(map[string]bool)
	for _, v := range r.Verdicts {
		if seen[v.Item] || !slices.Contains(outcomes, v.Outcome) {
			t.Fatalf("verdict %+v", v)
		}
		seen[v.Item] = true
		if (v.Outcome == graph.OutcomeRejected) != (v.Code != "") {
			t.Fatalf("verdict %+v: a code goes with a rejection", v)
		}
		if (v.Outcome == graph.OutcomeRejected || v.Outcome == graph.OutcomePending) && v.Message == "" {
			t.Fatalf("verdict %+v says nothing", v)
		}
	}
}
