package graph

import (
	"regexp"
	"time"
	_ "time/tzdata" // a container may have no zone files
)

// Governance says what may happen to the vocabulary of a space.
type Governance string

const (
	// GovernanceOpen: a diff may add relations. The default.
	GovernanceOpen Governance = "open"
	// GovernanceReview: a new relation waits for approval (outcome pending).
	GovernanceReview Governance = "review"
	// GovernanceClosed: a new relation is mapped to the nearest that exists.
	GovernanceClosed Governance = "closed"
)

// WriterSees says which memories the model is shown as context of a batch.
type WriterSees string

const (
	// WriterSeesSpace: whatever the space knows. The default.
	WriterSeesSpace WriterSees = "space"
	// WriterSeesPresent: only what those present know.
	WriterSeesPresent WriterSees = "present"
)

// Space is a closed world of data; every node and query belongs to exactly one.
type Space struct {
	Name       string
	Timezone   string // IANA name; dates without a zone are read and written in it. Default UTC
	Language   string // "zh", "en" or "" (by the batch)
	Vocabulary string // what it was seeded with: "core" or "empty"
	Governance Governance
	WriterSees WriterSees
	// ContentPolicy is what readers may not write down, in a sentence or two; ""
	// for the default.
	ContentPolicy string
	Version       int64 // grows by one with each applied diff
	CreatedAt     time.Time
}

var spaceName = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$`)

// Validate checks names and settings; empty settings are allowed and mean the
// defaults.
func (s Space) Validate() error {
	var fields []Field
	if !spaceName.MatchString(s.Name) {
		fields = append(fields, Field{"space", "must begin with a letter or digit and hold at most 100 letters, digits, '.', '_' or '-'"})
	}
	if _, err := time.LoadLocation(s.Timezone); err != nil || s.Timezone == "Local" {
		fields = append(fields, Field{"timezone", "must be an IANA time zone such as Asia/Shanghai"})
	}
	switch s.Language {
	case "", "zh", "en":
	default:
		fields = append(fields, Field{"language", `must be "zh" or "en"`})
	}
	switch s.Vocabulary {
	case "", "core", "empty":
	default:
		fields = append(fields, Field{"vocabulary", `must be "core" or "empty"`})
	}
	switch s.Governance {
	case "", GovernanceOpen, GovernanceReview, GovernanceClosed:
	default:
		fields = append(fields, Field{"governance", `must be "open", "review" or "closed"`})
	}
	if len(s.ContentPolicy) > 4000 {
		fields = append(fields, Field{"content_policy", "must not be longer than 4,000 bytes"})
	}
	switch s.WriterSees {
	case "", WriterSeesSpace, WriterSeesPresent:
	default:
		fields = append(fields, Field{"writer_sees", `must be "space" or "present"`})
	}
	if len(fields) > 0 {
		return &Error{Code: CodeInvalid, Message: "the space is not valid", Fields: fields}
	}
	return nil
}

// Location gives the space's time zone, UTC where none is set.
func (s Space) Location() *time.Location {
	loc, err := time.LoadLocation(s.Timezone)
	if err != nil {
		return time.UTC
	}
	return loc
}
