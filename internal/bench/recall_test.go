package bench_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/internal/bench"
	"relata/internal/testkit"
)

// messagesOf gives the messages that the hits for a question lead to, in order.
func messagesOf(results []bench.RecallResult, id string) []int64 {
	var out []int64
	for _, r := range results {
		if r.ID == id {
			for _, h := range r.Hits {
				out = append(out, h.MsgIDs...)
			}
		}
	}
	return out
}

func TestRecallOfATinyPack(t *testing.T) {
	store := testkit.Store(t)
	p := tinyPack(t, fmt.Sprintf("tiny-%08x", rand.Uint32()))
	r := bench.NewRecall(bench.RecallOptions{Store: store, Retired: []string{"hard_conflict"}, Legs: true})
	report, results, err := r.Measure(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}

	t.Run("every question is answered, in order", func(t *testing.T) {
		var ids []string
		for _, r := range results {
			ids = append(ids, r.ID)
			if r.Latency <= 0 {
				t.Errorf("%s has no time", r.ID)
			}
		}
		if want := "q1 q2 q3 q4 q5 q6 q7 q8"; strings.Join(ids, " ") != want {
			t.Errorf("answered %v, want %s", ids, want)
		}
	})
	t.Run("what was replaced is found only where it is asked for", func(t *testing.T) {
		for id, want := range map[string]bool{"q1": false, "q3": true, "q8": false} {
			if got := slices.Contains(messagesOf(results, id), 1); got != want {
				t.Errorf("%s: found the old state: %t, want %t", id, got, want)
			}
		}
		if diff := cmp.Diff(map[string]int{"hard_conflict": 1}, report.Asked); diff != "" {
			t.Errorf("asked with include_retired, -want +got:\n%s", diff)
		}
	})
	t.Run("the memories lead to their messages", func(t *testing.T) {
		for id, want := range map[string]int64{"q1": 3, "q2": 4, "q6": 5, "q7": 6} {
			if !slices.Contains(messagesOf(results, id), want) {
				t.Errorf("%s: did not find message %d", id, want)
			}
		}
	})
	t.Run("runs", func(t *testing.T) {
		var names []string
		for _, run := range report.Runs {
			names = append(names, run.Name)
			if run.Foreign != 0 {
				t.Errorf("%s: %d hits from another space", run.Name, run.Foreign)
			}
			if run.Overall.Questions != 6 || len(run.Types) != 4 {
				t.Errorf("%s: scored %d questions of %d types", run.Name, run.Overall.Questions, len(run.Types))
			}
		}
		if diff := cmp.Diff([]string{bench.RunSearch, bench.RunFloor, "vector leg", "text leg", "graph leg"}, names); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if report.Strange != 0 || report.Ceiling != 1 || report.Reach != 1 || len(report.Short) > 0 {
			t.Errorf("%d strange hints, ceiling %f, reach %f, short of %v", report.Strange, report.Ceiling, report.Reach, report.Short)
		}
	})
	t.Run("nothing is left", func(t *testing.T) {
		for _, s := range p.Spaces {
			if _, err := store.Space(t.Context(), "recall-"+p.Name+"-"+s); graph.ErrorCode(err) != graph.CodeNotFound {
				t.Errorf("the space of %s: %v", s, err)
			}
		}
	})
}

func TestWhatOnlyRetiredMemoriesLeadToIsOutOfReach(t *testing.T) {
	p := tinyPack(t, fmt.Sprintf("reach-%08x", rand.Uint32()))
	report, _, err := bench.NewRecall(bench.RecallOptions{Store: testkit.Store(t)}).Measure(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if report.Ceiling != 1 || report.Reach != 5./6 {
		t.Errorf("ceiling %f, reach %f, want all and five of six", report.Ceiling, report.Reach)
	}
	if diff := cmp.Diff(map[string]float64{"hard_conflict": 1}, report.Short); diff != "" {
		t.Errorf("short of, -want +got:\n%s", diff)
	}
}

func TestKeptSpacesAreTakenWhereTheySayWhatThePackSays(t *testing.T) {
	store := testkit.Store(t)
	p := tinyPack(t, fmt.Sprintf("kept-%08x", rand.Uint32()))
	keep := bench.NewRecall(bench.RecallOptions{Store: store, Keep: true})
	kept := func(p *bench.Pack) int {
		t.Helper()
		report, _, err := keep.Measure(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return report.Kept
	}
	if n := kept(p); n != 0 {
		t.Errorf("the first run took %d spaces as they were, want none", n)
	}
	if n := kept(p); n != 2 {
		t.Errorf("the second run took %d spaces as they were, want both", n)
	}
	changed, err := bench.ReadPack(packFiles(t, p.Name, tinyMessages, strings.ReplaceAll(tinyMemories, "Porto.", "Faro."), tinyQuestions))
	if err != nil {
		t.Fatal(err)
	}
	if n := kept(changed); n != 1 {
		t.Errorf("after one space of the pack changed %d were taken as they were, want the other", n)
	}
	if _, _, err := bench.NewRecall(bench.RecallOptions{Store: store}).Measure(t.Context(), changed); err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Spaces {
		if _, err := store.Space(t.Context(), "recall-"+p.Name+"-"+s); graph.ErrorCode(err) != graph.CodeNotFound {
			t.Errorf("after a run that keeps nothing the space of %s: %v", s, err)
		}
	}
}

func TestAPackWhoseMemoriesDoNotGoInIsNotMeasured(t *testing.T) {
	store := testkit.Store(t)
	for name, c := range map[string]struct{ memories, want string }{
		"a message that is not there": {strings.Replace(tinyMemories, "[2,4]", "[2,77]", 1), "1 mentions lead to no message"},
		"a key that is not there":     {strings.Replace(tinyMemories, `"supersedes":"h1"`, `"supersedes":"h7"`, 1), "supersedes names the key “h7”"},
		"no subject":                  {strings.Replace(tinyMemories, `"Tom"`, `""`, 1), "subject missing"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := bench.ReadPack(packFiles(t, fmt.Sprintf("bad-%08x", rand.Uint32()), tinyMessages, c.memories, tinyQuestions))
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = bench.NewRecall(bench.RecallOptions{Store: store}).Measure(t.Context(), p)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %s", err, c.want)
			}
			if _, err := store.Space(t.Context(), "recall-"+p.Name+"-harbour"); graph.ErrorCode(err) != graph.CodeNotFound {
				t.Errorf("the scratch space is left: %v", err)
			}
		})
	}
}
