package bench

import (
	"testing"

	"relata/graph"
)

func TestBlocksCoverEvidenceByTheirMemories(t *testing.T) {
	led := map[graph.MemoryID][]int64{1: {10, 11}, 2: {20}}
	for name, tt := range map[string]struct {
		groups   [][]int64
		memories []graph.MemoryID
		want     float64
	}{
		"all of it":          {[][]int64{{10}, {20}}, []graph.MemoryID{1, 2}, 1},
		"a half":             {[][]int64{{10}, {20}}, []graph.MemoryID{2}, 0.5},
		"any that states it": {[][]int64{{99, 11}}, []graph.MemoryID{1}, 1},
		"none":               {[][]int64{{10}}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := covered(tt.groups, tt.memories, led); got != tt.want {
				t.Errorf("covered %v, want %v", got, tt.want)
			}
		})
	}
}
