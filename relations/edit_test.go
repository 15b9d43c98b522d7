package relations_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/internal/testkit"
	"relata/relations"
)

// editing is a space on a real database with one memory that two personas and a
// person know.
type editing struct {
	t       *testing.T
	store   *graph.Store
	service *relations.Service
	space   string
	id      graph.MemoryID
	now     time.Time
}

func newEditing(t *testing.T) *editing {
	t.Helper()
	e := &editing{t: t, store: testkit.Store(t), now: time.Date(2026, 6, 5, 12, 0, 0, 0, time.UTC)}
	e.space = testkit.Space(t, e.store, graph.Space{Timezone: "Asia/Shanghai"})
	e.service = relations.NewService(relations.ServiceOptions{Store: e.store, Clock: func() time.Time { return e.now }})
	for _, p := range []graph.Persona{{Name: "小满", Owner: "阿岩"}, {Name: "墨鱼"}, {Name: "Lumen"}} {
		if _, err := e.store.PutPersona(t.Context(), e.space, p); err != nil {
			t.Fatal(err)
		}
	}
	receipt, err := e.service.Submit(t.Context(), relations.Submission{
		Space: e.space, Session: "s", Persona: []string{"小满"}, Present: []string{"墨鱼"}, Date: time.Date(2026, 3, 3, 12, 14, 0, 0, time.UTC),
		Sources: []graph.Source{{SourceID: 7, Session: "s", Role: "user", Speaker: "阿岩", Content: "我周三轮休"}},
		Proposal: relations.Proposal{
			Relations: relations.RelationProposals{Increments: []relations.RelationItem{{Key: "rest_on", Content: "轮休于"}, {Key: "like", Content: "喜欢"}}},
			Memories: relations.MemoryProposals{Increments: []relations.MemoryItem{{
				Subject: "阿岩", Relation: "rest_on", Object: "周三", Content: "阿岩周三轮休",
				Index0: graph.Profile, Index1: "owner", Tags: []string{"作息"}, MsgIDs: []int64{7}, EventDate: "2026-03",
			}}},
		},
	})
	if err != nil || len(receipt.Memories.Added) != 1 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	e.id = receipt.Memories.Added[0].ID
	return e
}

func (e *editing) memory(id graph.MemoryID) graph.Memory {
	e.t.Helper()
	m, err := e.store.Memory(e.t.Context(), e.space, id, "")
	if err != nil {
		e.t.Fatal(err)
	}
	return m
}

func (e *editing) edit(change relations.Edit) (graph.Receipt, error) {
	change.Space, change.Memory = e.space, e.id
	return e.service.EditMemory(e.t.Context(), change)
}

func wantCode(t *testing.T, err error, code graph.Code) {
	t.Helper()
	if graph.ErrorCode(err) != code {
		t.Errorf("error %v, want code %s", err, code)
	}
}

func text(s string) *string { return &s }

func TestAnEditOfFieldsIsAnUpdateInPlace(t *testing.T) {
	e := newEditing(t)
	receipt, err := e.edit(relations.Edit{Index0: text("event"), Index1: text("other"), Tags: []string{}, EventDate: text("2026-03-04"), By: "admin"})
	if err != nil {
		t.Fatal(err)
	}
	if receipt.Status != graph.DiffApplied || len(receipt.Memories.Replaced) != 1 || receipt.Memories.Replaced[0].Old.ID != e.id {
		t.Fatalf("%+v", receipt)
	}
	m := e.memory(e.id)
	want := m
	want.Index0, want.Index1, want.Tags, want.EventDate = graph.Event, "other", []string{}, "2026-03-04"
	want.Content, want.MsgIDs, want.KnownBy, want.Persona, want.SessionID = "阿岩周三轮休", []int64{7}, []string{"小满", "墨鱼"}, "小满", "s"
	want.Date, want.RetiredAt = e.now, time.Time{}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("memory (-want +got)\n%s", diff)
	}
	d, err := e.store.Diff(t.Context(), e.space, receipt.DiffID, "")
	if err != nil || d.By != "admin" || len(d.Items) != 1 || d.Items[0].Before == nil || d.Items[0].Before.EventDate != "2026-03" {
		t.Errorf("ledger %+v, %v", d, err)
	}
	t.Run("one field alone", func(t *testing.T) {
		if _, err := e.edit(relations.Edit{Index1: text("self")}); err != nil {
			t.Fatal(err)
		}
		if m := e.memory(e.id); m.Index0 != graph.Event || m.Index1 != "self" || m.EventDate != "2026-03-04" {
			t.Errorf("%+v", m)
		}
	})
	t.Run("a date is taken away", func(t *testing.T) {
		if _, err := e.edit(relations.Edit{EventDate: text("")}); err != nil {
			t.Fatal(err)
		}
		if m := e.memory(e.id); m.EventDate != "" {
			t.Errorf("event_date is %q", m.EventDate)
		}
	})
	t.Run("who knows it", func(t *testing.T) {
		if _, err := e.edit(relations.Edit{KnownBy: []string{"墨鱼", "Lumen"}}); err != nil {
			t.Fatal(err)
		}
		if m := e.memory(e.id); !cmp.Equal(m.KnownBy, []string{"墨鱼", "Lumen"}) {
			t.Errorf("known by %v", m.KnownBy)
		}
		if _, err := e.edit(relations.Edit{KnownBy: []string{}}); err != nil {
			t.Fatal(err)
		}
		if m := e.memory(e.id); len(m.KnownBy) != 0 {
			t.Errorf("known by %v", m.KnownBy)
		}
	})
}

