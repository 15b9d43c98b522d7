package relations

import (
	"cmp"
	"context"
	"time"

	"relata/graph"
)

// memories writes a batch of memories in one transaction.
func (r *importRun) memories(ctx context.Context, lines []memoryLine) error {
	// The entry, and for each line a memory and its two ends, and everybody who
	// knows it.
	need := 1 + 3*len(lines)
	for _, l := range lines {
		need += len(l.Aware) + len(l.KnownBy)
	}
	first, err := r.store.NewIDs(ctx, need)
	if err != nil {
		return err
	}
	var job *memoryBatch
	err = r.store.Write(ctx, r.req.Space, func(ctx context.Context, tx *graph.Tx) error {
		job = &memoryBatch{
			importRun: r, next: first, byKey: make(map[uint64]graph.MemoryID), waiting: make(map[uint64][]awaited),
			current: make(map[identity]graph.MemoryID), added: make(map[graph.MemoryID]*graph.MemoryAdd),
			claims: make(map[graph.MemoryID]bool), retiring: make(map[graph.MemoryID]bool),
			replaced: make(map[graph.MemoryID]graph.MemoryID),
		}
		return job.write(ctx, tx, lines)
	})
	if err != nil {
		return err
	}
	job.commit()
	return nil
}

// memoryBatch is one run of a transaction over a batch; what it learns is the
// import's once it is committed.
type memoryBatch struct {
	*importRun
	next int64

	plan    *planner // for categories
	vocab   *vocabularyBatch
	known   map[string][]graph.KnownMemory
	sources map[int64]bool
	out     graph.ImportBatch
	part    ImportReport

	byKey    map[uint64]graph.MemoryID
	waiting  map[uint64][]awaited
	current  map[identity]graph.MemoryID // made here
	added    map[graph.MemoryID]*graph.MemoryAdd
	claims   map[graph.MemoryID]bool
	retiring map[graph.MemoryID]bool
	replaced map[graph.MemoryID]graph.MemoryID // new → old, the last of them
	served   []uint64                          // awaited keys that came
}

// importLine is a line with what its names mean.
type importLine struct {
	memoryLine
	subject, object graph.EntityRef
	rel             *entry
	fingerprint     string
}

func (b *memoryBatch) take() int64 { b.next++; return b.next - 1 }

func (b *memoryBatch) write(ctx context.Context, tx *graph.Tx, lines []memoryLine) error {
	entry := b.entry(graph.DiffID(b.take()))
	resolved, err := b.ground(ctx, tx, lines)
	if err != nil {
		return err
	}
	for i := range resolved {
		b.judge(&resolved[i])
	}
	b.out.AddRelations, _ = b.vocab.changes()
	b.part.Relations = len(b.out.AddRelations)
	for i, rel := range b.out.AddRelations {
		entry.Items = append(entry.Items, relationItem("relations.increments", i, graph.ActionAdd, nil, rel))
	}
	for i, m := range b.out.Add {
		it := graph.DiffItem{Action: graph.ActionAdd, Memory: m.Memory.ID}
		it.Item, it.Outcome = itemName("memories.increments", i), graph.OutcomeApplied
		if old := b.replaced[m.Memory.ID]; old != 0 {
			it.Action, it.Old = graph.ActionReplace, old
		}
		entry.Items = append(entry.Items, it)
	}
	b.out.Ledger = entry
	b.out.NewEntityID = func() graph.EntityID { return graph.EntityID(b.take()) }
	return tx.Import(ctx, &b.out)
}

