package relations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"relata/graph"
)

// Edit is a change to one memory by hand. Nil fields stay as they are.
type Edit struct {
	Space  string
	Memory graph.MemoryID

	Subject, Relation, Object, Content *string
	// Index0 and Index1 are a category in either language; Index0 alone lets the
	// plan derive Index1.
	Index0, Index1 *string
	Tags           []string // nil as it is, empty for none
	EventDate      *string  // "" for none
	KnownBy        []string // the personas that know it from now on; nil as it is

	By     string // the caller's key name
	DryRun bool   // plan and store nothing
}

// empty says that nothing is to change.
func (e *Edit) empty() bool {
	return e.Subject == nil && e.Relation == nil && e.Object == nil && e.Content == nil &&
		e.Index0 == nil && e.Index1 == nil && e.Tags == nil && e.EventDate == nil && e.KnownBy == nil
}

// EditMemory changes a current memory as a diff of one item, in the ledger like
// any other. Where subject, relation, object and content stay, it is an update
// in place: same id, same writer. Otherwise the memory is retired and a new one
// takes its place, which has its writer, its sources and, unless KnownBy is
// given, all who knew it, as they knew it. The date becomes that of the edit.
// What is wrong with the new statement is said in the receipt's verdict.
//
// Errors: CodeInvalid for an edit that changes nothing or holds an unknown
// category, date or persona; CodeNotFound for the space and for a memory that is
// not there or retired; CodeConflict where the memory was changed meanwhile;
// CodeModel where embedding fails; CodeUnavailable, CodeTimeout.
func (s *Service) EditMemory(ctx context.Context, e Edit) (graph.Receipt, error) {
	if e.empty() {
		return graph.Receipt{}, graph.Errorf(graph.CodeInvalid, "nothing is to change: give at least one field")
	}
	before, err := s.current(ctx, e.Space, e.Memory)
	if err != nil {
		return graph.Receipt{}, err
	}
	content := before.Content
	if e.Content != nil {
		content = *e.Content
	}
	job := submission{clock: s.clock}
	if !e.DryRun && (e.Subject != nil || e.Relation != nil || e.Object != nil || e.Content != nil) {
		text := clean(content)
		vectors, err := s.store.Embed(ctx, []string{text})
		if err != nil {
			return graph.Receipt{}, err
		}
		job.vectors = map[string][]float32{text: vectors[0]}
	}
	return s.one(ctx, e.Space, &job, e.DryRun, func(ctx context.Context, tx transaction) (graph.Stored, error) {
		source, err := currentMemory(ctx, tx, e.Space, e.Memory)
		if err != nil {
			return source, err
		}
		if e.Content == nil && source.Content != before.Content {
			return source, graph.Errorf(graph.CodeConflict, "the memory %d was changed meanwhile: read it again", e.Memory)
		}
		ground, err := tx.Ground(ctx, graph.GroundQuery{})
		if err != nil {
			return source, err
		}
		job.sub, err = e.submission(ground, source)
		return source, err
	})
}

// RemoveMemory retires a current memory as a diff of one item. Errors:
// CodeNotFound for the space and for a memory that is not there or retired
// already, CodeUnavailable, CodeTimeout.
func (s *Service) RemoveMemory(ctx context.Context, space string, id graph.MemoryID, by string, dryRun bool) (graph.Receipt, error) {
	job := submission{clock: s.clock}
	return s.one(ctx, space, &job, dryRun, func(ctx context.Context, tx transaction) (graph.Stored, error) {
		source, err := currentMemory(ctx, tx, space, id)
		if err != nil {
			return source, err
		}
		ground, err := tx.Ground(ctx, graph.GroundQuery{})
		if err != nil {
			return source, err
		}
		job.sub = byHand(space, by, id)
		job.sub.Proposal.Memories.Removes = []MemoryItem{copyOf(ground, source)}
		return source, nil
	})
}

// one plans and applies a diff of one item in one transaction. prepare reads the
// memory it is about and fills in job.sub.
func (s *Service) one(ctx context.Context, space string, job *submission, dryRun bool, prepare func(context.Context, transaction) (graph.Stored, error)) (graph.Receipt, error) {
	run := s.store.Read
	if !dryRun {
		run = s.store.Write
		var err error
		// The diff, a memory, and its two entities.
		if job.firstID, err = s.store.NewIDs(ctx, 4); err != nil {
			return graph.Receipt{}, err
		}
	}
	err := run(ctx, space, func(ctx context.Context, tx *graph.Tx) error {
		source, err := prepare(ctx, tx)
		if err != nil {
			return err
		}
		job.sub.DryRun, job.sub.Date = dryRun, s.clock()
		if err := job.read(ctx, tx); err != nil {
			return err
		}
		job.planned.inherit(source)
		if dryRun {
			return nil
		}
		return tx.Apply(ctx, job.planned.Changes)
	})
	if err != nil {
		return graph.Receipt{}, err
	}
	receipt := job.planned.Receipt()
	s.log.InfoContext(ctx, "memory edited", "space", space, "diff", int64(receipt.DiffID),
		"status", string(receipt.Status), "dry_run", dryRun)
	return receipt, nil
}

// current reads a current memory in a transaction of its own.
func (s *Service) current(ctx context.Context, space string, id graph.MemoryID) (m graph.Stored, err error) {
	err = s.store.Read(ctx, space, func(ctx context.Context, tx *graph.Tx) error {
		m, err = currentMemory(ctx, tx, space, id)
		return err
	})
	return m, err
}

