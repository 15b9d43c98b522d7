package relations_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/graph"
	"relata/internal/testkit"
	"relata/relations"
)

// The tests of this file hold cases of docs/cases.md, by number, against a real
// database.

// live is a space in a real database with the service that writes to it.
type live struct {
	t       *testing.T
	store   *graph.Store
	service *relations.Service
	space   string
}

func newLive(t *testing.T, keys ...string) live {
	t.Helper()
	store := testkit.Store(t)
	l := live{t, store, relations.NewService(relations.ServiceOptions{Store: store}), testkit.Space(t, store, graph.Space{})}
	for _, key := range keys {
		if _, _, err := l.service.Put(t.Context(), l.space, graph.Relation{Key: key, Content: key}, ""); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func (l live) submit(sub relations.Submission) graph.Receipt {
	l.t.Helper()
	r, err := l.try(l.service, sub)
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

func (l live) try(s *relations.Service, sub relations.Submission) (graph.Receipt, error) {
	sub.Space = l.space
	if sub.Date.IsZero() {
		sub.Date = at("2026-03-05 10:00:00")
	}
	return s.Submit(l.t.Context(), sub)
}

// says submits increments and wants all of them applied.
func (l live) says(items ...relations.MemoryItem) []graph.Memory {
	l.t.Helper()
	r := l.submit(relations.Submission{Proposal: increments(items...)})
	if len(r.Memories.Added) != len(items) {
		l.t.Fatalf("%d of %d added: %v", len(r.Memories.Added), len(items), r.Verdicts)
	}
	return r.Memories.Added
}

func (l live) rows(statement string, params map[string]any) []*neo4j.Record {
	l.t.Helper()
	if params == nil {
		params = make(map[string]any)
	}
	params["space"] = l.space
	res, err := neo4j.ExecuteQuery(l.t.Context(), l.store.Driver(), statement, params, neo4j.EagerResultTransformer)
	if err != nil {
		l.t.Fatal(err)
	}
	return res.Records
}

func (l live) count(statement string) int64 {
	l.t.Helper()
	return l.rows(statement, nil)[0].Values[0].(int64)
}

func (l live) memory(id graph.MemoryID) graph.Memory {
	l.t.Helper()
	m, err := l.store.Memory(l.t.Context(), l.space, id, "")
	if err != nil {
		l.t.Fatal(err)
	}
	return m
}

// names gives the display names of all entities of the space, in order.
func (l live) names() []string {
	l.t.Helper()
	out := []string{}
	for _, r := range l.rows("MATCH (e:Entity {space: $space}) RETURN e.name AS name ORDER BY name", nil) {
		out = append(out, r.Values[0].(string))
	}
	return out
}

// checkWhole wants every current memory of the space to hang on its two
// entities with one typed edge and no property missing.
func (l live) checkWhole() {
	l.t.Helper()
	for _, r := range l.rows(`
		MATCH (m:Memory {space: $space})
		OPTIONAL MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)-[e]->(b:Entity)<-[:MEMORY_OBJECT]-(m) WHERE e.memory_id = m.id
		WITH m, collect(type(e)) AS types, collect(e.space) + collect(a.space) + collect(b.space) AS spaces
		WHERE types <> [toUpper(m.relation)] OR any(s IN spaces WHERE s <> $space) OR m.id IS NULL OR m.fingerprint IS NULL
			OR m.subject IS NULL OR m.object IS NULL OR m.content IS NULL OR m.index0 IS NULL OR m.index1 IS NULL
			OR m.terms IS NULL OR m.chars IS NULL OR m.embedding IS NULL OR m.tags IS NULL
		RETURN m.content, types, spaces`, nil) {
		l.t.Errorf("a memory is not whole: %v", r.Values)
	}
	for _, r := range l.rows(`
		MATCH (a:Entity {space: $space})-[e]->() WHERE e.memory_id IS NOT NULL AND NOT EXISTS { MATCH (:Memory {id: e.memory_id, space: $space}) }
		RETURN type(e), e.memory_id`, nil) {
		l.t.Errorf("a typed edge has no memory: %v", r.Values)
	}
}

func TestCase001_003_005_KeysThatAreNoneStayOutOfTheGraph(t *testing.T) {
	l := newLive(t, "own")
	l.says(item("阿岩|own|猫|阿岩养猫。"))
	const evil = "own`]->(x) DETACH DELETE x //"
	p := increments(item("阿岩|"+evil+"|龟|阿岩养龟。"), item("阿岩|Own |鱼|阿岩养鱼。"))
	p.Relations.Increments = []relations.RelationItem{rel(evil, "x"), rel("führt-zu", "x"), rel("co-founder_of", "co-founder"), rel("WORKS AT", "works at"), rel("worksAt", "works at")}
	r := l.submit(relations.Submission{Proposal: p})
	var rejected []string
	for _, v := range r.Verdicts {
		if v.Outcome == graph.OutcomeRejected {
			rejected = append(rejected, v.Item+" "+string(v.Code))
		}
	}
	if diff := gocmp.Diff([]string{
		"relations.increments[0] invalid_key", "relations.increments[1] invalid_key", "memories.increments[0] invalid_key",
	}, rejected); diff != "" {
		t.Errorf("rejected (-want +got):\n%s", diff)
	}
	rels, err := l.store.Relations(t.Context(), l.space, "")
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, x := range rels {
		keys = append(keys, x.Key)
	}
	slices.Sort(keys)
	if diff := gocmp.Diff([]string{"co_founder_of", "own", "works_at"}, keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]string{"猫", "阿岩", "鱼"}, l.names()); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
	l.checkWhole()
}

func TestCase039_AnEmbedderThatFailsLosesNothingSilently(t *testing.T) {
	l := newLive(t, "like")
	broken := embedding{func(text string) ([]float32, error) {
		if strings.Contains(text, "茶") {
			return nil, errors.New("refused")
		}
		return make([]float32, testkit.Embedder(t).Model().Dimensions), nil
	}}
	other := relations.NewService(relations.ServiceOptions{Store: embedFails{l.store, broken}})
	sub := relations.Submission{Key: "k", Proposal: increments(
		item("阿岩|like|海|阿岩喜欢看海。"), item("阿岩|like|茶|阿岩喜欢喝茶。"), item("阿岩|like|山|阿岩喜欢爬山。"),
	)}
	if _, err := l.try(other, sub); graph.ErrorCode(err) != graph.CodeModel {
		t.Errorf("the error is %v, want a failed model call", err)
	}
	if n := l.count("MATCH (n {space: $space}) WHERE n:Memory OR n:Entity OR n:Source RETURN count(n)"); n != 0 {
		t.Errorf("%d nodes were written", n)
	}
	if r := l.submit(sub); r.Repeated || len(r.Memories.Added) != 3 {
		t.Errorf("sent again: %+v", r)
	}
}

// embedding embeds text by text.
type embedding struct {
	one func(text string) ([]float32, error)
}

func (e embedding) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, text := range texts {
		v, err := e.one(text)
		if err != nil {
			return nil, graph.WrapError(graph.CodeModel, err, "the texts could not be embedded")
		}
		out = append(out, v)
	}
	return out, nil
}

// embedFails is a store with another embedder.
type embedFails struct {
	*graph.Store
	embedding
}

func (s embedFails) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return s.embedding.Embed(ctx, texts)
}

