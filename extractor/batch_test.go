package extractor_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

func wantError(t testing.TB, err error, code graph.Code) *graph.Error {
	t.Helper()
	var e *graph.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("error %v, want code %s", err, code)
	}
	return e
}

// sampleChat is a file of the sample's chats; persona is a name, not a list.
func sampleChat(t testing.TB, file string) extractor.Batch {
	t.Helper()
	var s struct {
		Session string           `json:"session_id"`
		Space   string           `json:"space"`
		Persona string           `json:"persona"`
		Present []string         `json:"present"`
		Chats   []extractor.Chat `json:"chats"`
	}
	if err := json.Unmarshal([]byte(readFile(t, file)), &s); err != nil {
		t.Fatal(err)
	}
	b := extractor.Batch{Space: s.Space, Session: s.Session, Present: s.Present, Chats: s.Chats}
	if s.Persona != "" {
		b.Persona = []string{s.Persona}
	}
	return b
}

func sampleChats(t testing.TB) []extractor.Batch {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(sampleDir, "chats", "*.json"))
	if err != nil || len(files) != 14 {
		t.Fatalf("%d chats, %v", len(files), err)
	}
	var out []extractor.Batch
	for _, f := range files {
		out = append(out, sampleChat(t, f))
	}
	return out
}

func TestBatchValidateTakesTheSample(t *testing.T) {
	for _, b := range sampleChats(t) {
		if err := b.Validate(); err != nil {
			t.Errorf("%s: %v", b.Session, err)
		}
	}
}

