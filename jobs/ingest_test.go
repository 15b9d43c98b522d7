package jobs_test

import (
	"strings"
	"testing"

	"relata/extractor"
	"relata/graph"
	"relata/jobs"
)

func TestAnIngestJobWritesWhatTheModelSays(t *testing.T) {
	w := newWorld(t)
	m := &model{steps: []any{likesTea}}
	r, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
	add := func(b extractor.Batch, o extractor.IngestOptions) graph.Job {
		t.Helper()
		n, err := jobs.IngestJob(b, o)
		if err != nil {
			t.Fatal(err)
		}
		n.Kind = w.kind
		job, _, err := r.Add(w.ctx, n)
		if err != nil {
			t.Fatal(err)
		}
		return w.await(r, job.ID, is(graph.JobDone))
	}
	first := add(w.talk("s", "我喜欢喝茶"), extractor.IngestOptions{Key: "k", By: "alice"})
	if len(first.DiffIDs) != 1 || first.Done != 1 || first.Total != 1 || first.By != "alice" || first.Key != "k" {
		t.Fatalf("the job is %+v", first)
	}
	d, ok, err := w.store.DiffByKey(w.ctx, w.space, "k")
	if err != nil || !ok || d.ID != first.DiffIDs[0] || d.By != "alice" {
		t.Fatalf("the diff of the key is %+v: %t, %v", d, ok, err)
	}
	receipt := must[graph.Receipt](t)(w.store.Receipt(w.ctx, w.space, d, ""))
	if len(receipt.Memories.Added) != 1 || receipt.Memories.Added[0].Content != "阿岩喜欢喝茶。" {
		t.Errorf("the receipt, read again, has %+v", receipt.Memories)
	}
	if again := add(w.talk("s", "我喜欢喝茶"), extractor.IngestOptions{Key: "k"}); again.ID != first.ID {
		t.Errorf("the same key made another job: %+v", again)
	}
	// Without a key the content stands for it, as it does without jobs.
	one := add(w.talk("s", "茶很好"), extractor.IngestOptions{})
	if two := add(w.talk("s", "茶很好"), extractor.IngestOptions{}); two.ID == one.ID || two.DiffIDs[0] != one.DiffIDs[0] || m.calls() != 2 {
		t.Errorf("the same content came to %+v and %+v with %d calls", one, two, m.calls())
	}
	_, err = jobs.IngestJob(w.talk("s", "x"), extractor.IngestOptions{DryRun: true})
	wantCode(t, err, graph.CodeInvalid)
	_, err = jobs.IngestJob(w.talk("s"), extractor.IngestOptions{})
	wantCode(t, err, graph.CodeInvalid)
}

func TestAModelFailureIsAFailedJobThatCanBeTriedAgain(t *testing.T) {
	w := newWorld(t)
	busy := &extractor.ModelError{Kind: extractor.KindRateLimited, Model: "script", Detail: "quota of project 7"}
	blocked := &extractor.ModelError{Kind: extractor.KindBlocked, Model: "script"}
	m := &model{steps: []any{busy, blocked, likesTea}}
	r, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
	n, err := jobs.IngestJob(w.talk("s", "我喜欢喝茶"), extractor.IngestOptions{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	n.Kind = w.kind
	job, _, err := r.Add(w.ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	failed := w.await(r, job.ID, is(graph.JobFailed))
	if failed.Attempts != 2 || !strings.Contains(failed.Error, "content policy") || strings.Contains(failed.Error, "project 7") {
		t.Errorf("failed as %+v", failed)
	}
	must[graph.Job](t)(r.Retry(w.ctx, job.ID))
	w.await(r, job.ID, is(graph.JobDone))
	if n := w.cypher("MATCH (d:Diff {space: $space}) RETURN count(d)", nil); n != 1 || m.calls() != 3 {
		t.Errorf("%d diffs after %d calls", n, m.calls())
	}
}

// TestTwoProcessesWithOneJobWriteOnce lets a runner work on, whose lease ran out
// while the model thought, beside the one that took over.
func TestTwoProcessesWithOneJobWriteOnce(t *testing.T) {
	w := newWorld(t)
	thinks, answer := make(chan struct{}, 2), make(chan struct{})
	m := &model{steps: []any{likesTea}, before: func() {
		thinks <- struct{}{}
		select {
		case <-answer:
		case <-w.ctx.Done():
		}
	}}
	n, err := jobs.IngestJob(w.talk("s", "我喜欢喝茶"), extractor.IngestOptions{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	n.Kind = w.kind
	r, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
	job, _, err := r.Add(w.ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	<-thinks
	w.cypher("MATCH (j:Job {space: $space}) SET j.due = datetime()", nil)
	other, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
	<-thinks
	close(answer)
	done := w.await(other, job.ID, is(graph.JobDone))
	d, _, err := w.store.DiffByKey(w.ctx, w.space, "k")
	if err != nil || len(done.DiffIDs) != 1 || done.DiffIDs[0] != d.ID {
		t.Errorf("done as %+v, the diff is %d: %v", done, d.ID, err)
	}
	if n := w.cypher("MATCH (m:Memory {space: $space}) RETURN count(m)", nil); n != 1 {
		t.Errorf("%d memories", n)
	}
}
