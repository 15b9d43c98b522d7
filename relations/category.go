package relations

import (
	"slices"
	"strings"

	"relata/graph"
)

// otherKnowledge is where knowledge goes that nothing places better.
const otherKnowledge = "其他"

// category reads index0 and index1 of an item, in either language, and derives
// what is missing or wrong.
func (p *planner) category(v *verdict, st *statement) graph.Category {
	index0, index1 := indexName(st.item.Index0), indexName(st.item.Index1)
	if index0 == "" {
		c := p.derive(st)
		if index1 != "" {
			if given, err := graph.ParseCategory(c.Index0, index1); err == nil {
				return given
			}
		}
		return c
	}
	if c, err := graph.ParseCategory(index0, index1); err == nil {
		if c.Index1 == "" {
			c.Index1 = p.index1(c.Index0, st)
		}
		return c
	}
	if c, err := graph.ParseCategory(index0, ""); err == nil {
		c.Index1 = p.index1(c.Index0, st)
		v.note("index1 %q is unknown under %s, %s derived", index1, c.Index0, c.Index1)
		return c
	}
	c := p.derive(st)
	v.note("index0 %q is unknown, %s derived", index0, c.Index0)
	return c
}

func indexName(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// derive finds a category from the relation and the subject alone:
//   - a relation of the core vocabulary brings its own index0;
//   - otherwise a subject who is a persona, its owner or a person of the batch
//     makes it a profile, and everything else is knowledge.
func (p *planner) derive(st *statement) graph.Category {
	index0 := coreIndex0(st.rel.Key)
	if index0 == "" {
		index0 = graph.Knowledge
		if p.isPerson(st.subject) {
			index0 = graph.Profile
		}
	}
	return graph.Category{Index0: index0, Index1: p.index1(index0, st)}
}

// index1 is seen by the writer: self for itself, owner where its owner is
// subject or object, other for everybody else.
func (p *planner) index1(index0 string, st *statement) string {
	switch index0 {
	case graph.Method:
		return "general"
	case graph.Knowledge:
		return otherKnowledge
	}
	if len(p.cast.personas) == 0 {
		return "other"
	}
	writer := p.cast.personas[0]
	owner := p.who.owner[writer.Key]
	switch {
	case sameEntity(st.subject, writer):
		return "self"
	case owner != 0 && (st.subject.ID == owner || st.object.ID == owner):
		return "owner"
	}
	return "other"
}

func (p *planner) isPerson(ref graph.EntityRef) bool {
	if ref.Persona || p.cast.human(ref) || userNames[ref.Key] {
		return true
	}
	return ref.ID != 0 && slices.ContainsFunc(p.in.Ground.Personas, func(x graph.Persona) bool {
		return x.ID == ref.ID || x.OwnerID == ref.ID
	})
}
