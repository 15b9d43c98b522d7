package cypher_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
	"relata/internal/testkit"
)

var param = regexp.MustCompile(`\$([a-z_0-9]+)`)

func TestHeaderNamesTheParameters(t *testing.T) {
	for _, name := range cypher.Names() {
		t.Run(name, func(t *testing.T) {
			var params, returns string
			for _, line := range cypher.Header(name) {
				if text, ok := strings.CutPrefix(line, "Params: "); ok {
					params = text
				}
				if text, ok := strings.CutPrefix(line, "Returns: "); ok {
					returns = text
				}
			}
			if params == "" || returns == "" {
				t.Fatal("the header lacks a Params or a Returns line")
			}
			if diff := cmp.Diff(paramsOf(params), paramsOf(cypher.Load(name).Text)); diff != "" {
				t.Errorf("header against text (-header +text):\n%s", diff)
			}
		})
	}
}

func TestOneStatementPerFile(t *testing.T) {
	for _, name := range cypher.Names() {
		if strings.Contains(cypher.Load(name).Text, ";") {
			t.Errorf("%s: a file holds one statement, without a semicolon", name)
		}
	}
}

func TestEachFileIsLoadedOnce(t *testing.T) {
	out, err := exec.Command("git", "grep", "-hoE", "--untracked", `cypher\.Load\("[a-z_0-9]+"\)`, "--", "..", ":!*_test.go").Output()
	if err != nil {
		t.Fatalf("list the loads: %v", err)
	}
	loads := strings.Fields(string(out))
	for _, name := range cypher.Names() {
		n := 0
		for _, l := range loads {
			if l == `cypher.Load("`+name+`")` {
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s is loaded nowhere: delete it", name)
		}
	}
}

func TestEveryStatementIsUnderstoodByTheServer(t *testing.T) {
	driver := testkit.Store(t).Driver()
	for _, name := range cypher.Names() {
		t.Run(name, func(t *testing.T) {
			st := cypher.Load(name)
			if strings.Contains(st.Text, "SHOW INDEXES") {
				return // the server explains no SHOW command
			}
			params := make(map[string]any)
			for _, p := range paramsOf(st.Text) {
				params[p] = nil
			}
			explain := strings.Replace(st.Text, "CYPHER 25\n", "CYPHER 25 EXPLAIN ", 1)
			_, err := neo4j.ExecuteQuery(t.Context(), driver, explain, params, neo4j.EagerResultTransformer)
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func paramsOf(text string) []string {
	var out []string
	for _, m := range param.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}
