package bench_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"relata/internal/bench"
)

// The pack of these tests, in both languages, written by hand: h3 replaces h1, q4
// and q5 have no answer.
const (
	tinyMessages = `
{"space":"harbour","session":"s1","id":1,"source_id":"a1","date":"2026-03-01 09:00:00","role":"user","speaker":"Nora","content":"I keep my boat in Lisbon."}
{"space":"harbour","session":"s1","id":2,"source_id":"a2","date":"2026-03-01 09:01:00","role":"user","speaker":"Nora","content":"My brother Tom repairs violins."}
{"space":"harbour","session":"s2","id":3,"source_id":"a3","date":"2026-04-01 09:00:00","role":"user","speaker":"Nora","content":"The boat lies in Porto now."}
{"space":"harbour","session":"s2","id":4,"source_id":"a4","date":"2026-04-01 09:01:00","role":"user","speaker":"Nora","content":"Tom still repairs violins."}
{"space":"茶馆","session":"s1","id":5,"source_id":"b1","date":"2026-03-02 10:00:00","role":"user","speaker":"林舟","content":"我最喜欢喝龙井茶。"}
{"space":"茶馆","session":"s1","id":6,"source_id":"b2","date":"2026-03-02 10:01:00","role":"user","speaker":"林舟","content":"我每周三去游泳。"}
`
	tinyMemories = `
{"space":"harbour","subject":"Nora","relation":"moors_boat_in","object":"Lisbon","content":"Nora keeps her boat in Lisbon.","date":"2026-03-01 09:00:00","msg_ids":[1],"index0":"profile","index1":"owner","key":"h1"}
{"space":"harbour","subject":"Tom","relation":"repairs","object":"violins","content":"Nora's brother Tom repairs violins.","date":"2026-03-01 09:01:00","msg_ids":[2,4],"index0":"profile","index1":"other","key":"h2"}
{"space":"harbour","subject":"Nora","relation":"moors_boat_in","object":"Porto","content":"Nora keeps her boat in Porto.","date":"2026-04-01 09:00:00","msg_ids":[3],"index0":"profile","index1":"owner","key":"h3","supersedes":"h1","edge":"supersedes"}
{"space":"茶馆","subject":"林舟","relation":"likes","object":"龙井茶","content":"林舟最喜欢喝龙井茶。","date":"2026-03-02 10:00:00","msg_ids":[5],"index0":"人物画像","index1":"owner","key":"t1"}
{"space":"茶馆","subject":"林舟","relation":"swims_on","object":"周三","content":"林舟每周三去游泳。","date":"2026-03-02 10:01:00","msg_ids":[6],"index0":"人物画像","index1":"owner","key":"t2"}
`
	tinyQuestions = `
{"space":"harbour","id":"q1","question":"Where does Nora keep her boat?","answer":"Porto","type":"update","evidence":[3],"abstain":false,"current":[3],"outdated":[1]}
{"space":"harbour","id":"q2","question":"What does Tom repair, and whose brother is he?","answer":"violins; Nora's","type":"fact","evidence":[4,3],"evidence_any":[[2,4],[3]],"abstain":false}
{"space":"harbour","id":"q3","question":"Where was the boat before Porto?","answer":"Lisbon","type":"hard_conflict","evidence":[1],"abstain":false}
{"space":"harbour","id":"q4","question":"Which opera does Quentin sing?","answer":"","type":"unanswerable","evidence":[],"abstain":true}
{"space":"harbour","id":"q5","question":"When did Tom sell the boat?","answer":"","type":"adversarial","evidence":[2],"abstain":true}
{"space":"茶馆","id":"q6","question":"林舟喜欢喝什么茶？","answer":"龙井茶","type":"fact","evidence":[5],"abstain":false}
{"space":"茶馆","id":"q7","question":"林舟哪天去游泳？","answer":"周三","type":"update","evidence":[6],"abstain":false,"current":[6],"outdated":[5]}
{"space":"harbour","id":"q8","question":"Is the boat still in Lisbon?","answer":"no","type":"update","evidence":[3],"abstain":false,"current":[3],"outdated":[1]}
`
)

