package relations

import (
	"fmt"
	"strings"
	"time"

	"relata/graph"
)

// Limits on vocabularies: Neo4j never gives a relationship type back, and
// 65,536 is the end for a whole database (design §3).
const (
	MaxKeysEver  = 500
	MaxTypesEver = 50_000
)

// Input is all that a plan depends on. Stored and Sources are what [Reads] asks
// for; nothing in it is changed.
type Input struct {
	Submission Submission
	Ground     *graph.Ground
	Stored     []graph.Stored
	Sources    map[int64]graph.Source // those that exist among the cited and sent ids
	Vectors    map[string][]float32   // by content as [Texts] gives it; nil for a text that has none
	Now        time.Time
	NewID      func() graph.MemoryID // the next id for a new memory
	DiffID     graph.DiffID          // of the ledger's entry; 0 for a dry run
}

// Planned is a change set with what a receipt says about it.
type Planned struct {
	Changes *graph.ChangeSet

	submission Submission
	verdicts   []*verdict
	vocab      *vocabulary
}

// verdict is what becomes of one item, with what it touches.
type verdict struct {
	graph.DiffItem
	notes []string

	add    *graph.MemoryAdd    // the new memory, where it made one
	update *graph.MemoryUpdate // the memory it changed in place or merged into
	old    []graph.Memory      // what it retired or changed, as it was
	rel    *entry
	oldRel graph.Relation
	about  part
}

// part says which half of a diff an item belongs to.
type part int

const (
	relationPart part = iota
	memoryPart
)

// keepRelations writes what an item did to the vocabulary into the ledger.
func (v *verdict) keepRelations() {
	if v.about != relationPart || v.Action == "" {
		return
	}
	if v.Action != graph.ActionAdd {
		before := v.oldRel
		v.RelationBefore = &before
	}
	if v.Action != graph.ActionRemove {
		after := v.rel.Relation
		v.RelationAfter = &after
	}
}

func (v *verdict) note(format string, args ...any) {
	v.notes = append(v.notes, fmt.Sprintf(format, args...))
}

func (v *verdict) reject(code graph.RejectCode, format string, args ...any) {
	v.Outcome, v.Code, v.Message = graph.OutcomeRejected, code, fmt.Sprintf(format, args...)
}

func (v *verdict) wait(format string, args ...any) {
	v.Outcome, v.Message = graph.OutcomePending, fmt.Sprintf(format, args...)
}

func (v *verdict) settled() bool { return v.Outcome != "" }

// planner holds a diff while it is judged.
type planner struct {
	in       Input
	loc      *time.Location
	vocab    *vocabulary
	who      *personaBook
	cast     *cast
	audience audience

	stored  map[graph.MemoryID]*graph.Stored
	chunks  map[int64]string // names of the chunks and images that stored memories come from
	claims  map[graph.MemoryID]*claim
	current map[identity]*holder // after the diff
	changes *graph.ChangeSet
	updates map[graph.MemoryID]*graph.MemoryUpdate
	touched []*placed // new memories in the order of their items

	relReplaces, relIncrements, relRemoves []*verdict
	memReplaces, memIncrements, memRemoves []*verdict
	unread                                 []*verdict // on what the parser dropped
	newKeys                                int
}

// Plan judges a proposal over the state of its space and gives the changes that
// one transaction is to write, the ledger's entry included. Every item ends
// with exactly one verdict. Errors concern the submission as a whole:
// CodeConflict where a message id exists with other content, CodeInvalid where
// the batch names a persona that the space lacks.
func Plan(in Input) (*Planned, error) {
	p, err := newPlanner(in)
	if err != nil {
		return nil, err
	}
	if err := p.checkSources(); err != nil {
		return nil, err
	}
	p.judgeVocabulary()
	p.judgeMemories()
	p.judgeRemovedRelations()
	return p.finish(), nil
}

