package main

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/extractor"
	"relata/graph"
	"relata/internal/localdb/dbtest"
	"relata/internal/testkit"
	"relata/relations"
	"relata/sample"
)

// sampleApp wires the whole program on the test database, as commands do, with
// a model of the test's own.
func sampleApp(t *testing.T, model extractor.Model) *app {
	t.Helper()
	testkit.Store(t) // migrated
	uri, user, password := dbtest.Start(t)
	cache, err := dbtest.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	c := &Config{
		Neo4jURI: uri, Neo4jUser: user, Neo4jPassword: secret(password), CacheDir: cache, DataDir: t.TempDir(),
		Embedder: "local", LogLevel: "error", getenv: func(string) string { return "" },
		own: testkit.Embedder(t), // under the race detector loading the model takes long
	}
	a, err := c.open(t.Context(), io.Discard, slog.New(slog.DiscardHandler), model)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a
}

func newExtractor(t *testing.T, a *app, model extractor.Model) *extractor.Extractor {
	t.Helper()
	e, err := extractor.New(extractor.Options{Store: a.store, Relations: a.relations, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// sampleSpace makes the world's people in a space of the test's own.
func sampleSpace(t *testing.T, a *app) string {
	t.Helper()
	space := testkit.Space(t, a.store, graph.Space{Timezone: "Asia/Shanghai"})
	w, err := readWorld()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.settle(t.Context(), a.store, space); err != nil {
		t.Fatal(err)
	}
	return space
}

func answers(t *testing.T) extractor.Model {
	t.Helper()
	m, err := sampleAnswers()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wanted is a memory as the expected files have it.
type wanted struct {
	Subject  string   `json:"subject"`
	Relation string   `json:"relation"`
	Object   string   `json:"object"`
	Content  string   `json:"content"`
	Date     string   `json:"date"`
	Index0   string   `json:"index0"`
	Index1   string   `json:"index1"`
	MsgIDs   []int64  `json:"msg_ids"`
	Tags     []string `json:"tags"`
	KnownBy  []string `json:"known_by"`
}

type wantedRelation struct {
	Key     string `json:"key"`
	Content string `json:"content"`
	Date    string `json:"date"`
}

type wantedState struct {
	Relations []wantedRelation `json:"relations"`
	Memories  []wanted         `json:"memories"`
}

var shanghai = graph.Space{Timezone: "Asia/Shanghai"}.Location()

func dateText(d time.Time) string { return relations.FormatDate(d, shanghai) }

// stateOf reads the whole state of a space in the form of the expected files.
func stateOf(t *testing.T, a *app, space string) wantedState {
	t.Helper()
	var out wantedState
	rels, err := a.store.Relations(t.Context(), space, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rels {
		out.Relations = append(out.Relations, wantedRelation{r.Key, r.Content, dateText(r.Date)})
	}
	for _, m := range allMemories(t, a, space, false) {
		out.Memories = append(out.Memories, wanted{
			m.Subject, m.Relation, m.Object, m.Content, dateText(m.Date), m.Index0, m.Index1, m.MsgIDs, m.Tags, m.KnownBy,
		})
	}
	return sorted(out)
}

func sorted(s wantedState) wantedState {
	slices.SortFunc(s.Relations, func(a, b wantedRelation) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortFunc(s.Memories, func(a, b wanted) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Content, b.Content))
	})
	return s
}

func allMemories(t *testing.T, a *app, space string, retired bool) []graph.Memory {
	t.Helper()
	var out []graph.Memory
	f := graph.MemoryFilter{Limit: 100, Retired: retired}
	for {
		page, err := a.store.Memories(t.Context(), space, f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, page.Items...)
		if page.Cursor == "" {
			return out
		}
		f.Cursor = page.Cursor
	}
}

func expected(t *testing.T, name string, v any) {
	t.Helper()
	if err := readSample("expected/"+name, v); err != nil {
		t.Fatal(err)
	}
}

func TestSampleWorld(t *testing.T) {
	a := sampleApp(t, answers(t))
	space := sampleSpace(t, a)
	batches, err := sampleSessions(space)
	if err != nil {
		t.Fatal(err)
	}
	var sizes struct {
		Sessions []struct {
			SessionID           string `json:"session_id"`
			Relations, Memories int
		}
	}
	expected(t, "after-each-session.json", &sizes)
	for i, b := range batches {
		r, err := a.extractor.Ingest(t.Context(), b, extractor.IngestOptions{})
		if err != nil {
			t.Fatalf("session %s: %v", b.Session, err)
		}
		for _, v := range r.Verdicts {
			if v.Outcome == graph.OutcomeRejected || v.Outcome == graph.OutcomePending {
				t.Errorf("session %s: %s was %s: %s %s", b.Session, v.Item, v.Outcome, v.Code, v.Message)
			}
		}
		st := stateOf(t, a, space)
		if want := sizes.Sessions[i]; len(st.Relations) != want.Relations || len(st.Memories) != want.Memories {
			t.Fatalf("after %s: %d relations and %d memories, want %d and %d", b.Session, len(st.Relations), len(st.Memories), want.Relations, want.Memories)
		}
		if b.Session == "05-captains-orders" && countEdges(t, a, space, "AT") > 0 {
			t.Error("after session 05 there is still an AT edge")
		}
	}
	var want wantedState
	expected(t, "final-state.json", &want)
	final := stateOf(t, a, space)
	if diff := gocmp.Diff(sorted(want), final); diff != "" {
		t.Fatalf("final state (-want +got):\n%s", diff)
	}
	t.Run("history", func(t *testing.T) { checkRetired(t, a, space) })
	t.Run("typed edges", func(t *testing.T) { checkEdges(t, a, space) })
	t.Run("running again changes nothing", func(t *testing.T) {
		for _, b := range batches {
			r, err := a.extractor.Ingest(t.Context(), b, extractor.IngestOptions{})
			if err != nil {
				t.Fatalf("session %s: %v", b.Session, err)
			}
			if !r.Repeated {
				t.Errorf("session %s was not recognised", b.Session)
			}
		}
		if diff := gocmp.Diff(final, stateOf(t, a, space)); diff != "" {
			t.Errorf("state (-before +after):\n%s", diff)
		}
	})
	t.Run("searches", func(t *testing.T) { checkSearches(t, a, space) })
	t.Run("who knows", func(t *testing.T) { checkWhoKnows(t, a, space) })
	t.Run("then", func(t *testing.T) { checkThen(t, a, space) })
	t.Run("grants", func(t *testing.T) { checkGrants(t, a, space) })
	t.Run("documents", func(t *testing.T) { checkDocuments(t, a, space) })
}

func checkRetired(t *testing.T, a *app, space string) {
	type gone struct {
		Subject, Relation, Object, Content, Date string
		RetiredOn, By, Successor                 string
	}
	var file struct {
		Retired []struct {
			wanted
			RetiredOn string  `json:"retired_on"`
			By        string  `json:"by"`
			Successor *wanted `json:"successor"`
		}
	}
	expected(t, "retired.json", &file)
	var want, got []gone
	renamed := map[string]string{"at": "located_in"} // history follows a renamed relation
	for _, r := range file.Retired {
		g := gone{r.Subject, cmp.Or(renamed[r.Relation], r.Relation), r.Object, r.Content, r.Date, r.RetiredOn, r.By, ""}
		if r.Successor != nil {
			g.Successor = r.Successor.Content
		}
		want = append(want, g)
	}
	for _, m := range allMemories(t, a, space, true) {
		g := gone{m.Subject, m.Relation, m.Object, m.Content, dateText(m.Date), dateText(m.RetiredAt), m.RetiredBy, ""}
		for _, id := range m.SupersededBy {
			next, err := a.store.Memory(t.Context(), space, id, "")
			if err != nil {
				t.Fatal(err)
			}
			g.Successor = next.Content
		}
		got = append(got, g)
	}
	order := func(x, y gone) int { return cmp.Or(cmp.Compare(x.Content, y.Content), cmp.Compare(x.Date, y.Date)) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

// query runs a statement on the test database.
func query(t *testing.T, a *app, statement string, params map[string]any) []*neo4j.Record {
	t.Helper()
	res, err := neo4j.ExecuteQuery(t.Context(), a.store.Driver(), statement, params, neo4j.EagerResultTransformer)
	if err != nil {
		t.Fatal(err)
	}
	return res.Records
}

func countEdges(t *testing.T, a *app, space, relType string) int64 {
	t.Helper()
	rows := query(t, a, "MATCH (:Entity {space: $space})-[r]->() WHERE type(r) = $type RETURN count(r)", map[string]any{"space": space, "type": relType})
	return rows[0].Values[0].(int64)
}

func checkEdges(t *testing.T, a *app, space string) {
	params := map[string]any{"space": space}
	rows := query(t, a, `
		MATCH (m:Memory {space: $space})
		MATCH (m)-[:MEMORY_SUBJECT]->(a) MATCH (m)-[:MEMORY_OBJECT]->(b)
		RETURN m.id AS id, m.relation AS relation,
			[(a)-[r]->(b) WHERE r.memory_id = m.id | type(r)] AS types`, params)
	for _, r := range rows {
		types := r.Values[2].([]any)
		if len(types) != 1 || types[0] != strings.ToUpper(r.Values[1].(string)) {
			t.Errorf("memory %v of relation %v has the edges %v, want one of its type", r.Values[0], r.Values[1], types)
		}
	}
	rows = query(t, a, `
		MATCH (:Entity {space: $space})-[r]->(:Entity) WHERE r.memory_id IS NOT NULL
		RETURN count(r), count(DISTINCT r.memory_id), count{ MATCH (m:Memory {space: $space}) }`, params)
	if edges, ids, memories := rows[0].Values[0], rows[0].Values[1], rows[0].Values[2]; edges != memories || ids != memories {
		t.Errorf("%v typed edges with %v memory ids for %v current memories", edges, ids, memories)
	}
}

func checkDocuments(t *testing.T, a *app, space string) {
	var docs struct {
		Documents []struct {
			File    string   `json:"file"`
			Title   string   `json:"title"`
			Date    string   `json:"date"`
			GivenBy string   `json:"given_by"`
			GivenTo []string `json:"given_to"`
			Reply   string   `json:"reply"`
		}
	}
	if err := readSample("documents/documents.json", &docs); err != nil {
		t.Fatal(err)
	}
	titles := make(map[string]bool)
	for _, d := range docs.Documents {
		data, err := sample.FS.ReadFile("documents/" + d.File)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := a.extractor.Parts(t.Context(), extractor.Material{
			Space: space, Session: d.Reply, Title: d.Title, Date: d.Date, GivenBy: d.GivenBy, VisibleTo: d.GivenTo, Name: d.File, Data: data,
		}, "")
		if err != nil {
			t.Fatal(err)
		}
		titles[d.Title] = true
		for _, p := range parts {
			r, err := a.extractor.Read(t.Context(), p, extractor.IngestOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != graph.DiffApplied {
				t.Errorf("%s: %s", d.Reply, r.Status)
			}
			for _, m := range r.Memories.Added {
				if len(m.Chunks) != 1 || m.Chunks[0] != d.Title {
					t.Errorf("%s: the memory %q names the sources %q", d.Reply, m.Content, m.Chunks)
				}
			}
		}
	}
	fromDocuments := 0
	for _, m := range allMemories(t, a, space, false) {
		if len(m.Chunks) == 1 && titles[m.Chunks[0]] {
			fromDocuments++
		}
	}
	if fromDocuments != 42 {
		t.Errorf("%d memories name the chunk they come from, want 42", fromDocuments)
	}
	var want wantedState
	expected(t, "final-state-with-documents.json", &want)
	if diff := gocmp.Diff(sorted(want), stateOf(t, a, space)); diff != "" {
		t.Errorf("state with documents (-want +got):\n%s", diff)
	}
}

type searchCase struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	AsPersona string `json:"as_persona"`
	Query     struct {
		Index0, Index1, Memory string
		Limit                  int
	} `json:"query"`
	Relevant  []wanted `json:"relevant_memory"`
	RankFirst *wanted  `json:"must_rank_first"`
	MustNot   []wanted `json:"must_not_appear"`
}

func checkSearches(t *testing.T, a *app, space string) {
	var file struct{ Searches []searchCase }
	expected(t, "searches.json", &file)
	ctx := t.Context()
	recall := make(map[string][]float64)
	for _, c := range file.Searches {
		asSent := graph.Query{Index0: c.Query.Index0, Index1: c.Query.Index1, Memory: c.Query.Memory, Limit: c.Query.Limit}
		hints := ask(ctx, t, a, space, c.AsPersona, asSent)
		for _, no := range c.MustNot {
			if slices.ContainsFunc(hints, func(h graph.Hint) bool { return h.Memory == no.Content }) {
				t.Errorf("%s as sent: %q must not appear", c.ID, no.Content)
			}
		}
		if c.RankFirst != nil && (len(hints) == 0 || hints[0].Memory != c.RankFirst.Content) {
			first := "nothing"
			if len(hints) > 0 {
				first = hints[0].Memory
			}
			t.Errorf("%s as sent: %q must rank first, not %q", c.ID, c.RankFirst.Content, first)
		}
		if len(c.Relevant) == 0 {
			continue
		}
		missing := slices.DeleteFunc(slices.Clone(c.Relevant), func(want wanted) bool {
			return slices.ContainsFunc(hints, func(h graph.Hint) bool { return h.Memory == want.Content })
		})
		for _, want := range missing {
			t.Logf("%s as sent: %q is not among the %d hints", c.ID, want.Content, len(hints))
		}
		if len(missing) == len(c.Relevant) {
			t.Errorf("%s as sent: nothing relevant is among the %d hints", c.ID, len(hints))
		}
		over := ask(ctx, t, a, space, c.AsPersona, graph.Query{Memory: c.Query.Memory, All: true, Limit: 10})
		found := 0
		for _, want := range c.Relevant {
			for _, h := range over[:min(5, len(over))] {
				if h.Memory == want.Content {
					found++
				}
			}
		}
		share := float64(found) / float64(len(c.Relevant))
		recall[c.Kind] = append(recall[c.Kind], share)
		recall["all"] = append(recall["all"], share)
		if share < 1 {
			t.Logf("%s %s: %.2f  %s", c.ID, c.Kind, share, c.Query.Memory)
			for i, h := range over {
				t.Logf("   %2d %.2f v%.2f t%.2f g%.2f %s", i+1, h.Explain.Score, h.Explain.Vector, h.Explain.Text, h.Explain.Graph, h.Memory)
			}
		}
	}
	t.Logf("recall@5 over all categories\n%-14s %3s  %s", "kind", "n", "recall")
	for _, kind := range []string{"direct", "cross_lingual", "multi_hop", "retired", "all"} {
		t.Logf("%-14s %3d  %.3f", kind, len(recall[kind]), mean(recall[kind]))
	}
	if got := mean(recall["all"]); got < 0.90 {
		t.Errorf("recall@5 over all is %.3f, want at least .90", got)
	}
	if got := mean(recall["multi_hop"]); got < 0.85 {
		t.Errorf("recall@5 of multi_hop is %.3f, want at least .85", got)
	}
}

func ask(ctx context.Context, t *testing.T, a *app, space, as string, q graph.Query) []graph.Hint {
	t.Helper()
	results, err := a.store.Search(ctx, graph.SearchRequest{Space: space, AsPersona: as, Queries: []graph.Query{q}, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Err != nil {
		t.Fatal(results[0].Err)
	}
	return results[0].Hints
}

func mean(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
