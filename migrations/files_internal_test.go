package migrations

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestLoad(t *testing.T) {
	const one = "// why\nCREATE A;\n\nCREATE B\n  FOR x;\n"
	tests := []struct {
		name  string
		files map[string]string
		want  [][]string // statements of each migration
		err   string
	}{
		{"in order, comments dropped", map[string]string{"V002__b.cypher": "CREATE C;\n", "V001__a.cypher": one}, [][]string{{"CREATE A", "CREATE B\nFOR x"}, {"CREATE C"}}, ""},
		{"a last statement needs no semicolon", map[string]string{"V001__a.cypher": "CREATE A"}, [][]string{{"CREATE A"}}, ""},
		{"a semicolon within a line ends nothing", map[string]string{"V001__a.cypher": "CREATE 'a;b' x;\n"}, [][]string{{"CREATE 'a;b' x"}}, ""},
		{"a gap", map[string]string{"V001__a.cypher": one, "V003__c.cypher": one}, nil, "expected version 2"},
		{"a version twice", map[string]string{"V001__a.cypher": one, "V001__b.cypher": one}, nil, "expected version 2"},
		{"a wrong name", map[string]string{"V1_a.cypher": one}, nil, "must be like"},
		{"nothing in it", map[string]string{"V001__a.cypher": "// only words\n"}, nil, "no statement"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for name, text := range tt.files {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
			list, err := load(fsys)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("the error is %v, want one that says %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got [][]string
			for _, m := range list {
				got = append(got, m.Statements)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("statements (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEmbeddedFilesAreWhole(t *testing.T) {
	list, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		for _, st := range m.Statements {
			// A migration that was cut off runs again from its start: so each makes
			// only what is not there, drops only what is, or sets what does not hang on
			// the old value.
			twice := strings.Contains(st, "IF NOT EXISTS") || strings.HasPrefix(st, "MATCH") && strings.Contains(st, "SET") ||
				strings.HasPrefix(st, "DROP INDEX") && strings.HasSuffix(st, "IF EXISTS")
			if !twice {
				t.Errorf("%s: a statement that cannot run twice: %s", m.Name(), st)
			}
		}
	}
}
