package relations

import (
	"errors"
	"fmt"
	"slices"

	"relata/graph"
)

// entry is a relation as it will be after the diff.
type entry struct {
	graph.Relation
	origin *graph.Relation // as it is before the diff; nil for a new one
	uses   int             // current memories after the diff; counts only where the ground was asked
	gone   bool            // the diff removes it
}

// vocabulary is a space's relations while a diff is judged: looked up by the
// keys they will have afterwards, by the keys they had, and by their aliases.
type vocabulary struct {
	governance graph.Governance
	entries    []*entry          // in the order of their making
	byKey      map[string]*entry // after the diff
	before     map[string]*entry // by the key they had
	aliases    map[string]*entry
	renamed    []*entry          // in the order of their items
	waiting    map[string]string // keys that the diff proposes and that wait for review → item
}

func newVocabulary(governance graph.Governance, rels []graph.Relation) *vocabulary {
	v := &vocabulary{
		governance: governance,
		byKey:      make(map[string]*entry, len(rels)),
		before:     make(map[string]*entry, len(rels)),
		aliases:    make(map[string]*entry),
		waiting:    make(map[string]string),
	}
	for i := range rels {
		e := &entry{Relation: rels[i], origin: &rels[i], uses: rels[i].Uses}
		e.Aliases = slices.Clone(rels[i].Aliases)
		v.entries = append(v.entries, e)
		v.byKey[e.Key], v.before[e.Key] = e, e
		for _, a := range e.Aliases {
			v.aliases[aliasKey(a)] = e
		}
	}
	return v
}

// aliasKey gives an alias as it is compared. An alias need not be a key: 喜欢
// may stand for like.
func aliasKey(alias string) string {
	if key, err := NormalizeKey(alias); err == nil {
		return key
	}
	return graph.Fold(alias)
}

func (v *vocabulary) add(r graph.Relation) *entry {
	e := &entry{Relation: r}
	v.entries = append(v.entries, e)
	v.byKey[r.Key] = e
	return e
}

// resolution is what a relation named in a diff means.
type resolution struct {
	entry   *entry
	mapped  bool   // another relation than the one named stands for it
	note    string // what was normalised or mapped
	waiting bool   // it waits for review
	code    graph.RejectCode
	message string
}

// resolve finds the relation that raw names, as the vocabulary will be after
// the diff: by key, by the key it had, by alias, by the base form of its first
// word, and in a closed vocabulary the nearest.
func (v *vocabulary) resolve(raw string) resolution {
	key, err := NormalizeKey(raw)
	if err != nil {
		if e := v.aliases[graph.Fold(raw)]; e != nil {
			return v.mapTo(e, raw)
		}
		return keyRejection(err)
	}
	if e := v.byKey[key]; e != nil {
		if e.Status == graph.RelationDeprecated && e.Successor != "" {
			if next := v.successor(e); next != nil {
				return v.mapTo(next, raw)
			}
		}
		r := resolution{entry: e, waiting: e.Status == graph.RelationPending}
		if key != raw {
			r.note = fmt.Sprintf("key %q normalised to %s", raw, key)
		}
		return r
	}
	if item, ok := v.waiting[key]; ok {
		return resolution{waiting: true, message: "the relation " + key + " waits for review, see " + item}
	}
	if e := v.before[key]; e != nil && !e.gone {
		return v.mapTo(e, raw)
	}
	if e := v.likely(key); e != nil {
		return v.mapTo(e, raw)
	}
	return resolution{code: graph.RejectUndefinedRelation, message: fmt.Sprintf(
		"unknown relation %s: the vocabulary does not have it and the diff does not add it", key)}
}

// likely finds the relation that a key outside the vocabulary stands for, or nil.
func (v *vocabulary) likely(key string) *entry {
	if e := v.aliases[key]; e != nil {
		return e
	}
	names := v.names()
	found := ""
	for name, k := range names {
		if k == found || stem(name) != stem(key) {
			continue
		}
		if found != "" {
			return nil
		}
		found = k
	}
	if found == "" && v.governance == graph.GovernanceClosed {
		found = nearestKey(key, names)
	}
	return v.byKey[found]
}

