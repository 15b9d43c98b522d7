package bench_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/internal/bench"
)

func TestPercentile(t *testing.T) {
	ten := make([]time.Duration, 10)
	for i := range ten {
		ten[i] = time.Duration(i + 1)
	}
	tests := []struct {
		name  string
		times []time.Duration
		share float64
		want  time.Duration
	}{
		{"nothing has none", nil, 0.5, 0},
		{"of one it is that one", ten[:1], 0.95, 1},
		{"half of ten are not above the fifth", ten, 0.5, 5},
		{"95 % of ten need the tenth", ten, 0.95, 10},
		{"all", ten, 1, 10},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := bench.Percentile(test.times, test.share); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestPartsOfACall(t *testing.T) {
	at := func(name string, from, to int) graph.Call {
		start := time.Unix(0, 0)
		return graph.Call{Statement: name, Start: start.Add(time.Duration(from)), End: start.Add(time.Duration(to))}
	}
	tests := []struct {
		name  string
		calls []graph.Call
		want  map[string]time.Duration
	}{
		{"without statements there are none", nil, map[string]time.Duration{}},
		{
			"statements side by side count once in the whole",
			[]graph.Call{at("b", 10, 50), at("a", 5, 30), at("c", 20, 25)},
			map[string]time.Duration{"a": 25, "b": 40, "c": 5, "outside statements": 55},
		},
		{
			"a statement that runs twice is summed",
			[]graph.Call{at("a", 0, 10), at("a", 20, 30)},
			map[string]time.Duration{"a": 20, "outside statements": 80},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, bench.Split(100, test.calls)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestSteps(t *testing.T) {
	for name, test := range map[string]struct {
		most, least int
		want        []int
	}{
		"up to a power of ten":      {10000, 1000, []int{1000, 3000, 10000}},
		"up to anything":            {25000, 1000, []int{1000, 3000, 10000, 25000}},
		"not below what is needed":  {10000, 2000, []int{3000, 10000}},
		"the whole is always there": {500, 400, []int{500}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, bench.Steps(test.most, test.least)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
