package graph_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/internal/testkit"
)

// rule is one under which nothing is due before a test says so.
var rule = graph.BatchRule{Idle: time.Hour, Turns: 4, Tokens: 100}

// turns makes turns without ids, of one token each.
func turns(contents ...string) []graph.Turn {
	out := make([]graph.Turn, len(contents))
	for i, c := range contents {
		out[i] = graph.Turn{Source: graph.Source{Role: "user", Speaker: "阿岩", Content: c, Date: day(3)}, Tokens: 1}
	}
	return out
}

// say keeps turns of session s.
func (w *world) say(p graph.People, all ...graph.Turn) (graph.Waiting, int) {
	w.t.Helper()
	waiting, added, err := w.store.AddPending(w.t.Context(), w.space, "s", all, p, rule)
	if err != nil {
		w.t.Fatal(err)
	}
	return waiting, added
}

// take takes the next batch of session s and gives its turns in one text, "" where
// none is due. The job's input is that text with those who were there.
func (w *world) take(r graph.BatchRule, force bool) string {
	w.t.Helper()
	var text string
	job, ok, err := w.store.TakePending(w.t.Context(), graph.SessionRef{Space: w.space, Session: "s"}, r, force,
		func(all []graph.Turn, p graph.People) (graph.NewJob, error) {
			var parts []string
			for _, t := range all {
				parts = append(parts, t.Content)
			}
			text = strings.Join(append(parts, p.Persona...), " ")
			return graph.NewJob{Kind: w.space, Input: text}, nil
		})
	if err != nil {
		w.t.Fatal(err)
	}
	if !ok {
		return ""
	}
	if job.State != graph.JobQueued || job.Session != "s" || !strings.HasPrefix(job.Key, "turns:") {
		w.t.Errorf("the job of %q is %+v", text, job)
	}
	return text
}

func TestTurnsAreTakenInBatches(t *testing.T) {
	idle := graph.BatchRule{Idle: 0, Turns: rule.Turns, Tokens: rule.Tokens}
	with := func(content, role string, tokens int) graph.Turn {
		return graph.Turn{Source: graph.Source{Role: role, Content: content}, Tokens: tokens}
	}
	xm, lu := graph.People{Persona: []string{"小满"}}, graph.People{Persona: []string{"Lumen"}}
	type said struct {
		people graph.People
		turns  []graph.Turn
	}
	tests := []struct {
		name  string
		said  []said
		rule  graph.BatchRule
		force bool
		due   bool // as the last call said
		want  []string
	}{
		{"nothing while the conversation goes on", []said{{xm, turns("a", "b")}}, rule, false, false, nil},
		{"all after a pause", []said{{xm, turns("a")}, {xm, turns("b")}}, idle, false, false, []string{"a b 小满"}},
		{"all when it is flushed", []said{{xm, turns("a", "b")}}, rule, true, false, []string{"a b 小满"}},
		{"enough turns at once and the rest waits", []said{{xm, turns("a", "b", "c", "d", "e")}}, rule, false, true, []string{"a b c d 小满"}},
		{"twice enough turns", []said{{xm, turns("a", "b", "c", "d", "e", "f", "g", "h")}}, rule, false, true, []string{"a b c d 小满", "e f g h 小满"}},
		{"enough text", []said{{xm, []graph.Turn{with("a", "user", 60), with("b", "user", 60)}}}, rule, false, true, []string{"a 小满"}},
		{"one turn that is longer than a batch", []said{{xm, []graph.Turn{with("a", "user", 500)}}}, rule, false, true, []string{"a 小满"}},
		{"the answer of a tool goes with its call", []said{{xm, append(turns("a", "b", "c"), with("call", "assistant", 1), with("answer", "tool", 200), with("z", "user", 1))}}, rule, false, true, []string{"a b c call answer 小满"}},
		{"unless it is longer by far", []said{{xm, append(turns("a", "b", "c"), with("call", "assistant", 1), with("answer", "tool", 800))}}, rule, false, true, []string{"a b c call 小满", "answer 小满"}},
		{"other people make another batch", []said{{xm, turns("a", "b")}, {lu, turns("c")}}, rule, false, true, []string{"a b 小满"}},
		{"other people three times make three batches", []said{{xm, turns("a")}, {lu, turns("c")}, {xm, turns("d")}}, idle, false, true, []string{"a 小满", "c Lumen", "d 小满"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.persona("小满", "")
			w.persona("Lumen", "")
			var waiting graph.Waiting
			for _, s := range tt.said {
				waiting, _ = w.say(s.people, s.turns...)
			}
			if waiting.Due != tt.due {
				t.Errorf("due %t, want %t: %+v", waiting.Due, tt.due, waiting)
			}
			due := must[[]graph.SessionRef](t)(w.store.DuePending(t.Context(), []string{w.space}, 10))
			if (len(due) == 1) != tt.due {
				t.Errorf("due sessions: %v", due)
			}
			var got []string
			for batch := w.take(tt.rule, tt.force); batch != ""; batch = w.take(tt.rule, tt.force) {
				got = append(got, batch)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("batches (-want +got):\n%s", diff)
			}
			if due = must[[]graph.SessionRef](t)(w.store.DuePending(t.Context(), []string{w.space}, 10)); len(due) > 0 {
				t.Errorf("still due: %v", due)
			}
			// What was taken and what was not are all that was said, once each.
			var total, left int64
			for _, s := range tt.said {
				total += int64(len(s.turns))
			}
			left = w.cypher("MATCH (p:Pending {space: $space}) WHERE p.job IS NULL RETURN count(p)", nil)
			taken := w.cypher("MATCH (p:Pending {space: $space}) WHERE p.job IS NOT NULL RETURN count(p)", nil)
			line := w.cypher("MATCH (l:Line {space: $space}) RETURN coalesce(l.turns, 0)", nil)
			if left+taken != total || line != left {
				t.Errorf("%d taken and %d left of %d, the line says %d", taken, left, total, line)
			}
		})
	}
}

