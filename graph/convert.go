package graph

import (
	"slices"
)

func toRelation(f fields) Relation {
	r := Relation{
		Key: f.text("key"), Content: f.text("content"), Date: f.time("date"),
		Functional: f.bool("functional"), Symmetric: f.bool("symmetric"), Inverse: f.text("inverse"),
		Status: RelationStatus(f.text("status")), Successor: f.text("successor"),
	}
	if aliases := f.texts("aliases"); len(aliases) > 0 {
		r.Aliases = aliases
	}
	return r
}

// relationProps gives a relation as it is stored; null takes a property away.
func relationProps(r Relation) map[string]any {
	status := r.Status
	if status == "" {
		status = RelationActive
	}
	var aliases any
	if len(r.Aliases) > 0 {
		aliases = r.Aliases
	}
	return map[string]any{
		"key": r.Key, "content": r.Content, "date": dateOrNull(r.Date),
		"functional": r.Functional, "symmetric": r.Symmetric, "inverse": textOrNull(r.Inverse),
		"aliases": aliases, "status": string(status), "successor": textOrNull(r.Successor),
		// Vectors of an older meaning go; see FillGlosses.
		"key_embedding": nil, "gloss_embedding": nil,
	}
}

func toMemory(f fields) Memory {
	return Memory{
		ID: MemoryID(f.int("id")), Subject: f.text("subject"), Relation: f.text("relation"), Object: f.text("object"),
		Content: f.text("content"), Index0: f.text("index0"), Index1: f.text("index1"), Tags: f.texts("tags"),
		Title: f.text("title"), MemoryType: f.text("memory_type"), Date: f.time("date"), EventDate: f.text("event_date"),
		Persona: f.text("persona"), SessionID: f.text("session"), RetiredAt: f.time("retired_at"), RetiredBy: f.text("retired_by"),
	}
}

// toFullMemory reads the columns that the statements on whole memories return.
func toFullMemory(r record) (Memory, error) {
	m := toMemory(r.node("memory"))
	m.SubjectID, m.ObjectID = EntityID(r.int("subject_id")), EntityID(r.int("object_id"))
	m.MsgIDs = sortedInts(r.ints("msg_ids"))
	m.Chunks = r.texts("chunks")
	slices.Sort(m.Chunks)
	m.Supersedes = toMemoryIDs(r.ints("supersedes"))
	m.SupersededBy = toMemoryIDs(r.ints("superseded_by"))
	var known []Awareness
	for _, pair := range r.list("known_by") {
		if p, ok := pair.([]any); ok && len(p) == 2 {
			known = append(known, Awareness{Entity: EntityRef{ID: EntityID(asInt(p[0])), Name: asText(p[1])}, Persona: true})
		}
	}
	m.KnownBy = personaNames(known)
	return m, nil
}

func toAwareness(f fields) Awareness {
	persona := f.bool("persona")
	return Awareness{
		Entity: EntityRef{ID: EntityID(f.int("id")), Key: f.text("key"), Name: f.text("name"), Persona: persona},
		Since:  f.time("since"), How: How(f.text("how")), By: f.text("by"), MsgIDs: f.ints("msg_ids"), Persona: persona,
	}
}

// personaNames gives the personas among those aware, in order of their making.
func personaNames(aware []Awareness) []string {
	aware = slices.Clone(aware)
	slices.SortFunc(aware, func(a, b Awareness) int { return int(a.Entity.ID - b.Entity.ID) })
	names := []string{}
	for _, a := range aware {
		if a.Persona {
			names = append(names, a.Entity.Name)
		}
	}
	return names
}

func toMemoryIDs(ids []int64) []MemoryID {
	out := make([]MemoryID, 0, len(ids))
	for _, id := range sortedInts(ids) {
		out = append(out, MemoryID(id))
	}
	return out
}

func sortedInts(ids []int64) []int64 {
	slices.Sort(ids)
	return ids
}

// int64s gives ids as the driver packs them.
func int64s[T ~int64](ids []T) []int64 {
	out := make([]int64, len(ids))
	for i, id := range ids {
		out[i] = int64(id)
	}
	return out
}
