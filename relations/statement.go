package relations

import (
	"strings"
	"time"

	"relata/graph"
)

// statement is a target or an increment that has been checked.
type statement struct {
	v               *verdict
	item            MemoryItem // texts cleaned, subject and object as they will be stored
	subject, object graph.EntityRef
	rel             *entry
	mapped          bool
	fingerprint     string
	source          *graph.Stored // what it replaces, nil for an increment
}

// identity is what makes two memories one: the relation and the fingerprint of
// the rest.
type identity struct {
	rel         *entry
	fingerprint string
}

func (s *statement) identity() identity { return identity{s.rel, s.fingerprint} }

// check reads a target or an increment: its fields, lengths and relation. It
// settles the verdict and gives nil where the item cannot stand.
func (p *planner) check(v *verdict, item MemoryItem, source *graph.Stored) *statement {
	item.Subject, item.Object, item.Content = clean(item.Subject), clean(item.Object), clean(item.Content)
	if what := missing(item); what != "" {
		v.reject(graph.RejectMissingField, "%s missing", what)
		return nil
	}
	for _, f := range []struct {
		name, text string
		limit      int
	}{
		{"subject", item.Subject, MaxNameBytes},
		{"object", item.Object, MaxNameBytes},
		{"content", item.Content, MaxContentBytes},
	} {
		if len(f.text) > f.limit {
			v.reject(graph.RejectTooLong, "%s has %d bytes, at most %d are allowed", f.name, len(f.text), f.limit)
			return nil
		}
	}
	r := p.relation(item.Relation, source)
	switch {
	case r.code != "":
		v.reject(r.code, "%s", r.message)
		return nil
	case r.waiting:
		if r.message == "" {
			r.message = "the relation " + r.entry.Key + " waits for review"
		}
		v.wait("%s", r.message)
		return nil
	}
	if r.note != "" {
		v.note("%s", r.note)
	}
	st := &statement{v: v, item: item, rel: r.entry, mapped: r.mapped, source: source}
	p.identify(st)
	return st
}

// relation resolves the relation of an item. A memory that stays under its own
// relation may do so even where that one is deprecated.
func (p *planner) relation(raw string, source *graph.Stored) resolution {
	if source != nil {
		own := p.vocab.before[source.Relation]
		if own != nil && !own.gone && (raw == source.Relation || raw == own.Key) && p.vocab.byKey[own.Key] == own {
			return resolution{entry: own}
		}
	}
	return p.vocab.resolve(raw)
}

func (p *planner) identify(st *statement) {
	st.subject, st.object = p.in.Ground.Resolve(st.item.Subject), p.in.Ground.Resolve(st.item.Object)
	st.fingerprint = graph.Fingerprint(st.subject.Key, st.object.Key, st.item.Content)
}

// ground checks that a new statement may stand: its content is no refusal, and
// its subject is somebody or something that can be named. Role names are read
// as the participant who plays the role.
func (p *planner) ground(st *statement, msgs []int64) bool {
	if IsRefusal(st.item.Content, st.item.Subject) {
		st.v.reject(graph.RejectRefusalText, "the content is a model's refusal, not a memory")
		return false
	}
	subject, ok := p.participant(st.item.Subject)
	if !ok {
		st.v.reject(graph.RejectNotGrounded, "subject %s names nobody: name the participant or thing that is meant", quote(st.item.Subject))
		return false
	}
	if subject != st.item.Subject {
		st.v.note("subject %q read as %s", st.item.Subject, subject)
		st.item.Subject = subject
	}
	if object, ok := p.participant(st.item.Object); ok && object != st.item.Object {
		st.v.note("object %q read as %s", st.item.Object, object)
		st.item.Object = object
	}
	p.identify(st)
	if why := p.ungrounded(st.subject, msgs); why != "" {
		st.v.reject(graph.RejectNotGrounded, "%s", why)
		return false
	}
	return true
}

// says tells whether a target says the same as the memory it replaces: subject,
// object and content in the words stored or in those the source was copied
// with, and the relation the same or its new key.
func (st *statement) says(source MemoryItem, before *entry) bool {
	if st.rel != before {
		return false
	}
	same := func(target, copied, stored string) bool { return target == stored || target == clean(copied) }
	return same(st.item.Subject, source.Subject, st.source.Subject) &&
		same(st.item.Object, source.Object, st.source.Object) &&
		same(st.item.Content, source.Content, st.source.Content)
}

// date gives the date of what is new: the diff's, or the item's own where the
// submission allows it.
func (p *planner) date(st *statement) time.Time {
	sub := &p.in.Submission
	if strings.TrimSpace(st.item.Date) == "" {
		return sub.Date
	}
	if !sub.ItemDates {
		st.v.note("date %q ignored: what is new has the date of its batch", st.item.Date)
		return sub.Date
	}
	t, _, err := ParseDate(st.item.Date, p.loc)
	if err != nil {
		st.v.note("stored without a date: %v", err)
		return time.Time{}
	}
	return t
}

// eventDate normalises event_date; what cannot be read is dropped with a note.
func (p *planner) eventDate(st *statement) string {
	if noDate(st.item.EventDate) {
		return ""
	}
	d, err := NormalizeEventDate(st.item.EventDate, p.loc)
	if err != nil {
		st.v.note("event_date dropped: %v", err)
	}
	return d
}

// tags reads tags as stored and notes what had to go.
func (st *statement) tags() []string {
	tags := tagList(st.item.Tags)
	for _, t := range st.item.Tags {
		if len(clean(t)) > MaxTagBytes {
			st.v.note("a tag of more than %d bytes dropped", MaxTagBytes)
			break
		}
	}
	if len(tags) == MaxTags && len(st.item.Tags) > MaxTags {
		st.v.note("at most %d tags are kept", MaxTags)
	}
	return tags
}
