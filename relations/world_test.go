package relations_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"relata/graph"
	"relata/relations"
)

// world is the state of one space as plain maps: what the planner reads from
// and what its change sets are carried out on. It asks only for what
// relations.GroundQuery and relations.Reads name, so that a read that is
// missing there shows up as a wrong verdict.
type world struct {
	t         testing.TB
	space     graph.Space
	relations map[string]graph.Relation
	memories  map[graph.MemoryID]*graph.Stored
	retired   map[graph.MemoryID]*graph.Stored
	entities  map[string]graph.EntityRef
	aliases   map[string]string // alias key → entity key
	personas  []graph.Persona
	sources   map[int64]graph.Source
	keysEver  int
	typesEver int
	lastID    int64
	now       time.Time
}

func newWorld(t testing.TB) *world {
	return &world{
		t: t, space: graph.Space{Name: "harbour"},
		relations: make(map[string]graph.Relation), memories: make(map[graph.MemoryID]*graph.Stored),
		retired: make(map[graph.MemoryID]*graph.Stored), entities: make(map[string]graph.EntityRef),
		aliases: make(map[string]string), sources: make(map[int64]graph.Source),
		now: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC),
	}
}

func (w *world) id() int64 { w.lastID++; return w.lastID }

func (w *world) entity(name string) graph.EntityRef {
	key := graph.EntityKey(name)
	if to, ok := w.aliases[key]; ok {
		key = to
	}
	if ref, ok := w.entities[key]; ok {
		return ref
	}
	ref := graph.EntityRef{ID: graph.EntityID(w.id()), Key: key, Name: name}
	w.entities[key] = ref
	return ref
}

func (w *world) persona(name, owner string, aliases ...string) {
	ref := w.entity(name)
	ref.Persona = true
	w.entities[ref.Key] = ref
	for _, a := range aliases {
		w.aliases[graph.EntityKey(a)] = ref.Key
	}
	p := graph.Persona{ID: ref.ID, Name: name, Aliases: aliases, Owner: owner}
	if owner != "" {
		p.OwnerID = w.entity(owner).ID
	}
	w.personas = append(w.personas, p)
}

func (w *world) relation(r graph.Relation) {
	if r.Status == "" {
		r.Status = graph.RelationActive
	}
	if r.Content == "" {
		r.Content = "content of " + r.Key
	}
	if r.Date.IsZero() {
		r.Date = at("2026-01-01 00:00:00")
	}
	w.relations[r.Key] = r
	w.keysEver++
}

// memory stores a current memory "subject relation object: content".
func (w *world) memory(subject, relation, object, content string, change ...func(*graph.Stored)) graph.MemoryID {
	s, o := w.entity(subject), w.entity(object)
	st := &graph.Stored{
		Memory: graph.Memory{
			ID: graph.MemoryID(w.id()), Subject: subject, Object: object, Relation: relation, Content: content,
			SubjectID: s.ID, ObjectID: o.ID, Date: at("2026-01-02 10:00:00"), Index0: graph.Profile, Index1: "other",
		},
		SubjectKey: s.Key, ObjectKey: o.Key,
	}
	for _, c := range change {
		c(st)
	}
	w.memories[st.ID] = st
	return st.ID
}

// knownBy makes personas aware of a stored memory.
func (w *world) knownBy(names ...string) func(*graph.Stored) {
	return func(s *graph.Stored) {
		for _, n := range names {
			ref := w.entity(n)
			s.Aware = append(s.Aware, graph.Awareness{Entity: ref, How: graph.HowTold, Persona: ref.Persona})
			s.KnownBy = append(s.KnownBy, n)
		}
	}
}

func (w *world) ground(sub *relations.Submission) *graph.Ground {
	q := relations.GroundQuery(sub)
	var rels []graph.Relation
	for _, key := range slices.Sorted(maps.Keys(w.relations)) {
		r := w.relations[key]
		if slices.Contains(q.Uses, key) {
			for _, m := range w.memories {
				if m.Relation == key {
					r.Uses++
				}
			}
		}
		rels = append(rels, r)
	}
	names := make(map[string]graph.EntityRef)
	for _, n := range q.Names {
		key := graph.EntityKey(n)
		if ref, ok := w.entities[key]; ok {
			names[key] = ref
		} else if to, ok := w.aliases[key]; ok {
			names[key] = w.entities[to]
		}
	}
	g := graph.NewGround(w.space, rels, w.personas, names)
	g.KeysEver, g.TypesEver = w.keysEver, max(w.typesEver, w.keysEver)
	return g
}

