package relations_test

import (
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/relations"
)

// vocabularyCase is one diff over a small vocabulary.
type vocabularyCase struct {
	name  string
	setup func(*world)
	diff  func(*world) relations.Proposal
	want  []string // verdicts
	keys  []string // the vocabulary afterwards
	note  string   // part of the first verdict's note or message
	check func(*testing.T, *world, graph.Receipt)
}

func (c vocabularyCase) run(t *testing.T) {
	w := newWorld(t)
	w.relation(graph.Relation{Key: "work_at", Content: "works at", Aliases: []string{"employed_by", "就职于"}})
	w.relation(graph.Relation{Key: "at", Content: "is at"})
	w.relation(graph.Relation{Key: "own", Content: "owns", Inverse: "owned_by"})
	w.relation(graph.Relation{Key: "owned_by", Content: "is owned by", Inverse: "own"})
	w.relation(graph.Relation{Key: "job_at", Content: "old", Status: graph.RelationDeprecated, Successor: "work_at"})
	if c.setup != nil {
		c.setup(w)
	}
	r := w.submit(relations.Submission{Proposal: c.diff(w), Date: at("2026-03-05 10:00:00"), FreeKnownBy: true})
	if diff := gocmp.Diff(c.want, verdicts(r)); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	if c.keys != nil {
		var keys []string
		for _, rel := range sortedByKey(w.relations) {
			keys = append(keys, rel.Key)
		}
		if diff := gocmp.Diff(c.keys, keys); diff != "" {
			t.Errorf("vocabulary (-want +got):\n%s", diff)
		}
	}
	if len(r.Verdicts) > 0 {
		if said := r.Verdicts[0].Message + r.Verdicts[0].Note; !strings.Contains(said, c.note) {
			t.Errorf("first verdict says %q, want %q in it", said, c.note)
		}
	}
	if c.check != nil {
		c.check(t, w, r)
	}
}

func relAdd(items ...relations.RelationItem) relations.Proposal {
	return relations.Proposal{Relations: relations.RelationProposals{Increments: items}}
}

func relReplace(source, target relations.RelationItem) relations.Proposal {
	return relations.Proposal{Relations: relations.RelationProposals{
		Replaces: []relations.RelationReplace{{Source: source, Target: target}},
	}}
}

func relRemove(items ...relations.RelationItem) relations.Proposal {
	return relations.Proposal{Relations: relations.RelationProposals{Removes: items}}
}

func rel(key, content string) relations.RelationItem {
	return relations.RelationItem{Key: key, Content: content}
}

var vocabularyKeys = []string{"at", "job_at", "own", "owned_by", "work_at"}

