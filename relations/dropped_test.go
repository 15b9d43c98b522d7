package relations_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/relations"
)

// What a parser could not read as an item is judged like one: its verdict stands
// in the ledger, from which a repeated receipt is made.
func TestDroppedPiecesHaveAVerdict(t *testing.T) {
	const half = "memories.increments[1] is not whole"
	want := graph.Verdict{Item: relations.AnswerItem, Outcome: graph.OutcomeRejected, Code: graph.RejectMissingField, Message: half}
	dropped := func(s *relations.Submission) { s.Dropped, s.Key = []string{half}, "k" }
	good := item("阿岩|like|海|阿岩喜欢看海。")
	for _, tt := range []struct {
		name   string
		items  []relations.MemoryItem
		change func(*relations.Submission)
		status graph.DiffStatus
		done   bool // the batch counts as done
		held   bool
	}{
		{"beside an item that is applied", []relations.MemoryItem{good}, dropped, graph.DiffApplied, true, false},
		{"alone: nothing was taken, and the batch may be sent again", nil, dropped, graph.DiffRejected, false, false},
		{"in a diff held for review", []relations.MemoryItem{good}, func(s *relations.Submission) {
			dropped(s)
			s.Review = true
		}, graph.DiffProposed, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := café(t)
			sub := private(increments(tt.items...))
			tt.change(&sub)
			planned, err := w.plan(sub)
			if err != nil {
				t.Fatal(err)
			}
			ledger, r := planned.Changes.Ledger, planned.Receipt()
			if diff := cmp.Diff(want, r.Verdicts[len(r.Verdicts)-1]); diff != "" || len(r.Verdicts) != len(tt.items)+1 {
				t.Errorf("receipt: %s", diff)
			}
			if diff := cmp.Diff(graph.DiffItem{Verdict: want}, ledger.Items[len(ledger.Items)-1]); diff != "" {
				t.Errorf("ledger: %s", diff)
			}
			if ledger.Status != tt.status || (ledger.Key != "") != tt.done {
				t.Errorf("%s with key %q", ledger.Status, ledger.Key)
			}
			if !tt.held {
				return
			}
			held, err := relations.ReadHeld(planned.Changes.Held)
			if err != nil || len(held.Dropped) > 0 {
				t.Errorf("approving says it again: %q, %v", held.Dropped, err)
			}
		})
	}
}