func newPlanner(in Input) (*planner, error) {
	sub := &in.Submission
	governance := in.Ground.Space.Governance
	if sub.Approved {
		governance = graph.GovernanceOpen
	}
	p := &planner{
		in:      in,
		loc:     in.Ground.Space.Location(),
		vocab:   newVocabulary(governance, in.Ground.Relations),
		who:     newPersonaBook(in.Ground),
		stored:  make(map[graph.MemoryID]*graph.Stored, len(in.Stored)),
		chunks:  make(map[int64]string),
		claims:  make(map[graph.MemoryID]*claim),
		current: make(map[identity]*holder),
		updates: make(map[graph.MemoryID]*graph.MemoryUpdate),
		changes: &graph.ChangeSet{},
	}
	for i := range in.Stored {
		p.stored[in.Stored[i].ID] = &in.Stored[i]
		for c, id := range in.Stored[i].ChunkIDs {
			p.chunks[id] = in.Stored[i].Chunks[c]
		}
	}
	var err error
	if p.cast, err = readCast(sub, p.who); err != nil {
		return nil, err
	}
	if p.audience, err = readAudience(sub, p.cast, p.who); err != nil {
		return nil, err
	}
	rel, mem := sub.Proposal.Relations, sub.Proposal.Memories
	p.relReplaces = p.items(relationPart, "relations.replaces", len(rel.Replaces))
	p.relIncrements = p.items(relationPart, "relations.increments", len(rel.Increments))
	p.relRemoves = p.items(relationPart, "relations.removes", len(rel.Removes))
	p.memReplaces = p.items(memoryPart, "memories.replaces", len(mem.Replaces))
	p.memIncrements = p.items(memoryPart, "memories.increments", len(mem.Increments))
	p.memRemoves = p.items(memoryPart, "memories.removes", len(mem.Removes))
	for _, what := range sub.Dropped {
		v := &verdict{}
		v.Item = AnswerItem
		v.reject(graph.RejectMissingField, "%s", what)
		p.unread = append(p.unread, v)
	}
	return p, nil
}

func (p *planner) items(about part, name string, n int) []*verdict {
	out := make([]*verdict, n)
	for i := range out {
		out[i] = &verdict{about: about}
		out[i].Item = itemName(name, i)
		if note := p.in.Submission.Notes[out[i].Item]; note != "" {
			out[i].note("%s", note)
		}
	}
	return out
}

func (p *planner) all() []*verdict {
	var all []*verdict
	for _, part := range [][]*verdict{
		p.relReplaces, p.relIncrements, p.relRemoves, p.memReplaces, p.memIncrements, p.memRemoves, p.unread,
	} {
		all = append(all, part...)
	}
	return all
}

// finish puts the change set and its ledger together.
func (p *planner) finish() *Planned {
	sub := &p.in.Submission
	verdicts := p.all()
	if sub.Review && !sub.Approved {
		p.hold(verdicts)
	} else {
		p.vocab.changes(p.changes)
	}
	if !sub.Approved {
		p.changes.Sources = p.newSources()
	}
	p.changes.Answer = sub.Raw
	ledger := &graph.Diff{
		ID: p.in.DiffID, Session: sub.Session, Persona: p.cast.writer(), Present: p.who.names(p.cast.personas),
		By: sub.By, Key: sub.Key, Date: sub.Date, CreatedAt: p.in.Now,
		PromptVersion: sub.PromptVersion, Usage: sub.Usage, Stages: sub.Stages, Summary: sub.Summary, Truncated: sub.Truncated,
	}
	for _, v := range verdicts {
		v.Note = strings.Join(v.notes, "; ")
		v.keepRelations()
		ledger.Items = append(ledger.Items, v.DiffItem)
	}
	ledger.Status = status(p.changes, verdicts)
	if ledger.Status == graph.DiffRejected || sub.Truncated {
		ledger.Key = "" // the batch may be sent again
	}
	p.changes.Ledger = ledger
	out := &Planned{Changes: p.changes, submission: *sub, verdicts: verdicts, vocab: p.vocab}
	p.changes.Held = out.held()
	return out
}

// status sums the verdicts up: applied if anything changed, else proposed if
// anything waits, else rejected if nothing but rejections is left.
func status(c *graph.ChangeSet, verdicts []*verdict) graph.DiffStatus {
	if len(c.AddRelations)+len(c.UpdateRelations)+len(c.RenameRelations)+len(c.RemoveRelations)+
		len(c.Add)+len(c.Retire) > 0 {
		return graph.DiffApplied
	}
	for _, u := range c.Update {
		if u.SetFields {
			return graph.DiffApplied
		}
	}
	count := make(map[graph.Outcome]int)
	for _, v := range verdicts {
		count[v.Outcome]++
	}
	switch {
	case count[graph.OutcomePending] > 0:
		return graph.DiffProposed
	case len(verdicts) > 0 && count[graph.OutcomeRejected] == len(verdicts):
		return graph.DiffRejected
	}
	return graph.DiffNothing
}

// itemName is how verdicts name an item of a proposal.
func itemName(part string, i int) string { return fmt.Sprintf("%s[%d]", part, i) }
