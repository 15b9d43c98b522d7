package extractor_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"relata/extractor"
)

func TestReplayAnswersBySession(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.xml": "<relations/>", "a.json": "{}", "empty.xml": "\n", "..hidden.xml": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(filepath.Dir(dir), "outside.xml")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.xml")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		step, session string
		want          string
		kind          extractor.Kind
	}{
		{extractor.StepDiff, "a", "<relations/>", ""},
		{extractor.StepReader, "a", "{}", ""},
		{extractor.StepDiff, "b", "", extractor.KindNotRecorded},
		{extractor.StepDiff, "empty", "", extractor.KindEmpty},
		{extractor.StepDiff, "", "", extractor.KindNotRecorded},
		{extractor.StepDiff, "../outside", "", extractor.KindNotRecorded},
		{extractor.StepDiff, `..\outside`, "", extractor.KindNotRecorded},
		{extractor.StepDiff, ".", "", extractor.KindNotRecorded},
		{extractor.StepDiff, "a\x00", "", extractor.KindNotRecorded},
		{extractor.StepDiff, outside, "", extractor.KindNotRecorded},
		{extractor.StepDiff, "link", "", extractor.KindUnavailable},
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	m := extractor.NewReplay(root.FS())
	for _, tt := range tests {
		t.Run(tt.step+" "+strings.ReplaceAll(tt.session, "/", "|"), func(t *testing.T) {
			got, err := m.Answer(t.Context(), extractor.Request{Step: tt.step, Session: tt.session})
			var me *extractor.ModelError
			if tt.kind == "" && err != nil || tt.kind != "" && (!errors.As(err, &me) || me.Kind != tt.kind) || got.Text != tt.want {
				t.Errorf("%q, %v", got.Text, err)
			}
		})
	}
}

// replayOf answers from a directory of the sample.
func replayOf(t testing.TB, dir string) *extractor.Replay {
	t.Helper()
	root, err := os.OpenRoot(filepath.Join(sampleDir, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return extractor.NewReplay(root.FS())
}
