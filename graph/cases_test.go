package graph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/internal/testkit"
	"relata/migrations"
)

// The tests of this file hold cases of docs/cases.md, by number, against a real
// database.

// ask asks a space one question over all categories and gives the contents.
func (w *world) ask(question string, change ...func(*graph.SearchRequest)) []string {
	w.t.Helper()
	req := graph.SearchRequest{Space: w.space, Queries: []graph.Query{{Memory: question, All: true, Limit: 10}}}
	for _, c := range change {
		c(&req)
	}
	results, err := w.store.Search(w.t.Context(), req)
	if err != nil {
		w.t.Fatal(err)
	}
	if results[0].Err != nil {
		w.t.Fatal(results[0].Err)
	}
	out := []string{}
	for _, h := range results[0].Hints {
		out = append(out, h.Memory)
	}
	return out
}

func TestCase075_081_SymbolsAndSingleCharactersAreFoundByWords(t *testing.T) {
	w := newWorld(t)
	// Without an embedder only words can find anything.
	words := open(t, func(*graph.Options) {})
	w.remember(
		fact{"阿岩", "learn", "C++", nil}, fact{"阿岩", "learn", "C#", nil}, fact{"Maya", "file", "tb-7", nil},
		fact{"小满", "adore", "猫", nil}, fact{"舟舟", "buy", "野餐垫", nil}, fact{"墨鱼", "work_on", "R&D", nil},
	)
	w.store = words
	for question, want := range map[string]string{
		"C++": "阿岩 learn C++", "c#": "阿岩 learn C#", "tb-7": "Maya file tb-7", "tb-": "Maya file tb-7", "猫:": "小满 adore 猫",
		"野": "舟舟 buy 野餐垫", "餐垫": "舟舟 buy 野餐垫", "R&D": "墨鱼 work_on R&D", "(猫)": "小满 adore 猫", "*猫*": "小满 adore 猫",
	} {
		if got := w.ask(question); len(got) == 0 || got[0] != want {
			t.Errorf("%s finds %q, want %q first", question, got, want)
		}
	}
}

func TestCase077_113_NoQuestionTakesOthersDown(t *testing.T) {
	w := newWorld(t)
	w.remember(fact{"小满", "adore", "猫", nil})
	questions := []string{
		"真的吗!", "a AND", "NOT", "\"", "~", "AND OR NOT", "(", "[a TO", "space:other", "/x", "\\", "+", "a^", "猫 && ||", "{}", "?*", "猫",
		" ", "\u3000", "\u200b", "\x00", "\xff",
	}
	req := graph.SearchRequest{Space: w.space}
	for _, q := range questions {
		req.Queries = append(req.Queries, graph.Query{Memory: q, All: true})
	}
	results, err := w.store.Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		blank := graph.Fold(strings.ToValidUTF8(questions[i], "\uFFFD")) == ""
		switch {
		case blank && (r.Err == nil || r.Err.Code != graph.CodeInvalid || len(r.Hints) > 0):
			t.Errorf("%q: %v, %d hints, want invalid", questions[i], r.Err, len(r.Hints))
		case !blank && r.Err != nil:
			t.Errorf("%q: %v", questions[i], r.Err)
		case questions[i] == "猫" && len(r.Hints) != 1:
			t.Errorf("the good question among bad ones has %d hints", len(r.Hints))
		}
	}
}

