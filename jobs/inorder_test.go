package jobs_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
	"relata/jobs"
)

// A batch that is answered at once goes behind what its session had before it,
// and behind nothing else.
func TestABatchAnsweredAtOnceWaitsForItsTurn(t *testing.T) {
	w := newWorld(t)
	asked, goOn := make(chan string, 10), make(chan struct{})
	m := &model{steps: []any{likesTea}}
	e := w.ingester(m)
	r, _ := w.runner(handler(func(ctx context.Context, job graph.Job, input string, progress func(int, int)) ([]graph.DiffID, error) {
		asked <- "job"
		<-goOn
		return jobs.Ingest{Ingester: e}.Handle(ctx, job, input, progress)
	}))
	b := w.buffer(r)
	ingester := jobs.InOrder{Extractor: e, Desk: jobs.Desk{Runner: r, Buffer: b}}
	n, err := jobs.IngestJob(w.talk("s", "第一句"), extractor.IngestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n.Kind = w.kind
	if _, _, err := r.Add(w.ctx, n); err != nil {
		t.Fatal(err)
	}
	<-asked // it runs, and waits for goOn
	w.say(b, "s", "第二句")

	// Others are not held up, nor is what writes nothing.
	must[graph.Receipt](t)(ingester.Ingest(w.ctx, w.talk("other", "别的会话"), extractor.IngestOptions{}))
	must[graph.Receipt](t)(ingester.Ingest(w.ctx, w.talk("s", "试一下"), extractor.IngestOptions{DryRun: true}))
	if _, err := ingester.Ingest(w.ctx, w.talk("s"), extractor.IngestOptions{}); graph.ErrorCode(err) != graph.CodeInvalid {
		t.Errorf("a wrong batch: %v", err)
	}

	var third sync.WaitGroup
	third.Go(func() { _, _ = ingester.Ingest(w.ctx, w.talk("s", "第三句"), extractor.IngestOptions{}) })
	w.listed(2) // the turn that waited has become a job

	brief, cancel := context.WithTimeout(w.ctx, 50*time.Millisecond)
	defer cancel()
	_, err = ingester.Ingest(brief, w.talk("s", "等不及"), extractor.IngestOptions{})
	wantCode(t, err, graph.CodeTimeout)

	close(goOn)
	third.Wait()
	var order []string
	for _, user := range m.asked {
		for _, said := range []string{"别的会话", "试一下", "等不及", "第一句", "第二句", "第三句"} {
			if strings.Contains(user, "<content>"+said) {
				order = append(order, said)
			}
		}
	}
	if diff := cmp.Diff([]string{"别的会话", "试一下", "第一句", "第二句", "第三句"}, order); diff != "" {
		t.Errorf("what the model was shown, in order (-want +got):\n%s", diff)
	}
}
