package jobs_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
	"relata/jobs"
)

// buffer makes a buffer of the test's space that runs until its end.
func (w *world) buffer(r *jobs.Runner, change ...func(*jobs.BufferOptions)) *jobs.Buffer {
	w.t.Helper()
	o := jobs.BufferOptions{
		Store: w.store, Runner: r, Kind: w.kind, Spaces: []string{w.space},
		Idle: time.Hour, Poll: 50 * time.Millisecond,
		Now: func() time.Time { return time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC) },
	}
	for _, c := range change {
		c(&o)
	}
	b := must[*jobs.Buffer](w.t)(jobs.NewBuffer(o))
	ctx, cancel := context.WithCancel(w.ctx)
	var running sync.WaitGroup
	running.Go(func() { _ = b.Run(ctx) })
	w.t.Cleanup(func() { cancel(); running.Wait() })
	return b
}

// say adds turns, each in a call of its own.
func (w *world) say(b *jobs.Buffer, session string, contents ...string) {
	w.t.Helper()
	for _, c := range contents {
		batch := w.talk(session, c)
		batch.Chats[0].Date = ""
		if got := must[jobs.Buffered](w.t)(b.Add(w.ctx, batch)); got.Added != 1 {
			w.t.Errorf("%s: %+v", c, got)
		}
	}
}

// listed waits until the space has so many jobs and gives them, the oldest first.
func (w *world) listed(n int) []graph.Job {
	w.t.Helper()
	for w.ctx.Err() == nil {
		list := must[graph.Page[graph.Job]](w.t)(w.store.Jobs(w.ctx, w.space, graph.JobFilter{})).Items
		if len(list) >= n {
			slices.Reverse(list)
			return list
		}
		time.Sleep(20 * time.Millisecond)
	}
	w.t.Fatalf("the space has not come to %d jobs", n)
	return nil
}

// waiting counts the turns that no message has replaced.
func (w *world) waiting() int64 {
	return w.cypher("MATCH (p:Pending {space: $space}) RETURN count(p)", nil)
}

func TestAConversationIsIngestedWhenItPauses(t *testing.T) {
	w := newWorld(t)
	if _, err := w.store.PutPersona(w.ctx, w.space, graph.Persona{Name: "小满", Aliases: []string{"满满"}}); err != nil {
		t.Fatal(err)
	}
	m := &model{steps: []any{likesTea}}
	r, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
	b := w.buffer(r, func(o *jobs.BufferOptions) { o.Idle = time.Second })
	first := w.talk("s", "我喜欢喝茶", "你呢？")
	first.Persona, first.Chats[1].Date = []string{"满满"}, ""
	id := int64(7)
	first.Chats[0].ID = &id
	if got := must[jobs.Buffered](t)(b.Add(w.ctx, first)); got.Added != 2 || got.Turns != 2 || got.Tokens == 0 || got.Due {
		t.Errorf("kept as %+v", got)
	}
	if found := must[[][]graph.FoundTurn](t)(w.store.SearchPending(w.ctx, w.space, []string{"喝茶"}, "满满", 10))[0]; len(found) != 1 || found[0].SourceID != 7 {
		t.Errorf("before it is ingested, a search finds %+v", found)
	}
	job := w.listed(1)[0]
	w.await(r, job.ID, is(graph.JobDone))
	if w.waiting() != 0 {
		t.Error("turns are kept although they are messages now")
	}
	got := must[[]graph.Source](t)(w.store.Messages(w.ctx, w.space, graph.MessageQuery{Session: "s", AsPersona: "小满"}))
	if len(got) != 2 || got[0].SourceID != 7 || got[0].Content != "我喜欢喝茶" || got[1].Content != "你呢？" {
		t.Fatalf("the messages are %+v", got)
	}
	// The turn without a date has that of its arrival.
	if want := time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC); !got[1].Date.Equal(want) {
		t.Errorf("its date is %s, want %s", got[1].Date, want)
	}
	if n := w.cypher("MATCH (:Persona {name: '小满'})-[:AWARE_OF]->(m:Memory {space: $space}) RETURN count(m)", nil); n != 1 {
		t.Errorf("the persona knows %d memories", n)
	}
	// Sent again, a turn with an id is known, now as a message.
	first.Chats = first.Chats[:1]
	if again := must[jobs.Buffered](t)(b.Add(w.ctx, first)); again.Added != 0 || again.Turns != 0 {
		t.Errorf("sent again: %+v", again)
	}
}

func TestAConversationIsIngestedWhenItGrows(t *testing.T) {
	w := newWorld(t)
	m := &model{steps: []any{likesTea}}
	r, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
	b := w.buffer(r, func(o *jobs.BufferOptions) { o.Turns, o.Tokens = 3, 100 })
	w.say(b, "turns", "一", "二", "三", "四")
	w.await(r, w.listed(1)[0].ID, is(graph.JobDone))
	if w.waiting() != 1 {
		t.Errorf("%d turns wait, want the one beyond the budget", w.waiting())
	}
	w.say(b, "tokens", strings.Repeat("茶", 60), strings.Repeat("水", 60))
	w.await(r, w.listed(2)[1].ID, is(graph.JobDone))
	if w.waiting() != 2 || m.calls() != 2 {
		t.Errorf("%d turns wait after %d calls", w.waiting(), m.calls())
	}
	for i, part := range []string{"三", strings.Repeat("茶", 60)} {
		if !strings.Contains(m.asked[i], part) || strings.Contains(m.asked[i], "四") || strings.Contains(m.asked[i], "水水") {
			t.Errorf("batch %d shows the model %s", i, m.asked[i])
		}
	}
}

