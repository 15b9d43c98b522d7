package relations

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

// oneTransaction answers the reads of a plan from fixed values and keeps what
// is applied.
type oneTransaction struct {
	ground  *graph.Ground
	diff    *graph.Diff
	applied []*graph.ChangeSet
}

func (x *oneTransaction) Ground(context.Context, graph.GroundQuery) (*graph.Ground, error) {
	return x.ground, nil
}

func (x *oneTransaction) Memories(context.Context, graph.Lookup) ([]graph.Stored, error) {
	return nil, nil
}

func (x *oneTransaction) Sources(context.Context, []int64) (map[int64]graph.Source, error) {
	return nil, nil
}

func (x *oneTransaction) DiffByKey(_ context.Context, key string) (graph.Diff, bool, error) {
	if x.diff == nil || x.diff.Key != key {
		return graph.Diff{}, false, nil
	}
	return *x.diff, true, nil
}

func (x *oneTransaction) Apply(_ context.Context, c *graph.ChangeSet) error {
	x.applied = append(x.applied, c)
	return nil
}

func newJob(sub Submission) *submission {
	return &submission{sub: sub, clock: func() time.Time { return time.Time{} }, firstID: 100}
}

func someProposal() Proposal {
	return Proposal{Memories: MemoryProposals{Increments: []MemoryItem{
		{Subject: "阿岩", Relation: "like", Object: "海", Content: "阿岩喜欢看海。"},
		{Subject: "阿岩", Relation: "like", Object: "山", Content: "阿岩喜欢山。"},
	}}}
}

func likes() *graph.Ground {
	return graph.NewGround(graph.Space{}, []graph.Relation{{Key: "like"}}, nil, nil)
}

func TestSubmissionRunsTwiceTheSame(t *testing.T) {
	x := &oneTransaction{ground: likes()}
	job := newJob(Submission{Proposal: someProposal(), Key: "k"})
	for range 2 {
		if err := job.write(t.Context(), x); err != nil {
			t.Fatal(err)
		}
	}
	ids := func(c *graph.ChangeSet) []int64 {
		out := []int64{int64(c.Ledger.ID)}
		for _, a := range c.Add {
			out = append(out, int64(a.Memory.ID))
		}
		return append(out, int64(c.NewEntityID()))
	}
	for _, c := range x.applied {
		if diff := cmp.Diff([]int64{100, 101, 102, 103}, ids(c)); diff != "" {
			t.Errorf("ids (-want +got):\n%s", diff)
		}
	}
	if len(x.applied) != 2 {
		t.Errorf("applied %d times", len(x.applied))
	}
}

func TestSubmissionStandsOnce(t *testing.T) {
	x := &oneTransaction{ground: likes(), diff: &graph.Diff{ID: 7, Key: "k"}}
	job := newJob(Submission{Proposal: someProposal(), Key: "k"})
	if err := job.write(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	if job.standing == nil || job.standing.ID != 7 || len(x.applied) != 0 {
		t.Errorf("standing %+v, applied %d times", job.standing, len(x.applied))
	}
}

func TestSubmissionNeedsNoMoreIDsThanItTakes(t *testing.T) {
	sub := Submission{
		Proposal: someProposal(), Present: []string{"舟舟"},
		Sources: []graph.Source{{SourceID: 1, Role: "user", Speaker: "阿岩"}, {SourceID: 2, Role: "user", Speaker: "Maya"}},
	}
	job := newJob(sub)
	if err := job.read(t.Context(), &oneTransaction{ground: likes()}); err != nil {
		t.Fatal(err)
	}
	c := job.planned.Changes
	keys := make(map[string]bool)
	for _, a := range c.Add {
		keys[a.Subject.Key], keys[a.Object.Key] = true, true
		for _, k := range a.Aware {
			keys[k.Entity.Key] = true
		}
	}
	if taken := 1 + len(c.Add) + len(keys); taken > idsNeeded(&sub) {
		t.Errorf("%d ids are taken, %d reserved", taken, idsNeeded(&sub))
	}
}

func TestDryRunTakesNoIDs(t *testing.T) {
	job := newJob(Submission{Proposal: someProposal(), DryRun: true})
	if err := job.read(t.Context(), &oneTransaction{ground: likes()}); err != nil {
		t.Fatal(err)
	}
	r := job.planned.Receipt()
	if r.DiffID != 0 || len(r.Memories.Added) != 2 || r.Memories.Added[0].ID != 0 {
		t.Errorf("receipt %+v", r)
	}
}
