package jobs_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"relata/extractor"
	"relata/graph"
	"relata/internal/testkit"
	"relata/jobs"
)

// The process that is killed is this test binary again, told by these variables
// what to do in which space. It says reached when it is where it is to be killed.
const (
	childStep  = "RELATA_TEST_JOBS_STEP"
	childSpace = "RELATA_TEST_JOBS_SPACE"
	reached    = "reached the step"
)

// TestProcessThatIsKilled is no test of its own: see TestAKilledProcess….
func TestProcessThatIsKilled(t *testing.T) {
	step := os.Getenv(childStep)
	if step == "" {
		t.Skip("runs only as the child of another test")
	}
	space := os.Getenv(childSpace)
	w := &world{t, t.Context(), testkit.Store(t), space, space}
	here := func() {
		fmt.Println(reached)
		select {} // until it is killed
	}
	m := &model{steps: []any{likesTea}}
	ingest := jobs.Ingest{Ingester: w.ingester(m)}
	switch step {
	case "the model is asked":
		m.before = here
		w.runner(ingest)
	case "the diff is written":
		w.runner(handler(func(ctx context.Context, job graph.Job, input string, p func(int, int)) ([]graph.DiffID, error) {
			diffs, err := ingest.Handle(ctx, job, input, p)
			if err != nil {
				t.Error(err)
			}
			here()
			return diffs, nil
		}))
	case "turns become a job":
		_, _, err := w.store.TakePending(w.ctx, graph.SessionRef{Space: space, Session: "s"}, graph.BatchRule{}, true,
			func([]graph.Turn, graph.People) (graph.NewJob, error) { here(); return graph.NewJob{}, nil })
		t.Error(err)
	}
	select {}
}

// kill runs the process until it reached a step, and ends it at once.
func (w *world) kill(step string) {
	w.t.Helper()
	cmd := exec.CommandContext(w.ctx, os.Args[0], "-test.run=^TestProcessThatIsKilled$", "-test.v")
	cmd.Env = append(os.Environ(), childStep+"="+step, childSpace+"="+w.space)
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said = append(said, lines.Text())
		if strings.Contains(lines.Text(), reached) {
			if err := cmd.Process.Kill(); err != nil {
				w.t.Fatal(err)
			}
			_ = cmd.Wait() // says that it was killed
			return
		}
	}
	_ = cmd.Wait()
	w.t.Fatalf("the process ended before it came to the step:\n%s", strings.Join(said, "\n"))
}

// TestAKilledProcessLosesNothingAndWritesNothingTwice kills a process at the worst
// moments; another one goes on.
func TestAKilledProcessLosesNothingAndWritesNothingTwice(t *testing.T) {
	tests := []struct {
		step  string
		calls int // of the model, in the process that goes on
		runs  int
	}{
		{"the model is asked", 1, 2},
		{"the diff is written", 0, 2},
		{"turns become a job", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.step, func(t *testing.T) {
			w := newWorld(t)
			idle := must[*jobs.Runner](t)(jobs.New(jobs.Options{Store: w.store}))
			b := must[*jobs.Buffer](t)(jobs.NewBuffer(jobs.BufferOptions{Store: w.store, Runner: idle, Kind: w.kind, Idle: time.Hour}))
			must[jobs.Buffered](t)(b.Add(w.ctx, w.talk("s", "我喜欢喝茶", "再见")))
			flush := func() []graph.Job { return must[[]graph.Job](t)(b.Flush(w.ctx, w.space, "s")) }
			var made []graph.Job
			if tt.step == "turns become a job" {
				w.kill(tt.step)
				made = flush()
			} else {
				made = flush()
				w.kill(tt.step)
				// Its lease ends now, not in an hour.
				w.cypher("MATCH (j:Job {space: $space}) SET j.due = datetime()", nil)
			}
			if len(made) != 1 || made[0].Total != 2 || len(flush()) != 0 {
				t.Fatalf("the turns became %+v", made)
			}
			m := &model{steps: []any{likesTea}}
			r, _ := w.runner(jobs.Ingest{Ingester: w.ingester(m)})
			done := w.await(r, made[0].ID, is(graph.JobDone))
			d, ok, err := w.store.DiffByKey(w.ctx, w.space, done.Key)
			if err != nil || !ok || len(done.DiffIDs) != 1 || done.DiffIDs[0] != d.ID {
				t.Errorf("done as %+v, diff %d: %t, %v", done, d.ID, ok, err)
			}
			if done.Attempts != tt.runs || m.calls() != tt.calls {
				t.Errorf("begun %d times, want %d; %d calls after the kill, want %d", done.Attempts, tt.runs, m.calls(), tt.calls)
			}
			for label, want := range map[string]int64{"Diff": 1, "Memory": 1, "Source": 2, "Pending": 0, "JobInput": 0, "Job": 1} {
				if n := w.cypher("MATCH (n:$($label) {space: $space}) RETURN count(n)", map[string]any{"label": label}); n != want {
					t.Errorf("%d nodes %s, want %d", n, label, want)
				}
			}
		})
	}
}

var _ extractor.Model = (*model)(nil)