func TestCase079_HyphenatedNamesAreOnlyData(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"t-7-team", "t-0f8fad5b-d9cb-469f-a165-70867728950e", "t-a.b_c"} {
		s, _, err := w.store.PutSpace(t.Context(), graph.Space{Name: name, Vocabulary: "empty"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = w.store.DeleteSpace(context.Background(), s.Name) })
		at := &world{t: t, store: w.store, space: s.Name, ids: make(map[string]graph.EntityID)}
		at.persona("bot-7", "user-7")
		at.remember(fact{"user-7", "adore", "team-7", []string{"bot-7"}})
		want := []string{"user-7 adore team-7"}
		as := func(r *graph.SearchRequest) { r.AsPersona = "bot-7" }
		if diff := cmp.Diff([][]string{want, want}, [][]string{at.ask("team-7"), at.ask("team-7", as)}); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestCase085_AFewAmongManyAreAllFound(t *testing.T) {
	crowd, few := newWorld(t), newWorld(t)
	few.persona("小满", "")
	var facts []fact
	for i := range 990 {
		facts = append(facts, fact{fmt.Sprintf("guest %d", i), "order", "flat white", nil})
	}
	crowd.remember(facts...)
	facts = facts[:0]
	for i := range 400 {
		facts = append(facts, fact{fmt.Sprintf("guest %d", i), "order", "flat white", nil})
	}
	few.remember(facts...)
	var known []fact
	for i := range 10 {
		known = append(known, fact{fmt.Sprintf("friend %d", i), "order", "espresso", []string{"小满"}})
	}
	few.remember(known...)
	if got := few.ask("who orders flat white?"); len(got) != 10 {
		t.Errorf("in its space it finds %d, want 10", len(got))
	}
	got := few.ask("who orders flat white?", func(r *graph.SearchRequest) { r.AsPersona = "小满" })
	if len(got) != 10 {
		t.Errorf("as a persona that knows 10 of 1,400 it finds %d, want all 10", len(got))
	}
}

func TestCase089_VectorsOfAnotherModelAreRefusedAtStart(t *testing.T) {
	store := testkit.Store(t)
	db := migrations.Database{Driver: store.Driver(), Name: store.Database()}
	model := testkit.Embedder(t).Model()
	for _, other := range []migrations.Model{{Name: "other", Dimensions: model.Dimensions}, {Name: model.Name, Dimensions: model.Dimensions + 1}} {
		err := migrations.EnsureVectors(t.Context(), db, other)
		if !errors.Is(err, migrations.ErrOtherModel) || !strings.Contains(err.Error(), model.Name) {
			t.Errorf("%+v: %v, want both models named", other, err)
		}
	}
	if err := migrations.EnsureVectors(t.Context(), db, migrations.Model{Name: model.Name, Dimensions: model.Dimensions}); err != nil {
		t.Errorf("the model of the database: %v", err)
	}
}

func TestCase091_WhatHasNoVectorIsFoundByWords(t *testing.T) {
	w := newWorld(t)
	w.remember(fact{"阿岩", "say", "。。。", nil}) // the fixture embeds nothing
	for _, r := range rows(t, w, "MATCH (m:Memory {space: $space}) RETURN m.embedding IS NULL") {
		if r[0] != true {
			t.Error("a vector is stored")
		}
	}
	if diff := cmp.Diff([]string{"阿岩 say 。。。"}, w.ask("阿岩 say 什么")); diff != "" {
		t.Errorf("found (-want +got)\n%s", diff)
	}
	if got := w.ask("。。。"); len(got) > 1 {
		t.Errorf("a question without words finds %q", got)
	}
}

// rows runs a statement on the space of a world.
func rows(t *testing.T, w *world, statement string) [][]any {
	t.Helper()
	found, err := w.store.Query(t.Context(), strings.ReplaceAll(statement, "$space", "'"+w.space+"'"))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]any
	for _, r := range found {
		var row []any
		for _, v := range r {
			row = append(row, v)
		}
		out = append(out, row)
	}
	return out
}

