package extractor

import (
	"relata/graph"
	"relata/relations"
)

// What cmd wires together.
var (
	_ Store     = (*graph.Store)(nil)
	_ Submitter = (*relations.Service)(nil)
)
