package extractor_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

func id(n int64) *int64 { return &n }

func TestEncodeProposalIsReadBackUnchanged(t *testing.T) {
	want := relations.Proposal{
		Relations: relations.RelationProposals{
			Replaces: []relations.RelationReplace{{
				Source: relations.RelationItem{Date: "2026-03-03 20:26:45", Key: "at", Content: "表示主体在客体"},
				Target: relations.RelationItem{Key: "located_in", Content: "表示主体位于客体 & <附近>"},
			}},
			Increments: []relations.RelationItem{{Key: "own", Content: "own"}},
			Removes:    []relations.RelationItem{{Date: "2026-03-03", Key: "x", Content: "y"}},
		},
		Memories: relations.MemoryProposals{
			Replaces: []relations.MemoryReplace{{
				Source: relations.MemoryItem{Date: "2026-03-03 20:26:45", Subject: "A", Object: "B", Relation: "own", Content: "A </content> B"},
				Target: relations.MemoryItem{Subject: "A", Object: "B", Relation: "own", Content: "]]> <![CDATA[ &amp;", MsgIDs: []int64{}, Tags: []string{}, KnownBy: []string{}},
			}},
			Increments: []relations.MemoryItem{{
				Subject: "A", Object: "C++", Relation: "use", Content: `he said "{{1 < 2}}" 👩‍💻`, Index0: "百科知识", Index1: "理工",
				MsgIDs: []int64{101, 103}, Tags: []string{"项目", "secret"}, KnownBy: []string{"小满"}, EventDate: "2026-03-28",
			}},
			Removes: []relations.MemoryItem{{Date: "2026-03-03", Subject: "A", Object: "B", Relation: "own", Content: "</memories><removes>"}},
		},
	}
	got, rep, err := extractor.ParseAnswer(extractor.EncodeProposal(want))
	if err != nil || rep.Truncated || len(rep.Dropped) > 0 || len(rep.Notes) > 0 {
		t.Fatal(err, rep)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	empty := extractor.EncodeProposal(relations.Proposal{})
	if p, _, err := extractor.ParseAnswer(empty); err != nil || !p.Empty() {
		t.Errorf("an empty proposal: %v", err)
	}
}

func input() extractor.Input {
	return extractor.Input{
		Relations: []relations.RelationItem{{Date: "2026-03-01 10:00:00", Key: "own", Content: "拥有"}},
		Memories:  []relations.MemoryItem{{Date: "2026-03-01 10:00:00", Subject: "阿岩", Object: "螺丝", Relation: "own", Content: "阿岩养猫 & 狗"}},
		Chats: []extractor.Chat{
			{ID: id(1), Date: "2026-03-03 20:11:05", Role: "user", Speaker: "阿岩", Content: "{\"k\":1} {{x}} %s \\n\n\n</content><remove id=\"1\"/> R&D\r"},
			{
				ID: id(2), Date: "2026-03-03 20:11:06", Role: "assistant", Speaker: "小满",
				ToolCalls: []graph.ToolCall{{ID: "c1", Function: "search", Arguments: `{"q":"a<b"}`}, {ID: "c2", Function: "look", Arguments: "{}"}},
			},
			{ID: id(3), Date: "2026-03-03 20:11:07", Role: "tool", Speaker: "search", Content: " [] ", ToolCallID: "c1"},
			{ID: id(4), Role: "user", Content: "undated"},
		},
	}
}

func TestEncodeInputIsReadBackUnchanged(t *testing.T) {
	want := input()
	got, err := extractor.ReadInput(strings.NewReader(extractor.EncodeInput(want, extractor.ProfileExtended)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEncodeInputPlainHasNoExtras(t *testing.T) {
	in := input()
	text := extractor.EncodeInput(in, extractor.ProfilePlain)
	if strings.Contains(text, "<speaker>") {
		t.Error("the plain profile has speakers")
	}
	got, err := extractor.ReadInput(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for i := range in.Chats {
		in.Chats[i].ID, in.Chats[i].Speaker = nil, ""
	}
	if diff := cmp.Diff(in, got); diff != "" {
		t.Error(diff)
	}
}

func TestEncodeInputLeavesTextAsItIs(t *testing.T) {
	text := extractor.EncodeInput(extractor.Input{Chats: []extractor.Chat{{Role: "user", Content: "{\"k\":1} {{.}} 'x' \"y\" \\ \t 👩‍💻\x00\v"}}}, "")
	if !strings.Contains(text, "<content>{\"k\":1} {{.}} 'x' \"y\" \\ \t 👩‍💻</content>") {
		t.Error(text)
	}
}

func TestReadInput(t *testing.T) {
	const chats = "<chats><chat><role>user</role><content>a</content></chat></chats>"
	tests := []struct {
		name, text string
		field      string // "" for a good one
		message    string
	}{
		{name: "chats alone", text: chats},
		{name: "a root around it and a prolog", text: `<?xml version="1.0"?><input><relations/>` + chats + "</input>"},
		{name: "memories after chats", text: chats + "<memories></memories><relations></relations>"},
		{name: "unknown elements in a chat", text: strings.Replace(chats, "<role>", "<mood>x</mood><role>", 1)},
		{name: "no chats", text: "<relations></relations><memories></memories>", field: "chats"},
		{name: "nothing", text: "", field: "chats"},
		{name: "chats twice", text: chats + chats, message: "twice"},
		{name: "unknown element beside", text: "<input><x></x>" + chats + "</input>", message: "<x>"},
		{name: "bare ampersand", text: "<chats>\n<chat><content>R&D</content></chat></chats>", message: "line 2"},
		{name: "cut off", text: "<chats><chat>", message: "line 1"},
		{name: "JSON", text: `{"chats":[]}`, field: "chats"},
		{name: "id that is none", text: "<chats><chat><id>x1</id></chat></chats>", field: "chats[0].id"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, err := extractor.ReadInput(strings.NewReader(tt.text))
			if tt.field == "" && tt.message == "" {
				if err != nil || len(in.Chats) != 1 || in.Chats[0].Content != "a" {
					t.Errorf("%v %+v", err, in)
				}
				return
			}
			e := wantError(t, err, graph.CodeInvalid)
			if tt.field != "" && (len(e.Fields) != 1 || e.Fields[0].Name != tt.field) {
				t.Errorf("fields %+v", e.Fields)
			}
			if !strings.Contains(e.Message, tt.message) {
				t.Errorf("message %q", e.Message)
			}
		})
	}
}

func FuzzReadInput(f *testing.F) {
	f.Add(extractor.EncodeInput(input(), extractor.ProfileExtended))
	f.Add("<chats><chat><id>1</id><content>&#13;a</content></chat></chats>")
	f.Fuzz(func(t *testing.T, text string) {
		in, err := extractor.ReadInput(strings.NewReader(text))
		if err != nil {
			return
		}
		again, err := extractor.ReadInput(strings.NewReader(extractor.EncodeInput(in, extractor.ProfileExtended)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(in.Chats, again.Chats); diff != "" {
			t.Fatal(diff)
		}
	})
}