func TestAnEditOfTheStatementMakesANewMemory(t *testing.T) {
	e := newEditing(t)
	receipt, err := e.edit(relations.Edit{Object: text("周四"), Content: text("阿岩周四轮休")})
	if err != nil || len(receipt.Memories.Replaced) != 1 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	now := receipt.Memories.Replaced[0].New
	if now.ID == e.id {
		t.Fatal("the id is the same")
	}
	m := e.memory(now.ID)
	want := graph.Memory{
		ID: now.ID, Subject: "阿岩", Object: "周四", SubjectID: m.SubjectID, ObjectID: m.ObjectID, Relation: "rest_on", Content: "阿岩周四轮休",
		Index0: graph.Profile, Index1: "owner", Tags: []string{"作息"}, Date: e.now, EventDate: "2026-03", Persona: "小满",
		MsgIDs: []int64{7}, Chunks: []string{}, KnownBy: []string{"小满", "墨鱼"}, Supersedes: []graph.MemoryID{e.id}, SupersededBy: []graph.MemoryID{}, SessionID: "s",
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("memory (-want +got)\n%s", diff)
	}
	if old := e.memory(e.id); old.RetiredBy != "replace" || !cmp.Equal(old.SupersededBy, []graph.MemoryID{now.ID}) {
		t.Errorf("the old one is %+v", old)
	}
	t.Run("it is found by its new words", func(t *testing.T) {
		got, err := e.store.Search(t.Context(), graph.SearchRequest{Space: e.space, AsPersona: "墨鱼", Queries: []graph.Query{{Memory: "阿岩周四轮休", All: true}}})
		if err != nil || len(got[0].Hints) != 1 || got[0].Hints[0].ID != now.ID {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("the people who knew it still do", func(t *testing.T) {
		rows, err := e.store.Query(t.Context(), "MATCH (e:Entity)-[k:AWARE_OF]->(m:Memory) WHERE m.space = '"+e.space+"' RETURN e.name AS name, k.how AS how, k.msg_ids AS msgs ORDER BY e.id")
		if err != nil {
			t.Fatal(err)
		}
		want := []map[string]any{
			{"name": "小满", "how": "present", "msgs": []any{int64(7)}},
			{"name": "阿岩", "how": "said", "msgs": []any{int64(7)}},
			{"name": "墨鱼", "how": "present", "msgs": []any{int64(7)}},
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("awareness (-want +got)\n%s", diff)
		}
	})
	t.Run("the old one cannot be changed any more", func(t *testing.T) {
		_, err := e.edit(relations.Edit{Tags: []string{"x"}})
		wantCode(t, err, graph.CodeNotFound)
	})
}

func TestAnEditThatCannotStandChangesNothing(t *testing.T) {
	e := newEditing(t)
	wrong := map[string]struct {
		edit relations.Edit
		code graph.Code
	}{
		"nothing":             {relations.Edit{}, graph.CodeInvalid},
		"an unknown category": {relations.Edit{Index0: text("nonsense")}, graph.CodeInvalid},
		"an unknown part":     {relations.Edit{Index1: text("nonsense")}, graph.CodeInvalid},
		"a date":              {relations.Edit{EventDate: text("2026-02-30")}, graph.CodeInvalid},
		"a persona":           {relations.Edit{KnownBy: []string{"谁"}}, graph.CodeInvalid},
	}
	for name, tt := range wrong {
		t.Run(name, func(t *testing.T) {
			_, err := e.edit(tt.edit)
			wantCode(t, err, tt.code)
		})
	}
	rejected := map[string]struct {
		edit relations.Edit
		code graph.RejectCode
	}{
		"an undefined relation": {relations.Edit{Relation: text("adore_cat")}, graph.RejectUndefinedRelation},
		"a blank object":        {relations.Edit{Object: text(" ")}, graph.RejectMissingField},
		"a refusal":             {relations.Edit{Content: text("抱歉，我无法处理这段对话")}, graph.RejectRefusalText},
		"a pronoun":             {relations.Edit{Subject: text("他")}, graph.RejectNotGrounded},
	}
	for name, tt := range rejected {
		t.Run(name, func(t *testing.T) {
			receipt, err := e.edit(tt.edit)
			if err != nil || receipt.Status != graph.DiffRejected || receipt.Verdicts[0].Code != tt.code {
				t.Errorf("%+v, %v, want %s", receipt.Verdicts, err, tt.code)
			}
		})
	}
	t.Run("a dry run", func(t *testing.T) {
		receipt, err := e.edit(relations.Edit{Content: text("阿岩周五轮休"), DryRun: true})
		if err != nil || receipt.DiffID != 0 || receipt.Status != graph.DiffApplied {
			t.Errorf("%+v, %v", receipt, err)
		}
		receipt, err = e.service.RemoveMemory(t.Context(), e.space, e.id, "", true)
		if err != nil || receipt.DiffID != 0 || len(receipt.Memories.Removed) != 1 {
			t.Errorf("%+v, %v", receipt, err)
		}
	})
	if m := e.memory(e.id); !m.RetiredAt.IsZero() || m.Content != "阿岩周三轮休" {
		t.Errorf("it is %+v", m)
	}
	_, err := e.service.EditMemory(t.Context(), relations.Edit{Space: e.space, Memory: 1 << 52, Tags: []string{}})
	wantCode(t, err, graph.CodeNotFound)
	_, err = e.service.EditMemory(t.Context(), relations.Edit{Space: "nowhere", Memory: e.id, Tags: []string{}})
	wantCode(t, err, graph.CodeNotFound)
}

func TestAnEditToWhatIsThereAlreadyIsMerged(t *testing.T) {
	e := newEditing(t)
	receipt, err := e.service.Submit(t.Context(), relations.Submission{
		Space: e.space, Date: e.now, Persona: []string{"Lumen"}, Proposal: relations.Proposal{Memories: relations.MemoryProposals{
			Increments: []relations.MemoryItem{{Subject: "阿岩", Relation: "rest_on", Object: "周四", Content: "阿岩周四轮休"}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	other := receipt.Memories.Added[0].ID
	receipt, err = e.edit(relations.Edit{Object: text("周四"), Content: text("阿岩周四轮休")})
	if err != nil || receipt.Status != graph.DiffApplied {
		t.Fatalf("%+v, %v", receipt, err)
	}
	if m := e.memory(other); !cmp.Equal(m.KnownBy, []string{"小满", "墨鱼", "Lumen"}) || m.Persona != "Lumen" || !cmp.Equal(m.MsgIDs, []int64{7}) {
		t.Errorf("the other is %+v", m)
	}
	if m := e.memory(e.id); m.RetiredAt.IsZero() {
		t.Error("the edited one still holds")
	}
}

func TestARemovedMemoryIsRetired(t *testing.T) {
	e := newEditing(t)
	receipt, err := e.service.RemoveMemory(t.Context(), e.space, e.id, "admin", false)
	if err != nil || receipt.Status != graph.DiffApplied || len(receipt.Memories.Removed) != 1 || receipt.DiffID == 0 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	m := e.memory(e.id)
	if m.RetiredBy != "remove" || !m.RetiredAt.Equal(e.now) {
		t.Errorf("it is %+v", m)
	}
	_, err = e.service.RemoveMemory(t.Context(), e.space, e.id, "", false)
	wantCode(t, err, graph.CodeNotFound)
	_, err = e.service.RemoveMemory(t.Context(), "nowhere", e.id, "", false)
	wantCode(t, err, graph.CodeNotFound)
}
