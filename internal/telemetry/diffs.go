package telemetry

import "relata/graph"

// Diff counts a diff by its receipt. One that was not kept, or had been done
// before, does not count.
func (t *Telemetry) Diff(r graph.Receipt) {
	if r.DiffID == 0 || r.Repeated {
		return
	}
	t.metrics.diffs.WithLabelValues(string(r.Status)).Inc()
	for _, v := range r.Verdicts {
		t.metrics.diffItems.WithLabelValues(string(v.Outcome)).Inc()
	}
}
