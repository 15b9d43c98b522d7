package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"relata/extractor"
	"relata/graph"
	"relata/internal/testkit"
)

// allLines gives the lines of a space, but for the ledger's entries of imports.
func allLines(t *testing.T, a *app, space string) []any {
	t.Helper()
	var out []any
	err := a.store.Export(t.Context(), space, func(line any) error {
		if d, ok := line.(graph.DiffLine); !ok || d.By != "cli" {
			out = append(out, line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// historyOf gives each memory's history by contents.
func historyOf(t *testing.T, a *app, space string) map[string][]string {
	t.Helper()
	out := make(map[string][]string)
	for _, m := range append(allMemories(t, a, space, false), allMemories(t, a, space, true)...) {
		versions, err := a.store.History(t.Context(), space, m.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, v := range versions {
			texts = append(texts, v.Content+" "+dateText(v.Date)+" "+dateText(v.RetiredAt))
		}
		out[m.Subject+" "+m.Relation+" "+m.Object+" "+m.Content+" "+dateText(m.Date)] = texts
	}
	return out
}

func TestTheSampleWorldGoesIntoAnotherSpace(t *testing.T) {
	a := sampleApp(t, answers(t))
	from := sampleSpace(t, a)
	batches, err := sampleSessions(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if _, err := a.extractor.Ingest(t.Context(), b, extractor.IngestOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "world.jsonl")
	var told bytes.Buffer
	std := streams{out: &told, err: &told}
	if err := (&exportCmd{Space: from, File: file}).export(t.Context(), a.store, std); err != nil {
		t.Fatal(err)
	}
	to := testkit.Space(t, a.store, graph.Space{})
	imports := importCmd{Space: to, Files: []string{file}}
	if err := imports.imports(t.Context(), a.store, std); err != nil {
		t.Fatalf("%v\n%s", err, told.String())
	}
	if diff := gocmp.Diff(stateOf(t, a, from), stateOf(t, a, to)); diff != "" {
		t.Errorf("state (-exported +imported)\n%s", diff)
	}
	if diff := gocmp.Diff(historyOf(t, a, from), historyOf(t, a, to)); diff != "" {
		t.Errorf("history (-exported +imported)\n%s", diff)
	}
	// Everything else, awareness included, but for ids.
	ids := gocmp.Options{
		cmpopts.IgnoreFields(graph.SpaceLine{}, "Name"), cmpopts.IgnoreFields(graph.MemoryLine{}, "Key", "Supersedes"),
		cmpopts.IgnoreFields(graph.DiffLine{}, "ID"), cmpopts.IgnoreFields(graph.DiffItem{}, "Memory", "Old"),
		// In order of ids, which the file's order of entities gave anew.
		cmpopts.SortSlices(func(a, b graph.AwareLine) bool { return a.Name < b.Name }),
	}
	if diff := gocmp.Diff(allLines(t, a, from), allLines(t, a, to), ids); diff != "" {
		t.Errorf("lines (-exported +imported)\n%s", diff)
	}

	before := allLines(t, a, to)
	version, err := a.store.Space(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	told.Reset()
	if err := imports.imports(t.Context(), a.store, std); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), " 0 memories, 0 relations, 0 personas, 0 entities, 0 sources, 0 diffs new;") {
		t.Errorf("the second import: %s", told.String())
	}
	if diff := gocmp.Diff(before, allLines(t, a, to)); diff != "" {
		t.Errorf("the second import changed something\n%s", diff)
	}
	if again, err := a.store.Space(t.Context(), to); err != nil || again.Version != version.Version {
		t.Errorf("version %d, was %d: %v", again.Version, version.Version, err)
	}
}

func TestAnImportTellsBadLinesAndMakesASpaceOnlyWhenAsked(t *testing.T) {
	a := &app{store: testkit.Store(t)}
	space := testkit.Space(t, a.store, graph.Space{})
	file := filepath.Join(t.TempDir(), "plain.jsonl")
	lines := `{"subject":"Maya","relation":"likes","object":"tea","content":"Maya likes tea."}` + "\n{\n"
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	std := streams{out: &out, err: &out}
	cmd := importCmd{Space: space, Files: []string{file}}
	err := cmd.imports(t.Context(), a.store, std)
	if err == nil || !strings.Contains(err.Error(), "1 lines did not go in") || !strings.Contains(out.String(), "line 2: the line is not valid JSON") || !strings.Contains(out.String(), " 1 memories") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if _, err := a.store.DeleteSpace(t.Context(), space); err != nil {
		t.Fatal(err)
	}
	if err := cmd.imports(t.Context(), a.store, std); graph.ErrorCode(err) != graph.CodeNotFound {
		t.Errorf("a space that does not exist: %v", err)
	}
	cmd.Create = true
	out.Reset()
	if err := cmd.imports(t.Context(), a.store, std); err == nil || !strings.Contains(out.String(), " 1 memories") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
