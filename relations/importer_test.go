package relations_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"relata/graph"
	"relata/internal/testkit"
	"relata/relations"
)

// importLines imports lines and gives the report.
func importLines(t *testing.T, store *graph.Store, space string, lines ...string) relations.ImportReport {
	t.Helper()
	im := relations.NewImporter(relations.ImporterOptions{Store: store})
	report, err := im.Import(t.Context(), relations.ImportRequest{Space: space, Lines: strings.NewReader(strings.Join(lines, "\n")), By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// exported gives the lines of a space.
func exported(t *testing.T, store *graph.Store, space string) []any {
	t.Helper()
	var out []any
	err := store.Export(t.Context(), space, func(line any) error {
		out = append(out, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// memoriesOf gives the memory lines without their keys.
func memoriesOf(t *testing.T, store *graph.Store, space string) []graph.MemoryLine {
	t.Helper()
	var out []graph.MemoryLine
	for _, l := range exported(t, store, space) {
		if m, ok := l.(graph.MemoryLine); ok {
			out = append(out, m)
		}
	}
	return out
}

// tally gives those counts of a report that tests look at.
func tally(r relations.ImportReport) map[string]int {
	out := map[string]int{
		"spaces": r.Spaces, "personas": r.Personas, "relations": r.Relations, "entities": r.Entities, "sources": r.Sources,
		"memories": r.Memories, "diffs": r.Diffs, "duplicates": r.Duplicates, "failed": r.Failed, "missing": r.MissingSources,
	}
	for k, n := range out {
		if n == 0 {
			delete(out, k)
		}
	}
	return out
}

func TestPlainMemoryLines(t *testing.T) {
	store := testkit.Store(t)
	space := testkit.Space(t, store, graph.Space{Timezone: "Asia/Shanghai", Governance: graph.GovernanceClosed})
	lines := []string{
		`{"space": "other", "subject": "阿岩", "relation": "worksAt", "object": "海港咖啡", "content": "阿岩在海港咖啡上班。", "date": "2026-03-01 08:00:00", "msg_ids": [1, 2], "index0": "profile", "index1": "other", "key": "a/1"}`,
		`{"subject": "Maya", "relation": "works_at", "object": "Northwind", "content": "Maya works at Northwind.", "date": "2026-03-02"}`,
		``,
		`{"type":"relation","key":"works_at","content":"在…上班","date":"2026-01-01","functional":true}`,
	}
	first := importLines(t, store, space, lines...)
	if diff := cmp.Diff(map[string]int{"memories": 2, "relations": 1, "missing": 2}, tally(first)); diff != "" || len(first.Errors) > 0 {
		t.Errorf("%s %v", diff, first.Errors)
	}
	got := memoriesOf(t, store, space)
	want := []graph.MemoryLine{
		{Type: "memory", Subject: "阿岩", Relation: "works_at", Object: "海港咖啡", Content: "阿岩在海港咖啡上班。", Date: "2026-03-01 08:00:00", Index0: "人物画像", Index1: "other"},
		{Type: "memory", Subject: "Maya", Relation: "works_at", Object: "Northwind", Content: "Maya works at Northwind.", Date: "2026-03-02 00:00:00", Index0: "百科知识", Index1: "其他"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(graph.MemoryLine{}, "Key"), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	rels, err := store.Relations(t.Context(), space, "")
	if err != nil || len(rels) != 1 || rels[0].Content != "在…上班" || !rels[0].Functional || rels[0].Uses != 2 {
		t.Errorf("%v %+v", err, rels)
	}
	before := exported(t, store, space)
	second := importLines(t, store, space, lines...)
	if diff := cmp.Diff(map[string]int{"duplicates": 3}, tally(second)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, exported(t, store, space)); diff != "" {
		t.Errorf("the second import changed something:\n%s", diff)
	}
}

func TestBadLinesAreReportedAndTheOthersGoIn(t *testing.T) {
	store := testkit.Store(t)
	space := testkit.Space(t, store, graph.Space{})
	good := func(n int) string {
		return fmt.Sprintf(`{"subject":"s%d","relation":"likes","object":"o","content":"fact number %d"}`, n, n)
	}
	report := importLines(t, store, space,
		"\ufeff"+good(1),
		`{"subject":"s","relation":"likes","content":"no object"}`,
		`{"subject":`,
		`[1]`,
		`{"type":"verse"}`,
		`{"subject":"s","relation":"喜欢","object":"o","content":"c"}`,
		`{"subject":"s","relation":"added","object":"o","content":"c"}`,
		`{"subject":"s","relation":"likes","object":"o","content":"c","date":"2026-02-30"}`,
		`{"subject":"s","relation":"likes","object":"o","content":"c","index0":"weather"}`,
		`{"subject":"s","relation":"likes","object":"o","content":"`+strings.Repeat("长", 9000)+`"}`,
		"{\"subject\":\"\xff\"}",
		`{"type":"source","session":"s","content":"no id"}`,
		`{"type":"source","id":7,"session":"s","content":"one"}`,
		`{"type":"source","id":7,"session":"s","content":"another"}`,
		`{"subject":"s","relation":"likes","object":"o","content":"`+strings.Repeat("x", relations.MaxLineBytes)+`"}`,
		`{"subject":"s15","relation":"likes","object":"o","content":"known","known_by":["Nobody"],"msg_ids":["x"]}`,
		`{"subject":"s16","relation":"likes","object":"o","content":"known","known_by":["Nobody"]}`,
		good(2),
	)
	if diff := cmp.Diff(map[string]int{"memories": 3, "relations": 1, "sources": 1, "failed": 14}, tally(report)); diff != "" {
		t.Error(diff)
	}
	var lines []int
	for _, e := range report.Errors {
		lines = append(lines, e.Line)
	}
	if diff := cmp.Diff([]int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17}, lines); diff != "" {
		t.Errorf("%s\n%v", diff, report.Errors)
	}
}

func TestSupersedesMayNameALineBeforeOrAfter(t *testing.T) {
	old := `{"key":"old","subject":"阿岩","relation":"rest_on","object":"周三","content":"阿岩周三轮休","date":"2026-03-01"}`
	now := `{"key":"new","subject":"阿岩","relation":"rest_on","object":"周四","content":"阿岩周四轮休","date":"2026-03-03","supersedes":"old"}`
	again := `{"subject":"阿岩","relation":"rest_on","object":"周三","content":"阿岩周三轮休","date":"2026-03-05"}`
	far := []string{}
	for i := range relations.ImportBatch {
		far = append(far, fmt.Sprintf(`{"subject":"f%d","relation":"fills","object":"o","content":"filler %d"}`, i, i))
	}
	store := testkit.Store(t)
	for name, lines := range map[string][]string{
		"before": {old, now, again}, "after": {now, old, again},
		"batches before": slices.Concat([]string{old}, far, []string{now, again}),
		"batches after":  slices.Concat([]string{now}, far, []string{old, again}),
	} {
		t.Run(name, func(t *testing.T) {
			space := testkit.Space(t, store, graph.Space{})
			if report := importLines(t, store, space, lines...); len(report.Errors) > 0 || report.Failed+report.Duplicates > 0 {
				t.Fatalf("%+v", report)
			}
			check := func() {
				var got []string
				keys := make(map[string]string)
				all := memoriesOf(t, store, space)
				for _, m := range all {
					keys[m.Key] = m.Date
				}
				for _, m := range all {
					if m.Relation == "rest_on" {
						line := m.Content + " " + m.Date[:10]
						if m.RetiredAt != "" {
							line += " until " + m.RetiredAt[:10] + " " + m.RetiredBy
						}
						for _, s := range m.Supersedes {
							line += " after " + keys[s][:10]
						}
						got = append(got, line)
					}
				}
				slices.Sort(got)
				want := []string{"阿岩周三轮休 2026-03-01 until 2026-03-03 replace", "阿岩周三轮休 2026-03-05", "阿岩周四轮休 2026-03-03 after 2026-03-01"}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
			check()
			before := exported(t, store, space)
			second := importLines(t, store, space, lines...)
			if second.Duplicates != len(lines) || second.Memories != 0 {
				t.Errorf("%+v", second)
			}
			check()
			if diff := cmp.Diff(before, exported(t, store, space)); diff != "" {
				t.Errorf("the second import changed something:\n%s", diff)
			}
		})
	}
	space := testkit.Space(t, store, graph.Space{})
	if report := importLines(t, store, space, now); len(report.Errors) != 1 || !strings.Contains(report.Errors[0].Message, "no line has") || report.Memories != 1 {
		t.Errorf("%+v", report)
	}
}

func TestEverythingOfASpaceComesBack(t *testing.T) {
	lines := []string{
		`{"type":"space","name":"x","timezone":"Europe/Lisbon","language":"en","governance":"review","writer_sees":"present"}`,
		`{"type":"persona","name":"Lumen","aliases":["Lu"],"owner":"Maya","owner_aliases":["May"],"voice":"dry"}`,
		`{"type":"persona","name":"Echo"}`,
		`{"type":"relation","key":"job","content":"had a job","date":"2026-01-01 00:00:00","status":"deprecated","successor":"job_at"}`,
		`{"type":"relation","key":"job_at","content":"has a job","date":"2026-01-02 00:00:00","status":"deprecated","successor":"work_at"}`,
		`{"type":"relation","key":"parent_of","content":"is a parent of","date":"2026-01-03 00:00:00","inverse":"child_of"}`,
		`{"type":"relation","key":"child_of","content":"is a child of","date":"2026-01-04 00:00:00","inverse":"parent_of"}`,
		`{"type":"relation","key":"work_at","content":"works at","date":"2026-01-05 00:00:00","functional":true,"aliases":["employed_by"]}`,
		`{"type":"relation","key":"sibling_of","content":"is a sibling of","date":"2026-01-06 00:00:00","symmetric":true,"status":"pending"}`,
		`{"type":"entity","name":"Northwind","aliases":["NW"],"kind":"company"}`,
		`{"type":"entity","name":"NW Ltd"}`,
		`{"type":"source","id":1,"source_id":"m1","kind":"message","session":"s1","date":"2026-10-25 01:30:00+00:00","role":"assistant","speaker":"Lumen","content":"well","tool_calls":[{"id":"t","function":"f","arguments":"{}"}],"present":["Lumen"]}`,
		`{"type":"source","id":2,"source_id":"guide.md#1","kind":"chunk","session":"s2","content":"chapter"}`,
		`{"type":"memory","key":"1","subject":"Maya","relation":"work_at","object":"NW","object_entity":"Northwind","content":"Maya works at NW.","date":"2026-02-01 10:00:00","index0":"人物画像","index1":"owner","tags":["job"],"msg_ids":[1,2],"known_by":["Lumen"],"event_date":"2026-01","retired_at":"2026-02-02 10:00:00","retired_by":"replace","title":"Job","memory_type":"UserMemory","persona":"Lumen","session":"s1","aware":[{"name":"Lumen","since":"2026-02-01 10:00:00","how":"told","by":"Maya","msg_ids":[1]},{"name":"Rui","how":"present"}]}`,
		`{"type":"memory","key":"2","subject":"Maya","relation":"job","object":"nw","content":"Maya has the job.","date":"2026-02-02 10:00:00","index0":"人物画像","index1":"owner","object_entity":"NW Ltd","supersedes":"1"}`,
		`{"type":"diff","id":9,"status":"applied","session":"s1","persona":"Lumen","present":["Lumen"],"by":"k","key":"once","date":"2026-02-02 10:00:00","created_at":"2026-02-02T10:00:00.123456Z","prompt_version":"v1","usage":{"model":"m","input_tokens":1,"output_tokens":2,"calls":3,"milliseconds":4},"truncated":true,"items":[{"item":"memories.replaces[0]","outcome":"applied","action":"replace","memory":2,"old":1}],"held":"{}"}`,
	}
	store := testkit.Store(t)
	a, b := testkit.Space(t, store, graph.Space{}), testkit.Space(t, store, graph.Space{})
	report := importLines(t, store, a, lines...)
	want := map[string]int{"spaces": 1, "personas": 2, "relations": 6, "entities": 2, "sources": 2, "memories": 2, "diffs": 1}
	if diff := cmp.Diff(want, tally(report)); diff != "" || len(report.Errors) > 0 {
		t.Fatalf("%s %+v", diff, report.Errors)
	}
	// The lines above come out as they went in, but for ids, the ledger of the
	// import itself, and the owner and the friend, who are entities too.
	fromA := exported(t, store, a)
	out := comparableLines(t, fromA)
	for _, l := range lines[1:] {
		if want := comparableText(t, l); !slices.Contains(out, want) {
			t.Errorf("missing: %s", want)
		}
	}
	if t.Failed() {
		t.Logf("%s", strings.Join(out, "\n"))
	}
	importLines(t, store, b, lineText(t, fromA))
	if diff := cmp.Diff(withoutImports(fromA), withoutImports(exported(t, store, b)), cmpopts.IgnoreFields(graph.SpaceLine{}, "Name"), cmpopts.IgnoreFields(graph.MemoryLine{}, "Key", "Supersedes"), cmpopts.IgnoreFields(graph.DiffLine{}, "ID"), cmpopts.IgnoreFields(graph.DiffItem{}, "Memory", "Old")); diff != "" {
		t.Error(diff)
	}
	before := exported(t, store, b)
	again := importLines(t, store, b, lineText(t, fromA))
	if diff := cmp.Diff(map[string]int{"duplicates": len(fromA)}, tally(again)); diff != "" || len(again.Errors) > 0 {
		t.Errorf("%s %v", diff, again.Errors)
	}
	if diff := cmp.Diff(before, exported(t, store, b)); diff != "" {
		t.Errorf("the second import changed something:\n%s", diff)
	}
}

func lineText(t *testing.T, lines []any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// withoutImports leaves out the entries that the importing itself made.
func withoutImports(lines []any) []any {
	return slices.DeleteFunc(slices.Clone(lines), func(l any) bool {
		d, ok := l.(graph.DiffLine)
		return ok && d.By == "test"
	})
}

// comparableLines gives lines without what differs by space.
func comparableLines(t *testing.T, lines []any) []string {
	t.Helper()
	var out []string
	for l := range strings.Lines(lineText(t, lines)) {
		out = append(out, comparableText(t, l))
	}
	return out
}

func comparableText(t *testing.T, line string) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatal(err)
	}
	switch m["type"] {
	case "memory":
		delete(m, "key")
		delete(m, "supersedes")
		delete(m, "retired_by")
	case "diff":
		delete(m, "id")
		delete(m, "items")
	case "relation":
		if m["status"] == "active" {
			delete(m, "status")
		}
	case "source":
		// The second of two hours by the same name, or the first: Lisbon has +01:00 then.
		delete(m, "date")
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestALargeImportStaysFlatInMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("imports 20,000 lines")
	}
	store := testkit.Store(t)
	space := testkit.Space(t, store, graph.Space{})
	const n = 20_000
	reader := &generated{n: n}
	var peak, base uint64
	im := relations.NewImporter(relations.ImporterOptions{Store: unembedded{store}})
	started := time.Now()
	report, err := im.Import(t.Context(), relations.ImportRequest{Space: space, Lines: reader, By: "test", Progress: func(r relations.ImportReport) {
		if r.Lines%2000 != 0 {
			return
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if base == 0 {
			base = m.HeapAlloc
		}
		peak = max(peak, m.HeapAlloc)
	}})
	if err != nil || report.Memories != n {
		t.Fatalf("%v %+v", err, report)
	}
	t.Logf("%.0f memories a second without embedding; heap %d MB after 2,000 lines, at most %d MB after", n/time.Since(started).Seconds(), base>>20, peak>>20)
}

// unembedded is a store whose vectors cost nothing.
type unembedded struct{ *graph.Store }

func (unembedded) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = make([]float32, 512)
		for j := range out[i] {
			out[i][j] = rand.Float32() - 0.5
		}
	}
	return out, nil
}

// generated is a stream of n memory lines.
type generated struct {
	n, at int
	rest  []byte
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		if g.at == g.n {
			return 0, io.EOF
		}
		g.at++
		g.rest = fmt.Appendf(nil, `{"key":"k%d","subject":"person %d","relation":"rel_%d","object":"thing %d","content":"This is the sentence number %d about 张三在开发游戏项目.","date":"2026-03-01 10:00:00","tags":["a"]}`+"\n",
			g.at, g.at%700, g.at%20, g.at%900, g.at)
	}
	k := copy(p, g.rest)
	g.rest = g.rest[k:]
	return k, nil
}
