package relata_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed lists what each package of the module may import of it: imports point
// one way, cmd → api → extractor → relations → graph → cypher.
var allowed = map[string][]string{
	"relata/cypher":                       {},
	"relata/embed":                        {},
	"relata/graph":                        {"relata/cypher"},
	"relata/migrations":                   {"relata/cypher"},
	"relata/relations":                    {"relata/graph"},
	"relata/extractor":                    {"relata/extractor/document", "relata/extractor/steps", "relata/relations", "relata/graph"},
	"relata/extractor/steps":              {},
	"relata/extractor/document":           {},
	"relata/jobs":                         {"relata/extractor", "relata/relations", "relata/graph"},
	"relata/api":                          {"relata/api/mcp", "relata/jobs", "relata/extractor", "relata/relations", "relata/graph"},
	"relata/api/mcp":                      {"relata/extractor", "relata/relations", "relata/graph"},
	"relata/internal/localdb":             {},
	"relata/internal/analyst":             {},
	"relata/sample":                       {},
	"relata/cmd/relata":                   {"relata/api", "relata/api/mcp", "relata/jobs", "relata/extractor", "relata/extractor/document", "relata/relations", "relata/graph", "relata/embed", "relata/migrations", "relata/internal/localdb", "relata/internal/analyst", "relata/internal/bench", "relata/internal/telemetry", "relata/sample"},
	"relata/internal/bench":               {"relata/extractor", "relata/relations", "relata/graph"},
	"relata/internal/telemetry":           {"relata/extractor", "relata/graph"},
	"relata/internal/testkit":             {"relata/embed", "relata/graph", "relata/migrations", "relata/internal/localdb/dbtest"},
	"relata/internal/localdb/dbtest":      {"relata/internal/localdb"},
	"relata/internal/localdb/dbtest/stop": {"relata/internal/localdb/dbtest"},
}

// owners lists who alone may import a library, test files apart.
var owners = map[string][]string{
	"github.com/labstack/echo/":           {"relata/api"},
	"github.com/neo4j/neo4j-go-driver/":   {"relata/graph", "relata/migrations", "relata/internal/bench"},
	"github.com/google/generative-ai-go/": {"relata/extractor", "relata/embed"},
	"github.com/openai/openai-go/":        {"relata/extractor", "relata/embed"},
	"github.com/alecthomas/kong":          {"relata/cmd/relata"},
	"github.com/prometheus/":              {"relata/internal/telemetry"},
	"go.opentelemetry.io/":                {"relata/internal/telemetry"},
	"github.com/modelcontextprotocol/":    {"relata/api/mcp"},
}

type listed struct {
	ImportPath string
	Imports    []string
	GoFiles    []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,GoFiles", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for dec.More() {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 {
			all = append(all, p)
		}
	}
	return all
}

func TestImportsPointOneWay(t *testing.T) {
	for _, p := range packages(t) {
		may, ok := allowed[p.ImportPath]
		if !ok {
			t.Errorf("%s has no place in the order of packages: give it one here and in docs/decisions.md", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, "relata/") && !slices.Contains(may, imp) {
				t.Errorf("%s must not import %s", p.ImportPath, imp)
			}
		}
	}
}

func TestEachLibraryHasOneOwner(t *testing.T) {
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			for library, who := range owners {
				if strings.HasPrefix(imp, library) && !slices.Contains(who, p.ImportPath) {
					t.Errorf("%s must not import %s, which belongs to %s", p.ImportPath, imp, strings.Join(who, ", "))
				}
			}
		}
	}
}

func TestOnlyCmdReadsTheEnvironment(t *testing.T) {
	out, err := exec.Command("git", "grep", "--untracked", "-nE", `os\.(Getenv|LookupEnv|Environ)\(`, "--", "*.go", ":!cmd/*", ":!*_test.go", ":!internal/localdb/dbtest/*").Output()
	if err == nil {
		t.Errorf("only cmd may read the environment:\n%s", out)
	}
}
