package relations

import "relata/graph"

// Receipt says what the plan does, after [graph.Tx.Apply] with the ids that it
// filled in. An increment that retired older values is listed as replaced, an
// update in place with the same id on both sides, and what was merged into a
// memory that says the same nowhere but in its verdict.
func (p *Planned) Receipt() graph.Receipt {
	ledger := p.Changes.Ledger
	r := graph.Receipt{
		DiffID: ledger.ID, Status: ledger.Status, Usage: ledger.Usage, Truncated: ledger.Truncated,
		Verdicts: make([]graph.Verdict, 0, len(p.verdicts)),
	}
	carried := make(map[string]int)
	for _, rename := range p.Changes.RenameRelations {
		carried[rename.From] = rename.Carried
	}
	for _, v := range p.verdicts {
		r.Verdicts = append(r.Verdicts, v.Verdict)
		if v.about == relationPart {
			v.receiveRelation(&r.Relations, carried)
		} else {
			v.receiveMemory(&r.Memories)
		}
	}
	return r
}

func (v *verdict) receiveRelation(r *graph.ReceiptRelations, carried map[string]int) {
	switch v.Action {
	case graph.ActionAdd:
		r.Added = append(r.Added, v.rel.Relation)
	case graph.ActionReplace:
		r.Replaced = append(r.Replaced, graph.ReplacedRelation{
			Old: v.oldRel, New: v.rel.Relation, Carried: carried[v.oldRel.Key],
		})
	case graph.ActionRemove:
		r.Removed = append(r.Removed, v.oldRel)
	}
}

func (v *verdict) receiveMemory(r *graph.ReceiptMemories) {
	var now graph.Memory
	switch {
	case v.add != nil:
		now = v.add.Memory
	case v.update != nil:
		now = v.update.Memory
	}
	switch {
	case v.Action == graph.ActionRemove:
		r.Removed = append(r.Removed, v.old...)
	case v.Outcome == graph.OutcomeDuplicate:
	case v.add != nil && len(v.old) == 0:
		r.Added = append(r.Added, now)
	case v.add != nil || v.update != nil:
		for _, old := range v.old {
			if old.ID != now.ID {
				old.SupersededBy = append(old.SupersededBy, now.ID)
			}
			r.Replaced = append(r.Replaced, graph.ReplacedMemory{Old: old, New: now})
		}
	}
}
