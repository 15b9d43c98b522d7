package extractor

import (
	"strings"

	"relata/graph"
)

// people are those who took part in a batch.
type people struct {
	speaking []graph.Persona // those of the batch's persona field
	present  []graph.Persona // personas of its present field
	others   []string        // people of its present field, as written
	all      []graph.Persona // every persona of the space
}

// resolvePeople finds the personas that a batch names, by name or alias. A name
// in persona that is no persona is an error; one in present is a person.
// Errors: CodeInvalid.
func resolvePeople(b Batch, personas []graph.Persona) (people, error) {
	byKey := make(map[string]int)
	for i, p := range personas {
		byKey[graph.EntityKey(p.Name)] = i
	}
	for i, p := range personas {
		for _, a := range p.Aliases {
			if key := graph.EntityKey(a); key != "" {
				if _, taken := byKey[key]; !taken {
					byKey[key] = i
				}
			}
		}
	}
	p := people{all: personas}
	c := &checker{}
	seen := make(map[int]bool)
	for i, name := range b.Persona {
		at, ok := byKey[graph.EntityKey(name)]
		switch {
		case !ok:
			c.wrong(listField("persona", i), "%q is no persona of this space: %s", name, known(personas))
		case !seen[at]:
			seen[at] = true
			p.speaking = append(p.speaking, personas[at])
		}
	}
	for _, name := range b.Present {
		at, ok := byKey[graph.EntityKey(name)]
		switch {
		case !ok:
			p.others = append(p.others, strings.TrimSpace(name))
		case !seen[at]:
			seen[at] = true
			p.present = append(p.present, personas[at])
		}
	}
	return p, c.err("the batch is not valid")
}

// known lists the personas of a space for an error message.
func known(personas []graph.Persona) string {
	if len(personas) == 0 {
		return "it has none yet, add one first"
	}
	names := make([]string, 0, len(personas))
	for _, p := range personas {
		names = append(names, p.Name)
	}
	return cut("it has "+strings.Join(names, ", "), 300)
}

// personas are those that were there, the writer first.
func (p people) personas() []graph.Persona {
	return append(p.speaking[:len(p.speaking):len(p.speaking)], p.present...)
}

func (p people) personaNames() []string {
	out := []string{}
	for _, x := range p.personas() {
		out = append(out, x.Name)
	}
	return out
}

// names are all names that a batch brings up by itself: who was there, who
// spoke, whose bots they are.
func (p people) names(sources []graph.Source) []string {
	var out []string
	seen := make(map[string]bool)
	add := func(names ...string) {
		for _, n := range names {
			if key := graph.EntityKey(n); key != "" && !seen[key] {
				seen[key] = true
				out = append(out, n)
			}
		}
	}
	for _, x := range p.personas() {
		add(x.Name, x.Owner)
	}
	add(p.others...)
	for _, s := range sources {
		if s.Role != "tool" {
			add(s.Speaker)
		}
	}
	return out
}
