package relations

import (
	"slices"

	"relata/graph"
)

// retireOlderValues lets a new value under a functional relation take the place
// of the others of its subject: stored ones are retired in its favour, and of
// two new ones in one diff the later holds.
func (p *planner) retireOlderValues() {
	for i, pl := range p.touched {
		if !pl.rel.Functional || pl.dropped {
			continue
		}
		for _, later := range p.touched[i+1:] {
			if pl.rivals(later) {
				winner, loser := latest(pl, later)
				p.drop(loser, winner)
				if loser == pl {
					break
				}
			}
		}
	}
	for _, pl := range p.touched {
		if pl.rel.Functional && !pl.dropped {
			p.retireStoredValues(pl)
		}
	}
}

// rivals says whether two new memories are different values of one subject.
func (pl *placed) rivals(other *placed) bool {
	return !other.dropped && pl.rel == other.rel &&
		sameEntity(pl.subject, other.subject) && !sameEntity(pl.object, other.object)
}

// latest tells which of two values holds: the one that begins later where both
// say when, else the later item.
func latest(a, b *placed) (winner, loser *placed) {
	if x, y := a.add.Memory.EventDate, b.add.Memory.EventDate; x != "" && y != "" && x > y {
		return a, b
	}
	return b, a
}

// drop takes a new memory back: it was out of date within its own diff.
func (p *planner) drop(loser, winner *placed) {
	loser.dropped = true
	loser.rel.uses--
	for _, id := range loser.add.Supersedes {
		if !slices.Contains(winner.add.Supersedes, id) {
			winner.add.Supersedes = append(winner.add.Supersedes, id)
		}
	}
	for _, v := range p.all() {
		if v.add != loser.add {
			continue
		}
		v.add, v.Memory, v.Action = nil, 0, ""
		v.Outcome = graph.OutcomeSuperseded
		v.note("%s gives a newer value of %s, which has one at a time: this one was not stored", winner.v.Item, loser.rel.Key)
	}
}

func (p *planner) retireStoredValues(pl *placed) {
	for i := range p.in.Stored {
		s := &p.in.Stored[i]
		if p.vocab.before[s.Relation] != pl.rel || s.ObjectKey == pl.object.Key {
			continue
		}
		if s.SubjectKey != pl.subject.Key && (s.SubjectID == 0 || s.SubjectID != pl.subject.ID) {
			continue
		}
		if c := p.claims[s.ID]; c != nil && c.retires {
			continue
		}
		p.retire(s, "replace", pl.v)
		p.withdraw(s.ID)
		pl.add.Supersedes = append(pl.add.Supersedes, s.ID)
		pl.v.Action = graph.ActionReplace
		if pl.v.Outcome == graph.OutcomeApplied {
			pl.v.Outcome = graph.OutcomeSuperseded
		}
		pl.v.note("memory %d, the older value of %s, was retired", s.ID, pl.rel.Key)
	}
}

// withdraw takes back an update of a memory that is retired after all.
func (p *planner) withdraw(id graph.MemoryID) {
	if p.updates[id] == nil {
		return
	}
	delete(p.updates, id)
	p.changes.Update = slices.DeleteFunc(p.changes.Update, func(u *graph.MemoryUpdate) bool { return u.ID == id })
	for _, v := range p.all() {
		if v.update != nil && v.update.ID == id {
			v.update, v.Memory, v.Action, v.Before, v.old = nil, 0, "", nil, nil
			v.Outcome = graph.OutcomeSuperseded
			v.note("a newer value in this diff took its place")
		}
	}
}