func TestCase041_TheSameDiffSentTwiceAtOnceIsAppliedOnce(t *testing.T) {
	l := newLive(t, "like")
	other := relations.NewService(relations.ServiceOptions{Store: testkit.Store(t)}) // as another process would
	sub := relations.Submission{Key: "k", Proposal: increments(item("阿岩|like|海|阿岩喜欢看海。"))}
	var all sync.WaitGroup
	receipts := make([]graph.Receipt, 8)
	for i := range receipts {
		all.Go(func() {
			service := l.service
			if i%2 == 1 {
				service = other
			}
			r, err := l.try(service, sub)
			if err != nil {
				t.Error(err)
			}
			receipts[i] = r
		})
	}
	all.Wait()
	first := 0
	for _, r := range receipts {
		if !r.Repeated {
			first++
		}
		if r.DiffID != receipts[0].DiffID || len(r.Memories.Added) != 1 {
			t.Errorf("receipt %+v", r)
		}
	}
	if n := l.count("MATCH (m:Memory {space: $space}) RETURN count(m)"); n != 1 || first != 1 {
		t.Errorf("%d memories, applied %d times", n, first)
	}
}

func TestCase047_049_051_053_055_SpellingsOfANameAreOneEntity(t *testing.T) {
	l := newLive(t, "know")
	spellings := [][]string{
		{"System Admin", "system  admin", "SystemAdmin"},
		{"系统管理员"},
		{"ＧＰＴ－４", "GPT-4"},
		{"（南京）", "(南京)"},
		{"Zoë", "Zoe\u0308", "Zoë\u200b"},
		{"QZB", "QZB", "QZB", "QZB", "QZB"},
		{"李明"},
		{"李明华", "李明華"},
	}
	want := []string{"世界"}
	n := 0
	for _, s := range spellings {
		want = append(want, s[0])
		for _, name := range s {
			n++ // each in a diff of its own
			l.says(item(fmt.Sprintf("%s|know|世界|第%d句。", name, n)))
		}
	}
	slices.Sort(want)
	if diff := gocmp.Diff(want, l.names()); diff != "" {
		t.Errorf("entities, by first spelling (-want +got):\n%s", diff)
	}
	for _, s := range spellings {
		page, err := l.store.Memories(t.Context(), l.space, graph.MemoryFilter{Subject: s[len(s)-1]})
		if err != nil {
			t.Fatal(err)
		}
		var written []string
		for _, m := range page.Items {
			written = append(written, m.Subject)
		}
		// Invisible characters are cleaned away when an item is read.
		for i := range s {
			s[i] = strings.ReplaceAll(s[i], "\u200b", "")
		}
		if len(written) != len(s) {
			t.Errorf("%s has the memories of %q, want those of %q", s[0], written, s)
		}
	}
	l.checkWhole()
}