func TestCase095_NoLegOfASearchLeavesItsScope(t *testing.T) {
	w, other := newWorld(t), newWorld(t)
	w.persona("小满", "阿岩")
	w.persona("墨鱼", "舟舟")
	other.persona("小满", "阿岩")
	w.remember(fact{"阿岩", "own", "螺丝", []string{"小满"}}, fact{"阿岩", "plan", "离职", []string{"墨鱼"}}, fact{"离职", "lead_to", "搬家", []string{"小满"}})
	other.remember(fact{"阿岩", "hide", "存折", []string{"小满"}})
	as := func(name string) func(*graph.SearchRequest) {
		return func(r *graph.SearchRequest) { r.AsPersona, r.IncludeRetired = name, true }
	}
	for _, question := range []string{"阿岩", "阿岩打算离职吗", "离职", "plan", "hide", "存折", "搬家"} {
		for _, got := range w.ask(question) {
			if strings.Contains(got, "存折") {
				t.Errorf("%s: another space's %q", question, got)
			}
		}
		for _, got := range w.ask(question, as("小满")) {
			if strings.Contains(got, "plan") || strings.Contains(got, "存折") {
				t.Errorf("%s as 小满: %q", question, got)
			}
		}
	}
	for name, req := range map[string]graph.SearchRequest{
		"no space":           {Queries: []graph.Query{{Memory: "阿岩", All: true}}},
		"an unknown space":   {Space: "t-nowhere", Queries: []graph.Query{{Memory: "阿岩", All: true}}},
		"an unknown persona": {Space: w.space, AsPersona: "谁", Queries: []graph.Query{{Memory: "阿岩", All: true}}},
		"one that is none":   {Space: w.space, AsPersona: "螺丝", Queries: []graph.Query{{Memory: "阿岩", All: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.store.Search(t.Context(), req)
			wantCode(t, err, graph.CodeNotFound)
		})
	}
}

func TestCase099_ADeletedSpaceLeavesNothing(t *testing.T) {
	w := newWorld(t)
	w.persona("小满", "阿岩", "满满")
	made := w.remember(fact{"阿岩", "own", "猫", []string{"小满"}}, fact{"阿岩", "own", "龟", []string{"小满"}})
	w.retire(made[0], "own")
	d, err := w.store.DeleteSpace(t.Context(), w.space)
	if err != nil {
		t.Fatal(err)
	}
	if d.Memories != 2 || d.Remaining != 0 {
		t.Errorf("%+v", d)
	}
	for _, statement := range []string{
		"MATCH (n {space: $space}) RETURN count(n)", "MATCH (n:Space {name: $space}) RETURN count(n)", "MATCH ()-[r {space: $space}]->() RETURN count(r)",
	} {
		if got := rows(t, w, statement); got[0][0] != int64(0) {
			t.Errorf("%s: %v", statement, got)
		}
	}
}

// slow is a statement that takes minutes unless it is stopped.
const slow = "UNWIND range(1, 100000) AS a UNWIND range(1, 1000000) AS b WITH a * b AS c WHERE c = -1 RETURN count(c) AS n"

func TestCase105_ASlowStatementIsATimeout(t *testing.T) {
	for name, tt := range map[string]struct {
		options func(*graph.Options)
		limit   time.Duration // of the caller
	}{
		"over the server's limit": {func(o *graph.Options) { o.Timeout = time.Second }, time.Minute},
		"over the caller's limit": {func(*graph.Options) {}, time.Second},
		"over the server's limit through routing": {func(o *graph.Options) {
			o.Timeout, o.URI = time.Second, strings.Replace(o.URI, "bolt://", "neo4j://", 1)
		}, time.Minute},
		"over the caller's limit through routing": {func(o *graph.Options) { o.URI = strings.Replace(o.URI, "bolt://", "neo4j://", 1) }, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), tt.limit)
			defer cancel()
			_, err := open(t, tt.options).Query(ctx, slow)
			wantCode(t, err, graph.CodeTimeout)
		})
	}
}

func TestCase105_ASlowStatementHoldsNoOtherUp(t *testing.T) {
	w := newWorld(t)
	w.remember(fact{"阿岩", "own", "猫", nil})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		_, err := w.store.Query(ctx, slow)
		ended <- err
	}()
	for range 5 {
		if got := w.ask("猫"); len(got) != 1 {
			t.Errorf("beside a slow statement a search finds %q", got)
		}
	}
	select {
	case err := <-ended:
		t.Fatalf("the slow statement ended before the searches: %v", err)
	default:
	}
	stop()
	wantCode(t, <-ended, graph.CodeTimeout)
}

func TestCase107_WhatNobodyWaitsForIsStopped(t *testing.T) {
	w := newWorld(t)
	w.remember(fact{"阿岩", "own", "猫", nil})
	const mark = "/* nobody waits for this */ "
	for range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		if _, err := w.store.Query(ctx, mark+slow); err == nil {
			t.Error("it was answered")
		}
		cancel()
	}
	if got := w.ask("猫"); len(got) != 1 {
		t.Errorf("the next search finds %q", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		left, err := w.store.Query(ctx, "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH '/* nobody waits' RETURN count(*) AS n")
		if err != nil {
			t.Fatal(err)
		}
		if left[0]["n"] == int64(0) {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%v statements still run", left[0]["n"])
		}
	}
}

func TestCase119_ALongQuestionIsAnswered(t *testing.T) {
	w := newWorld(t)
	w.remember(fact{"阿岩", "own", "猫", nil})
	long := strings.Repeat("这是一条很长的消息。", 3000) + "阿岩养了什么猫"
	if got := w.ask(long); len(got) != 1 {
		t.Errorf("30,000 characters find %q", got)
	}
}