// names leads from every key and every alias that is spelled as one to the key.
func (v *vocabulary) names() map[string]string {
	names := make(map[string]string, len(v.byKey)+len(v.aliases))
	for alias, e := range v.aliases {
		names[alias] = e.Key
	}
	for key := range v.byKey {
		names[key] = key
	}
	return names
}

func (v *vocabulary) mapTo(e *entry, raw string) resolution {
	if e.Status == graph.RelationDeprecated {
		if next := v.successor(e); next != nil {
			e = next
		}
	}
	return resolution{
		entry: e, mapped: true, waiting: e.Status == graph.RelationPending,
		note: fmt.Sprintf("relation %q mapped to %s", raw, e.Key),
	}
}

// successor follows the successors of a deprecated relation to one in use, nil
// when the chain ends nowhere or in a circle.
func (v *vocabulary) successor(e *entry) *entry {
	for range len(v.entries) {
		if e == nil || e.Status != graph.RelationDeprecated {
			return e
		}
		if e.Successor == "" {
			return nil
		}
		next := v.byKey[e.Successor]
		if next == nil {
			next = v.before[e.Successor]
		}
		e = next
	}
	return nil
}

// rename gives an entry its new key; relations that name it follow.
func (v *vocabulary) rename(e *entry, to string) {
	delete(v.byKey, e.Key)
	v.renamed = append(v.renamed, e)
	v.repoint(e.Key, to)
	e.Key = to
	v.byKey[to] = e
	e.Aliases = slices.DeleteFunc(e.Aliases, func(a string) bool { return aliasKey(a) == to })
	if v.aliases[to] == e {
		delete(v.aliases, to)
	}
}

// remove takes an entry out; relations that name it forget it.
func (v *vocabulary) remove(e *entry) {
	e.gone = true
	delete(v.byKey, e.Key)
	for _, a := range e.Aliases {
		delete(v.aliases, aliasKey(a))
	}
	v.repoint(e.Key, "")
}

func (v *vocabulary) repoint(from, to string) {
	for _, e := range v.entries {
		if e.Inverse == from {
			e.Inverse = to
		}
		if e.Successor == from {
			e.Successor = to
		}
	}
}

// changes writes the difference between before and after into a change set.
func (v *vocabulary) changes(c *graph.ChangeSet) {
	for _, e := range v.renamed {
		c.RenameRelations = append(c.RenameRelations, graph.RelationRename{From: e.origin.Key, To: e.Relation})
	}
	for _, e := range v.entries {
		switch {
		case e.gone && e.origin == nil:
		case e.gone:
			c.RemoveRelations = append(c.RemoveRelations, e.origin.Key)
		case e.origin == nil:
			c.AddRelations = append(c.AddRelations, e.Relation)
		case e.origin.Key != e.Key: // above
		case !sameRelation(*e.origin, e.Relation):
			c.UpdateRelations = append(c.UpdateRelations, e.Relation)
		}
	}
}

func sameRelation(a, b graph.Relation) bool {
	return a.Key == b.Key && a.Content == b.Content && a.Date.Equal(b.Date) &&
		a.Functional == b.Functional && a.Symmetric == b.Symmetric && a.Inverse == b.Inverse &&
		slices.Equal(a.Aliases, b.Aliases) && a.Status == b.Status && a.Successor == b.Successor
}

// keyRejection turns an error of NormalizeKey into a verdict.
func keyRejection(err error) resolution {
	if ke, ok := errors.AsType[*KeyError](err); ok {
		return resolution{code: ke.Code, message: ke.Error()}
	}
	return resolution{code: graph.RejectInvalidKey, message: err.Error()}
}
