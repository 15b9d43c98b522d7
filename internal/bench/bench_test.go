package bench_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"relata/graph"
	"relata/internal/bench"
	"relata/internal/localdb/dbtest"
	"relata/internal/testkit"
)

// open gives a bench on a small world of its own, loaded.
func open(t *testing.T) *bench.Bench {
	t.Helper()
	testkit.Store(t) // migrates
	uri, user, password := dbtest.Start(t)
	b, err := bench.Open(bench.Options{
		World:   bench.WorldOptions{Memories: 200, Spaces: 3, Seed: rand.Uint64N(1 << 40)},
		Connect: graph.Options{URI: uri, User: user, Password: password},
		Real:    testkit.Embedder(t), Rounds: 1, Seconds: 0.01, Workers: []int{2},
		Progress: func(line string) { t.Log(line) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background()
		if err := b.Erase(ctx, b.World); err != nil {
			t.Errorf("erase the world: %v", err)
		}
		_ = b.Close(ctx)
	})
	l, err := b.Load(t.Context(), b.World)
	if err != nil {
		t.Fatal(err)
	}
	if l.Loaded != 200 || l.Present != 0 {
		t.Fatalf("loaded %d beside %d, want 200 beside none", l.Loaded, l.Present)
	}
	return b
}

func TestAWorldThatIsThereIsNotLoadedAgain(t *testing.T) {
	b := open(t)
	l, err := b.Load(t.Context(), b.World)
	if err != nil {
		t.Fatal(err)
	}
	if l.Loaded != 0 || l.Present != 200 {
		t.Errorf("loaded %d beside %d, want none beside 200", l.Loaded, l.Present)
	}
}

func TestBenches(t *testing.T) {
	b := open(t)
	for name, run := range map[string]func(context.Context) ([]bench.Table, error){
		"search": b.Search, "apply": b.Apply, "import": b.Import, "scale": b.Scale,
	} {
		t.Run(name, func(t *testing.T) {
			tables, err := run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(tables) == 0 {
				t.Fatal("no tables")
			}
			for _, table := range tables {
				for _, r := range table.Rows {
					if (r.Count == 0 || r.P50 <= 0) && r.PerSecond == 0 && !strings.HasPrefix(table.Title, "loading") {
						t.Errorf("%s: nothing was measured for %s", table.Title, r.Name)
					}
				}
				for _, n := range table.Notes {
					if strings.Contains(n, "afterwards") && !strings.Contains(n, " 0 of them without") {
						t.Errorf("%s: %s", table.Title, n)
					}
				}
			}
		})
	}
}

func TestNoHotStatementReadsEverything(t *testing.T) {
	b := open(t)
	tables, err := b.Profile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, table := range tables {
		for _, r := range table.Rows {
			seen[r.Name] = true
			for _, scan := range []string{"AllNodesScan", "AllRelationshipsScan"} {
				if strings.Contains(r.Note, scan) {
					t.Errorf("%s: %s", r.Name, r.Note)
				}
			}
		}
	}
	for _, name := range []string{"memory_add", "ground_read", "memory_list", "context_read"} {
		if !seen[name] {
			t.Errorf("the statement %s was not profiled", name)
		}
	}
}
