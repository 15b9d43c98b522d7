package embed

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIDsEqualTheReference(t *testing.T) {
	t.Parallel()
	all := readGolden(t)
	if len(all) != 200 {
		t.Fatalf("%d golden texts, not 200", len(all))
	}
	tokens := loadedModel(t, kernels()[0]).tokens
	for i, g := range all {
		if diff := cmp.Diff(g.IDs, tokens.tokenize(g.Text)); diff != "" {
			t.Errorf("%s: ids differ (-want +got):\n%s", short(i, g.Text), diff)
		}
	}
}

func TestVectorsEqualTheReferenceOnEveryKernel(t *testing.T) {
	t.Parallel()
	all := readGolden(t)
	for _, kern := range kernels() {
		t.Run(kern.name, func(t *testing.T) {
			t.Parallel()
			model := loadedModel(t, kern)
			compared, worst := 0, 0.0
			for i, g := range all {
				if g.Vector == nil {
					continue
				}
				compared++
				if raceDetector && kern.name == "scalar" && len(g.IDs) > 100 {
					continue // a minute of work
				}
				d := distance(g.Vector, model.encoder.encode(g.IDs))
				if d > 1e-5 {
					t.Errorf("%s: a component differs by %.1e", short(i, g.Text), d)
				}
				worst = max(worst, d)
			}
			if compared != 80 {
				t.Errorf("%d golden vectors, not 80", compared)
			}
			t.Logf("largest difference %.1e", worst)
		})
	}
}