func TestCase057_125_AnAliasKeepsIdAndEdges(t *testing.T) {
	l := newLive(t, "like", "work_at")
	before := l.says(item("陈工|like|茶|陈工喜欢喝茶。"), item("阿岩|like|海|阿岩喜欢看海。"))
	for i := range before {
		before[i] = l.memory(before[i].ID)
	}
	for i, alias := range []string{"测试组陈工", "岩哥"} {
		if _, err := l.store.AddAliases(t.Context(), l.space, before[i].SubjectID, []string{alias}); err != nil {
			t.Fatal(err)
		}
	}
	after := l.says(item("测试组陈工|work_at|北辰|测试组陈工在北辰上班。"), item("岩哥|work_at|青屿|岩哥在青屿上班。"))
	for i := range after {
		after[i] = l.memory(after[i].ID)
		if after[i].SubjectID != before[i].SubjectID {
			t.Errorf("%s is entity %d, want %d", after[i].Subject, after[i].SubjectID, before[i].SubjectID)
		}
		page, err := l.store.Memories(t.Context(), l.space, graph.MemoryFilter{Subject: after[i].Subject})
		if err != nil || len(page.Items) != 2 {
			t.Errorf("%s has %d memories, %v, want both", after[i].Subject, len(page.Items), err)
		}
		e, err := l.store.Entity(t.Context(), l.space, before[i].SubjectID, "")
		if err != nil || e.Name != before[i].Subject || !slices.Contains(e.Aliases, after[i].Subject) {
			t.Errorf("%+v, %v", e, err)
		}
	}
	if diff := gocmp.Diff([]string{"北辰", "海", "茶", "阿岩", "陈工", "青屿"}, l.names()); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
	l.checkWhole()
}

