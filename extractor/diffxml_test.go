package extractor_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/relations"
)

const sampleDir = "../sample"

func readFile(t testing.TB, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// counts are the operations of a proposal, in the words of the sample's
// expected files.
type counts struct {
	RelReplace   int `json:"rel_replace"`
	RelIncrement int `json:"rel_increment"`
	RelRemove    int `json:"rel_remove"`
	MemReplace   int `json:"mem_replace"`
	MemIncrement int `json:"mem_increment"`
	MemRemove    int `json:"mem_remove"`
}

func countOf(p relations.Proposal) counts {
	return counts{
		len(p.Relations.Replaces), len(p.Relations.Increments), len(p.Relations.Removes),
		len(p.Memories.Replaces), len(p.Memories.Increments), len(p.Memories.Removes),
	}
}

func expectedCounts(t testing.TB) map[string]counts {
	t.Helper()
	var file struct {
		Sessions []struct {
			ID string `json:"session_id"`
			counts
		} `json:"sessions"`
	}
	if err := json.Unmarshal([]byte(readFile(t, sampleDir, "expected", "after-each-session.json")), &file); err != nil {
		t.Fatal(err)
	}
	out := make(map[string]counts)
	for _, s := range file.Sessions {
		out[s.ID] = s.counts
	}
	return out
}

func TestParseAnswerReadsEverySampleReply(t *testing.T) {
	want := expectedCounts(t)
	if len(want) != 14 {
		t.Fatalf("the sample has %d sessions, want 14", len(want))
	}
	for session, w := range want {
		t.Run(session, func(t *testing.T) {
			p, rep, err := extractor.ParseAnswer(readFile(t, sampleDir, "replies", session+".xml"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(w, countOf(p)); diff != "" {
				t.Error(diff)
			}
			if rep.Truncated || len(rep.Dropped) > 0 || len(rep.Notes) > 0 {
				t.Errorf("a clean reply was repaired: %+v", rep)
			}
		})
	}
}

func TestParseAnswerReadsTheDocumentReplies(t *testing.T) {
	total := 0
	files, err := filepath.Glob(filepath.Join(sampleDir, "replies", "doc-*.xml"))
	if err != nil || len(files) != 3 {
		t.Fatalf("%d document replies, %v", len(files), err)
	}
	for _, f := range files {
		p, rep, err := extractor.ParseAnswer(readFile(t, f))
		if err != nil || rep.Truncated || len(rep.Dropped) > 0 || len(rep.Notes) > 0 {
			t.Errorf("%s: %v %+v", f, err, rep)
		}
		total += len(p.Memories.Increments)
	}
	if total != 42 {
		t.Errorf("%d new memories from documents, want 42", total)
	}
}

func TestParseAnswerOnBrokenReplies(t *testing.T) {
	tests := []struct {
		file, base string
		change     func(*counts) // from the counts of the base reply
		truncated  bool
		dropped    int
		kind       extractor.Kind
	}{
		{file: "01-markdown-fence", base: "04-pinky-swear"},
		{file: "02-leaked-think", base: "13-our-wall-in-alfama"},
		{file: "03-bare-ampersand", base: "02-new-city-new-coffee"},
		{file: "04-truncated", base: "09-no-more-coriander", change: func(c *counts) { c.MemIncrement, c.MemRemove = 2, 0 }, truncated: true, dropped: 1},
		{file: "05-undefined-relation", base: "11-one-character-apart", change: func(c *counts) { c.RelIncrement = 0 }},
		{file: "06-source-one-space", base: "10-tidepool-becomes-kelpline"},
		{file: "07-doubled-close-tag", base: "01-first-hello"},
		{file: "08-control-character", base: "06-the-printed-ring"},
		{file: "09-bad-key", base: "10-tidepool-becomes-kelpline", change: func(c *counts) { c.RelIncrement++ }},
		{file: "10-missing-object", base: "05-captains-orders"},
		{file: "11-json-instead", kind: extractor.KindNotADiff},
		{file: "12-empty", kind: extractor.KindEmpty},
	}
	expected := expectedCounts(t)
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			p, rep, err := extractor.ParseAnswer(readFile(t, sampleDir, "replies-broken", tt.file+".xml"))
			if tt.kind != "" {
				wantKind(t, err, tt.kind)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := expected[tt.base]
			if tt.change != nil {
				tt.change(&want)
			}
			if diff := cmp.Diff(want, countOf(p)); diff != "" {
				t.Error(diff)
			}
			if rep.Truncated != tt.truncated || len(rep.Dropped) != tt.dropped {
				t.Errorf("truncated %v, dropped %q", rep.Truncated, rep.Dropped)
			}
			all := extractor.EncodeProposal(p)
			for _, never := range []string{"dislikes surfing", "吃了碗香菜<", "amp;amp;", "说明", "\v"} {
				if strings.Contains(all, never) {
					t.Errorf("the proposal holds %q", never)
				}
			}
			clean, _, _ := extractor.ParseAnswer(readFile(t, sampleDir, "replies", tt.base+".xml"))
			if tt.change == nil && tt.file < "05" || tt.file[:2] == "07" || tt.file[:2] == "08" {
				if diff := cmp.Diff(clean, p); diff != "" {
					t.Errorf("differs from the clean reply: %s", diff)
				}
			}
		})
	}
}

func wantKind(t testing.TB, err error, kind extractor.Kind) {
	t.Helper()
	var ae *extractor.AnswerError
	if !errors.As(err, &ae) || ae.Kind != kind {
		t.Errorf("error %v, want kind %s", err, kind)
	}
}
