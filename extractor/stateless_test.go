package extractor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// shown is a memory that a client keeps itself, with a new piece of talk.
func shown() extractor.Input {
	return extractor.Input{
		Relations: []relations.RelationItem{{Date: "2026-03-01", Key: "rest_on", Content: "轮休于"}},
		Memories:  []relations.MemoryItem{{Date: "2026-03-01", Subject: "阿岩", Object: "周三", Relation: "rest_on", Content: "阿岩周三轮休"}},
		Chats:     []extractor.Chat{{Date: "2026-03-03 20:14:00", Role: "user", Content: "我改到周四轮休了，R&D 部门定的"}},
	}
}

const changed = `<relations><replaces></replaces><increments></increments><removes></removes></relations>
<memories><replaces><replace>
<source><date>2026-03-01</date><subject>阿岩</subject><object>周三</object><relation>rest_on</relation><content>阿岩周三轮休</content></source>
<target><subject>阿岩</subject><object>周四</object><relation>rest_on</relation><content>阿岩周四轮休</content><tags>作息</tags><msg_ids>1</msg_ids></target>
</replace></replaces><increments></increments><removes></removes></memories>`

func TestADiffWithoutAStoreIsMadeOfItsInputAlone(t *testing.T) {
	w, model := harbour(), says(changed)
	e := newExtractor(t, w, model)
	got, err := e.Diff(t.Context(), shown(), extractor.DiffOptions{Session: "s", Timezone: "Asia/Shanghai"})
	if err != nil {
		t.Fatal(err)
	}
	want := relations.Proposal{Memories: relations.MemoryProposals{Replaces: []relations.MemoryReplace{{
		Source: shown().Memories[0],
		Target: relations.MemoryItem{Subject: "阿岩", Object: "周四", Relation: "rest_on", Content: "阿岩周四轮休"},
	}}}}
	if diff := cmp.Diff(want, got.Proposal); diff != "" {
		t.Errorf("proposal (-want +got)\n%s", diff)
	}
	if got.Usage.Calls != 1 || got.Usage.InputTokens == 0 || got.Report.Truncated {
		t.Errorf("%+v", got)
	}
	if len(w.submissions()) != 0 || len(w.asked) != 0 {
		t.Error("the store was touched")
	}
	asked := model.requests()[0]
	for _, part := range []string{"<key>rest_on</key>", "<content>阿岩周三轮休</content>", "R&amp;D"} {
		if !strings.Contains(asked.User, part) {
			t.Errorf("the model was not shown %s:\n%s", part, asked.User)
		}
	}
	if strings.Contains(asked.User, "<id>") || strings.Contains(asked.System, "index0") || asked.Session != "s" {
		t.Errorf("the plain format has no extras:\n%s", asked.System)
	}
	if !strings.Contains(asked.System, "Asia/Shanghai") || !strings.Contains(asked.System, "记忆") {
		t.Errorf("the prompt is not in the chat's language or zone:\n%s", asked.System)
	}
}

func TestADiffWithoutAStoreInTheExtendedFormat(t *testing.T) {
	model := says(changed)
	got, err := newExtractor(t, harbour(), model).Diff(t.Context(), shown(), extractor.DiffOptions{Profile: extractor.ProfileExtended})
	if err != nil {
		t.Fatal(err)
	}
	target := got.Proposal.Memories.Replaces[0].Target
	if !cmp.Equal(target.Tags, []string{"作息"}) || !cmp.Equal(target.MsgIDs, []int64{1}) {
		t.Errorf("the extras are lost: %+v", target)
	}
	if asked := model.requests()[0]; !strings.Contains(asked.User, "<id>1</id>") || !strings.Contains(asked.System, "index0") {
		t.Errorf("the model was asked for the plain format:\n%s", asked.User)
	}
}

func TestADiffWithoutAStoreRefusesWhatCannotBeAsked(t *testing.T) {
	tests := map[string]struct {
		change  func(*extractor.Input)
		options extractor.DiffOptions
		fields  []string
	}{
		"no messages":       {func(in *extractor.Input) { in.Chats = nil }, extractor.DiffOptions{}, []string{"chats"}},
		"a role":            {func(in *extractor.Input) { in.Chats[0].Role = "king" }, extractor.DiffOptions{}, []string{"chats[0].role"}},
		"a relation's key":  {func(in *extractor.Input) { in.Relations[0].Key = " " }, extractor.DiffOptions{}, []string{"relations[0].key"}},
		"parts of a memory": {func(in *extractor.Input) { in.Memories[0] = relations.MemoryItem{Subject: "x"} }, extractor.DiffOptions{}, []string{"memories[0].object", "memories[0].relation", "memories[0].content"}},
		"a profile":         {func(*extractor.Input) {}, extractor.DiffOptions{Profile: "grand"}, []string{"profile"}},
		"a time zone":       {func(*extractor.Input) {}, extractor.DiffOptions{Timezone: "Mars"}, []string{"timezone"}},
		"too many memories": {func(in *extractor.Input) { in.Memories = make([]relations.MemoryItem, extractor.MaxShownMemories+1) }, extractor.DiffOptions{}, []string{"memories"}},
		"too many relations": {func(in *extractor.Input) {
			in.Relations = make([]relations.RelationItem, extractor.MaxShownRelations+1)
		}, extractor.DiffOptions{}, []string{"relations"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := shown()
			tt.change(&in)
			_, err := newExtractor(t, harbour(), says(changed)).Diff(t.Context(), in, tt.options)
			var e *graph.Error
			if !errors.As(err, &e) || e.Code != graph.CodeInvalid && e.Code != graph.CodeTooLarge || len(e.Fields) < len(tt.fields) {
				t.Fatalf("error %v", err)
			}
			for i, f := range tt.fields {
				if e.Fields[i].Name != f {
					t.Errorf("field %d is %s, want %s", i, e.Fields[i].Name, f)
				}
			}
		})
	}
}

func TestADiffWithoutAStoreTellsOfFailures(t *testing.T) {
	_, err := newExtractor(t, harbour(), nil).Diff(t.Context(), shown(), extractor.DiffOptions{})
	wantError(t, err, graph.CodeInvalid)
	_, err = newExtractor(t, harbour(), says("no diff at all")).Diff(t.Context(), shown(), extractor.DiffOptions{})
	wantError(t, err, graph.CodeModel)
}
