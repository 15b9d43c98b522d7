package graph

import "time"

// GroundQuery says what [Tx.Ground] shall bring.
type GroundQuery struct {
	Names []string // to resolve: subjects, objects, speakers, personas
	Uses  []string // relation keys whose current memories are to be counted
}

// Page is one page of a list. Cursor is opaque and "" on the last page.
type Page[T any] struct {
	Items  []T
	Cursor string
}

// MemoryFilter selects memories for [Store.Memories]; zero fields do not filter.
type MemoryFilter struct {
	Subject, Relation, Object string // names resolve as in a diff
	About                     string // a name that is subject or object
	Index0, Index1            string // stored form
	Session                   string // memories that cite a source of this session
	Retired                   bool   // the retired ones instead of the current ones
	KnownTo, UnknownTo        string // personas or people that are, or are not, aware of them
	AsPersona                 string // as this persona sees them: only what it is aware of
	Cursor                    string
	Limit                     int // 1–200, default 50
}

// MessageQuery selects messages for [Store.Messages].
type MessageQuery struct {
	IDs           []int64
	Session       string
	Before, After int64  // message ids, exclusive; 0 for none
	AsPersona     string // only messages of batches where it was present
	Limit         int    // 1–200, default 50
}

// ContextQuery asks for the memories that a batch may touch.
type ContextQuery struct {
	Texts    []string // the batch's messages, newest last
	Names    []string // speakers, personas and other names in it
	Session  string   // what this session wrote last belongs to the context
	Personas []string // with WriterSeesPresent: only what one of these knows; empty for all
	Limit    int      // most memories to bring
}

// Query is one question of a search.
type Query struct {
	Index0, Index1 string // as sent: stored or English form
	Memory         string // what is looked for
	Limit          int    // 10–50; 0 for the default: 50 with Index0 alone, 25 with both or with All
	All            bool   // over all categories; Index0 may then be ""
	// MinScore leaves out hints of less confidence, 0 to 1; 0 for none.
	MinScore float64
}

// SearchRequest is a batch of questions to one space.
type SearchRequest struct {
	Space          string
	Queries        []Query
	AsPersona      string // only what this persona is aware of; "" for all
	IncludeRetired bool   // also what was replaced or removed, marked as outdated
	// Beliefs adds, of what was replaced or removed, the last versions that
	// AsPersona is aware of, where it knows of no newer one and was not there when
	// they were removed; marked as outdated.
	Beliefs bool
	// AsOf asks for the state of knowledge at a time: what held then, and what
	// AsPersona was aware of by then; zero for now.
	AsOf    time.Time
	Explain bool
	Legs    []Leg // only these, for measuring; empty for all
}

// Leg is one way in which a search finds memories.
type Leg string

// The legs of a search.
const (
	LegVector Leg = "vector" // by nearness of meaning
	LegText   Leg = "text"   // by words
	LegGraph  Leg = "graph"  // from the entities that a question names
)

// past says which memories that hold no longer are asked for, in the words of
// the statements.
func (r *SearchRequest) past() string {
	switch {
	case r.IncludeRetired:
		return "retired"
	case r.Beliefs:
		return "believed"
	}
	return "none"
}

// needsPast says whether what is current is not enough.
func (r *SearchRequest) needsPast() bool { return r.past() != "none" || !r.AsOf.IsZero() }

// now is when a request is asked: words such as "yesterday" are as seen from
// there.
func (r *SearchRequest) now() time.Time {
	if !r.AsOf.IsZero() {
		return r.AsOf
	}
	return time.Now()
}

// Result answers one query. Either Err is set or Hints are.
type Result struct {
	Hints []Hint
	Err   *Error // what was wrong with this query; the others are answered
}

// Hint is a memory that answers, best first.
type Hint struct {
	ID        MemoryID
	Memory    string // its content
	CreatedAt time.Time
	MsgIDs    []int64
	Outdated  bool     // it no longer holds
	Explain   *Explain // where asked for
}

// Explain says why a hint is there.
type Explain struct {
	Score float64 // orders the hints of one question, and says nothing beside another's
	// Confidence says how surely the memory has to do with the question, 0 to 1;
	// it can be compared between questions.
	Confidence                float64
	Vector, Text, Graph       float64 // normalised score of each leg, 0 where it did not find it
	Path                      []PathEdge
	Subject, Relation, Object string
}

// PathEdge is a step of a path: one memory, by entity names as written.
type PathEdge struct {
	Subject, Relation, Object string
	MemoryID                  MemoryID
}

// Deletion counts what a deletion took away.
type Deletion struct {
	Memories, Entities, Relations, Sources, Diffs, Other int
	Remaining                                            int // nodes of the space that are left, counted afterwards
}