// ground reads what the lines stand on and resolves their names.
func (b *memoryBatch) ground(ctx context.Context, tx *graph.Tx, lines []memoryLine) ([]importLine, error) {
	var names []string
	var ids []int64
	for _, l := range lines {
		names = append(append(names, l.Subject, l.Object), l.KnownBy...)
		if l.Persona != "" {
			names = append(names, l.Persona)
		}
		ids = append(ids, l.MsgIDs...)
	}
	ground, err := tx.Ground(ctx, graph.GroundQuery{Names: names})
	if err != nil {
		return nil, err
	}
	if b.sources, err = tx.KnownSources(ctx, ids); err != nil {
		return nil, err
	}
	if b.plan, err = newPlanner(Input{Ground: ground}); err != nil {
		return nil, err
	}
	b.vocab = newVocabularyBatch(ground)
	resolved := make([]importLine, 0, len(lines))
	fingerprints := make([]string, 0, len(lines))
	for _, l := range lines {
		rel, err := b.vocab.resolve(b.plan.vocab, l.Relation, !l.retiredAt.IsZero(), b.clock())
		if err != nil {
			b.part.fail(l.line, "%v", err)
			continue
		}
		x := importLine{memoryLine: l, rel: rel}
		x.subject = named(ground, l.Subject, l.SubjectEntity)
		x.object = named(ground, l.Object, l.ObjectEntity)
		x.fingerprint = graph.Fingerprint(x.subject.Key, x.object.Key, l.Content)
		resolved, fingerprints = append(resolved, x), append(fingerprints, x.fingerprint)
	}
	b.known, err = tx.Known(ctx, fingerprints)
	return resolved, err
}

// named gives the entity of a name as written, or the one named exactly.
func named(ground *graph.Ground, written, exact string) graph.EntityRef {
	if blank(exact) {
		return ground.Resolve(written)
	}
	return graph.EntityRef{Key: graph.EntityKey(exact), Name: exact}
}

// judge decides what a line is: there already, new, or new and history.
func (b *memoryBatch) judge(l *importLine) {
	retired := l.retiredAt
	waiting := b.awaiting(l.Key)
	if retired.IsZero() && len(waiting) > 0 {
		retired = cmp.Or(waiting[0].at, b.clock())
	}
	id, there := b.find(l, !retired.IsZero())
	if there {
		b.part.Duplicates++
	} else {
		id = b.add(l, retired, len(waiting) > 0)
	}
	if l.Key != "" {
		h := b.hash(l.Key)
		if other := b.resolve(h); other != 0 && other != id {
			b.part.complain(l.line, "the key %s is that of another line, to which supersedes goes on to lead", quote(l.Key))
		} else {
			b.byKey[h] = id
		}
		if len(waiting) > 0 {
			b.served = append(b.served, h)
			delete(b.waiting, h)
		}
	}
	for _, w := range waiting {
		b.replace(w.by, id, retired)
	}
	since := cmp.Or(l.date, b.clock())
	for _, key := range l.Supersedes {
		switch old := b.resolve(b.hash(key)); {
		case key == l.Key:
			b.part.complain(l.line, "a line cannot supersede itself")
		case old != 0:
			b.replace(id, old, since)
		default:
			b.waiting[b.hash(key)] = append(b.waiting[b.hash(key)], awaited{l.line, key, id, since})
		}
	}
}

// awaiting gives who waits for the line of a key.
func (b *memoryBatch) awaiting(key string) []awaited {
	if key == "" {
		return nil
	}
	h := b.hash(key)
	return append(append([]awaited(nil), b.awaited[h]...), b.waiting[h]...)
}

func (b *memoryBatch) resolve(h uint64) graph.MemoryID {
	if id := b.byKey[h]; id != 0 {
		return id
	}
	return b.keys[h]
}

// find gives the memory that a line says again.
func (b *memoryBatch) find(l *importLine, retired bool) (graph.MemoryID, bool) {
	// What went and came back is there twice: the date tells which is meant.
	for _, k := range b.known[l.fingerprint] {
		if k.RetiredAt.IsZero() || k.Relation != l.rel.Key || b.claims[k.ID] || b.claimed[k.ID] || !sameSecond(k.Date, l.date) ||
			!l.retiredAt.IsZero() && !sameSecond(k.RetiredAt, l.retiredAt) {
			continue
		}
		b.claims[k.ID] = true
		return k.ID, true
	}
	if retired {
		return 0, false
	}
	if id := b.current[identity{l.rel, l.fingerprint}]; id != 0 {
		return id, true
	}
	for _, k := range b.known[l.fingerprint] {
		if k.RetiredAt.IsZero() && k.Relation == l.rel.Key && !b.retiring[k.ID] {
			return k.ID, true
		}
	}
	return 0, false
}

// sameSecond compares dates as lines have them.
func sameSecond(a, b time.Time) bool {
	return a.Truncate(time.Second).Equal(b.Truncate(time.Second))
}

