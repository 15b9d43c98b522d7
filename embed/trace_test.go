package embed

import (
	"math"
	"testing"
)

// TestTrace follows one sentence through the network. The numbers come from a
// float64 reference; an error in a layer shows in the first line that fails.
func TestTrace(t *testing.T) {
	t.Parallel()
	for _, kern := range kernels() {
		t.Run(kern.name, func(t *testing.T) {
			t.Parallel()
			model := loadedModel(t, kern)
			ids := model.tokens.tokenize("我今天很开心。")
			n, s := model.encoder.net, new(scratch)
			rows := newRows(t).get(ids, func(ids []int32) []*firstLayer { return n.firstLayers(ids, s) })
			var e, x []float32
			for i, id := range ids {
				row := make([]float32, localDimensions)
				n.embedding(row, id)
				e = append(e, row...)
				x = append(x, rows[i].input[:]...)
			}
			n.firstConvolutions(rows, s)
			n.sumOfTokens(ids, s)
			v := n.head(len(ids), s)
			last := s.hidden[2][(2+7)*branchWidth:] // branch 5 has two rows of zeros before and after
			for _, layer := range []struct {
				name  string
				got   []float32
				first []float64
				l1    float64
			}{
				{"e", e, []float64{-2.20206, -3.96048, 1.75439, 6.15045}, 5544.85},
				{"x", x, []float64{0.678484, 0.699068, 0.805903, 0.576991}, 7147.49},
				{"h2", s.hidden[0], nil, 2463.16},
				{"h3", s.hidden[1], nil, 2055.17},
				{"h5", s.hidden[2], nil, 3039.65},
				{"h5 at the last token", last, []float64{0.783093, -2.21447, 0.450921, 0.753337}, 0},
				{"m", s.m[:], []float64{-0.0816621, -0.889025, 0.0322587, 0.115354}, 173.412},
				{"y0", s.y0[:], nil, 17.8567},
				{"y1", s.y1[:], []float64{0.635839, 0.152977, 0.985854, 1.45095}, 115.504},
				{"y2", s.y2[:], nil, 31.9851},
				{"o", s.o[:], []float64{-0.0126827, -0.0312386, 0.0089442, -0.294476}, 145.925},
				{"v", v, []float64{-0.00158669, -0.00390817, 0.00111898, -0.036841}, 18.2562},
			} {
				for i, want := range layer.first {
					if got := float64(layer.got[i]); math.Abs(got-want) > 1e-5*max(1, math.Abs(want)) {
						t.Errorf("%s[%d] = %v, want %v", layer.name, i, got, want)
					}
				}
				l1 := 0.0
				for _, x := range layer.got {
					l1 += math.Abs(float64(x))
				}
				if layer.l1 != 0 && math.Abs(l1-layer.l1) > 1e-5*layer.l1 {
					t.Errorf("%s: sum of absolute values %v, want %v", layer.name, l1, layer.l1)
				}
			}
		})
	}
}

func newRows(t *testing.T) *rowCache {
	t.Helper()
	rows, err := newRowCache(16)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestRowCacheSmallerThanATextGivesTheSameVector(t *testing.T) {
	t.Parallel()
	model := loadedModel(t, kernels()[0])
	small, err := newEncoder(model.encoder.net, 2)
	if err != nil {
		t.Fatal(err)
	}
	ids := model.tokens.tokenize("Who knows where the spare key is? 谁知道备用钥匙放在哪个抽屉？")
	want := model.encoder.encode(ids)
	for range 3 {
		if d := distance(want, small.encode(ids)); d > 1e-6 {
			t.Errorf("a component differs by %.1e", d)
		}
	}
}
