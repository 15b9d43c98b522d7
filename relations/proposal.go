package relations

// Proposal is a diff as a model or a client proposes it: nothing of it has been
// checked. Its JSON form is the twin of the XML of formats §1.
type Proposal struct {
	Relations RelationProposals `json:"relations"`
	Memories  MemoryProposals   `json:"memories"`
}

// Empty says that nothing is proposed.
func (p Proposal) Empty() bool {
	return len(p.Relations.Replaces)+len(p.Relations.Increments)+len(p.Relations.Removes)+
		len(p.Memories.Replaces)+len(p.Memories.Increments)+len(p.Memories.Removes) == 0
}

// RelationProposals are the proposed changes to the vocabulary.
type RelationProposals struct {
	Replaces   []RelationReplace `json:"replaces,omitempty"`
	Increments []RelationItem    `json:"increments,omitempty"`
	Removes    []RelationItem    `json:"removes,omitempty"`
}

// RelationReplace rewords or renames a relation.
type RelationReplace struct {
	Source RelationItem `json:"source"`
	Target RelationItem `json:"target"`
}

// RelationItem names a relation; Date is empty in targets and increments.
type RelationItem struct {
	Date    string `json:"date,omitempty"` // as written
	Key     string `json:"key"`
	Content string `json:"content"`
}

// MemoryProposals are the proposed changes to memories.
type MemoryProposals struct {
	Replaces   []MemoryReplace `json:"replaces,omitempty"`
	Increments []MemoryItem    `json:"increments,omitempty"`
	Removes    []MemoryItem    `json:"removes,omitempty"`
}

// MemoryReplace puts one memory in place of another.
type MemoryReplace struct {
	Source MemoryItem `json:"source"`
	Target MemoryItem `json:"target"`
}

// MemoryItem is a memory as proposed. In a source or a remove, Date and the
// four texts are a full copy of what is stored. For the optional parts nil (or
// "") means left out, which differs from given and empty.
type MemoryItem struct {
	Date      string   `json:"date,omitempty"` // as written
	Subject   string   `json:"subject"`
	Object    string   `json:"object"`
	Relation  string   `json:"relation"`
	Content   string   `json:"content"`
	Index0    string   `json:"index0,omitempty"`
	Index1    string   `json:"index1,omitempty"`
	MsgIDs    []int64  `json:"msg_ids,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	KnownBy   []string `json:"known_by,omitempty"`
	EventDate string   `json:"event_date,omitempty"`

	// Title and MemoryType are set by readers' facts that the item cites.
	Title      string `json:"title,omitempty"`
	MemoryType string `json:"memory_type,omitempty"`
}
