package relations

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"relata/graph"
)

// audience is who the submission says should know what is new, where an item
// does not say it itself.
type audience struct {
	personas []graph.EntityRef
	people   []graph.EntityRef // of a document shown to people
}

// readAudience resolves Submission.KnownBy, or takes the personas present.
func readAudience(sub *Submission, c *cast, who *personaBook) (audience, error) {
	if sub.KnownBy == nil {
		return audience{personas: c.personas}, nil
	}
	var a audience
	for _, name := range sub.KnownBy {
		if blank(name) {
			continue
		}
		if ref, ok := who.persona(name); ok {
			if !containsRef(a.personas, ref) {
				a.personas = append(a.personas, ref)
			}
			continue
		}
		ref := who.ground.Resolve(name)
		if ref.ID == 0 {
			return a, &graph.Error{
				Code: graph.CodeInvalid, Message: "known_by names somebody whom the space does not have",
				Fields: []graph.Field{{Name: "known_by", Message: "no persona and no entity is called " + quote(name)}},
			}
		}
		if !containsRef(a.people, ref) {
			a.people = append(a.people, ref)
		}
	}
	return a, nil
}

// knownBy reads an item's known_by: the personas that may be named are those
// present, those of the submission, and those aware of the replaced source. The
// others are dropped with a note. given is false where the item says nothing,
// or names nobody who may be named.
func (p *planner) knownBy(v *verdict, names []string, source *graph.Stored) (refs []graph.EntityRef, given bool) {
	if names == nil {
		return nil, false
	}
	var dropped []string
	for _, name := range names {
		if blank(name) {
			continue
		}
		ref, ok := p.who.persona(name)
		if !ok || !p.mayKnow(ref, source) {
			dropped = append(dropped, strings.TrimSpace(name))
			continue
		}
		if !containsRef(refs, ref) {
			refs = append(refs, ref)
		}
	}
	if len(dropped) > 0 {
		v.note("known_by: %s dropped, not present and not aware of what is replaced", strings.Join(dropped, ", "))
	}
	return refs, len(refs) > 0 || len(dropped) == 0
}

func (p *planner) mayKnow(ref graph.EntityRef, source *graph.Stored) bool {
	if p.in.Submission.FreeKnownBy || containsRef(p.cast.personas, ref) || containsRef(p.audience.personas, ref) {
		return true
	}
	return source != nil && slices.ContainsFunc(source.Aware, func(a graph.Awareness) bool {
		return a.Persona && sameEntity(a.Entity, ref)
	})
}

// since is when the awareness written by this diff begins.
func (p *planner) since() time.Time {
	if d := p.in.Submission.Date; !d.IsZero() {
		return d
	}
	return p.in.Now
}

// awareOf gives the awareness of the named personas, and of the people who were
// there if people is set. msgs is what the statement cites.
func (p *planner) awareOf(personas []graph.EntityRef, people bool, msgs []int64) []graph.Awareness {
	cited := make([]int64, 0, len(msgs))
	for _, id := range msgs {
		if _, ok := p.cast.messages[id]; ok {
			cited = append(cited, id)
		}
	}
	by := p.teller(cited)
	var out []graph.Awareness
	for _, ref := range personas {
		out = append(out, p.personaAware(ref, cited, by))
	}
	if !people {
		return out
	}
	for _, ref := range p.cast.people {
		a := graph.Awareness{Entity: ref, Since: p.since(), How: graph.HowPresent, MsgIDs: cited, By: by}
		if own := p.ownWords(ref, cited); len(own) > 0 {
			a.How, a.MsgIDs, a.By = graph.HowSaid, own, ""
		}
		if p.in.Submission.How != "" {
			a.How, a.By = p.in.Submission.How, ""
		}
		out = append(out, a)
	}
	for _, ref := range p.audience.people {
		if !p.cast.human(ref) {
			out = append(out, graph.Awareness{Entity: ref, Since: p.since(), How: p.how(graph.HowTold), By: by, MsgIDs: cited})
		}
	}
	return out
}

