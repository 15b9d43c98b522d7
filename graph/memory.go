package graph

import "time"

// MemoryID is the stable number of a memory: below 2^53, never reused. Words
// that come back after they were retired get a new one.
type MemoryID int64

// Memory is one subject – relation – object statement with its full sentence.
type Memory struct {
	ID                  MemoryID
	Subject, Object     string // as written
	SubjectID, ObjectID EntityID
	Relation            string
	Content             string // one full sentence
	Index0, Index1      string // category in its stored form, see [ParseCategory]
	Tags                []string
	Title               string
	MemoryType          string    // LongTermMemory or UserMemory, where a reader said so
	Date                time.Time // the diff's date; zero when unknown
	EventDate           string    // "2026", "2026-03", "2026-03-28" or "2026-03-28 09:30"; "" when unknown
	Persona             string    // the persona that wrote it: owner, other and self are as seen by it
	MsgIDs              []int64   // messages it came from, ascending
	Chunks              []string  // names of document chunks and images it came from
	KnownBy             []string  // personas aware of it, in order of their making
	RetiredAt           time.Time // zero while current
	RetiredBy           string    // "replace" or "remove"
	Supersedes          []MemoryID
	SupersededBy        []MemoryID
	SessionID           string // session of the diff that last wrote it
}

// How says by what way an entity came to know a memory.
type How string

const (
	// HowSaid: it said the words itself.
	HowSaid How = "said"
	// HowTold: it was told in private, or the diff's known_by names it.
	HowTold How = "told"
	// HowPresent: it was there when it was said.
	HowPresent How = "present"
	// HowRead: it was given the document.
	HowRead How = "read"
	// HowGranted: somebody granted it by a call.
	HowGranted How = "granted"
)

// Awareness is that an entity knows a memory.
type Awareness struct {
	Entity  EntityRef
	Since   time.Time
	How     How
	By      string // who told, as written; "" when nobody in particular
	MsgIDs  []int64
	Persona bool
}
