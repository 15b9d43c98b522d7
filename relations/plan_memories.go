package relations

import (
	"slices"

	"relata/graph"
)

// What may be removed at once without asking: more than MassRemoval removes
// wait for approval, and so do MassRemovalShown or more that are the greater
// part of what the model was shown. A batch that tidies up after an event
// removes some ten; a chat that talks a model into forgetting removes them all.
const (
	MassRemoval      = 20
	MassRemovalShown = 10
)

// claim is what an item does to a stored memory.
type claim struct {
	item    string
	retires bool
}

// holder is a memory that is current after the diff: a stored or a new one.
type holder struct {
	stored *graph.Stored
	placed *placed
}

// placed is a new memory with the item that made it.
type placed struct {
	*statement
	add     *graph.MemoryAdd
	dropped bool // a later value of a functional relation took its place
}

// judgeMemories judges all memory items. Sources are matched first, so that it
// is known what stays; what is new is judged on that state.
func (p *planner) judgeMemories() {
	mem := p.in.Submission.Proposal.Memories
	var pending []*statement
	for i, item := range mem.Replaces {
		if st := p.replace(p.memReplaces[i], item); st != nil {
			pending = append(pending, st)
		}
	}
	p.removeAll(mem.Removes)
	p.indexCurrent()
	for _, st := range pending {
		p.place(st)
	}
	for i, item := range mem.Increments {
		v := p.memIncrements[i]
		if st := p.check(v, item, nil); st != nil && p.ground(st, p.quietIDs(item.MsgIDs)) {
			p.place(st)
		}
	}
	p.retireOlderValues()
	p.collect()
}

// quietIDs reads msg_ids without noting what is dropped, which [planner.place] does.
func (p *planner) quietIDs(ids []int64) []int64 { return p.sourceIDs(&verdict{}, ids) }

// replace judges one replace up to its source: an update in place is done here,
// a new value is given back to be placed.
func (p *planner) replace(v *verdict, item MemoryReplace) *statement {
	source := p.findSource(v, item.Source)
	if source == nil {
		return nil
	}
	st := p.check(v, item.Target, source)
	if st == nil {
		return nil
	}
	earlier := p.claims[source.ID]
	if st.says(item.Source, p.vocab.before[source.Relation]) {
		if earlier != nil {
			p.sameSourceAgain(v, earlier)
			return nil
		}
		p.updateInPlace(st)
		return nil
	}
	if !p.ground(st, p.quietIDs(item.Target.MsgIDs)) {
		return nil
	}
	switch {
	case earlier == nil:
		p.retire(source, "replace", v)
	case earlier.retires:
		// One memory that is split in two: both take its place.
		v.note("%s replaces the same source: both stand", earlier.item)
		v.old = append(v.old, source.Memory)
	default:
		p.sameSourceAgain(v, earlier)
		return nil
	}
	return st
}

func (p *planner) sameSourceAgain(v *verdict, earlier *claim) {
	v.reject(graph.RejectAmbiguousSource, "%s of this diff names the same source", earlier.item)
}

// retire claims a memory for an item and takes it out of what is current.
func (p *planner) retire(source *graph.Stored, by string, v *verdict) {
	p.claims[source.ID] = &claim{item: v.Item, retires: true}
	p.changes.Retire = append(p.changes.Retire, &graph.MemoryRetire{ID: source.ID, Relation: p.keyAfter(source.Relation), By: by})
	if e := p.vocab.before[source.Relation]; e != nil {
		e.uses--
	}
	old := source.Memory
	old.RetiredAt, old.RetiredBy = p.since(), by
	v.old = append(v.old, old)
	if v.Old == 0 {
		v.Old = source.ID
	}
}

// keyAfter gives the key that a relation has after the diff.
func (p *planner) keyAfter(key string) string {
	if e := p.vocab.before[key]; e != nil {
		return e.Key
	}
	return key
}

func (p *planner) removeAll(items []MemoryItem) {
	var found []*graph.Stored
	var verdicts []*verdict
	for i, item := range items {
		v := p.memRemoves[i]
		source := p.findSource(v, item)
		if source == nil {
			continue
		}
		switch earlier := p.claims[source.ID]; {
		case earlier != nil && earlier.retires, slices.Contains(found, source):
			v.Outcome = graph.OutcomeDuplicate
			v.note("another item of this diff takes this memory out already")
		case earlier != nil:
			p.sameSourceAgain(v, earlier)
		default:
			found, verdicts = append(found, source), append(verdicts, v)
		}
	}
	if p.massRemoval(len(found)) {
		for _, v := range verdicts {
			v.wait("the diff removes %d memories at once: that waits for approval", len(found))
		}
		return
	}
	for i, source := range found {
		v := verdicts[i]
		p.retire(source, "remove", v)
		v.Outcome, v.Action = graph.OutcomeApplied, graph.ActionRemove
	}
}

func (p *planner) massRemoval(n int) bool {
	sub := &p.in.Submission
	if sub.Approved {
		return false
	}
	shown := len(sub.Shown)
	return n > MassRemoval || (n >= MassRemovalShown && shown > 0 && 2*n > shown)
}

// indexCurrent makes what stays of the state before the diff findable by
// identity.
func (p *planner) indexCurrent() {
	for i := range p.in.Stored {
		s := &p.in.Stored[i]
		e := p.vocab.before[s.Relation]
		if e == nil {
			continue
		}
		if c := p.claims[s.ID]; c != nil && c.retires {
			continue
		}
		p.current[identity{e, graph.Fingerprint(s.SubjectKey, s.ObjectKey, s.Content)}] = &holder{stored: s}
	}
}