func TestBatchValidateNamesWhatIsWrong(t *testing.T) {
	long := strings.Repeat("长", extractor.MaxNameBytes)
	tests := []struct {
		name   string
		change func(*extractor.Batch)
		code   graph.Code
		fields []string
	}{
		{"no session", func(b *extractor.Batch) { b.Session = " " }, graph.CodeInvalid, []string{"session_id"}},
		{"control characters in the session", func(b *extractor.Batch) { b.Session = "a\nb" }, graph.CodeInvalid, []string{"session_id"}},
		{"long session", func(b *extractor.Batch) { b.Session = long }, graph.CodeTooLarge, []string{"session_id"}},
		{"no messages", func(b *extractor.Batch) { b.Chats = nil }, graph.CodeInvalid, []string{"chats"}},
		{"too many messages", func(b *extractor.Batch) { b.Chats = make([]extractor.Chat, extractor.MaxChats+1) }, graph.CodeTooLarge, []string{"chats"}},
		{"blank persona", func(b *extractor.Batch) { b.Persona = []string{"小满", ""} }, graph.CodeInvalid, []string{"persona[1]"}},
		{"too many present", func(b *extractor.Batch) { b.Present = make([]string, extractor.MaxNames+1) }, graph.CodeTooLarge, []string{"present"}},
		{"no role", func(b *extractor.Batch) { b.Chats[0].Role = "" }, graph.CodeInvalid, []string{"chats[0].role"}},
		{"unknown role", func(b *extractor.Batch) { b.Chats[1].Role = "system" }, graph.CodeInvalid, []string{"chats[1].role"}},
		{"no content", func(b *extractor.Batch) { b.Chats[0].Content = " \u3000" }, graph.CodeInvalid, []string{"chats[0].content"}},
		{"assistant without content or calls", func(b *extractor.Batch) { b.Chats[1].Content = "" }, graph.CodeInvalid, []string{"chats[1].content"}},
		{"calls of a user", func(b *extractor.Batch) { b.Chats[0].ToolCalls = []graph.ToolCall{{Function: "f"}} }, graph.CodeInvalid, []string{"chats[0].tool_calls"}},
		{"call of nothing", func(b *extractor.Batch) { b.Chats[1].ToolCalls = []graph.ToolCall{{ID: "1"}} }, graph.CodeInvalid, []string{"chats[1].tool_calls[0].function"}},
		{"tool_call_id of a user", func(b *extractor.Batch) { b.Chats[0].ToolCallID = "c" }, graph.CodeInvalid, []string{"chats[0].tool_call_id"}},
		{"id zero", func(b *extractor.Batch) { b.Chats[0].ID = id(0) }, graph.CodeInvalid, []string{"chats[0].id"}},
		{"id past exact numbers", func(b *extractor.Batch) { b.Chats[0].ID = id(1 << 53) }, graph.CodeInvalid, []string{"chats[0].id"}},
		{"id twice", func(b *extractor.Batch) { b.Chats[0].ID, b.Chats[1].ID = id(7), id(7) }, graph.CodeInvalid, []string{"chats[1].id"}},
		{"long message", func(b *extractor.Batch) { b.Chats[0].Content = strings.Repeat("a", extractor.MaxContentBytes+1) }, graph.CodeTooLarge, []string{"chats[0].content"}},
		{"long batch", func(b *extractor.Batch) {
			for range 5 {
				b.Chats = append(b.Chats, extractor.Chat{Role: "user", Content: strings.Repeat("a", extractor.MaxContentBytes)})
			}
		}, graph.CodeTooLarge, []string{"chats"}},
		{"several at once", func(b *extractor.Batch) { b.Session, b.Chats[0].Role = "", "x" }, graph.CodeInvalid, []string{"session_id", "chats[0].role"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := extractor.Batch{Session: "s", Chats: []extractor.Chat{
				{Role: "user", Content: "a"}, {Role: "assistant", Content: "b"}, {Role: "tool", Content: "c", ToolCallID: "1"},
			}}
			if err := b.Validate(); err != nil {
				t.Fatal(err)
			}
			tt.change(&b)
			e := wantError(t, b.Validate(), tt.code)
			var got []string
			for _, f := range e.Fields {
				got = append(got, f.Name)
			}
			if diff := cmp.Diff(tt.fields, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBatchSourcesAreInTimeOrder(t *testing.T) {
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		t.Fatal(err)
	}
	b := extractor.Batch{Session: "s", Chats: []extractor.Chat{
		{Date: "2026-03-03 10:00:00", Role: "user", Content: "2"},
		{Date: "", Role: "user", Content: "goes with the one before"},
		{Date: "2026-03-03T01:30:00Z", Role: "user", Content: "1", ID: id(9), Speaker: " 阿岩 "},
		{Date: "2026年3月3日 10:00", Role: "user", Content: "3, as sent"},
	}}
	got, err := b.Sources(shanghai, []string{"小满"})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, s := range got {
		order = append(order, s.Content)
	}
	if diff := cmp.Diff([]string{"1", "2", "goes with the one before", "3, as sent"}, order); diff != "" {
		t.Error(diff)
	}
	want := graph.Source{
		SourceID: 9, Kind: graph.SourceMessage, Session: "s", Role: "user", Speaker: "阿岩", Content: "1",
		Date: time.Date(2026, 3, 3, 9, 30, 0, 0, shanghai), Present: []string{"小满"},
	}
	if !got[0].Date.Equal(want.Date) {
		t.Errorf("date %s, want %s", got[0].Date, want.Date)
	}
	want.Date = got[0].Date
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Error(diff)
	}
	if !got[2].Date.IsZero() {
		t.Errorf("an undated message was given %s", got[2].Date)
	}
}

func TestBatchSourcesRefuseDatesThatAreNone(t *testing.T) {
	for _, date := range []string{"2025-02-30", "null", "tomorrow", "2026-03", "1e9"} {
		b := extractor.Batch{Session: "s", Chats: []extractor.Chat{{Date: "2026-01-01"}, {Date: date}}}
		_, err := b.Sources(time.UTC, nil)
		e := wantError(t, err, graph.CodeInvalid)
		if len(e.Fields) != 1 || e.Fields[0].Name != "chats[1].date" {
			t.Errorf("%q: %+v", date, e.Fields)
		}
	}
}
