package bench_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"relata/graph"
	"relata/internal/bench"
)

func world(t *testing.T, o bench.WorldOptions) *bench.World {
	t.Helper()
	w, err := bench.NewWorld(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAWorldIsTheSameForTheSameSeed(t *testing.T) {
	o := bench.WorldOptions{Memories: 2000, Spaces: 10, Seed: 7, Dimensions: 16}
	a, b := world(t, o), world(t, o)
	o.Memories = 9000
	grown := world(t, o)
	o.Seed = 8
	other := world(t, o)
	for _, n := range []int{0, 3, 411, 999} {
		s := a.Spaces()[0]
		want := a.Item(s, n)
		if diff := cmp.Diff(want, b.Item(s, n), cmpopts.IgnoreUnexported(bench.Item{})); diff != "" {
			t.Errorf("item %d, -first +second:\n%s", n, diff)
		}
		if diff := cmp.Diff(want, grown.Item(grown.Spaces()[0], n), cmpopts.IgnoreUnexported(bench.Item{})); diff != "" {
			t.Errorf("item %d, -small +grown:\n%s", n, diff)
		}
		if cmp.Equal(want.Vector, other.Item(s, n).Vector) {
			t.Errorf("item %d has the same vector for another seed", n)
		}
	}
	if diff := cmp.Diff(a.Questions(a.Spaces()[1], 20), b.Questions(b.Spaces()[1], 20), cmpopts.IgnoreUnexported(bench.Question{})); diff != "" {
		t.Errorf("questions, -first +second:\n%s", diff)
	}
}

func TestSpacesAreSkewed(t *testing.T) {
	for _, memories := range []int{1000, 10000, 100000, 300000} {
		sizes := bench.Sizes(memories, 50)
		sum := 0
		for i, n := range sizes {
			sum += n
			if i > 0 && n > sizes[i-1] {
				t.Errorf("of %d: space %d is larger (%d) than the one before (%d)", memories, i, n, sizes[i-1])
			}
		}
		if sum != memories || len(sizes) != 50 {
			t.Errorf("of %d: %d spaces hold %d", memories, len(sizes), sum)
		}
		if share := float64(sizes[0]) / float64(memories); share < 0.5 || share > 0.55 {
			t.Errorf("of %d: the largest holds %d", memories, sizes[0])
		}
		if sizes[49] < 10 {
			t.Errorf("of %d: the smallest holds %d", memories, sizes[49])
		}
	}
}

func TestItemsOfASpace(t *testing.T) {
	w := world(t, bench.WorldOptions{Memories: 10000, Spaces: 50, Seed: 1, Dimensions: 16})
	s := w.Spaces()[0]
	contents := make(map[string]bool)
	known := make(map[string]int)
	hub, chinese := 0, 0
	for n := range s.Size {
		it := w.Item(s, n)
		m := it.Memory
		if contents[m.Content] {
			t.Fatalf("item %d says what another says: %s", n, m.Content)
		}
		contents[m.Content] = true
		if graph.EntityKey(m.Subject) == graph.EntityKey(m.Object) {
			t.Fatalf("item %d has one entity at both ends: %s", n, m.Subject)
		}
		if m.Subject == bench.NameOf(0) || m.Object == bench.NameOf(0) {
			hub++
		}
		if strings.ContainsRune(m.Content, '。') {
			chinese++
		}
		for _, p := range it.Aware {
			known[p]++
		}
		if _, err := graph.ParseCategory(m.Index0, m.Index1); err != nil {
			t.Fatalf("item %d: %v", n, err)
		}
		if length := dot(it.Vector, it.Vector); math.Abs(length-1) > 1e-5 {
			t.Fatalf("item %d: the vector's length is not 1 but %f", n, math.Sqrt(length))
		}
	}
	near := func(what string, got int, share float64) {
		if want := share * float64(s.Size); math.Abs(float64(got)-want) > want/5 {
			t.Errorf("%s: %d of %d, want about %.0f", what, got, s.Size, want)
		}
	}
	near("memories of the hub", hub, 0.1)
	near("Chinese memories", chinese, 0.2)
	for _, p := range w.Personas(s) {
		if known[p.Name] != p.Known(s.Size) {
			t.Errorf("%s knows %d, want %d", p.Name, known[p.Name], p.Known(s.Size))
		}
	}
}

func TestNamesAreDistinct(t *testing.T) {
	seen := make(map[string]int)
	for n := range 40000 {
		key := graph.EntityKey(bench.NameOf(n))
		if m, ok := seen[key]; ok {
			t.Fatalf("entities %d and %d are both %q", m, n, key)
		}
		seen[key] = n
	}
}

func TestQuestionsAreNearTheirMemory(t *testing.T) {
	w := world(t, bench.WorldOptions{Memories: 400, Spaces: 4, Seed: 1})
	s := w.Spaces()[0]
	for _, q := range w.Questions(s, 20) {
		vectors, err := w.Embedder.Embed(t.Context(), []string{q.Text, "a text that is not known"})
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(vectors[0], q.Vector) {
			t.Errorf("%s: the embedder gives another vector", q.Text)
		}
		best := -1.0
		for n := range s.Size {
			best = max(best, dot(q.Vector, w.Item(s, n).Vector))
		}
		if best < 0.85 {
			t.Errorf("%s: the nearest memory has a cosine of %.2f", q.Text, best)
		}
	}
}

func TestWorldsThatAreTooSmall(t *testing.T) {
	for _, o := range []bench.WorldOptions{{Memories: 100, Spaces: 50}, {Memories: 100, Spaces: 1}, {}} {
		if _, err := bench.NewWorld(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
