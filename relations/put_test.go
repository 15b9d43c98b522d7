package relations

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

func TestPutChanges(t *testing.T) {
	date := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ground := func() *graph.Ground {
		g := graph.NewGround(graph.Space{}, []graph.Relation{
			{Key: "employ", Content: "employs", Date: date, Inverse: "work_at", Status: graph.RelationActive},
			{Key: "like", Content: "likes", Date: date, Aliases: []string{"enjoy"}, Status: graph.RelationActive},
			{Key: "old", Content: "old", Date: date, Status: graph.RelationDeprecated, Successor: "like"},
			{Key: "own", Content: "owns", Date: date, Status: graph.RelationActive},
			{Key: "work_at", Content: "works at", Date: date, Inverse: "employ", Status: graph.RelationActive},
		}, nil, nil)
		g.KeysEver = 5
		return g
	}
	tests := []struct {
		name   string
		put    graph.Relation
		add    []graph.Relation
		update []graph.Relation
		code   graph.Code
		field  string
	}{
		{
			name: "a new relation, its key in any spelling", put: graph.Relation{Key: "Owned By", Content: " is owned by ", Inverse: "own", Aliases: []string{"belongs-to", "归于", "belongs_to", "Owned-By"}},
			add:    []graph.Relation{{Key: "owned_by", Content: "is owned by", Inverse: "own", Aliases: []string{"belongs_to", "归于"}, Status: graph.RelationActive}},
			update: []graph.Relation{{Key: "own", Content: "owns", Date: date, Inverse: "owned_by", Status: graph.RelationActive}},
		},
		{
			name: "an existing one gets all semantics as given and keeps its date", put: graph.Relation{Key: "like", Content: "is fond of", Functional: true},
			update: []graph.Relation{{Key: "like", Content: "is fond of", Date: date, Functional: true, Status: graph.RelationActive}},
		},
		{
			name: "taking an inverse away takes it from both", put: graph.Relation{Key: "work_at", Content: "works at"},
			update: []graph.Relation{
				{Key: "work_at", Content: "works at", Date: date, Status: graph.RelationActive},
				{Key: "employ", Content: "employs", Date: date, Status: graph.RelationActive},
			},
		},
		{
			name: "its own inverse is symmetric", put: graph.Relation{Key: "know", Content: "knows", Inverse: "know"},
			add: []graph.Relation{{Key: "know", Content: "knows", Symmetric: true, Status: graph.RelationActive}},
		},
		{
			name: "a successor makes it deprecated", put: graph.Relation{Key: "own", Content: "owns", Successor: "like"},
			update: []graph.Relation{{Key: "own", Content: "owns", Date: date, Status: graph.RelationDeprecated, Successor: "like"}},
		},
		{name: "a bad key", put: graph.Relation{Key: "拥有", Content: "x"}, code: graph.CodeInvalid, field: "key"},
		{name: "a reserved key", put: graph.Relation{Key: "aware_of", Content: "x"}, code: graph.CodeInvalid, field: "key"},
		{name: "no content", put: graph.Relation{Key: "x", Content: " "}, code: graph.CodeInvalid, field: "content"},
		{name: "an inverse that is not there", put: graph.Relation{Key: "x", Content: "x", Inverse: "y"}, code: graph.CodeInvalid, field: "inverse"},
		{name: "a successor that is not there", put: graph.Relation{Key: "x", Content: "x", Successor: "y"}, code: graph.CodeInvalid, field: "successor"},
		{name: "itself as successor", put: graph.Relation{Key: "own", Content: "x", Successor: "own"}, code: graph.CodeInvalid, field: "successor"},
		{name: "a deprecated successor", put: graph.Relation{Key: "own", Content: "x", Successor: "old"}, code: graph.CodeInvalid, field: "successor"},
		{name: "symmetric with an inverse", put: graph.Relation{Key: "own", Content: "x", Symmetric: true, Inverse: "like"}, code: graph.CodeInvalid, field: "inverse"},
		{name: "an alias that is a relation", put: graph.Relation{Key: "own", Content: "x", Aliases: []string{"Like"}}, code: graph.CodeConflict, field: "aliases[0]"},
		{name: "an alias of another relation", put: graph.Relation{Key: "own", Content: "x", Aliases: []string{"z", "enjoy"}}, code: graph.CodeConflict, field: "aliases[1]"},
		{name: "a key that is an alias", put: graph.Relation{Key: "enjoy", Content: "x"}, code: graph.CodeConflict},
		{name: "an inverse that has another", put: graph.Relation{Key: "own", Content: "x", Inverse: "work_at"}, code: graph.CodeConflict},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := putChanges(ground(), tt.put)
			if graph.ErrorCode(err) != tt.code {
				t.Fatalf("error is %v, want code %q", err, tt.code)
			}
			if err != nil {
				if e := err.(*graph.Error); tt.field != "" && !slices.ContainsFunc(e.Fields, func(f graph.Field) bool { return f.Name == tt.field }) {
					t.Errorf("fields %+v, want %s", e.Fields, tt.field)
				}
				return
			}
			if diff := cmp.Diff(tt.add, c.AddRelations); diff != "" {
				t.Errorf("added (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.update, c.UpdateRelations); diff != "" {
				t.Errorf("updated (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("the 501st key", func(t *testing.T) {
		g := ground()
		g.KeysEver = MaxKeysEver
		if _, err := putChanges(g, graph.Relation{Key: "x", Content: "x"}); graph.ErrorCode(err) != graph.CodeVocabularyFull {
			t.Errorf("error is %v", err)
		}
		if _, err := putChanges(g, graph.Relation{Key: "own", Content: "x"}); err != nil {
			t.Errorf("an existing key is refused: %v", err)
		}
	})
}

func TestSeedRelations(t *testing.T) {
	rels := Core("en", time.Time{})
	g := graph.NewGround(graph.Space{}, []graph.Relation{
		{Key: "like", Content: "mine"}, {Key: "job", Content: "mine", Aliases: []string{"work_at"}}, {Key: "fond_of", Content: "mine"},
	}, nil, nil)
	seeded := seedRelations(g, rels)
	if len(seeded) != len(rels)-2 {
		t.Errorf("%d of %d seeded", len(seeded), len(rels))
	}
	for _, r := range seeded {
		switch {
		case r.Key == "like", r.Key == "work_at":
			t.Errorf("%s was seeded over what is there", r.Key)
		case r.Key == "employ" && r.Inverse != "":
			t.Errorf("employ names %s, which is not there", r.Inverse)
		}
	}
	again := seedRelations(graph.NewGround(graph.Space{}, seeded, nil, nil), rels)
	if len(again) != 2 {
		t.Errorf("seeding again adds %d", len(again))
	}
}
