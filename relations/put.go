package relations

import (
	"context"
	"fmt"
	"slices"

	"relata/graph"
)

// Put adds a relation to a space's vocabulary or gives an existing one the
// content and semantics of r, all of them. It goes through the ledger as a diff
// of its own, whatever the governance: it is an administrator's act. by names
// the caller. The key may be in any spelling that [NormalizeKey] reads; an
// inverse has to exist and gets this key as its own inverse; a successor makes
// the relation deprecated. created is true for a new key.
// Errors: CodeInvalid with the fields that are wrong, CodeConflict where an
// alias or inverse is taken, CodeVocabularyFull, CodeNotFound for the space.
func (s *Service) Put(ctx context.Context, space string, r graph.Relation, by string) (put graph.Relation, created bool, err error) {
	id, err := s.store.NewIDs(ctx, 1)
	if err != nil {
		return put, false, err
	}
	err = s.store.Write(ctx, space, func(ctx context.Context, tx *graph.Tx) error {
		ground, err := tx.Ground(ctx, graph.GroundQuery{})
		if err != nil {
			return err
		}
		changes, err := putChanges(ground, r)
		if err != nil {
			return err
		}
		created = len(changes.AddRelations) > 0
		put = slices.Concat(changes.AddRelations, changes.UpdateRelations)[0]
		s.ledger(changes, ground, graph.DiffID(id), by)
		return tx.Apply(ctx, changes)
	})
	return put, created, err
}

// Seed loads the core vocabulary into a space, in the space's language. Keys
// and aliases that are there already stay as they are, so that it may run again.
func (s *Service) Seed(ctx context.Context, space string) error {
	id, err := s.store.NewIDs(ctx, 1)
	if err != nil {
		return err
	}
	return s.store.Write(ctx, space, func(ctx context.Context, tx *graph.Tx) error {
		ground, err := tx.Ground(ctx, graph.GroundQuery{})
		if err != nil {
			return err
		}
		changes := &graph.ChangeSet{AddRelations: seedRelations(ground, Core(ground.Space.Language, s.clock()))}
		if changes.Empty() {
			return nil
		}
		s.ledger(changes, ground, graph.DiffID(id), "")
		return tx.Apply(ctx, changes)
	})
}

// ledger gives a change set of relations its entry.
func (s *Service) ledger(c *graph.ChangeSet, ground *graph.Ground, id graph.DiffID, by string) {
	before := make(map[string]*graph.Relation, len(ground.Relations))
	for i := range ground.Relations {
		before[ground.Relations[i].Key] = &ground.Relations[i]
	}
	c.Ledger = &graph.Diff{ID: id, Status: graph.DiffApplied, By: by, Date: s.clock(), CreatedAt: s.clock()}
	add := func(part string, i int, action graph.Action, r graph.Relation, before *graph.Relation) {
		c.Ledger.Items = append(c.Ledger.Items, graph.DiffItem{
			Verdict: graph.Verdict{Item: itemName(part, i), Outcome: graph.OutcomeApplied},
			Action:  action, RelationBefore: before, RelationAfter: &r,
		})
	}
	for i, r := range c.AddRelations {
		add("relations.increments", i, graph.ActionAdd, r, nil)
	}
	for i, r := range c.UpdateRelations {
		add("relations.replaces", i, graph.ActionReplace, r, before[r.Key])
	}
}

// seedRelations gives those core relations that fit beside what is there.
func seedRelations(ground *graph.Ground, rels []graph.Relation) []graph.Relation {
	v := newVocabulary(graph.GovernanceOpen, ground.Relations)
	var out []graph.Relation
	for _, r := range rels {
		if v.byKey[r.Key] != nil || v.aliases[r.Key] != nil || ground.KeysEver+len(out) >= MaxKeysEver {
			continue
		}
		r.Aliases = slices.DeleteFunc(r.Aliases, func(a string) bool {
			return v.byKey[aliasKey(a)] != nil || v.aliases[aliasKey(a)] != nil
		})
		out = append(out, r)
	}
	// An inverse that was left out must not be named; one that is there already
	// and says nothing of ours would not be mutual.
	for i := range out {
		if out[i].Inverse != "" && !slices.ContainsFunc(out, func(r graph.Relation) bool { return r.Key == out[i].Inverse }) {
			out[i].Inverse = ""
		}
	}
	return out
}

