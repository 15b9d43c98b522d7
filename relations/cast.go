package relations

import (
	"slices"
	"strings"

	"relata/graph"
)

// cast is who took part in a batch and what they said.
type cast struct {
	personas []graph.EntityRef // present, the writer first
	people   []graph.EntityRef // present, each once, by first appearance
	spoke    map[string][]int64
	messages map[int64]graph.Source // the batch's, by id
	order    []int64                // their ids as sent
	humans   []string               // speakers of user messages as written, each once
	nameless bool                   // a user message has no speaker
	chat     bool                   // the batch holds messages, not only chunks or images
	giver    string                 // speaker of all sources, where it is one and the same
}

// readCast takes a submission's participants together. A name in Persona that
// is no persona of the space is a mistake of the caller; one in Present may be
// a person who was there and said nothing.
func readCast(sub *Submission, who *personaBook) (*cast, error) {
	c := &cast{spoke: make(map[string][]int64), messages: make(map[int64]graph.Source, len(sub.Sources))}
	for _, name := range sub.Persona {
		ref, ok := who.persona(name)
		if !ok {
			return nil, &graph.Error{
				Code: graph.CodeInvalid, Message: "the batch names a persona that the space does not have",
				Fields: []graph.Field{{Name: "persona", Message: "unknown persona " + quote(name) + ": make it first"}},
			}
		}
		c.addPersona(ref)
	}
	for _, name := range sub.Present {
		if blank(name) {
			continue
		}
		if ref, ok := who.persona(name); ok {
			c.addPersona(ref)
		} else {
			c.addPerson(who.ground.Resolve(name))
		}
	}
	for i, src := range sub.Sources {
		if _, ok := c.messages[src.SourceID]; !ok {
			c.order = append(c.order, src.SourceID)
		}
		c.messages[src.SourceID] = src
		if i == 0 {
			c.giver = src.Speaker
		} else if c.giver != src.Speaker {
			c.giver = ""
		}
		c.chat = c.chat || src.Kind == graph.SourceMessage || src.Kind == ""
		c.hear(src, who)
	}
	return c, nil
}

// hear notes the speaker of one source.
func (c *cast) hear(src graph.Source, who *personaBook) {
	if src.Role == "tool" {
		return
	}
	if blank(src.Speaker) {
		switch {
		case src.Role == "user":
			c.nameless = true
		case src.Role == "assistant" && len(c.personas) > 0:
			// An assistant without a name is the persona that the batch is of.
			c.said(c.personas[0], src.SourceID)
		}
		return
	}
	ref, persona := who.persona(src.Speaker)
	switch {
	case persona:
		c.addPersona(ref)
	case src.Role == "assistant":
		return // a bot that the space does not know as one
	default:
		ref = who.ground.Resolve(src.Speaker)
		c.addPerson(ref)
		if src.Role == "user" && !slices.Contains(c.humans, src.Speaker) {
			c.humans = append(c.humans, src.Speaker)
		}
	}
	c.said(ref, src.SourceID)
}

func (c *cast) said(ref graph.EntityRef, id int64) { c.spoke[ref.Key] = append(c.spoke[ref.Key], id) }

func (c *cast) addPersona(ref graph.EntityRef) {
	if !containsRef(c.personas, ref) {
		c.personas = append(c.personas, ref)
	}
}

func (c *cast) addPerson(ref graph.EntityRef) {
	if ref.Key != "" && !containsRef(c.people, ref) {
		c.people = append(c.people, ref)
	}
}

// writer is the persona that writes the diff's memories, "" for none.
func (c *cast) writer() string {
	if len(c.personas) == 0 {
		return ""
	}
	return c.personas[0].Name
}

// human says whether an entity is a person who took part.
func (c *cast) human(ref graph.EntityRef) bool { return containsRef(c.people, ref) }

// onlyAssistant says whether all of the cited messages are the assistant's own
// words. Tool results are evidence; messages of other batches are not judged.
func (c *cast) onlyAssistant(ids []int64) bool {
	for _, id := range ids {
		if src, ok := c.messages[id]; !ok || src.Role != "assistant" {
			return false
		}
	}
	return len(ids) > 0
}

// personaBook finds personas by name, alias or resolved entity.
type personaBook struct {
	ground *graph.Ground
	byKey  map[string]graph.EntityRef
	byID   map[graph.EntityID]graph.EntityRef
	rank   map[string]int // order of their making
	owner  map[string]graph.EntityID
}

func newPersonaBook(g *graph.Ground) *personaBook {
	b := &personaBook{
		ground: g, byKey: make(map[string]graph.EntityRef), byID: make(map[graph.EntityID]graph.EntityRef),
		rank: make(map[string]int), owner: make(map[string]graph.EntityID),
	}
	for i, p := range g.Personas {
		ref := graph.EntityRef{ID: p.ID, Key: graph.EntityKey(p.Name), Name: p.Name, Persona: true}
		b.byID[p.ID] = ref
		b.byKey[ref.Key] = ref
		b.rank[ref.Key] = i
		b.owner[ref.Key] = p.OwnerID
	}
	for _, p := range g.Personas {
		for _, a := range p.Aliases {
			if key := graph.EntityKey(a); key != "" {
				if _, taken := b.byKey[key]; !taken {
					b.byKey[key] = b.byID[p.ID]
				}
			}
		}
	}
	return b
}

// persona gives the persona that a name or alias stands for.
func (b *personaBook) persona(name string) (graph.EntityRef, bool) {
	if ref, ok := b.byKey[graph.EntityKey(name)]; ok {
		return ref, true
	}
	ref := b.ground.Resolve(name)
	if p, ok := b.byID[ref.ID]; ok && ref.ID != 0 {
		return p, true
	}
	return graph.EntityRef{}, false
}

// names gives the display names of personas in order of their making.
func (b *personaBook) names(refs []graph.EntityRef) []string {
	sorted := slices.Clone(refs)
	slices.SortStableFunc(sorted, func(x, y graph.EntityRef) int { return b.rank[x.Key] - b.rank[y.Key] })
	names := make([]string, 0, len(sorted))
	for _, r := range sorted {
		names = append(names, r.Name)
	}
	return names
}

func containsRef(refs []graph.EntityRef, ref graph.EntityRef) bool {
	return slices.ContainsFunc(refs, func(r graph.EntityRef) bool { return sameEntity(r, ref) })
}

func sameEntity(a, b graph.EntityRef) bool {
	return a.Key == b.Key || (a.ID != 0 && a.ID == b.ID)
}

func quote(s string) string { return "“" + strings.TrimSpace(s) + "”" }
