package bench

import (
	"time"

	"relata/graph"
)

// What the tests of this package see of its inside.
var (
	Percentile = percentile
	Sizes      = sizes
	NameOf     = nameOf
	Steps      = steps
)

// Split gives what the parts of a row are made of.
func Split(whole time.Duration, calls []graph.Call) map[string]time.Duration {
	r := recorder{calls: calls}
	var s samples
	r.into(&s, whole)
	out := make(map[string]time.Duration)
	for name, times := range s.parts {
		out[name] = times[0]
	}
	return out
}