func TestATurnWithAnIDIsKeptOnce(t *testing.T) {
	w := newWorld(t)
	w.persona("小满", "", "满满")
	turn := func(id int64, content string) graph.Turn {
		t := turns(content)[0]
		t.SourceID = id
		return t
	}
	if _, added := w.say(graph.People{}, turn(1, "a"), turn(2, "b")); added != 2 {
		t.Errorf("%d added", added)
	}
	if waiting, added := w.say(graph.People{}, turn(2, "b"), turn(3, "c"), turns("c")[0]); added != 2 || waiting.Turns != 4 {
		t.Errorf("%d added, waiting %+v", added, waiting)
	}
	if waiting, added := w.say(graph.People{}, turn(2, "b")); added != 0 || waiting.Turns != 4 {
		t.Errorf("%d added, waiting %+v", added, waiting)
	}
	w.cypher("CREATE (:Source:Message {space: $space, source_id: 9, kind: 'message', session: 's', role: 'user', speaker: '阿岩', content: 'old', present: []})", nil)
	if _, added := w.say(graph.People{}, turn(9, "old")); added != 0 {
		t.Error("a message that was ingested is kept again")
	}
	for name, x := range map[string]graph.Turn{"waiting": turn(2, "x"), "ingested": turn(9, "x")} {
		_, added, err := w.store.AddPending(t.Context(), w.space, "t", []graph.Turn{turn(20, "new"), x}, graph.People{}, rule)
		wantCode(t, err, graph.CodeConflict)
		if added != 0 || w.cypher("MATCH (p:Pending {space: $space, source_id: 20}) RETURN count(p)", nil) != 0 {
			t.Errorf("%s with other content: the others were kept", name)
		}
	}
	_, _, err := w.store.AddPending(t.Context(), w.space, "s", turns("a"), graph.People{Persona: []string{"满满", "谁"}}, rule)
	wantCode(t, err, graph.CodeInvalid)
	_, _, err = w.store.AddPending(t.Context(), "nowhere", "s", turns("a"), graph.People{}, rule)
	wantCode(t, err, graph.CodeNotFound)
}

