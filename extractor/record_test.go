package extractor_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func record(t *testing.T, m extractor.Model, dir string) *extractor.Record {
	t.Helper()
	r, err := extractor.NewRecord(m, dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// recorded gives the texts of a recording by file name, and checks that nobody
// else may read them.
func recorded(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: mode %s, %v", e.Name(), info.Mode(), err)
		}
		texts[e.Name()] = readFile(t, filepath.Join(dir, e.Name()))
	}
	return texts
}

func replayFrom(t *testing.T, dir string) *extractor.Replay {
	t.Helper()
	return extractor.NewReplay(os.DirFS(dir))
}

func TestRecordKeepsPromptAndAnswer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "deep")
	m := record(t, says("<relations/>"), dir)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("%v, %v", info, err)
	}
	req := extractor.Request{
		Step: extractor.StepDiff, Session: "../s1", System: "规则", User: "你好", MaxTokens: 5,
		Images: []extractor.Image{{Type: "image/png", Data: []byte("png")}},
	}
	got, err := m.Answer(t.Context(), req)
	if want := (extractor.Answer{Text: "<relations/>", InputTokens: 10, OutputTokens: 5}); err != nil || got != want {
		t.Fatalf("%+v, %v", got, err)
	}
	texts := recorded(t, dir)
	hash := ""
	for name := range texts {
		if match := regexp.MustCompile(`^([0-9a-f]{64})\.xml$`).FindStringSubmatch(name); match != nil {
			hash = match[1]
		}
	}
	want := map[string]string{
		hash + ".xml": "<relations/>",
		hash + ".prompt.txt": "=== step\ndiff\n=== system\n规则\n=== user\n你好\n=== image 1\n" +
			fmt.Sprintf("image/png, 3 bytes, SHA-256 %x\n", sha256.Sum256([]byte("png"))),
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Error(diff)
	}
}