func (b *memoryBatch) add(l *importLine, retired time.Time, replaced bool) graph.MemoryID {
	id := graph.MemoryID(b.take())
	m := graph.Memory{
		ID: id, Subject: l.Subject, Object: l.Object, Relation: l.rel.Key, Content: l.Content,
		Index0: l.Index0, Index1: l.Index1, Tags: l.Tags, Title: l.Title, MemoryType: l.MemoryType,
		Date: l.date, EventDate: l.EventDate, Persona: l.Persona, SessionID: l.Session,
		RetiredAt: retired, RetiredBy: l.RetiredBy,
	}
	if !retired.IsZero() && m.RetiredBy == "" {
		if m.RetiredBy = "remove"; replaced {
			m.RetiredBy = "replace"
		}
	}
	if retired.IsZero() {
		m.RetiredBy = ""
	}
	if m.Index0 == "" || m.Index1 == "" {
		c := b.category(l)
		m.Index0, m.Index1 = c.Index0, c.Index1
	}
	add := &graph.MemoryAdd{Memory: m, Subject: l.subject, Object: l.object, Vector: l.vector, Aware: b.aware(l)}
	seen := make(map[int64]bool, len(l.MsgIDs))
	for _, src := range l.MsgIDs {
		switch {
		case seen[src]:
		case b.sources[src] && !b.foreign[src]:
			add.SourceIDs = append(add.SourceIDs, src)
		default:
			b.part.MissingSources++
		}
		seen[src] = true
	}
	b.out.Add = append(b.out.Add, add)
	b.added[id] = add
	b.part.Memories++
	if retired.IsZero() {
		b.current[identity{l.rel, l.fingerprint}] = id
	} else {
		b.claims[id] = true
	}
	return id
}

// category derives what a line does not say, as for a diff.
func (b *memoryBatch) category(l *importLine) graph.Category {
	b.plan.cast.personas = nil
	if ref, ok := b.plan.who.persona(l.Persona); ok && l.Persona != "" {
		b.plan.cast.personas = []graph.EntityRef{ref}
	}
	st := &statement{item: MemoryItem{Index0: l.Index0, Index1: l.Index1}, subject: l.subject, object: l.object, rel: l.rel}
	return b.plan.category(&verdict{}, st)
}

// aware gives who knows a line's memory: those it lists with how and since, and
// the personas of known_by, who were told on its date.
func (b *memoryBatch) aware(l *importLine) []graph.Awareness {
	var out []graph.Awareness
	seen := make(map[string]bool)
	for i, k := range l.Aware {
		key := graph.EntityKey(k.Name)
		if seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, graph.Awareness{
			Entity: graph.EntityRef{Key: key, Name: k.Name}, Since: l.since[i], How: graph.How(k.How), By: k.By, MsgIDs: k.MsgIDs,
		})
	}
	for _, name := range l.KnownBy {
		ref, ok := b.plan.who.persona(name)
		switch {
		case !ok:
			b.part.complain(l.line, "known_by: the space has no persona %s", quote(name))
		case !seen[ref.Key]:
			seen[ref.Key] = true
			out = append(out, graph.Awareness{Entity: ref, Since: l.date, How: graph.HowTold, Persona: true})
		}
	}
	return out
}

// replace has a memory take the place of another, which holds no longer from
// then on; one that was retired already keeps its date.
func (b *memoryBatch) replace(by, old graph.MemoryID, at time.Time) {
	if m := b.added[old]; m != nil {
		if m.Memory.RetiredAt.IsZero() {
			m.Memory.RetiredAt, m.Memory.RetiredBy = at, "replace"
			for identity, id := range b.current {
				if id == old {
					delete(b.current, identity)
				}
			}
		}
	} else {
		b.out.Retire = append(b.out.Retire, graph.ImportRetire{ID: old, At: at})
	}
	b.retiring[old], b.claims[old] = true, true
	b.replaced[by] = old
	b.out.Supersede = append(b.out.Supersede, graph.ImportSupersede{New: by, Old: old})
}

// commit hands on what the batch learned.
func (b *memoryBatch) commit() {
	b.merge(b.part)
	for h, id := range b.byKey {
		b.keys[h] = id
	}
	for _, h := range b.served {
		delete(b.awaited, h)
	}
	for h, w := range b.waiting {
		b.awaited[h] = append(b.awaited[h], w...)
	}
	for id := range b.claims {
		b.claimed[id] = true
	}
}
