package relations

import (
	"slices"
	"time"

	"relata/graph"
)

// findSource finds the one current memory that a source or a remove copies, in
// the state before the diff. An exact full copy may name any memory of the
// space. Otherwise the same words under folding may name one that the model was
// shown; two that fit are refused. It settles the verdict and gives nil where
// there is none.
func (p *planner) findSource(v *verdict, item MemoryItem) *graph.Stored {
	if what := missing(item); what != "" {
		v.reject(graph.RejectMissingField, "%s missing in the source: it is a full copy of what is stored", what)
		return nil
	}
	var exact, loose []*graph.Stored
	for i := range p.in.Stored {
		if s := &p.in.Stored[i]; p.exactCopy(item, s) {
			exact = append(exact, s)
		}
	}
	for i := range p.in.Stored {
		s := &p.in.Stored[i]
		if len(exact) == 0 && slices.Contains(p.in.Submission.Shown, s.ID) && p.looseCopy(item, s) {
			loose = append(loose, s)
		}
	}
	switch {
	case len(exact) == 1:
		return exact[0]
	case len(exact) == 0 && len(loose) == 1:
		v.note("matched loosely: %s", difference(item, loose[0], p.loc))
		return loose[0]
	case len(exact)+len(loose) == 0:
		v.reject(graph.RejectSourceNotFound, "no current memory is this source: copy it in full, with its date")
	default:
		v.reject(graph.RejectAmbiguousSource, "%d memories fit this source: copy one exactly", max(len(exact), len(loose)))
	}
	return nil
}

// exactCopy compares the four texts as written and the date as it is shown.
func (p *planner) exactCopy(item MemoryItem, s *graph.Stored) bool {
	return clean(item.Content) == s.Content && clean(item.Subject) == s.Subject &&
		clean(item.Object) == s.Object && clean(item.Relation) == s.Relation &&
		clean(item.Date) == FormatDate(s.Date, p.loc)
}

// looseCopy compares what the copy means: names by entity, the relation through
// aliases and renames, the sentence folded, the date by value or left out.
func (p *planner) looseCopy(item MemoryItem, s *graph.Stored) bool {
	return looseText(item.Content) == looseText(s.Content) &&
		p.sameName(item.Subject, s.Subject, s.SubjectKey) && p.sameName(item.Object, s.Object, s.ObjectKey) &&
		p.sameRelation(item.Relation, s.Relation) && p.sameDate(item.Date, s.Date)
}

func (p *planner) sameName(written, stored, key string) bool {
	return looseText(written) == looseText(stored) || p.in.Ground.Resolve(clean(written)).Key == key
}

func (p *planner) sameRelation(written, stored string) bool {
	if key, err := NormalizeKey(written); err == nil && key == stored {
		return true
	}
	r := p.vocab.resolve(written)
	return r.entry != nil && r.entry == p.vocab.before[stored]
}

func (p *planner) sameDate(written string, stored time.Time) bool {
	if noDate(written) {
		return true
	}
	t, precision, err := ParseDate(written, p.loc)
	return err == nil && sameMoment(t, stored, precision, p.loc)
}

// sameMoment compares two dates as far as the first was written.
func sameMoment(written, stored time.Time, precision Precision, loc *time.Location) bool {
	if stored.IsZero() {
		return false
	}
	layout := map[Precision]string{
		Year: "2006", Month: "2006-01", Day: "2006-01-02", Minute: "2006-01-02 15:04", Second: DateLayout,
	}[precision]
	return written.In(loc).Format(layout) == stored.In(loc).Format(layout)
}

// difference says in what a loose copy differs from the memory.
func difference(item MemoryItem, s *graph.Stored, loc *time.Location) string {
	switch {
	case clean(item.Content) != s.Content:
		return "content is spelled otherwise"
	case clean(item.Subject) != s.Subject:
		return "subject is spelled otherwise"
	case clean(item.Object) != s.Object:
		return "object is spelled otherwise"
	case clean(item.Relation) != s.Relation:
		return "relation is " + s.Relation
	case noDate(item.Date):
		return "date left out"
	}
	return "date is " + FormatDate(s.Date, loc)
}

// missing names the first field that a memory lacks, "" when it has all.
func missing(item MemoryItem) string {
	switch {
	case graph.EntityKey(item.Subject) == "":
		return "subject"
	case graph.EntityKey(item.Object) == "":
		return "object"
	case blank(item.Relation):
		return "relation"
	case blank(item.Content):
		return "content"
	}
	return ""
}
