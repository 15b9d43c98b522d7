package graph

import "time"

// DiffID is the number of a diff in the ledger.
type DiffID int64

// DiffStatus is where a diff stands.
type DiffStatus string

const (
	// DiffApplied: at least one item changed the graph.
	DiffApplied DiffStatus = "applied"
	// DiffProposed: stored for review, nothing changed yet.
	DiffProposed DiffStatus = "proposed"
	// DiffNothing: the diff was empty, or all of it was there already.
	DiffNothing DiffStatus = "nothing"
	// DiffRejected: no item could be applied, or a reviewer refused it.
	DiffRejected DiffStatus = "rejected"
	// DiffReverted: its inverse was applied later.
	DiffReverted DiffStatus = "reverted"
)

// Outcome is the verdict on one item of a diff.
type Outcome string

// The outcomes of design §4; each item of a diff ends with exactly one.
const (
	OutcomeApplied    Outcome = "applied"
	OutcomeDuplicate  Outcome = "duplicate"
	OutcomeSuperseded Outcome = "superseded"
	OutcomeMapped     Outcome = "mapped"
	OutcomePending    Outcome = "pending"
	OutcomeRejected   Outcome = "rejected"
)

// RejectCode says why an item was rejected.
type RejectCode string

// The codes of design §4.
const (
	RejectUndefinedRelation RejectCode = "undefined_relation"
	RejectInvalidKey        RejectCode = "invalid_key"
	RejectMissingField      RejectCode = "missing_field"
	RejectSourceNotFound    RejectCode = "source_not_found"
	RejectAmbiguousSource   RejectCode = "ambiguous_source"
	RejectRelationInUse     RejectCode = "relation_in_use"
	RejectTooLong           RejectCode = "too_long"
	RejectReservedKey       RejectCode = "reserved_key"
	RejectRefusalText       RejectCode = "refusal_text"
	RejectNotGrounded       RejectCode = "not_grounded"
	RejectVocabularyFull    RejectCode = "vocabulary_full"
)

// Verdict is what became of one item.
type Verdict struct {
	Item    string     `json:"item"` // "memories.increments[3]"
	Outcome Outcome    `json:"outcome"`
	Code    RejectCode `json:"code,omitempty"`
	Message string     `json:"message,omitempty"` // for rejected and pending: what to do
	Note    string     `json:"note,omitempty"`    // what was normalised, filled or matched loosely
}

// Action is what an item did to the graph; "" when it did nothing.
type Action string

const (
	// ActionAdd: Memory (or RelationAfter) is new.
	ActionAdd Action = "add"
	// ActionReplace: Old was retired, Memory stands in its place; or a relation
	// was reworded or renamed.
	ActionReplace Action = "replace"
	// ActionUpdate: Memory was changed in place; Before holds what it had.
	ActionUpdate Action = "update"
	// ActionMerge: a duplicate gave its sources and awareness to Memory; Old is
	// the retired source of a replace, where there was one.
	ActionMerge Action = "merge"
	// ActionRemove: Old was retired, or a relation was removed.
	ActionRemove Action = "remove"
)

// DiffItem is a verdict with what it touched, as kept in the ledger. Texts of
// memories are not copied here: they are read from the memories, so that
// erasing a memory erases it from the ledger too.
type DiffItem struct {
	Verdict
	Action         Action        `json:"action,omitempty"`
	Memory         MemoryID      `json:"memory,omitempty"` // the memory as it is after the item
	Old            MemoryID      `json:"old,omitempty"`    // the retired one
	Before         *MemoryFields `json:"before,omitempty"` // of an update in place
	RelationBefore *Relation     `json:"relation_before,omitempty"`
	RelationAfter  *Relation     `json:"relation_after,omitempty"`
	Carried        int           `json:"carried,omitempty"` // memories that a rename carried along, filled by Apply
}

// MemoryFields are the fields of a memory that an update in place can change.
type MemoryFields struct {
	Date      time.Time `json:"date,omitzero"`
	Index0    string    `json:"index0,omitempty"`
	Index1    string    `json:"index1,omitempty"`
	EventDate string    `json:"event_date,omitempty"`
	Relation  string    `json:"relation,omitempty"`
	Tags      []string  `json:"tags,omitempty"`
	MsgIDs    []int64   `json:"msg_ids,omitempty"`
	KnownBy   []string  `json:"known_by,omitempty"`
}

// Usage is what the model calls of a diff took.
type Usage struct {
	Model        string `json:"model"`
	InputTokens  int    `json:"input_tokens"`
	OutputTokens int    `json:"output_tokens"`
	Calls        int    `json:"calls"`
	Milliseconds int64  `json:"milliseconds"`
}

// Stage is the trace that a step of the pipeline leaves in the ledger: what it
// cost and what it changed.
type Stage struct {
	Name         string   `json:"name"`
	InputTokens  int      `json:"input_tokens,omitempty"`
	OutputTokens int      `json:"output_tokens,omitempty"`
	Calls        int      `json:"calls,omitempty"`
	Milliseconds int64    `json:"milliseconds,omitempty"`
	Notes        []string `json:"notes,omitempty"`
}

// Diff is an entry of the ledger.
type Diff struct {
	ID            DiffID
	Status        DiffStatus
	Session       string
	Persona       string   // the writer
	Present       []string // personas present
	By            string   // the caller: a key's name, or ""
	Key           string   // idempotency key or batch hash; unique in the space while the diff stands
	Date          time.Time
	CreatedAt     time.Time
	PromptVersion string
	Usage         Usage
	Stages        []Stage // in the order they ran
	Summary       string  // a reader's, of the conversation or document
	Truncated     bool
	Items         []DiffItem
}

// Receipt is the answer to a submitted diff.
type Receipt struct {
	DiffID    DiffID // 0 with dry_run
	Status    DiffStatus
	Relations ReceiptRelations
	Memories  ReceiptMemories
	Verdicts  []Verdict
	Usage     Usage
	Truncated bool
	Repeated  bool
}

// ReceiptRelations lists what happened to the vocabulary.
type ReceiptRelations struct {
	Added    []Relation
	Replaced []ReplacedRelation
	Removed  []Relation
}

// ReplacedRelation is a relation that was reworded or renamed.
type ReplacedRelation struct {
	Old, New Relation
	Carried  int // memories and typed edges that a rename carried along
}

// ReceiptMemories lists what happened to memories.
type ReceiptMemories struct {
	Added    []Memory
	Replaced []ReplacedMemory // in-place updates too: then both ids are the same
	Removed  []Memory
}

// ReplacedMemory is a memory before and after.
type ReplacedMemory struct{ Old, New Memory }