func TestCase059_061_067_WritersOnTheSameEntitiesGetNoError(t *testing.T) {
	const writers, each, entities, items = 8, 25, 40, 3
	l := newLive(t, "meet")
	services := []*relations.Service{l.service, relations.NewService(relations.ServiceOptions{Store: testkit.Store(t)})}
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				var p []relations.MemoryItem
				for m := range items {
					a, b := (w*7+i*3+m)%entities, (w+i*11+m*5+1)%entities
					p = append(p, item(fmt.Sprintf("person %d|meet|person %d|meeting %d of %d, %d.", a, b, i, w, m)))
				}
				r, err := l.try(services[w%2], relations.Submission{Key: fmt.Sprintf("%d-%d", w, i), Proposal: increments(p...)})
				if err != nil || len(r.Memories.Added) != items {
					t.Errorf("diff %d of writer %d: %d added, %v", i, w, len(r.Memories.Added), err)
				}
			}
		})
	}
	all.Wait()
	for what, want := range map[string]int64{
		"MATCH (m:Memory {space: $space}) RETURN count(m)":                                          writers * each * items,
		"MATCH (:Entity {space: $space})-[e:MEET]->(:Entity {space: $space}) RETURN count(e)":       writers * each * items,
		"MATCH (e:Entity {space: $space}) RETURN count(e)":                                          entities,
		"MATCH (d:Diff {space: $space}) WHERE d.key IS NOT NULL RETURN count(DISTINCT d.key)":       writers * each,
		"MATCH (s:Space {name: $space}) RETURN s.version - COUNT { (:Diff {space: $space}) } AS v":  0,
		"MATCH (d:Diff {space: $space})-[:ADDED]->(m:Memory) RETURN count(DISTINCT m.content) AS n": writers * each * items,
	} {
		if got := l.count(what); got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	l.checkWhole()
}

func TestCase063_AMissingObjectIsRefusedAMissingDateIsNot(t *testing.T) {
	l := newLive(t, "like")
	undated := func(m *relations.MemoryItem) { m.Date = "null" }
	r := l.submit(relations.Submission{ItemDates: true, Proposal: increments(
		item("阿岩|like||阿岩喜欢。"), item("阿岩|like|海|阿岩喜欢看海。", undated),
	)})
	if diff := gocmp.Diff([]string{"memories.increments[0] rejected missing_field", "memories.increments[1] applied"}, verdicts(r)); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	rows := l.rows("MATCH (m:Memory {space: $space}) RETURN m.date IS NULL", nil)
	if len(rows) != 1 || rows[0].Values[0] != true {
		t.Errorf("stored: %v", rows)
	}
	l.checkWhole()
}

func TestCase065_LongValuesAreStoredOrRefusedByBytes(t *testing.T) {
	l := newLive(t, "say")
	long := func(bytes int) string { return strings.Repeat("岩", bytes/3) }
	message := message(1, "user", "阿岩", long(27_000))
	r := l.submit(relations.Submission{Sources: []graph.Source{message}, Session: "s", Proposal: increments(
		item("阿岩|say|话|"+long(27_000)), item("阿岩|say|"+long(27_000)+"|一句话。"),
		item("阿岩|say|话|"+long(relations.MaxContentBytes), cites(1)), item("阿岩|say|"+long(relations.MaxNameBytes)+"|另一句话。"),
	)})
	if diff := gocmp.Diff([]string{
		"memories.increments[0] rejected too_long", "memories.increments[1] rejected too_long",
		"memories.increments[2] applied", "memories.increments[3] applied",
	}, verdicts(r)); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	got, err := l.store.Messages(t.Context(), l.space, graph.MessageQuery{IDs: []int64{1}})
	if err != nil || len(got) != 1 || got[0].Content != message.Content {
		t.Errorf("%d messages, %v, want the one whole", len(got), err)
	}
	l.checkWhole()
}

func TestCase071_LocalTimesAreStoredAsTheMomentTheyAre(t *testing.T) {
	l := newLive(t, "like")
	// A container's own zone has this name and no other.
	now := time.Now().In(time.FixedZone("Local", 5*3600+1800)).Truncate(time.Second)
	msg := message(1, "user", "阿岩", "我喜欢看海")
	msg.Date = now
	r := l.submit(relations.Submission{
		Date: now, Session: "s", Sources: []graph.Source{msg}, Proposal: increments(item("阿岩|like|海|阿岩喜欢看海。", cites(1))),
	})
	m, err := l.store.Memory(t.Context(), l.space, r.Memories.Added[0].ID, "")
	if err != nil || !m.Date.Equal(now) {
		t.Errorf("stored as %v, %v, want %v", m.Date, err, now)
	}
	messages, err := l.store.Messages(t.Context(), l.space, graph.MessageQuery{IDs: []int64{1}})
	if err != nil || len(messages) != 1 || !messages[0].Date.Equal(now) {
		t.Errorf("message %+v, %v, want %v", messages, err, now)
	}
}

