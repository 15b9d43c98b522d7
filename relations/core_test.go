package relations_test

import (
	"testing"

	"relata/graph"
	"relata/relations"
)

func TestCore(t *testing.T) {
	rels := relations.Core("", at("2026-01-01 00:00:00"))
	if len(rels) < 55 {
		t.Errorf("%d relations", len(rels))
	}
	byKey := make(map[string]graph.Relation)
	owner := make(map[string]string) // every key and alias
	for _, r := range rels {
		key, err := relations.NormalizeKey(r.Key)
		if err != nil || key != r.Key {
			t.Errorf("%q is no canonical key: %v", r.Key, err)
		}
		if _, twice := byKey[key]; twice {
			t.Errorf("%s is there twice", key)
		}
		byKey[key], owner[key] = r, key
	}
	for _, r := range rels {
		for _, a := range r.Aliases {
			name := a
			if key, err := relations.NormalizeKey(a); err == nil {
				if key != a {
					t.Errorf("alias %q of %s is not canonical", a, r.Key)
				}
				name = key
			}
			if other, taken := owner[name]; taken {
				t.Errorf("alias %s of %s means %s already", a, r.Key, other)
			}
			owner[name] = r.Key
		}
		if r.Inverse != "" {
			back, ok := byKey[r.Inverse]
			if !ok || back.Inverse != r.Key {
				t.Errorf("%s and %s are not mutual", r.Key, r.Inverse)
			}
			if r.Symmetric {
				t.Errorf("%s is symmetric and has an inverse", r.Key)
			}
		}
		if r.Content == "" || r.Status != graph.RelationActive || r.Date.IsZero() {
			t.Errorf("%+v", r)
		}
	}
}

func TestCoreLanguages(t *testing.T) {
	zh, en, both := relations.Core("zh", at("2026-01-01 00:00:00")), relations.Core("en", at("2026-01-01 00:00:00")), relations.Core("", at("2026-01-01 00:00:00"))
	for i := range both {
		if zh[i].Content == "" || en[i].Content == "" || both[i].Content != zh[i].Content+" / "+en[i].Content {
			t.Errorf("%s: %q, %q, %q", both[i].Key, zh[i].Content, en[i].Content, both[i].Content)
		}
	}
}

// TestCoreKeepsApart: no key of the core is taken for another one, whatever the
// spelling, and every alias leads to its relation.
func TestCoreKeepsApart(t *testing.T) {
	w := newWorld(t)
	for _, r := range relations.Core("en", at("2026-01-01 00:00:00")) {
		w.relation(r)
	}
	for _, r := range relations.Core("en", at("2026-01-01 00:00:00")) {
		for i, name := range append([]string{r.Key}, r.Aliases...) {
			m := w.submit(relations.Submission{Proposal: increments(item("A|" + name + "|B|" + name))})
			if len(m.Memories.Added) != 1 || m.Memories.Added[0].Relation != r.Key || (m.Verdicts[0].Outcome == graph.OutcomeMapped) != (i > 0) {
				t.Errorf("%s: %+v", name, m.Verdicts[0])
			}
			for id := range w.memories {
				delete(w.memories, id)
			}
		}
	}
}