// packFiles writes the files of a pack into a folder of that name.
func packFiles(t *testing.T, name, messages, memories, questions string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"messages": messages, "memories": memories, "questions": questions} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, file+".jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func tinyPack(t *testing.T, name string) *bench.Pack {
	t.Helper()
	p, err := bench.ReadPack(packFiles(t, name, tinyMessages, tinyMemories, tinyQuestions))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func readResults(t *testing.T, lines string) []bench.RecallResult {
	t.Helper()
	var out []bench.RecallResult
	dec := json.NewDecoder(strings.NewReader(lines))
	for dec.More() {
		var r bench.RecallResult
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// tinyResults are made up: an outdated hit above the present one (q1), evidence
// in the sixth hit only and none of the second fact (q2), a message of another
// space (q3), nothing found (q6), one hit with both states (q7), no answer (q8).
const tinyResults = `
{"id":"q1","hits":[{"msg_ids":[1],"content":"a","score":0.9},{"msg_ids":[3],"content":"b","score":0.8}],"latency_ms":10}
{"id":"q2","hits":[{"msg_ids":[1],"content":"a","score":0.5},{"msg_ids":[],"content":"b","score":0.4},{"msg_ids":[1],"content":"c","score":0.3},{"msg_ids":[1],"content":"d","score":0.2},{"msg_ids":[1,1],"content":"e","score":0.1},{"msg_ids":[2],"content":"f","score":0.1}],"latency_ms":20}
{"id":"q3","hits":[{"msg_ids":[6],"content":"g","score":0.7},{"msg_ids":[1,3],"content":"h","score":0.75}],"latency_ms":30}
{"id":"q4","hits":[{"msg_ids":[2],"content":"f","score":0.5}],"latency_ms":40}
{"id":"q5","hits":[{"msg_ids":[1],"content":"a","score":0.6},{"msg_ids":[2,4],"content":"f","score":0.2}],"latency_ms":50}
{"id":"q6","hits":[],"latency_ms":60}
{"id":"q7","hits":[{"msg_ids":[5,6],"content":"i","score":0.8},{"msg_ids":[5],"content":"j","score":0.1}],"latency_ms":70}
`

var near = cmpopts.EquateApprox(0, 1e-9)

// The wanted figures are what the scorer of the evaluation packs (recall.py,
// --json) printed for these very files, but for latency by type, which is counted
// from them. Its accuracy at a floor is not taken over.
func TestScoresAreThoseOfThePacksOwnScorer(t *testing.T) {
	auc := 0.5416666666666666
	want := bench.RecallRun{
		Name: "made up",
		Types: map[string]bench.RecallFigures{
			"adversarial":   {Questions: 1, Recall: [4]float64{1, 1, 1, 1}, MRR: 0.5, P50: 50, P95: 50},
			"fact":          {Questions: 2, Recall: [4]float64{0, 0.25, 0.25, 0.25}, MRR: 0.08333333333333333, P50: 20, P95: 60},
			"hard_conflict": {Questions: 1, Recall: [4]float64{1, 1, 1, 1}, MRR: 0.5, P50: 30, P95: 30},
			"update": {
				Questions: 3, Recall: [4]float64{2. / 3, 2. / 3, 2. / 3, 2. / 3}, MRR: 0.5,
				Updates: 3, OutdatedFirst: 1. / 3, CurrentMissing: 1. / 3, P50: 10, P95: 70,
			},
		},
		Overall: bench.RecallFigures{
			Questions: 6, Recall: [4]float64{0.5, 0.5833333333333334, 0.5833333333333334, 0.5833333333333334},
			MRR: 0.3611111111111111, Updates: 3, OutdatedFirst: 1. / 3, CurrentMissing: 1. / 3, P50: 30, P95: 70,
		},
		AbstainAUC: &auc, P50: 40, P95: 70, Hits: 15, PerHit: 1.1333333333333333, Foreign: 1,
	}
	got := tinyPack(t, "scored").Score("made up", readResults(t, tinyResults))
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAPackWithoutQuestionsToAbstainFromHasNoAbstention(t *testing.T) {
	kept := strings.Split(tinyQuestions, "\n")
	p, err := bench.ReadPack(packFiles(t, "answerable", tinyMessages, tinyMemories, strings.Join(kept[:4], "\n")))
	if err != nil {
		t.Fatal(err)
	}
	if run := p.Score("made up", nil); run.AbstainAUC != nil {
		t.Errorf("the area is %f, want none", *run.AbstainAUC)
	}
}

// The wanted hits are those of recall.py --bm25 memories for this pack; it rounds
// scores to four places.
// clock leaves out how long the answers took.
var clock = cmpopts.IgnoreFields(bench.RecallFigures{}, "P50", "P95")

func TestFloorIsThatOfThePacksOwnScorer(t *testing.T) {
	type hit struct {
		Message int64
		Score   float64
	}
	want := map[string][]hit{
		"q1": {{1, 1.0735}, {3, 1.0735}, {2, 0.1335}}, // equal: in the pack's order
		"q2": {{2, 1.9617}},
		"q3": {{3, 1.4508}, {1, 0.47}},
		"q4": nil,
		"q5": {{2, 0.9808}, {1, 0.47}, {3, 0.47}},
		"q6": {{5, 1.527}, {6, 0.1874}},
		"q7": {{6, 1.6126}, {5, 0.1775}},
		"q8": {{1, 1.9208}, {3, 0.94}},
	}
	p := tinyPack(t, "floor")
	floor := p.Floor()
	got := make(map[string][]hit)
	for _, r := range floor {
		got[r.ID] = nil
		for _, h := range r.Hits {
			got[r.ID] = append(got[r.ID], hit{h.MsgIDs[0], math.Round(h.Score*1e4) / 1e4})
		}
	}
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	overall := bench.RecallFigures{
		Questions: 6, Recall: [4]float64{11. / 12, 11. / 12, 11. / 12, 11. / 12}, MRR: 0.75, Updates: 3, OutdatedFirst: 2. / 3,
	}
	if diff := cmp.Diff(overall, p.Score("floor", floor).Overall, near, clock); diff != "" {
		t.Errorf("overall, -want +got:\n%s", diff)
	}
}

func TestTokensOfTheFloor(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"words in lower case, cut at marks":       {"Nora's boat_house, Nº 3", "nora s boat house no 3"},
		"full width becomes narrow":               {"ＡＢＣ１２", "abc12"},
		"pairs of Han characters":                 {"我喜欢喝茶", "我喜 喜欢 欢喝 喝茶"},
		"one Han character":                       {"茶", "茶"},
		"scripts are cut apart":                   {"去Lisbon的船", "去 lisbon 的船"},
		"the repetition mark is no Han character": {"々人々", "々 人 々"},
		"Han of the extension":                    {"a㐀b", "a 㐀 b"},
		"nothing":                                 {"…!", ""},
	} {
		if got := strings.Join(bench.FloorTokens(c.text), " "); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", name, c.text, got, c.want)
		}
	}
}

func TestPacksThatCannotBeMeasured(t *testing.T) {
	for name, c := range map[string]struct{ messages, memories, questions, want string }{
		"no oracle memories":     {tinyMessages, "", tinyQuestions, "has no memories.jsonl"},
		"an empty file":          {"", "\n", "\n", "messages.jsonl"},
		"a line that is no JSON": {tinyMessages, tinyMemories, "\n{\"id\"", "questions.jsonl:2: "},
		"a message twice":        {tinyMessages + tinyMessages, tinyMemories, tinyQuestions, "messages.jsonl:9: message 1 is there twice"},
		"a question twice":       {tinyMessages, tinyMemories, tinyQuestions + tinyQuestions, "the question q1 is there twice"},
		"a question for a space without memories": {
			tinyMessages, tinyMemories, `{"space":"attic","id":"q9","question":"?","type":"fact","evidence":[1]}`,
			"the question q9 is for the space attic",
		},
		"a question to answer without evidence": {
			tinyMessages, tinyMemories, `{"space":"harbour","id":"q9","question":"?","type":"fact","evidence":[]}`,
			"the question q9 is to be answered but has no evidence",
		},
		"memories without messages": {
			strings.Split(tinyMessages, "\n")[1], tinyMemories, `{"space":"harbour","id":"q9","question":"?","type":"fact","evidence":[1]}`,
			"the space 茶馆 has memories but no messages",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bench.ReadPack(packFiles(t, "bad", c.messages, c.memories, c.questions))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}
