package crash_test

import (
	"context"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/internal/localdb"
)

// store looks at the database past Relata.
type store struct {
	t      *testing.T
	ctx    context.Context
	driver neo4j.DriverWithContext
}

func openStore(ctx context.Context, t *testing.T, o localdb.Options) store {
	t.Helper()
	db := startDatabase(ctx, t, o)
	password, err := db.Password()
	if err != nil {
		t.Fatal(err)
	}
	driver, err := neo4j.NewDriverWithContext(db.BoltURI, neo4j.BasicAuth(db.User, password, ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = driver.Close(context.Background()) })
	return store{t, ctx, driver}
}

func (s store) rows(statement string, params map[string]any) []*neo4j.Record {
	s.t.Helper()
	res, err := neo4j.ExecuteQuery(s.ctx, s.driver, statement, params, neo4j.EagerResultTransformer)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.Records
}

// none wants a statement that looks for faults to find nothing.
func (s store) none(fault, statement string) {
	s.t.Helper()
	for _, r := range s.rows(statement, nil) {
		s.t.Errorf("%s: %v", fault, r.Values)
	}
}

// checkDiffs wants each acknowledged diff in the ledger, once, with all of its
// memories.
func (s store) checkDiffs(acknowledged []written) {
	s.t.Helper()
	for _, d := range acknowledged {
		rows := s.rows(`
			OPTIONAL MATCH (d:Diff {space: $space, key: $key})
			RETURN collect(d.id) AS ids,
				COUNT { MATCH (m:Memory|Retired) WHERE m.space = $space AND m.content IN $contents } AS stored,
				COUNT { MATCH (:Diff {space: $space, key: $key})-[:ADDED]->(m:Memory|Retired) WHERE m.content IN $contents } AS added`,
			map[string]any{"space": spaceName, "key": d.key, "contents": d.contents})
		ids, stored, added := rows[0].Values[0].([]any), rows[0].Values[1].(int64), rows[0].Values[2].(int64)
		if len(ids) != 1 || ids[0].(int64) != d.id || stored != memoriesPerDiff || added != memoriesPerDiff {
			s.t.Errorf("%s, acknowledged as diff %d: ledger has %v, %d memories are stored and %d belong to it, want %d",
				d.key, d.id, ids, stored, added, memoriesPerDiff)
		}
	}
}

// checkNothingHalf looks at every diff, acknowledged or not.
func (s store) checkNothingHalf() {
	s.t.Helper()
	s.none("a diff is not whole (key, memories, retired, sources)", `
		MATCH (d:Diff) WHERE d.key STARTS WITH 'writer-'
		WITH d, COUNT { (d)-[:ADDED]->() } AS added, COUNT { (d)-[:RETIRED]->(:Retired) } AS retired,
			COUNT { (d)-[:ADDED]->()-[:MEMORY_SOURCE]->(x:Source WHERE x.session = d.session) } AS sources
		WHERE added <> 5 OR sources <> 5 OR retired <> CASE split(d.key, '-')[2] WHEN '0' THEN 0 ELSE 1 END
		RETURN d.key, added, retired, sources`)
	s.none("a memory belongs to no diff or to several", `
		MATCH (m:Memory|Retired) WITH m, COUNT { (:Diff)-[:ADDED]->(m) } AS diffs WHERE diffs <> 1 RETURN m.content, diffs`)
	s.none("a content is stored more than once", `
		MATCH (m:Memory|Retired) WITH m.content AS content, count(*) AS times WHERE times <> 1 RETURN content, times`)
	s.none("a message is stored without its diff", `
		MATCH (x:Source) WHERE NOT EXISTS { (:Diff {session: x.session}) } RETURN x.source_id`)
	s.none("a retired memory has no successor, or several", `
		MATCH (m:Retired) WITH m, COUNT { (:Memory|Retired)-[:SUPERSEDES]->(m) } AS by WHERE by <> 1 RETURN m.content, by`)
	s.none("the version of the space is not the number of its diffs", `
		MATCH (s:Space) WITH s, COUNT { MATCH (d:Diff) WHERE d.space = s.name } AS diffs WHERE s.version <> diffs RETURN s.name, s.version, diffs`)
	s.none("a number is used twice", `
		MATCH (n:Memory|Retired|Entity|Diff) WITH n.id AS id, count(*) AS times WHERE times <> 1 OR id IS NULL RETURN id, times`)
}

// checkNoOrphans wants every part to hang on what it belongs to.
func (s store) checkNoOrphans() {
	s.t.Helper()
	s.none("a memory lacks its subject or object, or has several", `
		MATCH (m:Memory|Retired)
		WITH m, COUNT { (m)-[:MEMORY_SUBJECT]->(:Entity) } AS subjects, COUNT { (m)-[:MEMORY_OBJECT]->(:Entity) } AS objects
		WHERE subjects <> 1 OR objects <> 1 RETURN m.content, subjects, objects`)
	s.none("a current memory has not one typed edge of its relation between its entities", `
		MATCH (m:Memory)
		OPTIONAL MATCH (m)-[:MEMORY_SUBJECT]->(a)-[e]->(b)<-[:MEMORY_OBJECT]-(m) WHERE e.memory_id = m.id
		WITH m, collect(type(e)) AS types WHERE types <> [toUpper(m.relation)] RETURN m.content, types`)
	s.none("a typed edge has no current memory", `
		MATCH (:Entity)-[e]->(:Entity) WHERE e.memory_id IS NOT NULL AND NOT EXISTS { MATCH (m:Memory {id: e.memory_id}) }
		RETURN type(e), e.memory_id`)
	s.none("there are more typed edges than memories", `
		CALL () { MATCH (:Entity)-[e]->(:Entity) WHERE e.memory_id IS NOT NULL RETURN count(e) AS edges }
		WITH edges, COUNT { MATCH (:Memory) } AS memories WHERE edges <> memories RETURN edges, memories`)
	s.none("an entity belongs to nothing", `
		MATCH (e:Entity) WHERE NOT EXISTS { (e)--() } RETURN e.name`)
	s.none("two entities are one", `
		MATCH (e:Entity) WITH e.space AS space, e.key AS key, count(*) AS times WHERE times > 1 RETURN key, times`)
	s.none("a memory nobody knows", `
		MATCH (m:Memory|Retired) WHERE NOT EXISTS { (:Persona)-[:AWARE_OF]->(m) } RETURN m.content`)
	s.none("a memory has no vector or no words", `
		MATCH (m:Memory) WHERE m.embedding IS NULL OR m.terms IS NULL RETURN m.content`)
}

// counted is how much there is.
type counted struct{ nodes, relationships int64 }

func (s store) counts() counted {
	s.t.Helper()
	r := s.rows("RETURN COUNT { MATCH (n) WHERE NOT n:Counter } AS nodes, COUNT { ()-[]->() } AS relationships", nil)[0]
	return counted{r.Values[0].(int64), r.Values[1].(int64)}
}
