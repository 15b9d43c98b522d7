package graph

// ChangeSet is a checked plan: what one transaction writes. The planner
// (relations.Plan) makes it from a [Ground] read in the same transaction;
// [Tx.Apply] writes it.
type ChangeSet struct {
	AddRelations    []Relation
	UpdateRelations []Relation // same key: content, date and semantics as given
	RenameRelations []RelationRename
	RemoveRelations []string

	Add    []*MemoryAdd
	Update []*MemoryUpdate
	Retire []*MemoryRetire

	Sources []Source // the batch's messages; those that exist already are left as they are
	Ledger  *Diff    // written in the same transaction; its Items name the memories by id
	Answer  string   // the model's raw answer, kept for a while beside the ledger; "" for none

	// NewEntityID gives ids, taken before the transaction, to entities that the
	// change set names and the space lacks: at most two for each Add and one for
	// each Aware.
	NewEntityID func() EntityID

	// Held is what waits for approval, as JSON of relations.Submission; "" when nothing waits.
	Held string
}

// Empty says that nothing but the ledger would be written.
func (c *ChangeSet) Empty() bool {
	return len(c.AddRelations)+len(c.UpdateRelations)+len(c.RenameRelations)+len(c.RemoveRelations)+
		len(c.Add)+len(c.Update)+len(c.Retire) == 0
}

// RelationRename moves a relation to a new key and carries every stored memory
// and typed edge, current or retired memories alike, along.
type RelationRename struct {
	From    string
	To      Relation
	Carried int // filled by Apply: current memories carried
}

// MemoryAdd is a new memory.
type MemoryAdd struct {
	Memory     Memory // with its ID, taken before the transaction (Store.NewIDs)
	Subject    EntityRef
	Object     EntityRef
	Vector     []float32 // nil where the content cannot be embedded
	SourceIDs  []int64   // every source to link: messages (also in Memory.MsgIDs), chunks and images
	Aware      []Awareness
	Supersedes []MemoryID // memories that the same change set retires in its favour
}

// MemoryUpdate changes a memory in place: same id, same writer. It also serves
// duplicates, which add sources and awareness and leave the rest.
type MemoryUpdate struct {
	ID MemoryID
	// Memory is the full new state of the fields date, index0, index1, tags,
	// event_date, title, relation; subject, object and content stay as they are.
	// SetFields false leaves them all (a duplicate).
	SetFields bool
	Memory    Memory
	// MsgIDs are the sources to have: exactly these with ReplaceSources, else
	// added to those that are there.
	ReplaceSources bool
	MsgIDs         []int64
	// Aware is added where the entity is not aware yet. With ReplaceAware,
	// personas that are not in it lose their awareness; people keep theirs.
	ReplaceAware bool
	Aware        []Awareness
	// Forget are the entities that shall not know the memory any more, which may
	// be retired.
	Forget []EntityRef
	// Supersedes are memories that the same change set retires because this one
	// says the same as what was to take their place.
	Supersedes []MemoryID
}

// MemoryRetire takes a memory out of what is current and keeps it as history.
type MemoryRetire struct {
	ID       MemoryID
	Relation string // its key at the end of the diff, where a rename changes it
	By       string // "replace" or "remove"
}
