package main

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
	"relata/sample"
)

// replies gives the recorded answers with one in another's place.
type replies struct {
	fs.FS
	name string
	text []byte
}

// Open gives the other text for the one name.
func (r replies) Open(name string) (fs.File, error) {
	if name == r.name {
		return fstest.MapFS{name: {Data: r.text}}.Open(name)
	}
	return r.FS.Open(name)
}

// changes counts what a receipt says was done.
type changes struct {
	RelationsAdded, RelationsReplaced, RelationsRemoved int
	Added, Replaced, Removed                            int
}

func changesOf(r graph.Receipt) changes {
	return changes{
		len(r.Relations.Added), len(r.Relations.Replaced), len(r.Relations.Removed),
		len(r.Memories.Added), len(r.Memories.Replaced), len(r.Memories.Removed),
	}
}

// TestBrokenReplies holds each faulty reply of the sample against its note.
func TestBrokenReplies(t *testing.T) {
	tests := []struct {
		reply, base string
		want        changes
		truncated   bool
		rejected    map[graph.RejectCode]int // items by code
		mapped      int
		fails       bool     // nothing may be written
		stored      []string // contents, or parts of them, that must be there afterwards
		never       []string // and that must not
	}{
		{
			reply: "01-markdown-fence", base: "04-pinky-swear",
			want: changes{RelationsAdded: 4, Added: 12, Replaced: 1, Removed: 1},
		},
		{
			reply: "02-leaked-think", base: "13-our-wall-in-alfama",
			want:  changes{Added: 6, Replaced: 8, Removed: 3},
			never: []string{"Maya dislikes surfing."},
		},
		{
			reply: "03-bare-ampersand", base: "02-new-city-new-coffee",
			want:   changes{RelationsAdded: 7, Added: 25},
			stored: []string{"R&D", "AT&T"}, never: []string{"&amp;"},
		},
		{
			reply: "04-truncated", base: "09-no-more-coriander",
			want: changes{RelationsAdded: 1, Added: 2, Replaced: 5}, truncated: true,
			rejected: map[graph.RejectCode]int{graph.RejectMissingField: 1}, never: []string{"阿岩吃了碗香菜"},
		},
		{
			reply: "05-undefined-relation", base: "11-one-character-apart",
			want:     changes{RelationsRemoved: 1, Added: 8, Replaced: 4, Removed: 9},
			rejected: map[graph.RejectCode]int{graph.RejectUndefinedRelation: 1},
		},
		{
			reply: "06-source-one-space", base: "10-tidepool-becomes-kelpline",
			want: baseChanges(t, "10-tidepool-becomes-kelpline"),
		},
		{
			reply: "07-doubled-close-tag", base: "01-first-hello",
			want: changes{RelationsAdded: 15, Added: 18},
		},
		{
			reply: "08-control-character", base: "06-the-printed-ring",
			want:   changes{RelationsAdded: 2, Added: 10, Replaced: 6, Removed: 1},
			stored: []string{"Theo had proposed over video"},
		},
		{
			reply: "09-bad-key", base: "10-tidepool-becomes-kelpline",
			want: baseChanges(t, "10-tidepool-becomes-kelpline"), mapped: 1,
		},
		{
			reply: "10-missing-object", base: "05-captains-orders",
			want:     changes{RelationsAdded: 3, RelationsReplaced: 1, Added: 14, Replaced: 5, Removed: 1},
			rejected: map[graph.RejectCode]int{graph.RejectMissingField: 1},
		},
		{reply: "11-json-instead", base: "03-group-salt-and-lantern", fails: true},
		{reply: "12-empty", base: "14-washers-and-savings", fails: true},
	}
	a := sampleApp(t, answers(t))
	for _, tt := range tests {
		t.Run(tt.reply, func(t *testing.T) {
			t.Parallel()
			space := sampleSpace(t, a)
			batch := ingestUntil(t, a, space, tt.base)
			text, err := sample.FS.ReadFile("replies-broken/" + tt.reply + ".xml")
			if err != nil {
				t.Fatal(err)
			}
			broken := newExtractor(t, a, extractor.NewReplay(replies{sample.FS, tt.base + ".xml", text}))
			before := stateOf(t, a, space)
			r, err := broken.Ingest(t.Context(), batch, extractor.IngestOptions{})
			if tt.fails {
				checkFailed(t, a, space, err, before)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.want, changesOf(r)); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if r.Truncated != tt.truncated {
				t.Errorf("truncated is %t, want %t", r.Truncated, tt.truncated)
			}
			checkVerdicts(t, r, tt.rejected, tt.mapped)
			checkTexts(t, stateOf(t, a, space), tt.stored, tt.never)
		})
	}
}

