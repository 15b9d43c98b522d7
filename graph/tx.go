package graph

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

var (
	spaceLock  = cypher.Load("space_lock")
	groundRead = cypher.Load("ground_read")
	storedRead = cypher.Load("stored_read")
	sourceRead = cypher.Load("source_read")
	diffByKey  = cypher.Load("diff_by_key")
)

// Tx is one transaction on one space. Its methods must not be called after the
// function it was given to has returned.
type Tx struct {
	tx         neo4j.ManagedTransaction
	space      Space
	vocabulary bool // it changed the vocabulary
}

// Write runs fn in a transaction that holds the space's write lock from its
// beginning, so that what fn reads is still true when it writes. fn may run
// again after a transient failure and must have no effect of its own. An error
// of fn rolls everything back and is returned. Errors: CodeNotFound for the
// space, CodeUnavailable, CodeTimeout.
func (s *Store) Write(ctx context.Context, space string, fn func(context.Context, *Tx) error) error {
	release, err := s.locks.lock(ctx, space)
	if err != nil {
		return translate("space_lock", err)
	}
	defer release()
	session := s.session(ctx, neo4j.AccessModeWrite)
	defer session.Close(ctx)
	vocabulary, err := neo4j.ExecuteWrite(ctx, session, func(tx neo4j.ManagedTransaction) (bool, error) {
		return within(ctx, s.observed(tx), spaceLock, space, fn)
	}, s.txConfig("write"))
	if err != nil || !vocabulary {
		return translate("write", err)
	}
	// What relations mean helps searches to link questions to them; the write
	// stands without it, and the next change tries again.
	if err := s.FillGlosses(ctx, space); err != nil {
		s.log.WarnContext(ctx, "embed relations", "space", space, "error", err)
	}
	return nil
}

// Read runs fn in a read-only transaction without the lock.
func (s *Store) Read(ctx context.Context, space string, fn func(context.Context, *Tx) error) error {
	session := s.session(ctx, neo4j.AccessModeRead)
	defer session.Close(ctx)
	_, err := neo4j.ExecuteRead(ctx, session, func(tx neo4j.ManagedTransaction) (bool, error) {
		return within(ctx, s.observed(tx), spaceGet, space, fn)
	}, s.txConfig("read"))
	return translate("read", err)
}

// within runs fn in an open transaction and says whether it changed the
// vocabulary.
func within(ctx context.Context, tx neo4j.ManagedTransaction, open cypher.Statement, space string, fn func(context.Context, *Tx) error) (vocabulary bool, err error) {
	rows, err := run(ctx, tx, open, map[string]any{"space": space}, toSpace)
	if err != nil {
		return false, err
	}
	if len(rows) == 0 {
		return false, noSpace(space)
	}
	t := &Tx{tx: tx, space: rows[0]}
	err = fn(ctx, t)
	return t.vocabulary, err
}

// Ground reads the state that every plan stands on.
func (t *Tx) Ground(ctx context.Context, q GroundQuery) (*Ground, error) {
	keys := make([]string, 0, len(q.Names))
	seen := make(map[string]bool, len(q.Names))
	for _, name := range q.Names {
		if key := EntityKey(name); key != "" && !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	uses := q.Uses
	if uses == nil {
		uses = []string{}
	}
	rows, err := run(ctx, t.tx, groundRead, map[string]any{"space": t.space.Name, "keys": keys, "uses": uses}, func(r record) (*Ground, error) {
		g := &Ground{
			Space: t.space, KeysEver: int(r.int("keys_ever")), TypesEver: int(r.int("types_ever")),
			names: make(map[string]EntityRef),
		}
		counts := make(map[string]int)
		for _, f := range r.nodes("uses") {
			counts[f.text("key")] = int(f.int("count"))
		}
		for _, f := range r.nodes("relations") {
			rel := toRelation(f)
			rel.Uses = counts[rel.Key]
			g.Relations = append(g.Relations, rel)
		}
		for _, f := range r.nodes("personas") {
			g.Personas = append(g.Personas, toPersona(f))
		}
		for _, f := range r.nodes("names") {
			g.names[f.text("key")] = EntityRef{
				ID: EntityID(f.int("id")), Key: f.text("entity_key"), Name: f.text("name"), Persona: f.bool("persona"),
			}
		}
		return g, nil
	})
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

// Memories reads the current memories that a lookup asks for, by id.
func (t *Tx) Memories(ctx context.Context, q Lookup) ([]Stored, error) {
	functional := make([]map[string]any, len(q.Functional))
	for i, f := range q.Functional {
		functional[i] = map[string]any{"subject": int64(f.Subject), "relation": f.Relation}
	}
	fingerprints := q.Fingerprints
	if fingerprints == nil {
		fingerprints = []string{}
	}
	if len(fingerprints)+len(q.IDs)+len(functional) == 0 {
		return nil, nil
	}
	return run(ctx, t.tx, storedRead, map[string]any{
		"space": t.space.Name, "fingerprints": fingerprints, "ids": int64s(q.IDs), "functional": functional,
	}, func(r record) (Stored, error) {
		f := r.node("memory")
		st := Stored{
			Memory:     toMemory(f),
			SubjectKey: r.node("subject").text("key"), ObjectKey: r.node("object").text("key"),
			Fingerprint: f.text("fingerprint"),
		}
		st.SubjectID, st.ObjectID = EntityID(r.node("subject").int("id")), EntityID(r.node("object").int("id"))
		st.MsgIDs = sortedInts(r.ints("msg_ids"))
		chunks := r.nodes("chunks")
		slices.SortFunc(chunks, func(a, b fields) int { return cmp.Compare(a.text("name"), b.text("name")) })
		for _, c := range chunks {
			st.Chunks, st.ChunkIDs = append(st.Chunks, c.text("name")), append(st.ChunkIDs, c.int("id"))
		}
		for _, a := range r.nodes("aware") {
			st.Aware = append(st.Aware, toAwareness(a))
		}
		st.KnownBy = personaNames(st.Aware)
		return st, nil
	})
}

// Sources reads the messages that exist among ids.
func (t *Tx) Sources(ctx context.Context, ids []int64) (map[int64]Source, error) {
	out := make(map[int64]Source, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	rows, err := run(ctx, t.tx, sourceRead, map[string]any{"space": t.space.Name, "ids": ids}, toSource)
	for _, src := range rows {
		out[src.SourceID] = src
	}
	return out, err
}

// DiffByKey gives the diff that stands for an idempotency key.
func (t *Tx) DiffByKey(ctx context.Context, key string) (Diff, bool, error) {
	rows, err := run(ctx, t.tx, diffByKey, map[string]any{"space": t.space.Name, "key": key}, toDiff)
	if err != nil || len(rows) == 0 {
		return Diff{}, false, err
	}
	return rows[0], true, nil
}

func toSource(r record) (Source, error) {
	f := r.node("source")
	src := Source{
		SourceID: f.int("source_id"), Kind: SourceKind(f.text("kind")), Session: f.text("session"),
		Role: f.text("role"), Speaker: f.text("speaker"), Date: f.time("date"), Content: f.text("content"),
		ToolCallID: f.text("tool_call_id"), Present: f.texts("present"),
		Name: f.text("name"), URL: f.text("url"), Hash: f.text("hash"),
	}
	if calls := f.text("tool_calls"); calls != "" {
		if err := json.Unmarshal([]byte(calls), &src.ToolCalls); err != nil {
			return src, WrapError(CodeInternal, err, "the tool calls of message %d cannot be read", src.SourceID)
		}
	}
	return src, nil
}
