package relations

import (
	"encoding/json"

	"relata/graph"
)

// hold turns every item that could have been applied into a waiting one; the
// changes themselves are dropped, for approving plans again.
func (p *planner) hold(verdicts []*verdict) {
	p.changes = &graph.ChangeSet{}
	for _, v := range verdicts {
		if v.Outcome == graph.OutcomeRejected {
			continue
		}
		if v.Outcome != graph.OutcomePending {
			v.wait("the diff is held for review")
		}
		v.Action, v.Memory, v.Old, v.Before = "", 0, 0, nil
		v.add, v.update, v.old = nil, nil, nil
	}
}

// held gives what waits as JSON of a [Submission], "" when nothing does. The
// batch's sources are stored with the diff and kept here without their texts.
func (p *Planned) held() string {
	sub := p.submission
	sub.Proposal = p.waiting()
	if sub.Proposal.Empty() {
		return ""
	}
	sub.Key, sub.Raw, sub.Notes, sub.Dropped, sub.DryRun, sub.Review = "", "", nil, nil, false, false
	sub.Sources = make([]graph.Source, 0, len(p.submission.Sources))
	for _, src := range p.submission.Sources {
		src.Content, src.ToolCalls = "", nil
		sub.Sources = append(sub.Sources, src)
	}
	// A Submission holds nothing that JSON cannot say.
	out, _ := json.Marshal(sub)
	return string(out)
}

// waiting gives the items of the proposal that wait.
func (p *Planned) waiting() Proposal {
	is := make(map[string]bool)
	for _, v := range p.verdicts {
		if v.Outcome == graph.OutcomePending {
			is[v.Item] = true
		}
	}
	rel, mem := p.submission.Proposal.Relations, p.submission.Proposal.Memories
	return Proposal{
		Relations: RelationProposals{
			Replaces:   pick(rel.Replaces, "relations.replaces", is),
			Increments: pick(rel.Increments, "relations.increments", is),
			Removes:    pick(rel.Removes, "relations.removes", is),
		},
		Memories: MemoryProposals{
			Replaces:   pick(mem.Replaces, "memories.replaces", is),
			Increments: pick(mem.Increments, "memories.increments", is),
			Removes:    pick(mem.Removes, "memories.removes", is),
		},
	}
}

func pick[T any](items []T, part string, wanted map[string]bool) []T {
	var out []T
	for i, item := range items {
		if wanted[itemName(part, i)] {
			out = append(out, item)
		}
	}
	return out
}

// ReadHeld gives back what graph.ChangeSet.Held holds, marked as approved: to
// approve it, submit it.
func ReadHeld(held string) (Submission, error) {
	var sub Submission
	if err := json.Unmarshal([]byte(held), &sub); err != nil {
		return sub, graph.WrapError(graph.CodeInternal, err, "the held diff cannot be read")
	}
	sub.Approved = true
	return sub, nil
}