// place makes a checked statement part of what is current: merged into the
// memory that says the same, else as a new one.
func (p *planner) place(st *statement) {
	v := st.v
	sources := p.cited(st)
	personas, people := p.knowers(st)
	aware := p.awareOf(personas, people, sources)
	switch h := p.current[st.identity()]; {
	case h == nil:
		p.addNew(st, sources, aware)
	case h.stored != nil:
		p.mergeIntoStored(st, h.stored, sources, aware)
	default:
		add := h.placed.add
		add.SourceIDs = union(add.SourceIDs, sources)
		add.Memory.MsgIDs, add.Memory.Chunks = p.messageIDs(add.SourceIDs), p.chunkNames(add.SourceIDs)
		add.Aware = mergeAware(add.Aware, aware)
		add.Memory.KnownBy = p.who.names(personasOf(add.Aware))
		p.supersede(st, &add.Supersedes)
		v.add, v.Memory, v.rel = add, add.Memory.ID, st.rel
		p.settleMerge(st)
		v.note("%s says the same: merged into it", h.placed.v.Item)
	}
}

// cited gives the sources of a new value: those named, else those of what it
// replaces, else the whole document it came from.
func (p *planner) cited(st *statement) []int64 {
	switch {
	case st.item.MsgIDs != nil:
		return p.sourceIDs(st.v, st.item.MsgIDs)
	case st.source != nil:
		return union(st.source.MsgIDs, st.source.ChunkIDs)
	case !p.cast.chat && len(p.cast.order) <= maxImpliedSources:
		return sorted(p.cast.order)
	}
	return nil
}

// maxImpliedSources bounds the chunks of a document that a memory is linked to
// when it cites none of them: with more the links would say nothing.
const maxImpliedSources = 32

// knowers gives the personas who know a new value, and whether the people of
// the batch do.
func (p *planner) knowers(st *statement) ([]graph.EntityRef, bool) {
	if named, given := p.knownBy(st.v, st.item.KnownBy, st.source); given {
		return named, true
	}
	return p.audience.personas, true
}

func (p *planner) addNew(st *statement, sources []int64, aware []graph.Awareness) {
	v := st.v
	m := graph.Memory{
		ID: p.in.NewID(), Subject: st.item.Subject, Object: st.item.Object, Relation: st.rel.Key,
		SubjectID: st.subject.ID, ObjectID: st.object.ID,
		Content: st.item.Content, Title: clean(st.item.Title), MemoryType: st.item.MemoryType,
		Date: p.date(st), Persona: p.cast.writer(), SessionID: p.in.Submission.Session,
		MsgIDs: p.messageIDs(sources), Chunks: p.chunkNames(sources), KnownBy: p.who.names(personasOf(aware)),
	}
	p.describe(st, &m)
	add := &graph.MemoryAdd{
		Memory: m, Subject: st.subject, Object: st.object, Aware: aware, SourceIDs: sources,
		Vector: p.in.Vectors[m.Content],
	}
	if p.in.Vectors != nil && add.Vector == nil {
		v.note("the content has no vector: it is found by its words only")
	}
	p.supersede(st, &add.Supersedes)
	pl := &placed{statement: st, add: add}
	p.touched = append(p.touched, pl)
	p.current[st.identity()] = &holder{placed: pl}
	st.rel.uses++
	v.add, v.Memory, v.rel = add, m.ID, st.rel
	v.Outcome, v.Action = graph.OutcomeApplied, graph.ActionAdd
	if st.source != nil {
		v.Action = graph.ActionReplace
	}
	if st.mapped {
		v.Outcome = graph.OutcomeMapped
	}
}

// describe fills in category, tags, event date and title: what a target leaves
// out is as in its source.
func (p *planner) describe(st *statement, m *graph.Memory) {
	source := st.source
	if source != nil && st.item.Index0 == "" {
		st.item.Index0 = source.Index0
		if st.item.Index1 == "" {
			st.item.Index1 = source.Index1
		}
	}
	c := p.category(st.v, st)
	m.Index0, m.Index1 = c.Index0, c.Index1
	switch {
	case st.item.Tags != nil:
		m.Tags = st.tags()
	case source != nil:
		m.Tags = slices.Clone(source.Tags)
	}
	switch {
	case st.item.EventDate != "":
		m.EventDate = p.eventDate(st)
	case source != nil:
		m.EventDate = source.EventDate
	}
	if source != nil && m.Title == "" {
		m.Title = source.Title
	}
	if source != nil && m.MemoryType == "" {
		m.MemoryType = source.MemoryType
	}
}

// supersede notes that a new value takes the place of its source.
func (p *planner) supersede(st *statement, into *[]graph.MemoryID) {
	if st.source != nil && !slices.Contains(*into, st.source.ID) {
		*into = append(*into, st.source.ID)
	}
}

// collect puts the new memories and updates into the change set.
func (p *planner) collect() {
	for _, pl := range p.touched {
		if !pl.dropped {
			pl.add.Memory.Supersedes = pl.add.Supersedes
			p.changes.Add = append(p.changes.Add, pl.add)
		}
	}
}

func union(a, b []int64) []int64 {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

func sorted(a []int64) []int64 {
	out := slices.Clone(a)
	slices.Sort(out)
	return out
}