func TestAConversationIsIngestedWhenItIsFlushed(t *testing.T) {
	w := newWorld(t)
	m := &model{steps: []any{likesTea}}
	r, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
	b := w.buffer(r)
	w.say(b, "s", "一", "二")
	w.say(b, "other", "三")
	made := must[[]graph.Job](t)(b.Flush(w.ctx, w.space, "s"))
	if len(made) != 1 || made[0].Session != "s" || made[0].Total != 2 {
		t.Fatalf("flushed into %+v", made)
	}
	if again := must[[]graph.Job](t)(b.Flush(w.ctx, w.space, "s")); len(again) != 0 {
		t.Errorf("flushed again into %+v", again)
	}
	w.await(r, made[0].ID, is(graph.JobDone))
	if w.waiting() != 1 {
		t.Errorf("%d turns wait, want that of the other session", w.waiting())
	}
	_, err := b.Flush(w.ctx, "nowhere", "s")
	wantCode(t, err, graph.CodeNotFound)
	// The same words in two batches are two batches, not one that came twice.
	w.say(b, "s", "一", "二")
	again := must[[]graph.Job](t)(b.Flush(w.ctx, w.space, "s"))
	if done := w.await(r, again[0].ID, is(graph.JobDone)); done.DiffIDs[0] == 0 || m.calls() != 2 {
		t.Errorf("the same words again: %+v after %d calls", done, m.calls())
	}
}

func TestTurnsOfAFailedJobStay(t *testing.T) {
	w := newWorld(t)
	m := &model{steps: []any{&extractor.ModelError{Kind: extractor.KindBlocked, Model: "script"}, likesTea}}
	r, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
	b := w.buffer(r)
	w.say(b, "s", "我喜欢喝茶")
	job := must[[]graph.Job](t)(b.Flush(w.ctx, w.space, "s"))[0]
	w.await(r, job.ID, is(graph.JobFailed))
	found := func() int {
		return len(must[[][]graph.FoundTurn](t)(w.store.SearchPending(w.ctx, w.space, []string{"喝茶"}, "", 10))[0])
	}
	if w.waiting() != 1 || found() != 1 {
		t.Errorf("%d turns wait, %d are found", w.waiting(), found())
	}
	w.say(b, "s", "再见")
	next := must[[]graph.Job](t)(b.Flush(w.ctx, w.space, "s"))
	if len(next) != 1 || next[0].Total != 1 {
		t.Errorf("the next batch holds what the failed one has: %+v", next)
	}
	w.await(r, next[0].ID, is(graph.JobDone))
	must[graph.Job](t)(r.Retry(w.ctx, job.ID))
	w.await(r, job.ID, is(graph.JobDone))
	if w.waiting() != 0 || found() != 0 {
		t.Errorf("%d turns wait, %d are found", w.waiting(), found())
	}
}

func TestTurnsThatCannotBeKept(t *testing.T) {
	w := newWorld(t)
	r := must[*jobs.Runner](t)(jobs.New(jobs.Options{Store: w.store}))
	b := w.buffer(r)
	id := int64(1)
	numbered := func(content string) extractor.Batch {
		batch := w.talk("s", content)
		batch.Chats[0].ID = &id
		return batch
	}
	if got := must[jobs.Buffered](t)(b.Add(w.ctx, numbered("a"))); got.Added != 1 {
		t.Errorf("kept as %+v", got)
	}
	if got := must[jobs.Buffered](t)(b.Add(w.ctx, numbered("a"))); got.Added != 0 || got.Turns != 1 {
		t.Errorf("kept again as %+v", got)
	}
	tests := []struct {
		name   string
		change func(*extractor.Batch)
		code   graph.Code
	}{
		{"an id with other words", func(b *extractor.Batch) { b.Chats[0].Content = "b" }, graph.CodeConflict},
		{"no session", func(b *extractor.Batch) { b.Session = "" }, graph.CodeInvalid},
		{"no turn", func(b *extractor.Batch) { b.Chats = nil }, graph.CodeInvalid},
		{"no date", func(b *extractor.Batch) { b.Chats[0].Date = "soon" }, graph.CodeInvalid},
		{"no persona", func(b *extractor.Batch) { b.Persona = []string{"谁"} }, graph.CodeInvalid},
		{"no space", func(b *extractor.Batch) { b.Space = "nowhere" }, graph.CodeNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			batch := numbered("a")
			tt.change(&batch)
			_, err := b.Add(w.ctx, batch)
			wantCode(t, err, tt.code)
		})
	}
	if w.waiting() != 1 {
		t.Errorf("%d turns are kept", w.waiting())
	}
}

func TestToolCallsComeThroughTheBuffer(t *testing.T) {
	w := newWorld(t)
	m := &model{steps: []any{likesTea}}
	r, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
	b := w.buffer(r)
	batch := w.talk("s", "天气？")
	batch.Chats = append(batch.Chats,
		extractor.Chat{Role: "assistant", ToolCalls: []graph.ToolCall{{ID: "c1", Function: "weather", Arguments: `{"city":"厦门"}`}}},
		extractor.Chat{Role: "tool", Content: "sunny", ToolCallID: "c1"})
	must[jobs.Buffered](t)(b.Add(w.ctx, batch))
	job := must[[]graph.Job](t)(b.Flush(w.ctx, w.space, "s"))[0]
	w.await(r, job.ID, is(graph.JobDone))
	var got []string
	for _, s := range must[[]graph.Source](t)(w.store.Messages(w.ctx, w.space, graph.MessageQuery{Session: "s"})) {
		for _, c := range s.ToolCalls {
			got = append(got, c.Function+c.Arguments)
		}
		got = append(got, s.Role+s.Content+s.ToolCallID)
	}
	if diff := cmp.Diff([]string{"user天气？", `weather{"city":"厦门"}`, "assistant", "toolsunnyc1"}, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}
