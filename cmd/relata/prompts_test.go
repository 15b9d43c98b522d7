package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/sample"
)

// sampleFile copies a chat of the sample out of the binary.
func sampleFile(t *testing.T, name string) string {
	t.Helper()
	raw, err := sample.FS.ReadFile("chats/" + name)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// runs gives what a command prints, in an environment of nothing.
func runs(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	dir := t.TempDir()
	err := run(t.Context(), args, streams{in: strings.NewReader(in), out: &out, err: &out}, func(name string) string {
		return map[string]string{"RELATA_CACHE_DIR": dir, "RELATA_DATA_DIR": dir}[name]
	})
	if entries, e := os.ReadDir(dir); e != nil || len(entries) > 0 {
		t.Errorf("it started something: %v, %v", entries, e)
	}
	return out.String(), err
}

func TestPromptsShowNeedsNoDatabase(t *testing.T) {
	const xml = `<relations/><memories/><chats><chat><date>2026-01-02 03:04:05</date><role>user</role><content>你好，我昨天去了AT&amp;T</content></chat></chats>`
	chinese := sampleFile(t, "01-first-hello.json")
	for _, tt := range []struct {
		name, in string
		args     []string
		has      []string
		lacks    []string
	}{
		{"a Chinese chat", "", []string{chinese}, []string{"=== system\n你负责", "- 小满是聊天伙伴", "index0", "\n=== user\n<relations>\n</relations>\n<memories>\n</memories>\n<chats>", "<speaker>阿岩</speaker>"}, []string{"You keep"}},
		{"asked in English", "", []string{"--lang", "en", chinese}, []string{"=== system\nYou keep", "- 小满 is a companion", "<speaker>阿岩</speaker>"}, []string{"你负责"}},
		{"in the plain form", "", []string{"--profile=plain", "--step=diff", chinese}, []string{"你负责", "<role>"}, []string{"index0", "msg_ids", "<speaker>"}},
		{"XML from the input", xml, []string{"--persona", "小满", "--present", "李明", "-"}, []string{"你负责", "- 小满是聊天伙伴", "李明", "<content>你好，我昨天去了AT&amp;T</content>"}, []string{"You keep"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := runs(t, tt.in, append([]string{"prompts", "show"}, tt.args...)...)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range tt.has {
				if !strings.Contains(got, part) {
					t.Errorf("the prompt lacks %q:\n%s", part, got)
				}
			}
			for _, part := range tt.lacks {
				if strings.Contains(got, part) {
					t.Errorf("the prompt has %q", part)
				}
			}
		})
	}
}

func TestPromptsShowRefuses(t *testing.T) {
	chinese := sampleFile(t, "01-first-hello.json")
	for name, tt := range map[string]struct {
		in, want string
		args     []string
	}{
		"a file that is not there": {"", "no such file", []string{"nothing.json"}},
		"what is no batch":         {"{}", "at least one message is required", []string{"-"}},
		"broken JSON":              {"{", "-: ", []string{"-"}},
		"broken XML":               {"<chats>", "line 1", []string{"-"}},
		"another language":         {"", "--lang", []string{"--lang", "fr", chinese}},
		"another form":             {"", "--profile", []string{"--profile", "short", chinese}},
		"another step":             {"", "--step", []string{"--step", "merge", chinese}},
	} {
		t.Run(name, func(t *testing.T) {
			if out, err := runs(t, tt.in, append([]string{"prompts", "show"}, tt.args...)...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q\n%s", err, tt.want, out)
			}
		})
	}
}

// asked keeps the prompts that a model gets.
type asked struct {
	extractor.Model
	prompts []extractor.Request
}

func (a *asked) Answer(ctx context.Context, req extractor.Request) (extractor.Answer, error) {
	a.prompts = append(a.prompts, req)
	return a.Model.Answer(ctx, req)
}

func TestPromptsShowOfASpaceIsWhatIsSent(t *testing.T) {
	model := &asked{Model: answers(t)}
	a := sampleApp(t, model)
	space := sampleSpace(t, a)
	next := ingestUntil(t, a, space, "03-group-salt-and-lantern")
	var out strings.Builder
	if err := (&promptsShowCmd{}).show(t.Context(), a.store, a.relations, next, &out); err != nil {
		t.Fatal(err)
	}
	if _, err := a.extractor.Ingest(t.Context(), next, extractor.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	sent := model.prompts[len(model.prompts)-1]
	if diff := gocmp.Diff("=== system\n"+sent.System+"\n=== user\n"+sent.User, out.String()); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(out.String(), "<memory>") {
		t.Error("the prompt shows nothing of the space")
	}
}
