package relations

import (
	"time"

	"relata/graph"
)

// Submission is a proposal with what it came from.
type Submission struct {
	Space    string
	Proposal Proposal
	// Date fills what is new: that of the batch's last message or of the
	// document, now where a client says nothing.
	Date    time.Time
	Session string
	// Persona and Present name personas that were there, by name or alias. The
	// writer is the first of Persona, else the first of Present. Both empty: a
	// client's own diff, known to nobody unless KnownBy says so.
	Persona []string
	Present []string
	// KnownBy is given where an increment leaves known_by out (a document's
	// visible_to, a client's default). nil: the personas present.
	KnownBy []string
	// How is how KnownBy and the personas present know: "" lets the plan choose
	// (said, told or present); documents say read.
	How graph.How
	// Sources are the batch's messages or chunks, stored whole in the same
	// transaction. SourceIDs of all of them are set.
	Sources []graph.Source
	// Shown are the memories the model saw: only these may be matched loosely.
	Shown []graph.MemoryID
	// FreeKnownBy lets items name any persona of the space as known_by: for a
	// client that is not bound to a persona and brings its own diff. Otherwise
	// only personas present, in KnownBy, or aware of the replaced source.
	FreeKnownBy bool
	// ItemDates honours dates on increments and targets, as a client's own diff
	// may have them. Otherwise they are ignored with a note: a model's are made up.
	ItemDates bool

	Key           string // idempotency key or batch hash; "" for none
	By            string // the caller's key name
	PromptVersion string
	Usage         graph.Usage
	Stages        []graph.Stage // of the pipeline, for the ledger
	Summary       string        // a reader's, for the ledger
	Truncated     bool
	Raw           string // the model's raw answer, kept for a while beside the diff
	// Notes are added to the verdicts of single items by their name, such as
	// what the parser repaired.
	Notes map[string]string
	// Dropped says of each piece of the answer that could not be read as an item
	// what it was. Each gets a verdict of its own, under [AnswerItem].
	Dropped []string

	DryRun bool // plan and store nothing
	Review bool // store as proposed: every item that could be applied waits
	// Approved marks what was held and is now released: governance, Review and
	// limits on mass removal no longer apply, and Sources are stored already.
	Approved bool
}

// AnswerItem is the item that verdicts name on what has no place in a proposal:
// pieces of an answer that could not be read.
const AnswerItem = "answer"