func TestReplayFindsTheSameQuestionAgain(t *testing.T) {
	base := extractor.Request{
		Step: extractor.StepReader, Session: "s", System: "a", User: "b", JSON: true,
		Images: []extractor.Image{{Type: "image/png", Data: []byte("c")}},
	}
	tests := []struct {
		name   string
		change func(*extractor.Request)
		found  bool
	}{
		{"the same", func(*extractor.Request) {}, true},
		{"another session", func(r *extractor.Request) { r.Session = "../other" }, true},
		{"another budget", func(r *extractor.Request) { r.MaxTokens = 4 }, true},
		{"another step", func(r *extractor.Request) { r.Step = extractor.StepDiff }, false},
		{"other instructions", func(r *extractor.Request) { r.System = "A" }, false},
		{"other material", func(r *extractor.Request) { r.User = "B" }, false},
		{"the same text, parted elsewhere", func(r *extractor.Request) { r.System, r.User = "ab", "" }, false},
		{"another image", func(r *extractor.Request) { r.Images = []extractor.Image{{Type: "image/png", Data: []byte("d")}} }, false},
		{"an image of another type", func(r *extractor.Request) { r.Images = []extractor.Image{{Type: "image/webp", Data: []byte("c")}} }, false},
		{"no image", func(r *extractor.Request) { r.Images = nil }, false},
		{"an image for the text", func(r *extractor.Request) { r.User, r.Images = "bimage/pngc", nil }, false},
	}
	dir := t.TempDir()
	if _, err := record(t, says(`{"answer":1}`), dir).Answer(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := base
			tt.change(&req)
			got, err := replayFrom(t, dir).Answer(t.Context(), req)
			var me *extractor.ModelError
			if tt.found && (err != nil || got.Text != `{"answer":1}`) || !tt.found && (!errors.As(err, &me) || me.Kind != extractor.KindNotRecorded) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	t.Run("but a session's own answer comes first", func(t *testing.T) {
		write(t, filepath.Join(dir, "s.json"), `{"answer":2}`)
		if got, err := replayFrom(t, dir).Answer(t.Context(), base); err != nil || got.Text != `{"answer":2}` {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestARecordedRunReplays(t *testing.T) {
	whole := mems(incs(inc("阿岩养猫。"), inc("猫叫螺丝。")))
	half := step{answer: extractor.Answer{Text: whole[:len(whole)-60], Truncated: true}}
	tests := []struct {
		name  string
		model *script
		chat  string
		kind  extractor.Kind // of the failure, if it is one
	}{
		{"a plain answer", says(whole), "我养了猫", ""},
		{"cut off, then whole", &script{steps: []step{half, {answer: extractor.Answer{Text: whole}}}}, "我养了猫", ""},
		{"prose, then a diff", says("好的", whole), "我养了猫", ""},
		{"in the wrong language, then in the right one", says(mems(incs(inc("Ayan plays badminton every Wednesday night."))), mems(incs(inc("阿岩每周三晚上打羽毛球。")))), "我每周三晚上打羽毛球，打完去吃夜宵", ""},
		{"no diff at all", says("好的"), "我养了猫", extractor.KindNotADiff},
		{"rate limited, then a diff", &script{steps: []step{fails(extractor.KindRateLimited), {answer: extractor.Answer{Text: whole}}}}, "我养了猫", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			run := func(m extractor.Model) ([]string, error) {
				w := harbour()
				_, err := newExtractor(t, w, m).Ingest(t.Context(), talk(tt.chat), extractor.IngestOptions{})
				if err != nil {
					return nil, err
				}
				return contents(w.submissions()[0].Proposal), nil
			}
			want, first := run(record(t, tt.model, dir))
			got, second := run(replayFrom(t, dir))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if tt.kind == "" && (first != nil || second != nil) {
				t.Fatalf("%v, %v", first, second)
			}
			if tt.kind != "" && (!strings.Contains(wantError(t, first, graph.CodeModel).Message, string(tt.kind)) ||
				!strings.Contains(wantError(t, second, graph.CodeModel).Message, string(tt.kind))) {
				t.Errorf("%v, then %v", first, second)
			}
		})
	}
}

func TestRecordOfTheSampleReplays(t *testing.T) {
	dir := t.TempDir()
	run := func(m extractor.Model) (all [][]string) {
		w := harbour()
		e := newExtractor(t, w, m)
		for _, b := range sampleChats(t) {
			ingest(t, e, b, extractor.IngestOptions{})
		}
		for _, s := range w.submissions() {
			all = append(all, contents(s.Proposal))
		}
		return all
	}
	want := run(record(t, replayOf(t, "replies"), dir))
	if diff := cmp.Diff(want, run(replayFrom(t, dir))); diff != "" {
		t.Error(diff)
	}
	if n := len(recorded(t, dir)); n != 2*len(want) {
		t.Errorf("%d files for %d calls", n, len(want))
	}
}

func TestRecordLeavesNothingOfFailures(t *testing.T) {
	dir := t.TempDir()
	if _, err := record(t, &script{steps: []step{fails(extractor.KindBlocked)}}, dir).Answer(t.Context(), extractor.Request{}); err == nil {
		t.Fatal("no error")
	}
	if texts := recorded(t, dir); len(texts) > 0 {
		t.Errorf("%q", texts)
	}
}

func TestRecordFailsWhereItCannotWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	m := record(t, says("<relations/>"), dir)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	_, err := m.Answer(t.Context(), extractor.Request{User: "hello"})
	var me *extractor.ModelError
	if !errors.As(err, &me) || me.Kind != extractor.KindNotRecorded || me.InputTokens != 10 || strings.Contains(err.Error(), "hello") {
		t.Errorf("%v", err)
	}
}

func TestRecordIsWholeUnderConcurrency(t *testing.T) {
	dir := t.TempDir()
	m := record(t, says(strings.Repeat("<relations/>", 1000)), dir)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if _, err := m.Answer(t.Context(), extractor.Request{Step: extractor.StepDiff, User: "a"}); err != nil {
				t.Error(err)
			}
			if got, err := replayFrom(t, dir).Answer(t.Context(), extractor.Request{Step: extractor.StepDiff, User: "a"}); err != nil || len(got.Text) != 12000 {
				t.Errorf("%d bytes, %v", len(got.Text), err)
			}
		})
	}
	wg.Wait()
	if n := len(recorded(t, dir)); n != 2 {
		t.Errorf("%d files", n)
	}
}
