package extractor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// All answers of models in this file are written by hand.

// read is a reader's answer that cites messages.
const read = `{"memory list":[
	{"key":"猫","memory_type":"UserMemory","value":"阿岩养了一只叫螺丝的橘猫。","tags":["宠物"],"msg_ids":[1,2]},
	{"key":"搬家","memory_type":"LongTermMemory","value":"阿岩打算搬去杭州。","tags":["计划"],"msg_ids":[2]},
	{"key":"旅行","memory_type":"UserMemory","value":"阿岩去过大理。","tags":[],"msg_ids":[1]}],"summary":"阿岩说起他的猫和搬家。"}`

const (
	nothingRewritten = `{"0":{"need_rewrite":false,"rewritten":"","reason":"对"},"1":{"need_rewrite":true,"rewritten":"阿岩打算四月搬去杭州。","reason":"说了月份"},"2":{"need_rewrite":false,"rewritten":"","reason":"对"}}`
	thirdDenied      = `{"0":{"keep":true,"reason":"说过"},"1":{"keep":true,"reason":"说过"},"2":{"keep":false,"reason":"没有人说过"}}`
)

func catAndMove() string {
	return mems(incs(
		"<increment><subject>阿岩</subject><object>螺丝</object><relation>own</relation><content>阿岩养了橘猫螺丝。</content><msg_ids>1</msg_ids></increment>",
		"<increment><subject>阿岩</subject><object>杭州</object><relation>plan</relation><content>阿岩打算四月搬去杭州。</content><msg_ids>2</msg_ids><tags>搬家</tags></increment>",
	))
}

func TestFineModeReadsChecksAndMakesTheDiffOfFacts(t *testing.T) {
	w := harbour()
	m := says(read, nothingRewritten, thirdDenied, catAndMove())
	b := talk("我养了猫，叫螺丝", "四月要搬去杭州")
	ingest(t, newExtractor(t, w, m), b, extractor.IngestOptions{Mode: extractor.ModeFine})

	var asked []string
	for _, r := range m.requests() {
		asked = append(asked, r.Step)
	}
	if diff := cmp.Diff([]string{"reader", "rewrite", "hallucination_filter", "diff"}, asked); diff != "" {
		t.Fatalf("steps: %s", diff)
	}
	last := m.requests()[3]
	for _, part := range []string{"<id>1</id>", "猫: 阿岩养了一只叫螺丝的橘猫。", "<id>2</id>", "搬家: 阿岩打算四月搬去杭州。"} {
		if !strings.Contains(last.User, part) {
			t.Errorf("the diff step is not shown %q", part)
		}
	}
	if strings.Contains(last.User, "大理") {
		t.Error("the diff step is shown a fact that was sorted out")
	}
	if !strings.Contains(last.System, "事实") {
		t.Error("the diff step is not told that it sees facts")
	}
	got := w.submissions()[0]
	want := []relations.MemoryItem{
		{Subject: "阿岩", Object: "螺丝", Relation: "own", Content: "阿岩养了橘猫螺丝。", MsgIDs: []int64{1, 2}, Tags: []string{"宠物"}, Title: "猫", MemoryType: "UserMemory"},
		{Subject: "阿岩", Object: "杭州", Relation: "plan", Content: "阿岩打算四月搬去杭州。", MsgIDs: []int64{2}, Tags: []string{"搬家"}, Title: "搬家", MemoryType: "LongTermMemory"},
	}
	if diff := cmp.Diff(want, got.Proposal.Memories.Increments); diff != "" {
		t.Errorf("what the memories inherit from the facts they cite: %s", diff)
	}
	if got.Usage.Calls != 4 || got.Usage.InputTokens != 40 || got.Summary != "阿岩说起他的猫和搬家。" {
		t.Errorf("usage %+v, summary %q", got.Usage, got.Summary)
	}
	if text := notesOf(got.Stages); !strings.Contains(text, "sorted out: 阿岩去过大理。 (没有人说过)") || !strings.Contains(text, "memory 1 was reworded: 说了月份") {
		t.Errorf("the trace does not say what the checks changed: %s", text)
	}
}

func notesOf(stages []graph.Stage) string {
	var all []string
	for _, s := range stages {
		all = append(all, s.Name+": "+strings.Join(s.Notes, "; "))
	}
	return strings.Join(all, "\n")
}

func TestAFailedCheckKeepsEveryFact(t *testing.T) {
	w := harbour()
	m := &script{steps: []step{
		{answer: extractor.Answer{Text: read}}, fails(extractor.KindBlocked), fails(extractor.KindAuth), {answer: extractor.Answer{Text: catAndMove()}},
	}}
	ingest(t, newExtractor(t, w, m), talk("我养了猫，叫螺丝", "四月要搬去杭州"), extractor.IngestOptions{Mode: extractor.ModeFine})
	user := m.requests()[3].User
	for _, value := range []string{"螺丝的橘猫", "打算搬去杭州", "去过大理"} {
		if !strings.Contains(user, value) {
			t.Errorf("the fact %q was lost", value)
		}
	}
	if text := notesOf(w.submissions()[0].Stages); strings.Count(text, "no usable answer, the memories stay as they are") != 2 {
		t.Errorf("the failed checks are not both in the trace: %s", text)
	}
}

func TestAReaderWithoutAnAnswerWritesNothing(t *testing.T) {
	w := harbour()
	_, err := newExtractor(t, w, says("对不起，我做不到。")).Ingest(t.Context(), talk("我养了猫"), extractor.IngestOptions{Mode: extractor.ModeFine})
	if graph.ErrorCode(err) != graph.CodeModel || len(w.submissions()) > 0 {
		t.Errorf("error %v, %d submissions", err, len(w.submissions()))
	}
}