func (p *planner) personaAware(ref graph.EntityRef, cited []int64, by string) graph.Awareness {
	a := graph.Awareness{Entity: ref, Since: p.since(), By: by, MsgIDs: cited, Persona: true}
	own := p.ownWords(ref, cited)
	switch {
	case p.in.Submission.How != "":
		a.How = p.in.Submission.How
	case len(own) > 0:
		a.How, a.MsgIDs, a.By = graph.HowSaid, own, ""
	case !containsRef(p.cast.personas, ref):
		// Named without having been there: it was told elsewhere.
		a.How, a.MsgIDs, a.By = graph.HowTold, nil, ""
	case len(p.cast.personas) > 1:
		a.How = graph.HowPresent
	default:
		a.How = graph.HowTold
	}
	return a
}

func (p *planner) how(otherwise graph.How) graph.How {
	if p.in.Submission.How != "" {
		return p.in.Submission.How
	}
	return otherwise
}

// ownWords gives those of the cited messages that an entity spoke itself.
func (p *planner) ownWords(ref graph.EntityRef, cited []int64) []int64 {
	var own []int64
	for _, id := range p.cast.spoke[ref.Key] {
		if slices.Contains(cited, id) {
			own = append(own, id)
		}
	}
	return own
}

// teller is whose words the cited messages are: the first user's, else the only
// human's of the batch, else the giver of a document.
func (p *planner) teller(cited []int64) string {
	for _, id := range cited {
		if src := p.cast.messages[id]; src.Role == "user" && !blank(src.Speaker) {
			return src.Speaker
		}
	}
	if !p.cast.chat {
		return p.cast.giver
	}
	if len(cited) == 0 && len(p.cast.humans) == 1 && !p.cast.nameless {
		return p.cast.humans[0]
	}
	return ""
}

// mergeAware adds awareness of entities that are not there yet.
func mergeAware(into, more []graph.Awareness) []graph.Awareness {
	for _, a := range more {
		if !slices.ContainsFunc(into, func(b graph.Awareness) bool { return sameEntity(a.Entity, b.Entity) }) {
			into = append(into, a)
		}
	}
	return into
}

// personasOf gives the personas among those aware.
func personasOf(aware []graph.Awareness) []graph.EntityRef {
	var refs []graph.EntityRef
	for _, a := range aware {
		if a.Persona {
			refs = append(refs, a.Entity)
		}
	}
	return refs
}

// sourceIDs reads an item's msg_ids: those in the batch or stored stay, in
// ascending order and once each; the others are dropped with a note.
func (p *planner) sourceIDs(v *verdict, ids []int64) []int64 {
	out := make([]int64, 0, len(ids))
	var dropped []string
	for _, id := range ids {
		_, sent := p.cast.messages[id]
		_, stored := p.in.Sources[id]
		switch {
		case !sent && !stored:
			dropped = append(dropped, fmt.Sprint(id))
		case !slices.Contains(out, id):
			out = append(out, id)
		}
	}
	if len(dropped) > 0 {
		v.note("msg_ids: %s dropped, no such message in the batch or the space", strings.Join(dropped, ", "))
	}
	slices.Sort(out)
	return out
}

// messageIDs gives those of the sources that are messages.
func (p *planner) messageIDs(ids []int64) []int64 {
	out := make([]int64, 0, len(ids))
	for _, id := range ids {
		if _, chunk := p.chunk(id); !chunk {
			out = append(out, id)
		}
	}
	return out
}

// chunkNames gives the names of those of the sources that are chunks or images,
// in order.
func (p *planner) chunkNames(ids []int64) []string {
	var out []string
	for _, id := range ids {
		if name, chunk := p.chunk(id); chunk {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// chunk gives the name of a source that is no message.
func (p *planner) chunk(id int64) (name string, ok bool) {
	if name, ok := p.chunks[id]; ok {
		return name, true
	}
	src, sent := p.cast.messages[id]
	if !sent {
		src = p.in.Sources[id]
	}
	return src.Name, src.Kind == graph.SourceChunk || src.Kind == graph.SourceImage
}