// putChanges checks one relation against the vocabulary and gives what changes;
// the relation itself comes first.
func putChanges(ground *graph.Ground, r graph.Relation) (*graph.ChangeSet, error) {
	v := newVocabulary(graph.GovernanceOpen, ground.Relations)
	bad := &graph.Error{Code: graph.CodeInvalid, Message: "the relation is not valid"}
	wrong := func(name, format string, args ...any) {
		bad.Fields = append(bad.Fields, graph.Field{Name: name, Message: fmt.Sprintf(format, args...)})
	}
	key, err := NormalizeKey(r.Key)
	if err != nil {
		wrong("key", "%v", err)
		return nil, bad
	}
	r.Key, r.Content, r.Uses = key, clean(r.Content), 0
	switch {
	case blank(r.Content):
		wrong("content", "must say what the relation means")
	case len(r.Content) > MaxRelationContentBytes:
		wrong("content", "has %d bytes, at most %d are allowed", len(r.Content), MaxRelationContentBytes)
	}
	r.Inverse = namedRelation(v, r.Inverse, key, "inverse", wrong)
	r.Successor = namedRelation(v, r.Successor, key, "successor", wrong)
	if r.Symmetric && r.Inverse != "" && r.Inverse != key {
		wrong("inverse", "a symmetric relation is its own inverse: leave it out")
	}
	if r.Inverse == key {
		r.Inverse, r.Symmetric = "", true
	}
	if r.Successor == key {
		wrong("successor", "must be another relation")
	}
	if next := v.byKey[r.Successor]; next != nil && next.Status == graph.RelationDeprecated {
		wrong("successor", "%s is deprecated itself", next.Key)
	}
	aliases, taken := putAliases(v, key, r.Aliases, wrong)
	r.Aliases = aliases
	if len(bad.Fields) > 0 {
		if taken {
			bad.Code = graph.CodeConflict
		}
		return nil, bad
	}
	switch {
	case r.Successor != "":
		r.Status = graph.RelationDeprecated
	case r.Status == "":
		r.Status = graph.RelationActive
	}
	return putInto(v, ground, r)
}

// namedRelation resolves the key of another relation that r names.
func namedRelation(v *vocabulary, raw, self, name string, wrong func(string, string, ...any)) string {
	if raw == "" {
		return ""
	}
	key, err := NormalizeKey(raw)
	if err != nil {
		wrong(name, "%v", err)
		return ""
	}
	if key != self && v.byKey[key] == nil {
		wrong(name, "the vocabulary has no relation %s: make it first", key)
		return ""
	}
	return key
}

// putAliases normalises aliases that are keys, keeps the others as written, and
// refuses those that mean another relation already.
func putAliases(v *vocabulary, self string, aliases []string, wrong func(string, string, ...any)) (out []string, taken bool) {
	seen := make(map[string]bool)
	for i, a := range aliases {
		name := fmt.Sprintf("aliases[%d]", i)
		a = clean(a)
		if key, err := NormalizeKey(a); err == nil {
			a = key
		}
		key := aliasKey(a)
		switch {
		case key == "":
			wrong(name, "is empty")
			continue
		case len(a) > 2*MaxKeyBytes:
			wrong(name, "has %d bytes, at most %d are allowed", len(a), 2*MaxKeyBytes)
			continue
		case key == self || seen[key]:
			continue
		}
		if e := v.byKey[key]; e != nil {
			wrong(name, "%s is a relation of its own: merge it first", key)
			taken = true
		} else if e := v.aliases[key]; e != nil && e.Key != self {
			wrong(name, "%s is an alias of %s already", a, e.Key)
			taken = true
		}
		seen[key] = true
		out = append(out, a)
	}
	return out, taken
}

// putInto works out the changes for a checked relation, inverses included.
func putInto(v *vocabulary, ground *graph.Ground, r graph.Relation) (*graph.ChangeSet, error) {
	c := &graph.ChangeSet{}
	e := v.byKey[r.Key]
	switch {
	case e != nil:
		if r.Date.IsZero() {
			r.Date = e.Date
		}
		c.UpdateRelations = append(c.UpdateRelations, r)
	case v.aliases[r.Key] != nil:
		return nil, graph.Errorf(graph.CodeConflict, "%s is an alias of %s: take the alias away first", r.Key, v.aliases[r.Key].Key)
	case ground.KeysEver >= MaxKeysEver:
		return nil, graph.Errorf(graph.CodeVocabularyFull, "a space may have %d relation keys over its life", MaxKeysEver)
	case ground.TypesEver >= MaxTypesEver:
		return nil, graph.Errorf(graph.CodeVocabularyFull, "the database has %d relationship types, which cannot be given back", ground.TypesEver)
	default:
		c.AddRelations = append(c.AddRelations, r)
	}
	// The other side of a pair follows.
	for _, other := range v.entries {
		if other.Key == r.Key {
			continue
		}
		now := other.Relation
		switch {
		case other.Key == r.Inverse && other.Inverse != r.Key:
			if other.Inverse != "" || other.Symmetric {
				return nil, graph.Errorf(graph.CodeConflict, "%s has another inverse already", other.Key)
			}
			now.Inverse = r.Key
		case other.Key != r.Inverse && other.Inverse == r.Key:
			now.Inverse = ""
		default:
			continue
		}
		c.UpdateRelations = append(c.UpdateRelations, now)
	}
	return c, nil
}