func TestNothingWorthAMemoryIsNoQuestionForADiff(t *testing.T) {
	w := harbour()
	m := says(`{"memory list":[],"summary":"寒暄。"}`)
	ingest(t, newExtractor(t, w, m), talk("早上好"), extractor.IngestOptions{Mode: extractor.ModeFine})
	if len(m.requests()) != 1 || len(w.submissions()) != 1 {
		t.Errorf("%d calls, %d submissions: the batch counts as done without a diff", len(m.requests()), len(w.submissions()))
	}
}

func TestWhatIsKnownIsLeftOutAndWhatBelongsTogetherIsMerged(t *testing.T) {
	w := harbour()
	w.memories = []graph.Memory{
		{ID: 7, Subject: "阿岩", Object: "螺丝", Relation: "own", Content: "阿岩有一只猫叫螺丝。", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
		{ID: 8, Subject: "Maya", Object: "螺丝", Relation: "like", Content: "Maya likes 螺丝.", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
	}
	known := `{"0":{"keep":true,"reason":"毛色是新的"},"1":{"keep":false,"reason":"已经记住"}}`
	merged := `{"value":"阿岩养了一只叫螺丝的橘猫。","merged_from":[7,99],"should_merge":true}`
	m := says(read, nothingRewritten, thirdDenied, known,
		mems(incs("<increment><subject>阿岩</subject><object>螺丝</object><relation>own</relation><content>螺丝是橘猫。</content><msg_ids>1</msg_ids></increment>")), merged)
	ingest(t, newExtractor(t, w, m), talk("我养了猫，叫螺丝", "四月要搬去杭州"), extractor.IngestOptions{Mode: extractor.ModeFine})
	got := w.submissions()[0]
	if len(got.Proposal.Memories.Increments) != 0 || len(got.Proposal.Memories.Replaces) != 1 {
		t.Fatalf("a merge is no replace: %+v", got.Proposal.Memories)
	}
	r := got.Proposal.Memories.Replaces[0]
	if r.Source.Content != "阿岩有一只猫叫螺丝。" || r.Source.Date != "2026-01-02 11:04:05" || r.Target.Content != "阿岩养了一只叫螺丝的橘猫。" {
		t.Errorf("replace %+v", r)
	}
	if text := notesOf(got.Stages); !strings.Contains(text, "已经记住") || !strings.Contains(text, "memory 7 went into") {
		t.Errorf("trace: %s", text)
	}
}

// Twenty new memories of a batch, of which some are about what is known.
func TestMergesAreBoundedByWhatIsAsked(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known func(i int) bool // whether memory i is about what is known
		want  int              // calls
	}{
		{"only the last one", func(i int) bool { return i == 19 }, 1},
		{"all of them", func(int) bool { return true }, 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := harbour()
			w.memories = []graph.Memory{{ID: 7, Subject: "阿岩", Object: "螺丝", Relation: "own", Content: "阿岩有一只猫叫螺丝。"}}
			var all []string
			for i := range 20 {
				object := fmt.Sprintf("物件%d", i)
				if tt.known(i) {
					object = "螺丝"
				}
				all = append(all, fmt.Sprintf("<increment><subject>阿岩</subject><object>%s</object><relation>like</relation><content>阿岩喜欢第%d样：%s。</content><msg_ids>1</msg_ids></increment>", object, i, object))
			}
			nothingKnown := `{"0":{"keep":true,"reason":"新"},"1":{"keep":true,"reason":"新"}}`
			answers := []string{read, nothingRewritten, thirdDenied, nothingKnown, mems(incs(all...))}
			for range tt.want {
				answers = append(answers, `{"value":"","merged_from":[],"should_merge":false}`)
			}
			m := says(answers...)
			ingest(t, newExtractor(t, w, m), talk("我养了猫，叫螺丝", "四月要搬去杭州"), extractor.IngestOptions{Mode: extractor.ModeFine})
			merges := 0
			for _, r := range m.requests() {
				if r.Step == "merge" {
					merges++
				}
			}
			got := w.submissions()[0]
			if merges != tt.want || len(got.Proposal.Memories.Increments) != 20 {
				t.Errorf("%d merges were asked for, want %d; %d of 20 memories are left", merges, tt.want, len(got.Proposal.Memories.Increments))
			}
			if text := notesOf(got.Stages); strings.Contains(text, "8 more") != (tt.want == 12) {
				t.Errorf("the trace does not say what was not looked at: %s", text)
			}
		})
	}
}

func TestARefusalIsNoNewWording(t *testing.T) {
	for name, answer := range map[string]string{
		"Chinese": `{"0":{"need_rewrite":true,"rewritten":"抱歉，我无法处理这段对话","reason":"x"}}`,
		"English": `{"0":{"need_rewrite":true,"rewritten":"I'm sorry, but I can't help with this request.","reason":"x"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := harbour()
			m := says(read, answer, thirdDenied, catAndMove())
			ingest(t, newExtractor(t, w, m), talk("我养了猫，叫螺丝", "四月要搬去杭州"), extractor.IngestOptions{Mode: extractor.ModeFineUser})
			if user := m.requests()[3].User; !strings.Contains(user, "阿岩养了一只叫螺丝的橘猫。") {
				t.Errorf("the fact was reworded into a refusal: %s", user)
			}
		})
	}
}
