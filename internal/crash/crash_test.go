// Package crash_test holds what Relata promises about crashes against a server
// and a database of its own: both are killed, as a power cut would, while
// clients write, and afterwards every acknowledged diff is there, whole and once.
package crash_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"relata/internal/localdb"
	"relata/internal/localdb/dbtest"
)

const (
	writerCount = 4
	// roundDiffs is how many diffs are acknowledged between two kills: enough
	// for each writer to have replaced what it wrote before.
	roundDiffs = 3 * writerCount
	// limit bounds the whole test on a slow machine.
	limit = 8 * time.Minute
)

func TestNothingAcknowledgedIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Neo4j, left out with -short")
	}
	cache, err := dbtest.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	step := stopwatch(t)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	db := database(t, localdb.Options{CacheDir: cache, DataDir: t.TempDir(), HeapMB: 512})
	binary := build(ctx, t)

	step("build")
	duplicatesAreReported(ctx, t, binary, db)
	step("case 61, first start of the database in it")
	server := startServer(ctx, t, binary, db)
	step("first start")
	server.put(ctx, t, "/v1/spaces/"+spaceName, `{"vocabulary":"empty"}`)
	server.put(ctx, t, "/v1/spaces/"+spaceName+"/personas/小满", `{"owner":"阿岩"}`)
	server.put(ctx, t, "/v1/spaces/"+spaceName+"/relations/like", `{"content":"likes"}`)
	w := startWriters(ctx, t, server.url)
	w.await(roundDiffs)

	step("before the first kill")
	server.kill(t)
	server = startServer(ctx, t, binary, db)
	w.moved(server.url)
	w.await(roundDiffs)
	step("after the kill of the server")

	killDatabase(t, db)
	startDatabase(ctx, t, db)
	w.await(roundDiffs) // the server finds it again by itself
	step("after the kill of the database")

	acknowledged := w.stop()
	t.Logf("%d diffs acknowledged, %d of them after they had failed once", len(acknowledged), w.repeats())
	server.ready(ctx, t)
	s := openStore(ctx, t, db)
	s.checkDiffs(acknowledged)
	s.checkNothingHalf()
	s.checkNoOrphans()
	before := s.counts()
	for _, d := range acknowledged {
		r, err := post(ctx, server.url, d.key, d.body)
		if err != nil {
			t.Fatalf("send %s again: %v", d.key, err)
		}
		if !r.Repeated || r.DiffID != d.id {
			t.Errorf("%s, sent again, was diff %d with repeated %t, want diff %d again", d.key, r.DiffID, r.Repeated, d.id)
		}
	}
	if after := s.counts(); after != before {
		t.Errorf("sending again what was done changed the graph: %+v before, %+v after", before, after)
	}
	server.finds(ctx, t, acknowledged[0])
	step("checks")
	server.kill(t)
	anotherAnalyzerIsReported(ctx, t, binary, db, s)
	step("case 83")
}

// duplicatesAreReported is case 61 of docs/cases.md at the start of a server: a
// database in which one thing stands twice is refused with a word on what to do,
// and taken once that is done.
func duplicatesAreReported(ctx context.Context, t *testing.T, binary string, db localdb.Options) {
	t.Helper()
	s := openStore(ctx, t, db)
	s.rows("UNWIND [1, 2] AS id CREATE (:Entity {space: 'old', key: 'qzb', id: id})", nil)
	out, err := serveCommand(ctx, binary, db).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "stored twice") || !strings.Contains(string(out), "qzb") {
		t.Errorf("started on an entity that stands twice: %v\n%s", err, out)
	}
	s.rows("MATCH (e:Entity) DELETE e", nil)
}

// anotherAnalyzerIsReported is case 83 of docs/cases.md: a text index of the right
// name that splits in another way is online and finds nothing.
func anotherAnalyzerIsReported(ctx context.Context, t *testing.T, binary string, db localdb.Options, s store) {
	t.Helper()
	s.rows("DROP INDEX memory_terms", nil)
	s.rows("CREATE FULLTEXT INDEX memory_terms FOR (n:Memory) ON EACH [n.terms, n.chars, n.heard, n.space, n.index0, n.index1]", nil)
	s.rows("CALL db.awaitIndexes(60)", nil)
	out, err := serveCommand(ctx, binary, db).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "memory_terms has the analyzer") {
		t.Errorf("started on a text index with another analyzer: %v\n%s", err, out)
	}
}

// stopwatch logs how long each step took.
func stopwatch(t *testing.T) func(step string) {
	last := time.Now()
	return func(step string) {
		t.Logf("%s: %s", step, time.Since(last).Round(time.Millisecond))
		last = time.Now()
	}
}