func currentMemory(ctx context.Context, tx transaction, space string, id graph.MemoryID) (graph.Stored, error) {
	found, err := tx.Memories(ctx, graph.Lookup{IDs: []graph.MemoryID{id}})
	if err != nil {
		return graph.Stored{}, err
	}
	if len(found) == 0 {
		return graph.Stored{}, graph.Errorf(graph.CodeNotFound, "the space %q has no current memory %d", space, id)
	}
	return found[0], nil
}

// byHand is the submission of an edit, without its item.
func byHand(space, by string, id graph.MemoryID) Submission {
	return Submission{Space: space, By: by, Shown: []graph.MemoryID{id}, FreeKnownBy: true}
}

// copyOf gives the full copy by which a diff names a memory.
func copyOf(ground *graph.Ground, m graph.Stored) MemoryItem {
	return MemoryItem{
		Date: FormatDate(m.Date, ground.Space.Location()), Subject: m.Subject, Object: m.Object,
		Relation: m.Relation, Content: m.Content,
	}
}

// submission turns an edit into a diff over the state it is read with.
func (e *Edit) submission(ground *graph.Ground, source graph.Stored) (Submission, error) {
	copied := copyOf(ground, source)
	target := copied
	target.Date = ""
	set := func(into *string, value *string) {
		if value != nil {
			*into = *value
		}
	}
	set(&target.Subject, e.Subject)
	set(&target.Relation, e.Relation)
	set(&target.Object, e.Object)
	set(&target.Content, e.Content)
	bad := &graph.Error{Code: graph.CodeInvalid, Message: "the edit is not valid"}
	e.categorize(&target, source, bad)
	target.Tags = e.Tags
	if e.EventDate != nil {
		// A date that is none takes away the one that is there.
		target.EventDate = "none"
		if !noDate(*e.EventDate) {
			target.EventDate = *e.EventDate
			if _, err := NormalizeEventDate(*e.EventDate, ground.Space.Location()); err != nil {
				bad.Fields = append(bad.Fields, graph.Field{Name: "event_date", Message: err.Error()})
			}
		}
	}
	if e.KnownBy != nil {
		who := newPersonaBook(ground)
		target.KnownBy = e.KnownBy
		for i, name := range target.KnownBy {
			if _, ok := who.persona(name); !ok {
				bad.Fields = append(bad.Fields, graph.Field{Name: fmt.Sprintf("known_by[%d]", i), Message: "unknown persona " + quote(name)})
			}
		}
	}
	if len(bad.Fields) > 0 {
		return Submission{}, bad
	}
	sub := byHand(e.Space, e.By, e.Memory)
	sub.Proposal.Memories.Replaces = []MemoryReplace{{Source: copied, Target: target}}
	return sub, nil
}

// categorize sets the category of a target; a wrong one is refused rather than
// derived, for somebody meant it.
func (e *Edit) categorize(target *MemoryItem, source graph.Stored, bad *graph.Error) {
	if e.Index0 == nil && e.Index1 == nil {
		return
	}
	index0, index1 := source.Index0, ""
	if e.Index0 != nil {
		index0 = strings.TrimSpace(*e.Index0)
	}
	if e.Index1 != nil {
		index1 = strings.TrimSpace(*e.Index1)
	}
	c, err := graph.ParseCategory(index0, index1)
	if err != nil {
		name := "index0"
		if _, known := graph.ParseCategory(index0, ""); known == nil {
			name = "index1"
		}
		bad.Fields = append(bad.Fields, graph.Field{Name: name, Message: err.Error()})
		return
	}
	target.Index0, target.Index1 = c.Index0, c.Index1
}

// inherit gives what an edit made of a memory the writer and, where nobody is
// named, those who knew the memory, as they knew it. People who knew it go on
// knowing it in any case: known_by governs personas only.
func (p *Planned) inherit(source graph.Stored) {
	mem := p.submission.Proposal.Memories
	if len(mem.Replaces) == 0 {
		return
	}
	named := mem.Replaces[0].Target.KnownBy != nil
	heirs := func(fresh []graph.Awareness) []graph.Awareness {
		kept := slices.DeleteFunc(slices.Clone(source.Aware), func(a graph.Awareness) bool {
			return a.Persona && named && !containsRef(personasOf(fresh), a.Entity)
		})
		return mergeAware(kept, fresh)
	}
	for _, add := range p.Changes.Add {
		add.Memory.Persona = source.Persona
		add.Memory.SessionID = source.SessionID
		add.Aware = heirs(add.Aware)
		add.Memory.KnownBy = personasByAge(add.Aware)
	}
	for _, u := range p.Changes.Update {
		if u.ID == source.ID {
			u.Memory.SessionID = source.SessionID
			continue
		}
		u.Aware = heirs(u.Aware) // another memory says the same already
		for _, name := range personasByAge(u.Aware) {
			if !slices.Contains(u.Memory.KnownBy, name) {
				u.Memory.KnownBy = append(u.Memory.KnownBy, name)
			}
		}
	}
}

// personasByAge gives the names of the personas among those aware, in order of
// their making.
func personasByAge(aware []graph.Awareness) []string {
	refs := personasOf(aware)
	slices.SortStableFunc(refs, func(a, b graph.EntityRef) int { return int(a.ID - b.ID) })
	names := make([]string, 0, len(refs))
	for _, r := range refs {
		names = append(names, r.Name)
	}
	return names
}
