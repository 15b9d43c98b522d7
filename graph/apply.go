package graph

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"relata/cypher"
)

var (
	relationAdd            = cypher.Load("relation_add")
	relationUpdate         = cypher.Load("relation_update")
	relationRename         = cypher.Load("relation_rename")
	relationRenameMemories = cypher.Load("relation_rename_memories")
	relationRenameRetired  = cypher.Load("relation_rename_retired")
	relationRemove         = cypher.Load("relation_remove")
	sourceAdd              = cypher.Load("source_add")
	sourceUnlink           = cypher.Load("source_unlink")
	sourceLink             = cypher.Load("source_link")
	entityAdd              = cypher.Load("entity_add")
	memoryAdd              = cypher.Load("memory_add")
	memoryUpdate           = cypher.Load("memory_update")
	memoryRetire           = cypher.Load("memory_retire")
	memorySupersede        = cypher.Load("memory_supersede")
	awarenessRemove        = cypher.Load("awareness_remove")
	awarenessAdd           = cypher.Load("awareness_add")
	awarenessRevoke        = cypher.Load("awareness_revoke")
	diffAdd                = cypher.Load("diff_add")
)

// TypeName gives the relationship type of a relation key.
func TypeName(key string) string { return strings.ToUpper(key) }

// Apply writes a change set and its ledger entry: one statement for each kind
// of change, none for a kind that does not occur. Rows are sorted, so that
// racing writers take locks in the same order. Ids are those of the plan; the
// entities that the plan names first take theirs from NewEntityID.
func (t *Tx) Apply(ctx context.Context, c *ChangeSet) error {
	a := applier{Tx: t, c: c, space: t.space.Name, entities: make(map[string]EntityID)}
	steps := []func(context.Context) error{
		a.relations, a.sources, a.makeEntities, a.retire, a.update, a.add,
		a.supersede, a.linkSources, a.awareness, a.ledger,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	t.vocabulary = t.vocabulary || len(c.AddRelations)+len(c.UpdateRelations)+len(c.RenameRelations) > 0
	return nil
}

type applier struct {
	*Tx
	c        *ChangeSet
	space    string
	entities map[string]EntityID // by key, those made here
}

func (a *applier) exec(ctx context.Context, st cypher.Statement, params map[string]any) error {
	params["space"] = a.space
	return exec(ctx, a.tx, st, params)
}

// rows runs a statement over rows, and nothing where there are none.
func (a *applier) rows(ctx context.Context, st cypher.Statement, rows []map[string]any) error {
	if len(rows) == 0 {
		return nil
	}
	return a.exec(ctx, st, map[string]any{"rows": rows})
}

func (a *applier) relations(ctx context.Context) error {
	for i := range a.c.RenameRelations {
		rn := &a.c.RenameRelations[i]
		err := a.exec(ctx, relationRename, map[string]any{"from": rn.From, "row": relationProps(rn.To)})
		if err != nil {
			return err
		}
		carried, err := run(ctx, a.tx, relationRenameMemories, map[string]any{
			"space": a.space, "from": rn.From, "to": rn.To.Key,
			"from_type": TypeName(rn.From), "to_type": TypeName(rn.To.Key),
		}, func(r record) (int, error) { return int(r.int("carried")), nil })
		if err != nil {
			return err
		}
		rn.Carried = carried[0]
		err = a.exec(ctx, relationRenameRetired, map[string]any{"from": rn.From, "to": rn.To.Key})
		if err != nil {
			return err
		}
		a.noteCarried(rn)
	}
	if err := a.rows(ctx, relationUpdate, relationRows(a.c.UpdateRelations)); err != nil {
		return err
	}
	return a.rows(ctx, relationAdd, relationRows(a.c.AddRelations))
}

// noteCarried puts the count of a rename into its ledger item.
func (a *applier) noteCarried(rn *RelationRename) {
	if a.c.Ledger == nil {
		return
	}
	for i := range a.c.Ledger.Items {
		if it := &a.c.Ledger.Items[i]; it.RelationBefore != nil && it.RelationBefore.Key == rn.From {
			it.Carried = rn.Carried
		}
	}
}

func relationRows(rels []Relation) []map[string]any {
	rows := make([]map[string]any, len(rels))
	for i, r := range rels {
		rows[i] = relationProps(r)
	}
	return sortRows(rows, "key")
}

func (a *applier) sources(ctx context.Context) error {
	rows := make([]map[string]any, 0, len(a.c.Sources))
	for _, src := range a.c.Sources {
		props, err := sourceProps(src)
		if err != nil {
			return err
		}
		rows = append(rows, map[string]any{"source_id": src.SourceID, "label": sourceLabel(src.Kind), "props": props})
	}
	return a.rows(ctx, sourceAdd, sortRows(rows, "source_id"))
}

func sourceLabel(k SourceKind) string {
	switch k {
	case SourceChunk:
		return "Chunk"
	case SourceImage:
		return "Image"
	}
	return "Message"
}

func sourceProps(src Source) (map[string]any, error) {
	var calls any
	if len(src.ToolCalls) > 0 {
		raw, err := json.Marshal(src.ToolCalls)
		if err != nil {
			return nil, WrapError(CodeInvalid, err, "the tool calls of message %d cannot be stored", src.SourceID)
		}
		calls = string(raw)
	}
	kind := src.Kind
	if kind == "" {
		kind = SourceMessage
	}
	present := src.Present
	if present == nil {
		present = []string{}
	}
	return map[string]any{
		"kind": string(kind), "session": src.Session, "role": textOrNull(src.Role), "speaker": textOrNull(src.Speaker),
		"date": dateOrNull(src.Date), "content": src.Content, "tool_calls": calls,
		"tool_call_id": textOrNull(src.ToolCallID), "present": present,
		"terms": heardTerms(src), "name": textOrNull(src.Name), "url": textOrNull(src.URL), "hash": textOrNull(src.Hash),
	}, nil
}

// heardTerms gives what memories keep of a source: the words of a message. A part
// of a document says much beside what one memory was read from.
func heardTerms(src Source) any {
	if sourceLabel(src.Kind) != "Message" {
		return nil
	}
	return textOrNull(sourceTerms(src.Content))
}

// makeEntities makes the entities that the change set names and the space lacks.
func (a *applier) makeEntities(ctx context.Context) error {
	names := make(map[string]EntityRef)
	want := func(ref EntityRef) {
		if _, ok := names[ref.Key]; ref.ID == 0 && !ok {
			names[ref.Key] = ref
		}
	}
	for _, m := range a.c.Add {
		want(m.Subject)
		want(m.Object)
		for _, k := range m.Aware {
			want(k.Entity)
		}
	}
	for _, m := range a.c.Update {
		for _, k := range m.Aware {
			want(k.Entity)
		}
	}
	if len(names) == 0 {
		return nil
	}
	rows := make([]map[string]any, 0, len(names))
	for key, ref := range names {
		id := a.c.NewEntityID()
		rows = append(rows, map[string]any{"key": key, "name": ref.Name, "id": int64(id)})
	}
	_, err := run(ctx, a.tx, entityAdd, map[string]any{"space": a.space, "rows": sortRows(rows, "key")}, func(r record) (struct{}, error) {
		a.entities[r.text("key")] = EntityID(r.int("id"))
		return struct{}{}, nil
	})
	return err
}

func (a *applier) entity(ref EntityRef) int64 {
	if ref.ID != 0 {
		return int64(ref.ID)
	}
	return int64(a.entities[ref.Key])
}

func (a *applier) retire(ctx context.Context) error {
	rows := make([]map[string]any, 0, len(a.c.Retire))
	for _, m := range a.c.Retire {
		rows = append(rows, map[string]any{"id": int64(m.ID), "type": TypeName(m.Relation), "by": m.By})
	}
	if len(rows) == 0 {
		return nil
	}
	present := []string{}
	if d := a.c.Ledger; d != nil {
		present = append(present, d.Present...)
	}
	return a.exec(ctx, memoryRetire, map[string]any{"rows": sortRows(rows, "id"), "date": dateOrNull(a.date()), "present": present})
}

// date is when the diff takes effect: its own date, else now.
func (a *applier) date() time.Time {
	if a.c.Ledger != nil && !a.c.Ledger.Date.IsZero() {
		return a.c.Ledger.Date
	}
	return time.Now()
}

func (a *applier) update(ctx context.Context) error {
	var rows, unlink, forget []map[string]any
	for _, u := range a.c.Update {
		id := int64(u.ID)
		if u.SetFields {
			rows = append(rows, map[string]any{
				"id": id, "type": TypeName(u.Memory.Relation), "date": dateOrNull(u.Memory.Date), "props": memoryProps(u.Memory, ""),
			})
		}
		if u.ReplaceSources {
			keep := u.MsgIDs
			if keep == nil {
				keep = []int64{}
			}
			unlink = append(unlink, map[string]any{"id": id, "keep": keep})
		}
		if u.ReplaceAware {
			keep := []int64{}
			for _, k := range u.Aware {
				keep = append(keep, a.entity(k.Entity))
			}
			forget = append(forget, map[string]any{"id": id, "keep": keep})
		}
	}
	if err := a.rows(ctx, memoryUpdate, sortRows(rows, "id")); err != nil {
		return err
	}
	if err := a.rows(ctx, sourceUnlink, sortRows(unlink, "id")); err != nil {
		return err
	}
	return a.rows(ctx, awarenessRemove, sortRows(forget, "id"))
}

func (a *applier) add(ctx context.Context) error {
	rows := make([]map[string]any, 0, len(a.c.Add))
	for _, m := range a.c.Add {
		subject, object := m.Subject.Key, m.Object.Key
		row := map[string]any{
			"id": int64(m.Memory.ID), "subject_id": a.entity(m.Subject), "object_id": a.entity(m.Object),
			"type": TypeName(m.Memory.Relation), "date": dateOrNull(m.Memory.Date),
			"props": memoryProps(m.Memory, Fingerprint(subject, object, m.Memory.Content)), "vector": nil,
		}
		if m.Vector != nil {
			row["vector"] = float64s(m.Vector)
		}
		rows = append(rows, row)
	}
	return a.rows(ctx, memoryAdd, sortRows(rows, "id"))
}

// memoryProps gives a memory's properties as stored. Without a fingerprint, as
// for an update in place, those that make its identity are left out.
func memoryProps(m Memory, fingerprint string) map[string]any {
	tags := m.Tags
	if tags == nil {
		tags = []string{}
	}
	terms, chars := memoryTerms(m)
	props := map[string]any{
		"relation": m.Relation, "index0": m.Index0, "index1": m.Index1, "tags": tags,
		"title": textOrNull(m.Title), "memory_type": textOrNull(m.MemoryType),
		"date": dateOrNull(m.Date), "event_date": textOrNull(m.EventDate),
		"session": textOrNull(m.SessionID), "terms": terms, "chars": chars,
	}
	if fingerprint != "" {
		props["fingerprint"] = fingerprint
		props["subject"], props["object"], props["content"] = m.Subject, m.Object, m.Content
		props["persona"] = textOrNull(m.Persona)
	}
	return props
}

func (a *applier) supersede(ctx context.Context) error {
	var rows []map[string]any
	for _, m := range a.c.Add {
		for _, old := range m.Supersedes {
			rows = append(rows, map[string]any{"new": int64(m.Memory.ID), "old": int64(old)})
		}
	}
	for _, m := range a.c.Update {
		for _, old := range m.Supersedes {
			rows = append(rows, map[string]any{"new": int64(m.ID), "old": int64(old)})
		}
	}
	return a.rows(ctx, memorySupersede, sortRows(rows, "new"))
}

func (a *applier) linkSources(ctx context.Context) error {
	var rows []map[string]any
	link := func(id MemoryID, msgs []int64) {
		for _, msg := range msgs {
			rows = append(rows, map[string]any{"id": int64(id), "source_id": msg})
		}
	}
	for _, m := range a.c.Add {
		link(m.Memory.ID, m.SourceIDs)
	}
	for _, m := range a.c.Update {
		link(m.ID, m.MsgIDs)
	}
	return a.rows(ctx, sourceLink, sortRows(rows, "id"))
}

func (a *applier) awareness(ctx context.Context) error {
	var rows []map[string]any
	know := func(id MemoryID, aware []Awareness) {
		for _, k := range aware {
			rows = append(rows, map[string]any{"id": int64(id), "entity_id": a.entity(k.Entity), "props": awareProps(k)})
		}
	}
	for _, m := range a.c.Add {
		know(m.Memory.ID, m.Aware)
	}
	var revoked []map[string]any
	for _, m := range a.c.Update {
		know(m.ID, m.Aware)
		for _, e := range m.Forget {
			revoked = append(revoked, map[string]any{"id": int64(m.ID), "entity_id": int64(e.ID)})
		}
	}
	if err := a.rows(ctx, awarenessRevoke, sortRows(revoked, "id")); err != nil {
		return err
	}
	return a.rows(ctx, awarenessAdd, sortRows(rows, "id"))
}

func (a *applier) ledger(ctx context.Context) error {
	d := a.c.Ledger
	if d == nil {
		return nil
	}
	props, err := diffProps(*d)
	if err != nil {
		return err
	}
	added, updated, retired := []int64{}, []int64{}, []int64{}
	for _, m := range a.c.Add {
		added = append(added, int64(m.Memory.ID))
	}
	for _, m := range a.c.Update {
		updated = append(updated, int64(m.ID))
	}
	for _, m := range a.c.Retire {
		retired = append(retired, int64(m.ID))
	}
	texts := []map[string]any{}
	for kind, text := range map[string]string{"raw": a.c.Answer, "held": a.c.Held} {
		if text != "" {
			texts = append(texts, map[string]any{"kind": kind, "text": text})
		}
	}
	err = a.exec(ctx, diffAdd, map[string]any{
		"props": props, "texts": texts, "added": added, "updated": updated, "retired": retired,
	})
	if err != nil {
		return err
	}
	// Removing comes last: the memories that used the relations are gone now.
	if len(a.c.RemoveRelations) == 0 {
		return nil
	}
	return a.exec(ctx, relationRemove, map[string]any{"keys": a.c.RemoveRelations, "date": dateOrNull(a.date())})
}

// sortRows sorts rows by a column of ints or texts.
func sortRows(rows []map[string]any, by string) []map[string]any {
	slices.SortStableFunc(rows, func(x, y map[string]any) int {
		if n, ok := x[by].(int64); ok {
			return cmp.Compare(n, y[by].(int64))
		}
		return cmp.Compare(x[by].(string), y[by].(string))
	})
	return rows
}