// TestRacingTurnsAreKeptInOneOrder sends turns through two stores while both take
// batches: each turn is in exactly one.
func TestRacingTurnsAreKeptInOneOrder(t *testing.T) {
	w := newWorld(t)
	stores := []*graph.Store{w.store, testkit.Store(t)}
	var wg sync.WaitGroup
	for sender := range 4 {
		wg.Go(func() {
			store := stores[sender%2]
			for n := range 10 {
				if _, _, err := store.AddPending(t.Context(), w.space, "s", turns(fmt.Sprintf("%d-%d", sender, n)), graph.People{}, rule); err != nil {
					t.Error(err)
				}
				_, _, err := store.TakePending(t.Context(), graph.SessionRef{Space: w.space, Session: "s"}, rule, n == 9,
					func(all []graph.Turn, _ graph.People) (graph.NewJob, error) {
						var texts []string
						for _, turn := range all {
							texts = append(texts, turn.Content)
						}
						return graph.NewJob{Kind: w.space, Input: strings.Join(texts, " ")}, nil
					})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	w.take(rule, true)
	seen := make(map[string]int)
	for {
		job, input, ok := w.claim("one", lease)
		if !ok {
			break
		}
		for _, turn := range strings.Fields(input) {
			seen[turn]++
		}
		must[graph.Job](t)(w.store.FinishJob(t.Context(), job.ID, "one", nil))
	}
	if len(seen) != 40 {
		t.Errorf("%d turns came into batches, want 40", len(seen))
	}
	for turn, times := range seen {
		if times != 1 {
			t.Errorf("%s is in %d batches", turn, times)
		}
	}
	if n := w.cypher("MATCH (p:Pending {space: $space}) RETURN count(p)", nil); n != 0 {
		t.Errorf("%d turns are left", n)
	}
}

func TestWaitingTurnsAreFoundByWords(t *testing.T) {
	w := newWorld(t)
	w.persona("小满", "", "满满")
	w.persona("Lumen", "")
	w.say(graph.People{Persona: []string{"满满"}}, turns("我在海港咖啡上班", "今天学了 C++")...)
	w.say(graph.People{Persona: []string{"Lumen"}, Present: []string{"Maya"}}, turns("The ferry leaves at ten")...)
	tests := []struct{ name, question, persona, want string }{
		{"Chinese", "海港咖啡在哪", "", "我在海港咖啡上班"},
		{"one character", "班", "", "我在海港咖啡上班"},
		{"English, another form", "when did the ferries leave?", "", "The ferry leaves at ten"},
		{"signs", "c++", "", "今天学了 C++"},
		{"who said it", "阿岩 ferry", "", "The ferry leaves at ten"},
		{"a persona that was there", "海港咖啡", "小满", "我在海港咖啡上班"},
		{"one that was not", "海港咖啡", "Lumen", ""},
		{"nothing to look for", "，。", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found := must[[][]graph.FoundTurn](t)(w.store.SearchPending(t.Context(), w.space, []string{tt.question}, tt.persona, 10))[0]
			got := ""
			if len(found) > 0 {
				got = found[0].Content
				if found[0].Session != "s" || found[0].Role != "user" || found[0].Score <= 0 {
					t.Errorf("found %+v", found[0])
				}
			}
			if got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
	several := must[[][]graph.FoundTurn](t)(w.store.SearchPending(t.Context(), w.space, []string{"ferry", "", "C++", "nobody"}, "", 10))
	if len(several) != 4 || len(several[0]) != 1 || several[0][0].Content != "The ferry leaves at ten" || len(several[1]) != 0 ||
		len(several[2]) != 1 || several[2][0].Content != "今天学了 C++" || len(several[3]) != 0 {
		t.Errorf("several questions in a call find %+v", several)
	}
	_, err := w.store.SearchPending(t.Context(), w.space, []string{"x"}, "Maya", 10)
	wantCode(t, err, graph.CodeNotFound)
	_, err = w.store.SearchPending(t.Context(), "nowhere", []string{"x"}, "", 10)
	wantCode(t, err, graph.CodeNotFound)

	// What a job has is found until its diff stands.
	text := w.take(graph.BatchRule{}, true)
	find := func() int {
		return len(must[[][]graph.FoundTurn](t)(w.store.SearchPending(t.Context(), w.space, []string{"海港咖啡"}, "", 10))[0])
	}
	if text == "" || find() != 1 {
		t.Errorf("taken %q: %d are found", text, find())
	}
	job := must[graph.Page[graph.Job]](t)(w.store.Jobs(t.Context(), w.space, graph.JobFilter{})).Items[0]
	w.cypher("CREATE (:Diff {space: $space, id: $id, key: $key, items: '[]', usage: '{}'})", map[string]any{"id": int64(job.ID), "key": job.Key})
	if find() != 0 {
		t.Error("found as a waiting turn, although it is a message by now")
	}
}
