package analyst_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/internal/analyst"
)

func TestQueriesKeepWhatTheyPromise(t *testing.T) {
	w := settle(t)
	queries := analyst.Queries()
	if len(queries) != len(promises) {
		t.Errorf("%d queries, promises of %d", len(queries), len(promises))
	}
	results := make(map[string]answer)
	for _, q := range queries {
		t.Run(q.Name, func(t *testing.T) {
			want, ok := promises[q.Name]
			if !ok {
				t.Fatal("no promise of this query is checked: add one to promises")
			}
			got := w.run(t, w.space, q.Text)
			results[q.Name] = got
			if diff := cmp.Diff(strings.Fields(want.columns), got.columns); diff != "" {
				t.Errorf("columns (-want +got):\n%s", diff)
			}
			if len(got.rows) == 0 {
				t.Fatal("it gives nothing")
			}
			want.holds(t, got)
			checkSpace(t, got, w.space)
			if nothing := w.run(t, "no-such-space", q.Text); len(nothing.rows) > 0 {
				t.Errorf("in a space that does not exist it gives %v", nothing.rows[0])
			}
			plan := w.run(t, w.space, "EXPLAIN "+q.Text).summary
			if plan.StatementType() != neo4j.StatementTypeReadOnly {
				t.Errorf("it writes: type %v", plan.StatementType())
			}
			checkPlan(t, plan.Plan())
		})
	}
	if !t.Failed() {
		checkPage(t, results)
	}
}

func TestQueriesAreWrittenAlike(t *testing.T) {
	for _, q := range analyst.Queries() {
		var code []string
		for line := range strings.Lines(q.Text) {
			if !strings.HasPrefix(line, "//") {
				code = append(code, line)
			}
		}
		if !strings.HasPrefix(code[0], "WITH '"+demoSpace+"' AS space") {
			t.Errorf("%s begins with %q, not with a WITH of the space", q.Name, code[0])
		}
		if n := strings.Count(q.Text, demoSpace); n != 1 {
			t.Errorf("%s names the space %d times", q.Name, n)
		}
		if !strings.Contains(q.Text, "LIMIT ") {
			t.Errorf("%s has no limit", q.Name)
		}
		if !strings.Contains(q.About, "Change: space") {
			t.Errorf("%s does not say what to change", q.Name)
		}
		if strings.ContainsAny(strings.Join(code, ""), "$;") {
			t.Errorf("%s has a parameter or more than one statement", q.Name)
		}
		if len(q.Title) > 26 {
			t.Errorf("%s: Browser's list has no room for %q", q.Name, q.Title)
		}
	}
}

// checkPlan wants each part of a plan to begin at an index.
func checkPlan(t *testing.T, p neo4j.Plan) {
	t.Helper()
	name, _, _ := strings.Cut(p.Operator(), "@")
	if strings.Contains(name, "AllNodesScan") || strings.Contains(name, "LabelScan") || strings.Contains(name, "LabelsScan") || strings.Contains(name, "RelationshipTypeScan") || strings.Contains(name, "AllRelationshipsScan") {
		t.Errorf("the plan reads more than it needs: %s %v", name, p.Arguments()["Details"])
	}
	for _, child := range p.Children() {
		checkPlan(t, child)
	}
}

// checkSpace wants everything in a picture to be of the space.
func checkSpace(t *testing.T, a answer, space string) {
	t.Helper()
	nodes, _ := picture(a)
	for _, n := range nodes {
		if n.Props["space"] != space {
			t.Errorf("a node of another space: %v %v", n.Labels, n.Props["space"])
		}
	}
}

// picture gives the nodes and the types of the relationships of all paths.
func picture(a answer) (nodes []neo4j.Node, types []string) {
	for _, row := range a.rows {
		for _, v := range row {
			path, ok := v.(neo4j.Path)
			if !ok {
				continue
			}
			nodes = append(nodes, path.Nodes...)
			for _, r := range path.Relationships {
				types = append(types, r.Type)
			}
		}
	}
	slices.Sort(types)
	return nodes, slices.Compact(types)
}

// cell writes a value as the page does; lists are sorted, as nothing promises
// their order.
func cell(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case []any:
		out := make([]string, len(x))
		for i, e := range x {
			out[i] = cell(e)
		}
		slices.Sort(out)
		return strings.Join(out, ", ")
	}
	return fmt.Sprint(v)
}

// shows wants a picture to have nodes with these names, contents or message
// numbers, and relationships of these types.
func shows(texts []string, types ...string) func(*testing.T, answer) {
	return func(t *testing.T, a answer) {
		t.Helper()
		nodes, got := picture(a)
		for _, text := range texts {
			if !slices.ContainsFunc(nodes, func(n neo4j.Node) bool {
				return n.Props["name"] == text || n.Props["session"] == text || strings.Contains(cell(n.Props["content"]), text) || cell(n.Props["source_id"]) == text
			}) {
				t.Errorf("the picture does not show %s", text)
			}
		}
		for _, typ := range types {
			if !slices.Contains(got, typ) {
				t.Errorf("the picture has no %s: %v", typ, got)
			}
		}
	}
}

// row is a part of a row: what some columns hold; of long texts, a part.
type row map[string]string

func (r row) in(a answer) bool {
	return slices.ContainsFunc(a.rows, func(got map[string]any) bool {
		for column, want := range r {
			value, ok := got[column]
			if text := cell(value); !ok || text != want && !(long(column) && want != "" && strings.Contains(text, want)) {
				return false
			}
		}
		return true
	})
}

func long(column string) bool {
	return slices.Contains([]string{"memory", "words", "text", "secret", "believes", "instead_of", "newest", "holds", "retired", "memories", "meaning"}, column)
}

// has wants all these rows in the answer.
func has(rows ...row) func(*testing.T, answer) {
	return func(t *testing.T, a answer) {
		t.Helper()
		for _, r := range rows {
			if !r.in(a) {
				t.Errorf("no row like %v", r)
			}
		}
	}
}

// lacks wants none of these rows.
func lacks(rows ...row) func(*testing.T, answer) {
	return func(t *testing.T, a answer) {
		t.Helper()
		for _, r := range rows {
			if r.in(a) {
				t.Errorf("a row like %v", r)
			}
		}
	}
}

// first wants the first row to be like this.
func first(r row) func(*testing.T, answer) {
	return func(t *testing.T, a answer) {
		t.Helper()
		if !r.in(answer{rows: a.rows[:1]}) {
			t.Errorf("the first row is %v, want one like %v", a.rows[0], r)
		}
	}
}

// count wants that many rows.
func count(n int) func(*testing.T, answer) {
	return func(t *testing.T, a answer) {
		t.Helper()
		if len(a.rows) != n {
			t.Errorf("%d rows, want %d", len(a.rows), n)
		}
	}
}

func all(checks ...func(*testing.T, answer)) func(*testing.T, answer) {
	return func(t *testing.T, a answer) {
		t.Helper()
		for _, check := range checks {
			check(t, a)
		}
	}
}