// baseChanges counts what the faultless reply of a session proposes.
func baseChanges(t *testing.T, session string) changes {
	t.Helper()
	text, err := sample.FS.ReadFile("replies/" + session + ".xml")
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := extractor.ParseAnswer(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return changes{
		len(p.Relations.Increments), len(p.Relations.Replaces), len(p.Relations.Removes),
		len(p.Memories.Increments), len(p.Memories.Replaces), len(p.Memories.Removes),
	}
}

// ingestUntil reads the sessions before one and gives that one's batch.
func ingestUntil(t *testing.T, a *app, space, until string) extractor.Batch {
	t.Helper()
	batches, err := sampleSessions(space)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if b.Session == until {
			return b
		}
		if _, err := a.extractor.Ingest(t.Context(), b, extractor.IngestOptions{}); err != nil {
			t.Fatalf("session %s: %v", b.Session, err)
		}
	}
	t.Fatalf("there is no session %s", until)
	return extractor.Batch{}
}

// checkFailed wants a failed model call that left no trace, and a batch that
// can be given again.
func checkFailed(t *testing.T, a *app, space string, err error, before wantedState) {
	t.Helper()
	if got := graph.ErrorCode(err); got != graph.CodeModel {
		t.Errorf("the error is %v (%s), want a failed model call", err, got)
	}
	if diff := gocmp.Diff(before, stateOf(t, a, space)); diff != "" {
		t.Errorf("state (-before +after):\n%s", diff)
	}
}

func checkVerdicts(t *testing.T, r graph.Receipt, rejected map[graph.RejectCode]int, mapped int) {
	t.Helper()
	codes, maps := make(map[graph.RejectCode]int), 0
	for _, v := range r.Verdicts {
		switch v.Outcome {
		case graph.OutcomeRejected:
			codes[v.Code]++
			if v.Message == "" {
				t.Errorf("%s was rejected without a message", v.Item)
			}
		case graph.OutcomeMapped:
			maps++
		}
	}
	if rejected == nil {
		rejected = map[graph.RejectCode]int{}
	}
	if diff := gocmp.Diff(rejected, codes); diff != "" {
		t.Errorf("rejected items by code (-want +got):\n%s", diff)
	}
	if maps < mapped {
		t.Errorf("%d items were mapped, want at least %d", maps, mapped)
	}
}

func checkTexts(t *testing.T, st wantedState, stored, never []string) {
	t.Helper()
	var all strings.Builder
	orders := 0
	for _, m := range st.Memories {
		all.WriteString(m.Subject + "\n" + m.Object + "\n" + m.Content + "\n")
		if m.Subject == "Maya" && m.Relation == "like" && strings.Contains(m.Object, "flat white") {
			orders++
		}
	}
	for _, text := range stored {
		if !strings.Contains(all.String(), text) {
			t.Errorf("%q is not stored", text)
		}
	}
	for _, text := range never {
		if strings.Contains(all.String(), text) {
			t.Errorf("%q must not be stored", text)
		}
	}
	if orders > 1 {
		t.Errorf("%d current coffee orders, want one", orders)
	}
	for _, r := range st.Relations {
		if r.Key != strings.ToLower(r.Key) || strings.Contains(r.Key, " ") {
			t.Errorf("the vocabulary holds %q", r.Key)
		}
	}
}