func (w *world) plan(sub relations.Submission) (*relations.Planned, error) {
	ground := w.ground(&sub)
	look, ids, err := relations.Reads(&sub, ground)
	if err != nil {
		return nil, err
	}
	in := relations.Input{
		Submission: sub, Ground: ground, Sources: make(map[int64]graph.Source), Now: w.now,
		NewID: func() graph.MemoryID { return graph.MemoryID(w.id()) },
	}
	for _, id := range slices.Sorted(maps.Keys(w.memories)) {
		m := w.memories[id]
		functional := graph.SubjectRelation{Subject: m.SubjectID, Relation: m.Relation}
		if slices.Contains(look.IDs, id) || slices.Contains(look.Functional, functional) ||
			slices.Contains(look.Fingerprints, graph.Fingerprint(m.SubjectKey, m.ObjectKey, m.Content)) {
			in.Stored = append(in.Stored, *m)
		}
	}
	for _, id := range ids {
		if src, ok := w.sources[id]; ok {
			in.Sources[id] = src
		}
	}
	return relations.Plan(in)
}

// submit plans and carries out; it fails the test on an error.
func (w *world) submit(sub relations.Submission) graph.Receipt {
	w.t.Helper()
	planned, err := w.plan(sub)
	if err != nil {
		w.t.Fatalf("plan: %v", err)
	}
	w.apply(planned.Changes)
	return planned.Receipt()
}

// apply carries a change set out in the order of graph.Tx.Apply and stops the
// test at anything that could not be carried out.
func (w *world) apply(c *graph.ChangeSet) {
	w.t.Helper()
	for i := range c.RenameRelations {
		rn := &c.RenameRelations[i]
		if _, taken := w.relations[rn.To.Key]; taken {
			w.t.Fatalf("rename to %s, which exists", rn.To.Key)
		}
		delete(w.relations, rn.From)
		w.relation(rn.To)
		for _, m := range w.memories {
			if m.Relation == rn.From {
				m.Relation = rn.To.Key
				rn.Carried++
			}
		}
	}
	for _, r := range c.UpdateRelations {
		if _, ok := w.relations[r.Key]; !ok {
			w.t.Fatalf("update of %s, which is not there", r.Key)
		}
		w.relations[r.Key] = r
	}
	for _, r := range c.AddRelations {
		if _, taken := w.relations[r.Key]; taken {
			w.t.Fatalf("%s is made twice", r.Key)
		}
		w.relation(r)
	}
	for _, src := range c.Sources {
		w.sources[src.SourceID] = src
	}
	for _, r := range c.Retire {
		m := w.memories[r.ID]
		if m == nil {
			w.t.Fatalf("memory %d is retired and not current", r.ID)
		}
		if m.Relation != r.Relation {
			w.t.Fatalf("memory %d is retired under %s, it is under %s", r.ID, r.Relation, m.Relation)
		}
		m.RetiredBy = r.By
		delete(w.memories, r.ID)
		w.retired[r.ID] = m
	}
	for _, u := range c.Update {
		w.applyUpdate(u)
	}
	for _, a := range c.Add {
		w.applyAdd(a)
	}
	for _, key := range c.RemoveRelations {
		delete(w.relations, key)
	}
	for _, m := range w.memories {
		if _, ok := w.relations[m.Relation]; !ok {
			w.t.Fatalf("memory %d uses %s, which is not in the vocabulary", m.ID, m.Relation)
		}
	}
}

func (w *world) applyUpdate(u *graph.MemoryUpdate) {
	m := w.memories[u.ID]
	if m == nil {
		w.t.Fatalf("memory %d is changed and not current", u.ID)
	}
	if u.SetFields {
		n := u.Memory
		n.Subject, n.Object, n.Content, n.MsgIDs, n.KnownBy = m.Subject, m.Object, m.Content, m.MsgIDs, m.KnownBy
		m.Memory = n
	}
	if u.ReplaceSources {
		m.MsgIDs = nil
	}
	m.MsgIDs = append(m.MsgIDs, u.MsgIDs...)
	slices.Sort(m.MsgIDs)
	m.MsgIDs = slices.Compact(m.MsgIDs)
	if u.ReplaceAware {
		m.Aware = slices.DeleteFunc(m.Aware, func(a graph.Awareness) bool {
			return a.Persona && !slices.ContainsFunc(u.Aware, func(b graph.Awareness) bool { return a.Entity.Key == b.Entity.Key })
		})
	}
	w.know(m, u.Aware)
}

