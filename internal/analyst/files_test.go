package analyst_test

import (
	"archive/zip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"relata/graph"
	"relata/internal/analyst"
)

func TestWritePutsTheFilesIntoAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "browser")
	own := filepath.Join(dir, "queries", "mine.cypher")
	for range 2 { // a second time it writes them anew
		paths, err := analyst.Write(dir)
		if err != nil {
			t.Fatal(err)
		}
		if want := 3 + len(analyst.Queries()); len(paths) != want {
			t.Errorf("%d files, want %d", len(paths), want)
		}
		for _, p := range paths {
			info, err := os.Stat(p)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o644 || info.Size() == 0 {
				t.Errorf("%s has mode %v and %d bytes", p, info.Mode(), info.Size())
			}
		}
		if err := os.WriteFile(own, []byte("RETURN 1"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(own); err != nil {
		t.Error("a query of the analyst's own is gone")
	}
	if _, err := analyst.Write(own); err == nil {
		t.Error("a file in the way of the folder is no error")
	}
}

func TestArchiveHasAFolderForEachGroup(t *testing.T) {
	dir := t.TempDir()
	if _, err := analyst.Write(dir); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.OpenReader(filepath.Join(dir, analyst.QueriesFile))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	queries := analyst.Queries()
	if len(archive.File) != len(queries) {
		t.Fatalf("%d files, want %d", len(archive.File), len(queries))
	}
	for i, q := range queries {
		f := archive.File[i]
		if want := "Relata - " + q.Group + "/" + q.Name + ".cypher"; f.Name != want {
			t.Errorf("file %d is %s, want %s", i, f.Name, want)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "// "+q.Title+"\n") {
			t.Errorf("%s: Browser would list it as %.40q", f.Name, text)
		}
	}
}

func TestBrowserMayLoadTheGuideFromAnotherOrigin(t *testing.T) {
	handler, err := analyst.Handler()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Origin", "http://127.0.0.1:7474")
		if method == http.MethodOptions {
			r.Header.Set("Access-Control-Request-Method", "GET")
			r.Header.Set("Access-Control-Request-Headers", "cache-control,pragma,sentry-trace")
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	tests := []struct {
		name, method, path string
		status             int
		header, value      string
	}{
		{"the question before", "OPTIONS", "/guide.html", 204, "Access-Control-Allow-Headers", "*"},
		{"the guide", "GET", "/guide.html", 200, "Content-Type", "text/html; charset=utf-8"},
		{"the style", "GET", "/style.grass", 200, "Access-Control-Allow-Origin", "*"},
		{"a query", "GET", "/queries/18_shortest_path.cypher", 200, "Access-Control-Allow-Origin", "*"},
		{"what is not there", "GET", "/queries/", 404, "", ""},
		{"no writing", "PUT", "/guide.html", 405, "", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			w := ask(tc.method, tc.path)
			if w.Code != tc.status || w.Header().Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("status %d, headers %v", w.Code, w.Header())
			}
			if tc.header != "" && w.Header().Get(tc.header) != tc.value {
				t.Errorf("%s is %q, want %q", tc.header, w.Header().Get(tc.header), tc.value)
			}
		})
	}
	guide := ask("GET", "/guide.html").Body.String()
	if n := strings.Count(guide, "<slide>"); n != 6 {
		t.Errorf("the guide has %d slides, want 6", n)
	}
	if n := strings.Count(guide, `code runnable`); n != len(analyst.Queries()) {
		t.Errorf("the guide has %d queries to click", n)
	}
}

// Browser's reader of styles knows no comments, splits a line at colons and
// drops it if there is more than one.
func TestStyleSaysWhatTheGraphHolds(t *testing.T) {
	style := read(t, "style.grass")
	schema := read(t, path.Join("..", "..", "docs", "schema.md"))
	rule := regexp.MustCompile(`(?s)([^{}]+?)\s*\{\n(.*?)\n\}`)
	rules := rule.FindAllStringSubmatch(style, -1)
	if left := strings.TrimSpace(rule.ReplaceAllString(style, "")); left != "" {
		t.Errorf("what is no rule: %q", left)
	}
	property := regexp.MustCompile(`\{(\w+)\}`)
	for _, m := range rules {
		selector, body := strings.TrimSpace(m[1]), m[2]
		kind, names, _ := strings.Cut(selector, ".")
		if kind != "node" && kind != "relationship" {
			t.Errorf("no such selector: %q", selector)
		}
		for name := range strings.SplitSeq(names, ".") {
			switch {
			case name == "":
			case kind == "relationship" && !graph.IsStructuralType(name):
				t.Errorf("%s is none of the structural types", name)
			case !regexp.MustCompile(`\b` + name + `\b`).MatchString(schema):
				t.Errorf("docs/schema.md knows no %s", name)
			}
		}
		for line := range strings.Lines(body) {
			if strings.Count(line, ":") != 1 || !strings.HasSuffix(strings.TrimSpace(line), ";") {
				t.Errorf("%s: Browser would drop %q", selector, line)
			}
		}
		for _, p := range property.FindAllStringSubmatch(body, -1) {
			if !strings.Contains(schema, "`"+p[1]+"`") {
				t.Errorf("%s: docs/schema.md knows no property %s", selector, p[1])
			}
		}
	}
	for _, want := range []string{"node.Entity {", "node.Persona {", "node.Memory {", "node.Retired {", "node.Source {", "node.Relation {", "node.Diff {", "caption: '<type>'"} {
		if !strings.Contains(style, want) {
			t.Errorf("the style lacks %s", want)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
