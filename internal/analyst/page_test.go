package analyst_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/internal/analyst"
)

var update = flag.Bool("update", false, "write the results and the list of queries into docs/analysts.md")

const page = "../../docs/analysts.md"

var marked = regexp.MustCompile(`(?s)(<!-- (result|queries) ?([a-z0-9_]*) ?([a-z_ ]*) ?-->\n)(.*?)(<!-- end -->)`)

// checkPage holds what stands between the marks of the page against what the
// queries gave: `<!-- result NAME COLUMNS -->` a result, with the columns named,
// `<!-- queries -->` the list of all.
func checkPage(t *testing.T, results map[string]answer) {
	t.Helper()
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	want := marked.ReplaceAllStringFunc(string(raw), func(part string) string {
		m := marked.FindStringSubmatch(part)
		n++
		if m[2] == "queries" {
			return m[1] + "\n" + list() + "\n" + m[6]
		}
		a, ok := results[m[3]]
		if !ok {
			t.Errorf("%s shows the result of %s, which is no query", page, m[3])
		}
		return m[1] + "\n" + table(strings.Fields(m[4]), a) + "\n" + m[6]
	})
	if n < 4 {
		t.Errorf("%s has %d marked parts", page, n)
	}
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("%s differs from what the queries give (-want +page): run the test with -update\n%s", page, diff)
	}
}

func table(columns []string, a answer) string {
	var s strings.Builder
	fmt.Fprintf(&s, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for _, row := range a.rows {
		for _, c := range columns {
			fmt.Fprintf(&s, "| %s ", strings.ReplaceAll(cell(row[c]), "|", `\|`))
		}
		s.WriteString("|\n")
	}
	return s.String()
}

func list() string {
	var s strings.Builder
	group := ""
	for _, q := range analyst.Queries() {
		if q.Group != group {
			group = q.Group
			fmt.Fprintf(&s, "\n**%s**\n\n| query | what it promises |\n|---|---|\n", group)
		}
		about, change, _ := strings.Cut(q.About, " Change: ")
		fmt.Fprintf(&s, "| [%s](../internal/analyst/queries/%s.cypher) | %s *Change: %s* |\n", q.Title, q.Name,
			strings.ReplaceAll(about, "|", `\|`), strings.ReplaceAll(change, "|", `\|`))
	}
	return strings.TrimPrefix(s.String(), "\n")
}