func TestCase097_InterleavedWritesDoNotCrossSpaces(t *testing.T) {
	a := newLive(t, "like")
	b := a
	b.space = testkit.Space(t, a.store, graph.Space{})
	if _, _, err := b.service.Put(t.Context(), b.space, graph.Relation{Key: "like", Content: "like"}, ""); err != nil {
		t.Fatal(err)
	}
	const adds = 100
	work := make(chan int)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range work {
				l := []live{a, b}[i%2]
				_, err := l.try(l.service, relations.Submission{Proposal: increments(
					item(fmt.Sprintf("阿岩|like|东西%d|%s 第%d句。", i%9, l.space, i)),
				)})
				if err != nil {
					t.Errorf("add %d: %v", i, err)
				}
			}
		})
	}
	for i := range adds {
		work <- i
	}
	close(work)
	all.Wait()
	for _, l := range []live{a, b} {
		if n := l.count("MATCH (m:Memory {space: $space}) RETURN count(m)"); n != adds/2 {
			t.Errorf("%s has %d memories, want %d", l.space, n, adds/2)
		}
		if n := l.count("MATCH (m:Memory {space: $space}) WHERE NOT m.content STARTS WITH $space RETURN count(m)"); n != 0 {
			t.Errorf("%d memories of %s are another's", n, l.space)
		}
		if n := l.count("MATCH (n {space: $space})--(o) WHERE o.space <> $space RETURN count(o)"); n != 0 {
			t.Errorf("%d neighbours of %s are another's", n, l.space)
		}
		l.checkWhole()
	}
}

func TestCase101_WhatWasRemovedIsInNoAnswer(t *testing.T) {
	l := newLive(t, "live_in", "like")
	l.says(item("阿岩|live_in|鼓楼街7号|阿岩住在鼓楼街7号。"), item("阿岩|like|海|阿岩喜欢看海。"))
	m := item("阿岩|live_in|鼓楼街7号|阿岩住在鼓楼街7号。")
	m.Date = "2026-03-05 10:00:00"
	r := l.submit(relations.Submission{Proposal: relations.Proposal{Memories: relations.MemoryProposals{Removes: []relations.MemoryItem{m}}}})
	if len(r.Memories.Removed) != 1 {
		t.Fatalf("receipt: %+v", r)
	}
	ctx := t.Context()
	results, err := l.store.Search(ctx, graph.SearchRequest{Space: l.space, Queries: []graph.Query{{Memory: "阿岩住在鼓楼街7号", All: true}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range results[0].Hints {
		if strings.Contains(h.Memory, "鼓楼街") {
			t.Errorf("a search gives %q", h.Memory)
		}
	}
	page, err := l.store.Memories(ctx, l.space, graph.MemoryFilter{})
	if err != nil || len(page.Items) != 1 {
		t.Errorf("%d memories are listed, %v", len(page.Items), err)
	}
	around, err := l.store.Neighbourhood(ctx, l.space, graph.NeighbourhoodQuery{Entity: page.Items[0].SubjectID})
	if err != nil || len(around.Edges) != 1 {
		t.Errorf("around the subject: %+v, %v", around, err)
	}
	// Nothing but history and the name itself may repeat the words.
	for _, row := range l.rows(`
		MATCH (n {space: $space}) WHERE NOT n:Retired AND NOT n:Entity AND any(k IN keys(n) WHERE toStringOrNull(n[k]) CONTAINS '鼓楼街')
		RETURN labels(n), n.id`, nil) {
		t.Errorf("the words are still in %v", row.Values)
	}
	if n := l.count("MATCH (:Entity {space: $space})-[e:LIVE_IN]->() RETURN count(e)"); n != 0 {
		t.Errorf("%d typed edges are left", n)
	}
}
