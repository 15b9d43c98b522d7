package relations

import (
	"slices"

	"relata/graph"
)

// updateInPlace gives a memory the date of the diff and whatever the target
// names; all else stays, its id and writer too.
func (p *planner) updateInPlace(st *statement) {
	v, source := st.v, st.source
	m := source.Memory
	m.Relation, m.Date, m.SessionID = st.rel.Key, p.date(st), p.in.Submission.Session
	if m.Date.IsZero() {
		m.Date = source.Date
	}
	m.Title, m.MemoryType = clean(st.item.Title), st.item.MemoryType
	p.describe(st, &m)
	u := &graph.MemoryUpdate{ID: source.ID, SetFields: true, Memory: m}
	if st.item.MsgIDs != nil {
		ids := p.sourceIDs(v, st.item.MsgIDs)
		if len(ids) > 0 || len(st.item.MsgIDs) == 0 {
			u.MsgIDs, u.ReplaceSources = ids, true
		}
	}
	named, given := p.knownBy(v, st.item.KnownBy, source)
	// People heard it again only where the batch says it again.
	heard := given || p.citesBatch(u.MsgIDs)
	u.Aware, u.ReplaceAware = p.awareOf(named, heard, u.MsgIDs), given
	p.claims[source.ID] = &claim{item: v.Item}
	p.update(v, source, u)
	v.Outcome, v.Action = graph.OutcomeApplied, graph.ActionUpdate
	if st.mapped {
		v.Outcome = graph.OutcomeMapped
	}
}

func (p *planner) citesBatch(ids []int64) bool {
	return slices.ContainsFunc(ids, func(id int64) bool { _, ok := p.cast.messages[id]; return ok })
}

// mergeIntoStored adds a statement's sources and awareness to the memory that
// says the same; its date, category, tags and spelling stay.
func (p *planner) mergeIntoStored(st *statement, s *graph.Stored, sources []int64, aware []graph.Awareness) {
	u := p.updates[s.ID]
	if u == nil {
		u = &graph.MemoryUpdate{ID: s.ID, Memory: s.Memory}
	}
	u.MsgIDs = union(u.MsgIDs, sources)
	u.Aware = mergeAware(u.Aware, aware)
	p.supersede(st, &u.Supersedes)
	p.update(st.v, s, u)
	p.settleMerge(st)
	if st.source != nil {
		st.v.note("memory %d says this already: the source was retired and merged into it", s.ID)
	}
}

// settleMerge gives the verdict on a statement that was there already: an
// increment is a duplicate, a replace has at least retired its source.
func (p *planner) settleMerge(st *statement) {
	st.v.Outcome, st.v.Action = graph.OutcomeDuplicate, graph.ActionMerge
	if st.source != nil {
		st.v.Outcome = graph.OutcomeApplied
	}
}

// update registers an update and works out the memory as it will be.
func (p *planner) update(v *verdict, s *graph.Stored, u *graph.MemoryUpdate) {
	if p.updates[s.ID] == nil {
		p.updates[s.ID] = u
		p.changes.Update = append(p.changes.Update, u)
	}
	v.update, v.Memory, v.rel = u, s.ID, p.vocab.before[s.Relation]
	v.Before = fieldsBefore(s)
	if v.Action == "" && len(v.old) == 0 {
		v.old = append(v.old, s.Memory)
	}
	if u.ReplaceSources {
		u.Memory.MsgIDs, u.Memory.Chunks = p.messageIDs(u.MsgIDs), p.chunkNames(u.MsgIDs)
	} else {
		u.Memory.MsgIDs = union(s.MsgIDs, p.messageIDs(u.MsgIDs))
		u.Memory.Chunks = p.chunkNames(union(s.ChunkIDs, u.MsgIDs))
	}
	aware := u.Aware
	if !u.ReplaceAware {
		aware = mergeAware(slices.Clone(s.Aware), u.Aware)
	}
	u.Memory.KnownBy = p.who.names(personasOf(aware))
}

// fieldsBefore keeps what an update may change, so that it can be reverted.
func fieldsBefore(s *graph.Stored) *graph.MemoryFields {
	return &graph.MemoryFields{
		Date: s.Date, Index0: s.Index0, Index1: s.Index1, EventDate: s.EventDate, Relation: s.Relation,
		Tags: slices.Clone(s.Tags), MsgIDs: slices.Clone(s.MsgIDs), KnownBy: slices.Clone(s.KnownBy),
	}
}
