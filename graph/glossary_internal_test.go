package graph

import (
	"math"
	"testing"
)

func TestAimed(t *testing.T) {
	tests := []struct {
		name           string
		centre, vector []float64
		sampled        int
		want           []float64
	}{
		{"a question without a vector has no aim", []float64{1, 0}, nil, 100, nil},
		{"a space without vectors leaves it as it is", nil, []float64{0.6, 0.8}, 100, []float64{0.6, 0.8}},
		{"so does one with vectors of another model", []float64{1, 0, 0}, []float64{0.6, 0.8}, 100, []float64{0.6, 0.8}},
		{"a large space takes half of its mean away", []float64{1, 0}, []float64{0.6, 0.8}, 1e9, []float64{0.1 / math.Hypot(0.1, 0.8), 0.8 / math.Hypot(0.1, 0.8)}},
		{"one of twenty a quarter", []float64{1, 0}, []float64{0.6, 0.8}, 20, []float64{0.35 / math.Hypot(0.35, 0.8), 0.8 / math.Hypot(0.35, 0.8)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := glossary{centre: tt.centre, sampled: tt.sampled}.aimed(tt.vector)
			if len(got) != len(tt.want) {
				t.Fatalf("the aim has %d dimensions, want %d", len(got), len(tt.want))
			}
			for i := range got {
				if math.Abs(got[i]-tt.want[i]) > 1e-6 {
					t.Errorf("the aim is %v, want %v", got, tt.want)
				}
			}
		})
	}
}

func TestMoved(t *testing.T) {
	for _, tt := range []struct {
		then, now int
		want      bool
	}{{0, 0, false}, {0, 1, true}, {100, 119, false}, {100, 121, true}, {100, 79, true}} {
		if got := moved(tt.then, tt.now); got != tt.want {
			t.Errorf("from %d to %d memories: moved is %t, want %t", tt.then, tt.now, got, tt.want)
		}
	}
}