func (w *world) applyAdd(a *graph.MemoryAdd) {
	s, o := w.entity(a.Subject.Name), w.entity(a.Object.Name)
	st := &graph.Stored{Memory: a.Memory, SubjectKey: s.Key, ObjectKey: o.Key}
	st.SubjectID, st.ObjectID = s.ID, o.ID
	for _, m := range w.memories {
		if m.Relation == st.Relation && graph.Fingerprint(m.SubjectKey, m.ObjectKey, m.Content) == graph.Fingerprint(s.Key, o.Key, st.Content) {
			w.t.Fatalf("%q is stored twice", st.Content)
		}
	}
	for _, old := range a.Supersedes {
		if w.retired[old] == nil {
			w.t.Fatalf("%q supersedes memory %d, which is not retired", st.Content, old)
		}
	}
	w.memories[st.ID] = st
	w.know(st, a.Aware)
}

func (w *world) know(m *graph.Stored, aware []graph.Awareness) {
	for _, a := range aware {
		a.Entity = w.entity(a.Entity.Name)
		if !slices.ContainsFunc(m.Aware, func(b graph.Awareness) bool { return a.Entity.Key == b.Entity.Key }) {
			m.Aware = append(m.Aware, a)
		}
	}
	m.KnownBy = nil
	for _, p := range w.personas {
		if slices.ContainsFunc(m.Aware, func(b graph.Awareness) bool { return b.Entity.ID == p.ID }) {
			m.KnownBy = append(m.KnownBy, p.Name)
		}
	}
}

// contents gives the current sentences under a relation, "" for all, sorted.
func (w *world) contents(relation string) []string {
	out := []string{}
	for _, m := range w.memories {
		if relation == "" || m.Relation == relation {
			out = append(out, m.Content)
		}
	}
	slices.Sort(out)
	return out
}

// find gives the one current memory with a content.
func (w *world) find(content string) *graph.Stored {
	w.t.Helper()
	var found []*graph.Stored
	for _, m := range w.memories {
		if m.Content == content {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("%d current memories say %q, want 1", len(found), content)
	}
	return found[0]
}

// aware writes awareness as "name how by msgs", sorted.
func aware(as []graph.Awareness) []string {
	out := []string{}
	for _, a := range as {
		s := a.Entity.Name + " " + string(a.How)
		if a.By != "" {
			s += " by " + a.By
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// source writes a stored memory as a full copy.
func (w *world) source(id graph.MemoryID) relations.MemoryItem {
	m := w.memories[id]
	return relations.MemoryItem{
		Date: relations.FormatDate(m.Date, w.space.Location()), Subject: m.Subject, Object: m.Object,
		Relation: m.Relation, Content: m.Content,
	}
}

func (w *world) relationSource(key string) relations.RelationItem {
	r := w.relations[key]
	return relations.RelationItem{Date: relations.FormatDate(r.Date, w.space.Location()), Key: key, Content: r.Content}
}

// item makes a memory item from "subject|relation|object|content".
func item(s string, change ...func(*relations.MemoryItem)) relations.MemoryItem {
	f := strings.Split(s, "|")
	for len(f) < 4 {
		f = append(f, "")
	}
	m := relations.MemoryItem{Subject: f[0], Relation: f[1], Object: f[2], Content: f[3]}
	for _, c := range change {
		c(&m)
	}
	return m
}

func cites(ids ...int64) func(*relations.MemoryItem) {
	return func(m *relations.MemoryItem) { m.MsgIDs = ids }
}

func known(names ...string) func(*relations.MemoryItem) {
	return func(m *relations.MemoryItem) { m.KnownBy = append([]string{}, names...) }
}

func increments(items ...relations.MemoryItem) relations.Proposal {
	return relations.Proposal{Memories: relations.MemoryProposals{Increments: items}}
}

func replaces(pairs ...relations.MemoryItem) relations.Proposal {
	var p relations.Proposal
	for pair := range slices.Chunk(pairs, 2) {
		p.Memories.Replaces = append(p.Memories.Replaces, relations.MemoryReplace{Source: pair[0], Target: pair[1]})
	}
	return p
}

func at(s string) time.Time {
	t, err := time.Parse(relations.DateLayout, s)
	if err != nil {
		panic(err)
	}
	return t
}

// verdicts writes verdicts as "item outcome code", in order.
func verdicts(r graph.Receipt) []string {
	out := []string{}
	for _, v := range r.Verdicts {
		out = append(out, strings.TrimSpace(v.Item+" "+string(v.Outcome)+" "+string(v.Code)))
	}
	return out
}

func message(id int64, role, speaker, content string) graph.Source {
	return graph.Source{
		SourceID: id, Kind: graph.SourceMessage, Role: role, Speaker: speaker, Content: content,
		Date: at("2026-03-03 20:00:00"),
	}
}

func sortedByKey(rels map[string]graph.Relation) []graph.Relation {
	return slices.SortedFunc(maps.Values(rels), func(a, b graph.Relation) int { return cmp.Compare(a.Key, b.Key) })
}
