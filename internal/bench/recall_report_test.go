package bench_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/internal/bench"
)

func sampleRecall() bench.RecallReport {
	auc, floor := 0.75, 0.5
	run := func(name string, recall float64, auc *float64) bench.RecallRun {
		update := bench.RecallFigures{Questions: 3, Recall: [4]float64{recall, 1, 1, 1}, MRR: 0.5, Updates: 3, OutdatedFirst: 1. / 3, P50: 8, P95: 9.25}
		fact := bench.RecallFigures{Questions: 12, Recall: [4]float64{recall, 0.9, 1, 1}, MRR: 0.75, P50: 12.345, P95: 20}
		return bench.RecallRun{
			Name: name, Types: map[string]bench.RecallFigures{"update": update, "fact": fact}, Overall: update,
			AbstainAUC: auc, P50: 12.345, P95: 20, Hits: 750, PerHit: 1.5,
		}
	}
	return bench.RecallReport{Command: "relata bench recall", Packs: []bench.PackReport{{
		Pack: "tiny", Spaces: 2, Messages: 6, Memories: 5, Questions: 15, Ceiling: 1, Reach: 0.9, Short: map[string]float64{"update": 0.25}, Repeated: 1, Kept: 1,
		Asked: map[string]int{"hard_conflict": 4}, Runs: []bench.RecallRun{
			run(bench.RunSearch, 0.875, &auc), run(bench.RunFloor, 0.5, &floor), run("text leg", 0.25, &floor),
		},
	}}}
}

const sampleRecallText = `tiny: 5 memories of 6 messages in 2 spaces, 15 questions, limit 50
  type    by          n   R@5    R@10   R@20   R@50   MRR    p50 ms  p95 ms  updates  outdated first  current missing
  fact    search      12  0.875  0.900  1.000  1.000  0.750  12.3    20.0    -        -               -
          BM25 floor  12  0.500  0.900  1.000  1.000  0.750  12.3    20.0    -        -               -
          text leg    12  0.250  0.900  1.000  1.000  0.750  12.3    20.0    -        -               -
  update  search      3   0.875  1.000  1.000  1.000  0.500  8.0     9.2     3        0.333           0.000
          BM25 floor  3   0.500  1.000  1.000  1.000  0.500  8.0     9.2     3        0.333           0.000
          text leg    3   0.250  1.000  1.000  1.000  0.500  8.0     9.2     3        0.333           0.000
  recall of finding every memory: 1.000; of finding all that the questions, as asked, could find of the import: 0.900
  out of reach without include_retired: update, 0.250 of its evidence
  abstention by the top score, area under the curve, .5 is chance: search 0.750, BM25 floor 0.500, text leg 0.500
  latency p50 12.35 ms, p95 20.00 ms, one at a time, with the embedding
  hits 750, messages per hit 1.50; from another space: 0 by memory, 0 by message
  asked with include_retired: hard_conflict, 4 questions
  1 lines say what another does and are one memory with it
  1 spaces as an earlier run left them

overall, without questions to abstain from
  pack  by          n  R@5    R@10   R@20   R@50   MRR    p50 ms  p95 ms  updates  outdated first  current missing
  tiny  search      3  0.875  1.000  1.000  1.000  0.500  8.0     9.2     3        0.333           0.000
        BM25 floor  3  0.500  1.000  1.000  1.000  0.500  8.0     9.2     3        0.333           0.000
        text leg    3  0.250  1.000  1.000  1.000  0.500  8.0     9.2     3        0.333           0.000
legs: searches by one leg alone
`

func TestRecallReportAsText(t *testing.T) {
	var b strings.Builder
	if err := sampleRecall().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sampleRecallText, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRecallReportAsJSONReadsBack(t *testing.T) {
	var b strings.Builder
	if err := sampleRecall().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got bench.RecallReport
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sampleRecall(), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAnswersAreOneObjectALine(t *testing.T) {
	var b strings.Builder
	err := bench.WriteResults(&b, []bench.RecallResult{
		{ID: "q1", Hits: []bench.RecallHit{{MsgIDs: []int64{3, 5}, Content: "<茶>", Score: 0.5}}, Latency: 1.25},
		{ID: "q2", Hits: []bench.RecallHit{}, Latency: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"q1","hits":[{"msg_ids":[3,5],"content":"<茶>","score":0.5}],"latency_ms":1.25}
{"id":"q2","hits":[],"latency_ms":2}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