func TestRelationIncrements(t *testing.T) {
	add := func(items ...relations.RelationItem) func(*world) relations.Proposal {
		return func(*world) relations.Proposal { return relAdd(items...) }
	}
	for _, c := range []vocabularyCase{
		{
			name: "a new key is added with the date of the diff", diff: add(rel("like", "likes")),
			want: []string{"relations.increments[0] applied"}, keys: slices.Sorted(slices.Values(append([]string{"like"}, vocabularyKeys...))),
			check: func(t *testing.T, w *world, r graph.Receipt) {
				want := graph.Relation{Key: "like", Content: "likes", Date: at("2026-03-05 10:00:00"), Status: graph.RelationActive}
				if diff := gocmp.Diff([]graph.Relation{want}, r.Relations.Added); diff != "" {
					t.Errorf("added (-want +got):\n%s", diff)
				}
			},
		},
		{
			name: "a key in another spelling is normalised", diff: add(rel("Fond Of", "likes")),
			want: []string{"relations.increments[0] applied"}, note: "normalised to fond_of",
		},
		{
			name: "a key that exists is a duplicate and keeps its content", diff: add(rel("Work-At", "something else")),
			want: []string{"relations.increments[0] duplicate"}, keys: vocabularyKeys, note: "keeps its content",
			check: func(t *testing.T, w *world, _ graph.Receipt) {
				if w.relations["work_at"].Content != "works at" {
					t.Errorf("content is %q", w.relations["work_at"].Content)
				}
			},
		},
		{
			name: "a key that exists but for the third person is mapped", diff: add(rel("Works At", "works at")),
			want: []string{"relations.increments[0] mapped"}, keys: vocabularyKeys, note: "mapped to work_at",
		},
		{
			name: "an alias is mapped", diff: add(rel("employedBy", "works for")),
			want: []string{"relations.increments[0] mapped"}, keys: vocabularyKeys,
		},
		{
			name: "a deprecated key is mapped to its successor", diff: add(rel("job_at", "x")),
			want: []string{"relations.increments[0] mapped"}, keys: vocabularyKeys, note: "work_at takes its place",
		},
		{
			name: "two equal keys in one diff are one", diff: add(rel("like", "likes"), rel("LIKE", "likes"), rel("likes", "likes")),
			want: []string{"relations.increments[0] applied", "relations.increments[1] duplicate", "relations.increments[2] mapped"},
		},
		{
			name: "bad keys are refused, the others stand",
			diff: add(rel("führt-zu", "x"), rel("co-founder_of", "x"), rel("own`]->(x) DETACH DELETE x //", "x"), rel("aware_of", "x"), rel("", "x"), rel("like", "")),
			want: []string{
				"relations.increments[0] rejected invalid_key", "relations.increments[1] applied",
				"relations.increments[2] rejected invalid_key", "relations.increments[3] rejected reserved_key",
				"relations.increments[4] rejected missing_field", "relations.increments[5] rejected missing_field",
			},
			keys: slices.Sorted(slices.Values(append([]string{"co_founder_of"}, vocabularyKeys...))),
		},
		{
			name: "a content that is too long or a refusal is refused",
			diff: add(rel("like", strings.Repeat("好", 700)), rel("hate", "抱歉，我无法处理这段对话")),
			want: []string{"relations.increments[0] rejected too_long", "relations.increments[1] rejected refusal_text"},
		},
		{
			name: "the 501st key of a space is refused", setup: func(w *world) { w.keysEver = 499 },
			diff: add(rel("like", "x"), rel("hate", "x"), rel("work_at", "works at")),
			want: []string{"relations.increments[0] applied", "relations.increments[1] rejected vocabulary_full", "relations.increments[2] duplicate"},
		},
		{
			name: "no new type beyond 50,000 in the database", setup: func(w *world) { w.typesEver = 50_000 },
			diff: add(rel("like", "x")), want: []string{"relations.increments[0] rejected vocabulary_full"},
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestRelationReplaces(t *testing.T) {
	for _, c := range []vocabularyCase{
		{
			name: "a reworded relation keeps its key and semantics",
			diff: func(w *world) relations.Proposal {
				return relReplace(w.relationSource("own"), rel("own", "has for good"))
			},
			want: []string{"relations.replaces[0] applied"}, keys: vocabularyKeys,
			check: func(t *testing.T, w *world, r graph.Receipt) {
				want := graph.Relation{Key: "own", Content: "has for good", Date: at("2026-03-05 10:00:00"), Inverse: "owned_by", Status: graph.RelationActive}
				if diff := gocmp.Diff(want, w.relations["own"]); diff != "" {
					t.Errorf("relation (-want +got):\n%s", diff)
				}
				if len(r.Relations.Replaced) != 1 || r.Relations.Replaced[0].Old.Content != "owns" {
					t.Errorf("receipt: %+v", r.Relations)
				}
			},
		},
		{
			name: "the same wording is a duplicate",
			diff: func(w *world) relations.Proposal {
				return relReplace(w.relationSource("own"), rel("own", "owns"))
			},
			want: []string{"relations.replaces[0] duplicate"},
		},
		{
			name: "a renamed relation carries its memories along, dates unchanged",
			setup: func(w *world) {
				w.memory("海港咖啡", "at", "厦门", "海港咖啡在厦门。")
				w.memory("A", "at", "B", "A is at B.")
			},
			diff: func(w *world) relations.Proposal {
				return relReplace(w.relationSource("at"), rel("located_in", "lies in"))
			},
			want: []string{"relations.replaces[0] applied"}, keys: []string{"job_at", "located_in", "own", "owned_by", "work_at"},
			check: func(t *testing.T, w *world, r graph.Receipt) {
				m := w.find("海港咖啡在厦门。")
				if m.Relation != "located_in" || !m.Date.Equal(at("2026-01-02 10:00:00")) {
					t.Errorf("memory is %s of %v", m.Relation, m.Date)
				}
				if got := r.Relations.Replaced; len(got) != 1 || got[0].Carried != 2 || got[0].Old.Key != "at" || got[0].New.Key != "located_in" {
					t.Errorf("replaced: %+v", got)
				}
			},
		},
		{
			name: "relations that name a renamed one follow",
			diff: func(w *world) relations.Proposal {
				return relReplace(w.relationSource("own"), rel("possess", "owns"))
			},
			want: []string{"relations.replaces[0] applied"},
			check: func(t *testing.T, w *world, _ graph.Receipt) {
				if got := w.relations["owned_by"].Inverse; got != "possess" {
					t.Errorf("the inverse of owned_by is %q", got)
				}
			},
		},
		{
			name:  "memories of the same diff may use the old key of a renamed relation",
			setup: func(w *world) { w.memory("A", "at", "B", "A is at B.") },
			diff: func(w *world) relations.Proposal {
				p := relReplace(w.relationSource("at"), rel("located_in", "lies in"))
				p.Memories.Increments = []relations.MemoryItem{item("C|at|D|C is at D."), item("E|located_in|F|E is in F.")}
				return p
			},
			want: []string{"relations.replaces[0] applied", "memories.increments[0] mapped", "memories.increments[1] applied"},
			check: func(t *testing.T, w *world, _ graph.Receipt) {
				if got := w.contents("located_in"); len(got) != 3 {
					t.Errorf("under located_in: %q", got)
				}
			},
		},
		{
			name: "the old key of a renamed relation may be made anew",
			diff: func(w *world) relations.Proposal {
				p := relReplace(w.relationSource("at"), rel("located_in", "lies in"))
				p.Relations.Increments = []relations.RelationItem{rel("at", "happens at (a time)")}
				p.Memories.Increments = []relations.MemoryItem{item("桌游夜|at|周五|桌游夜在周五。")}
				return p
			},
			want: []string{"relations.replaces[0] applied", "relations.increments[0] applied", "memories.increments[0] applied"},
			check: func(t *testing.T, w *world, _ graph.Receipt) {
				if got := w.find("桌游夜在周五。").Relation; got != "at" {
					t.Errorf("relation is %s", got)
				}
			},
		},
		{
			name: "a chain of renames goes in the order of its items",
			diff: func(w *world) relations.Proposal {
				p := relReplace(w.relationSource("own"), rel("possess", "owns"))
				p.Relations.Replaces = append(p.Relations.Replaces, relations.RelationReplace{
					Source: w.relationSource("at"), Target: rel("own", "is at, strangely"),
				})
				return p
			},
			want: []string{"relations.replaces[0] applied", "relations.replaces[1] applied"},
			keys: []string{"job_at", "own", "owned_by", "possess", "work_at"},
		},
		{
			name: "renaming to a key that exists removes an unused relation",
			diff: func(w *world) relations.Proposal {
				return relReplace(w.relationSource("at"), rel("work_at", "works at"))
			},
			want: []string{"relations.replaces[0] applied"}, keys: []string{"job_at", "own", "owned_by", "work_at"},
			note: "work_at exists",
		},
		{
			name:  "renaming to a key that exists is refused while memories use the old one",
			setup: func(w *world) { w.memory("A", "at", "B", "A is at B.") },
			diff: func(w *world) relations.Proposal {
				return relReplace(w.relationSource("at"), rel("work_at", "works at"))
			},
			want: []string{"relations.replaces[0] rejected relation_in_use"}, keys: vocabularyKeys,
		},
		{
			name: "renaming to another relation's alias is refused",
			diff: func(w *world) relations.Proposal {
				return relReplace(w.relationSource("at"), rel("employed_by", "x"))
			},
			want: []string{"relations.replaces[0] rejected relation_in_use"}, keys: vocabularyKeys,
		},
		{
			name: "a source that is not there is refused, by key and by content",
			diff: func(w *world) relations.Proposal {
				p := relReplace(rel("adore", "x"), rel("love", "x"))
				p.Relations.Replaces = append(p.Relations.Replaces, relations.RelationReplace{
					Source: rel("own", "another meaning"), Target: rel("possess", "x"),
				})
				return p
			},
			want: []string{"relations.replaces[0] rejected source_not_found", "relations.replaces[1] rejected source_not_found"},
			keys: vocabularyKeys,
		},
		{
			name: "a source in another spelling is matched loosely",
			diff: func(w *world) relations.Proposal {
				return relReplace(relations.RelationItem{Date: "2026/1/1", Key: "Own", Content: " Owns."}, rel("own", "has"))
			},
			want: []string{"relations.replaces[0] applied"}, note: "matched loosely",
		},
		{
			name: "two items on one source: the first holds",
			diff: func(w *world) relations.Proposal {
				p := relReplace(w.relationSource("own"), rel("possess", "x"))
				p.Relations.Replaces = append(p.Relations.Replaces, relations.RelationReplace{
					Source: w.relationSource("own"), Target: rel("keep", "x"),
				})
				p.Relations.Removes = []relations.RelationItem{w.relationSource("own")}
				return p
			},
			want: []string{
				"relations.replaces[0] applied", "relations.replaces[1] rejected ambiguous_source",
				"relations.removes[0] rejected ambiguous_source",
			},
			keys: []string{"at", "job_at", "owned_by", "possess", "work_at"},
		},
		{
			name: "a target without key or content, or with a bad key, is refused",
			diff: func(w *world) relations.Proposal {
				p := relReplace(w.relationSource("own"), rel("", "x"))
				for _, target := range []relations.RelationItem{rel("own", " "), rel("拥有", "x"), rel("retired", "x")} {
					p.Relations.Replaces = append(p.Relations.Replaces, relations.RelationReplace{Source: w.relationSource("own"), Target: target})
				}
				return p
			},
			want: []string{
				"relations.replaces[0] rejected missing_field", "relations.replaces[1] rejected missing_field",
				"relations.replaces[2] rejected invalid_key", "relations.replaces[3] rejected reserved_key",
			},
			keys: vocabularyKeys,
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestRelationRemoves(t *testing.T) {
	used := func(w *world) { w.memory("A", "at", "B", "A is at B.") }
	for _, c := range []vocabularyCase{
		{
			name: "an unused relation goes, and nobody names it any more",
			diff: func(w *world) relations.Proposal { return relRemove(w.relationSource("own")) },
			want: []string{"relations.removes[0] applied"}, keys: []string{"at", "job_at", "owned_by", "work_at"},
			check: func(t *testing.T, w *world, r graph.Receipt) {
				if w.relations["owned_by"].Inverse != "" {
					t.Error("owned_by names its inverse still")
				}
				if len(r.Relations.Removed) != 1 || r.Relations.Removed[0].Key != "own" {
					t.Errorf("removed: %+v", r.Relations.Removed)
				}
			},
		},
		{
			name: "a relation in use stays", setup: used,
			diff: func(w *world) relations.Proposal { return relRemove(w.relationSource("at")) },
			want: []string{"relations.removes[0] rejected relation_in_use"}, keys: vocabularyKeys, note: "1 current memory",
		},
		{
			name: "a relation goes together with its last memory", setup: used,
			diff: func(w *world) relations.Proposal {
				p := relRemove(w.relationSource("at"))
				for id := range w.memories {
					p.Memories.Removes = append(p.Memories.Removes, w.source(id))
				}
				return p
			},
			want: []string{"relations.removes[0] applied", "memories.removes[0] applied"},
			keys: []string{"job_at", "own", "owned_by", "work_at"},
		},
		{
			name: "a relation goes when its last memory moves to another", setup: used,
			diff: func(w *world) relations.Proposal {
				p := relRemove(w.relationSource("at"))
				for id := range w.memories {
					p.Memories.Replaces = append(p.Memories.Replaces, relations.MemoryReplace{
						Source: w.source(id), Target: item("A|work_at|B|A is at B."),
					})
				}
				return p
			},
			want: []string{"relations.removes[0] applied", "memories.replaces[0] applied"},
			keys: []string{"job_at", "own", "owned_by", "work_at"},
		},
		{
			name: "a relation that a new memory of the diff uses stays",
			diff: func(w *world) relations.Proposal {
				p := relRemove(w.relationSource("at"))
				p.Memories.Increments = []relations.MemoryItem{item("A|at|B|A is at B.")}
				return p
			},
			want: []string{"relations.removes[0] rejected relation_in_use", "memories.increments[0] applied"},
		},
		{
			name: "a relation whose last memory cannot go stays", setup: used,
			diff: func(w *world) relations.Proposal {
				p := relRemove(w.relationSource("at"))
				p.Memories.Removes = []relations.MemoryItem{item("A|at|B|A is not at B.")}
				return p
			},
			want: []string{"relations.removes[0] rejected relation_in_use", "memories.removes[0] rejected source_not_found"},
		},
		{
			name: "an alias names no relation to remove; twice is once",
			diff: func(w *world) relations.Proposal {
				return relRemove(rel("employed_by", ""), w.relationSource("own"), w.relationSource("own"), rel("", "x"))
			},
			want: []string{
				"relations.removes[0] rejected source_not_found", "relations.removes[1] applied",
				"relations.removes[2] duplicate", "relations.removes[3] rejected missing_field",
			},
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestRelationOfAMemory(t *testing.T) {
	inc := func(items ...relations.MemoryItem) func(*world) relations.Proposal {
		return func(*world) relations.Proposal { return increments(items...) }
	}
	for _, c := range []vocabularyCase{
		{
			name: "a relation that nobody defines is refused",
			diff: inc(item("小满|adore_cat|猫|小满喜欢猫。"), item("A|at|B|A is at B.")),
			want: []string{"memories.increments[0] rejected undefined_relation", "memories.increments[1] applied"},
			keys: vocabularyKeys, note: "unknown relation adore_cat",
		},
		{
			name: "a relation of the same diff may be used",
			diff: func(*world) relations.Proposal {
				p := increments(item("小满|adore_cat|猫|小满喜欢猫。"))
				p.Relations.Increments = []relations.RelationItem{rel("adoreCat", "loves cats")}
				return p
			},
			want: []string{"relations.increments[0] applied", "memories.increments[0] applied"},
		},
		{
			name: "a relation whose definition was refused is not there",
			diff: func(*world) relations.Proposal {
				p := increments(item("小满|adore|猫|小满喜欢猫。"))
				p.Relations.Increments = []relations.RelationItem{rel("adore", "")}
				return p
			},
			want: []string{"relations.increments[0] rejected missing_field", "memories.increments[0] rejected undefined_relation"},
		},
		{
			name: "every spelling leads to the one relation",
			diff: inc(
				item("A|Work At|B|one"), item("A|workAt|B|two"), item("A|WORK_AT|B|three"), item("A| work_at |B|four"),
				item("A|works_at|B|five"), item("A|employed-by|B|six"), item("A|就职于|B|seven"), item("A|job_at|B|eight"),
			),
			want: []string{
				"memories.increments[0] applied", "memories.increments[1] applied", "memories.increments[2] applied",
				"memories.increments[3] applied", "memories.increments[4] mapped", "memories.increments[5] mapped",
				"memories.increments[6] mapped", "memories.increments[7] mapped",
			},
			keys: vocabularyKeys,
			check: func(t *testing.T, w *world, _ graph.Receipt) {
				if got := w.contents("work_at"); len(got) != 8 {
					t.Errorf("under work_at: %q", got)
				}
			},
		},
		{
			name: "a relation that is no key is refused as such",
			diff: inc(item("A|own`]->(x) DETACH DELETE x //|B|x"), item("A|supersedes|B|x"), item("A|拥有|B|x")),
			want: []string{
				"memories.increments[0] rejected invalid_key", "memories.increments[1] rejected reserved_key",
				"memories.increments[2] rejected invalid_key",
			},
		},
		{
			name:  "a deprecated relation without a successor is still usable",
			setup: func(w *world) { w.relation(graph.Relation{Key: "old", Status: graph.RelationDeprecated}) },
			diff:  inc(item("A|old|B|x")),
			want:  []string{"memories.increments[0] applied"},
		},
		{
			name: "successors in a circle lead nowhere",
			setup: func(w *world) {
				w.relation(graph.Relation{Key: "this", Status: graph.RelationDeprecated, Successor: "that"})
				w.relation(graph.Relation{Key: "that", Status: graph.RelationDeprecated, Successor: "this"})
			},
			diff: inc(item("A|this|B|x")),
			want: []string{"memories.increments[0] applied"},
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestGovernance(t *testing.T) {
	governed := func(g graph.Governance) func(*world) { return func(w *world) { w.space.Governance = g } }
	likes := func(*world) relations.Proposal {
		p := increments(item("小满|adore|猫|小满喜欢猫。"), item("A|at|B|A is at B."))
		p.Relations.Increments = []relations.RelationItem{rel("adore", "loves")}
		return p
	}
	for _, c := range []vocabularyCase{
		{
			name: "under review a new relation and the memories that need it wait", setup: governed(graph.GovernanceReview),
			diff: likes, want: []string{"relations.increments[0] pending", "memories.increments[0] pending", "memories.increments[1] applied"},
			keys: vocabularyKeys,
		},
		{
			name: "under review renaming waits, rewording and removing do not", setup: governed(graph.GovernanceReview),
			diff: func(w *world) relations.Proposal {
				p := relReplace(w.relationSource("own"), rel("possess", "owns"))
				p.Relations.Replaces = append(p.Relations.Replaces, relations.RelationReplace{Source: w.relationSource("work_at"), Target: rel("work_at", "new")})
				p.Relations.Removes = []relations.RelationItem{w.relationSource("at")}
				p.Memories.Increments = []relations.MemoryItem{item("A|possess|B|A has B.")}
				return p
			},
			want: []string{
				"relations.replaces[0] pending", "relations.replaces[1] applied", "relations.removes[0] applied",
				"memories.increments[0] pending",
			},
			keys: []string{"job_at", "own", "owned_by", "work_at"},
		},
		{
			name: "a replace that waits leaves its source alone", setup: func(w *world) {
				governed(graph.GovernanceReview)(w)
				w.memory("A", "at", "B", "A is at B.")
			},
			diff: func(w *world) relations.Proposal {
				p := relAdd(rel("adore", "loves"))
				for id := range w.memories {
					p.Memories.Replaces = append(p.Memories.Replaces, relations.MemoryReplace{Source: w.source(id), Target: item("A|adore|B|A loves B.")})
				}
				return p
			},
			want: []string{"relations.increments[0] pending", "memories.replaces[0] pending"},
			check: func(t *testing.T, w *world, r graph.Receipt) {
				if len(w.retired) != 0 || r.Status != graph.DiffProposed {
					t.Errorf("%d retired, status %s", len(w.retired), r.Status)
				}
			},
		},
		{
			name: "closed, a new relation is the nearest or none", setup: governed(graph.GovernanceClosed),
			diff: func(*world) relations.Proposal {
				p := relAdd(rel("is_working_at", "x"), rel("worked_for", "x"), rel("adore", "x"))
				p.Memories.Increments = []relations.MemoryItem{
					item("A|is_working_at|B|one"), item("A|adore|B|two"), item("A|working_at|C|three"),
				}
				return p
			},
			want: []string{
				"relations.increments[0] mapped", "relations.increments[1] mapped",
				"relations.increments[2] rejected undefined_relation",
				"memories.increments[0] mapped", "memories.increments[1] rejected undefined_relation", "memories.increments[2] mapped",
			},
			keys: vocabularyKeys,
		},
		{
			name: "closed, a nearest that is not the only one is none", setup: func(w *world) {
				governed(graph.GovernanceClosed)(w)
				w.relation(graph.Relation{Key: "work_as"})
			},
			diff: func(*world) relations.Proposal { return increments(item("A|working_with|B|one")) },
			want: []string{"memories.increments[0] rejected undefined_relation"},
		},
		{
			name: "closed, other changes of the vocabulary wait", setup: governed(graph.GovernanceClosed),
			diff: func(w *world) relations.Proposal {
				p := relReplace(w.relationSource("own"), rel("possess", "owns"))
				p.Relations.Replaces = append(p.Relations.Replaces, relations.RelationReplace{Source: w.relationSource("work_at"), Target: rel("work_at", "new")})
				p.Relations.Removes = []relations.RelationItem{w.relationSource("at")}
				return p
			},
			want: []string{"relations.replaces[0] pending", "relations.replaces[1] pending", "relations.removes[0] pending"},
			keys: vocabularyKeys,
		},
		{
			name: "an open vocabulary guesses no more than the third person",
			diff: func(*world) relations.Proposal {
				return increments(item("A|is_working_at|B|one"), item("A|works_at|B|two"))
			},
			want: []string{"memories.increments[0] rejected undefined_relation", "memories.increments[1] mapped"},
		},
	} {
		t.Run(c.name, c.run)
	}
}
