package graph

import "time"

// RelationStatus says whether a relation may be used by new memories.
type RelationStatus string

const (
	// RelationActive: in use.
	RelationActive RelationStatus = "active"
	// RelationPending: proposed under review, not usable yet.
	RelationPending RelationStatus = "pending"
	// RelationDeprecated: kept for what exists; new memories use its successor.
	RelationDeprecated RelationStatus = "deprecated"
)

// Relation is an entry of a space's vocabulary.
type Relation struct {
	Key        string         `json:"key"`     // lower snake-case English, see relations.NormalizeKey
	Content    string         `json:"content"` // what it means, in the space's language
	Date       time.Time      `json:"date,omitzero"`
	Functional bool           `json:"functional,omitempty"` // a subject has one current value
	Symmetric  bool           `json:"symmetric,omitempty"`  // reads the same both ways
	Inverse    string         `json:"inverse,omitempty"`    // key of the relation that says the same backwards, or ""
	Aliases    []string       `json:"aliases,omitempty"`
	Status     RelationStatus `json:"status,omitempty"`
	Successor  string         `json:"successor,omitempty"` // key that replaces a deprecated one, or ""
	Uses       int            `json:"uses,omitempty"`      // current memories that use it, where the reader asked for it; else 0
}
