package main

import (
	"os"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

// The sample world once with its answers recorded, then in another space from
// the recording alone: the prompts are the same, so the world is too.
func TestARecordedRunReplays(t *testing.T) {
	dir := t.TempDir()
	recorded, err := extractor.NewRecord(answers(t), dir)
	if err != nil {
		t.Fatal(err)
	}
	world := func(m extractor.Model) wantedState {
		a := sampleApp(t, m)
		space := sampleSpace(t, a)
		batches, err := sampleSessions(space)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range batches {
			if _, err := a.extractor.Ingest(t.Context(), b, extractor.IngestOptions{}); err != nil {
				t.Fatalf("session %s: %v", b.Session, err)
			}
		}
		return sorted(stateOf(t, a, space))
	}
	want := world(recorded)
	if diff := gocmp.Diff(want, world(extractor.NewReplay(os.DirFS(dir)))); diff != "" || len(want.Memories) == 0 {
		t.Errorf("%d memories: %s", len(want.Memories), diff)
	}
}

func TestRepeatedReceiptsSayWhatCouldNotBeRead(t *testing.T) {
	const increment = `<increment><subject>阿岩</subject><object>猫</object><relation>own</relation><content>阿岩养猫。</content></increment>`
	a := sampleApp(t, extractor.NewReplay(fstest.MapFS{"01-first-hello.xml": {Data: []byte(
		`<relations><increments><increment><key>own</key><content>拥有</content></increment></increments></relations>` +
			`<memories><increments>` + increment + `</increments><increment><subject>b</subject></increment></memories>`)}}))
	space := sampleSpace(t, a)
	batches, err := sampleSessions(space)
	if err != nil {
		t.Fatal(err)
	}
	var receipts []graph.Receipt
	for range 2 {
		r, err := a.extractor.Ingest(t.Context(), batches[0], extractor.IngestOptions{})
		if err != nil {
			t.Fatal(err)
		}
		receipts = append(receipts, r)
	}
	if !receipts[1].Repeated || len(receipts[0].Memories.Added) != 1 {
		t.Fatalf("%+v", receipts)
	}
	last := receipts[0].Verdicts[len(receipts[0].Verdicts)-1]
	if last.Item != extractor.AnswerNote || last.Outcome != graph.OutcomeRejected || last.Code != graph.RejectMissingField || last.Message == "" {
		t.Errorf("verdict %+v", last)
	}
	if diff := gocmp.Diff(receipts[0].Verdicts, receipts[1].Verdicts); diff != "" {
		t.Errorf("the repeated receipt differs: %s", diff)
	}
}
