package relations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"relata/graph"
	"relata/relations"
)

// café makes a world with two personas, three relations and no memory.
func café(t testing.TB) *world {
	w := newWorld(t)
	w.persona("小满", "阿岩", "满满")
	w.persona("Lumen", "Maya")
	for _, key := range []string{"like", "plan", "work_at"} {
		w.relation(graph.Relation{Key: key})
	}
	w.relation(graph.Relation{Key: "live_in", Functional: true})
	return w
}

// private is a batch of 小满 with 阿岩: message 1 is his, 2 the persona's, 3 his.
func private(p relations.Proposal) relations.Submission {
	return relations.Submission{
		Proposal: p, Session: "s", Date: at("2026-03-05 10:00:00"), Persona: []string{"小满"},
		Sources: []graph.Source{
			message(1, "user", "阿岩", "我喜欢看海"),
			message(2, "assistant", "小满", "我最喜欢大理"),
			message(3, "user", "阿岩", "哈哈"),
		},
	}
}

func checkVerdicts(t *testing.T, r graph.Receipt, want ...string) {
	t.Helper()
	if diff := gocmp.Diff(want, verdicts(r)); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
}

func checkNote(t *testing.T, r graph.Receipt, i int, part string) {
	t.Helper()
	if v := r.Verdicts[i]; !strings.Contains(v.Note+v.Message, part) {
		t.Errorf("%s says %q %q, want %q in it", v.Item, v.Message, v.Note, part)
	}
}

func TestIncrement(t *testing.T) {
	w := café(t)
	r := w.submit(private(increments(item("阿岩|like|海|阿岩喜欢看海。", cites(1), func(m *relations.MemoryItem) {
		m.Index0, m.Index1, m.Tags, m.EventDate = "profile", "owner", []string{"海", " 海 ", ""}, "2026年3月"
		m.Title, m.MemoryType = "看海", "UserMemory"
	}))))
	checkVerdicts(t, r, "memories.increments[0] applied")
	want := graph.Memory{
		Subject: "阿岩", Object: "海", Relation: "like", Content: "阿岩喜欢看海。",
		Index0: graph.Profile, Index1: "owner", Tags: []string{"海"}, Title: "看海", MemoryType: "UserMemory",
		Date: at("2026-03-05 10:00:00"), EventDate: "2026-03", Persona: "小满", MsgIDs: []int64{1},
		KnownBy: []string{"小满"}, SessionID: "s",
	}
	ignore := cmpopts.IgnoreFields(graph.Memory{}, "ID", "SubjectID", "ObjectID")
	if diff := gocmp.Diff([]graph.Memory{want}, r.Memories.Added, ignore); diff != "" {
		t.Errorf("added (-want +got):\n%s", diff)
	}
	if r.Status != graph.DiffApplied || len(w.sources) != 3 {
		t.Errorf("status %s, %d sources stored", r.Status, len(w.sources))
	}
}

func TestIncrementFields(t *testing.T) {
	long := func(n int) string { return strings.Repeat("海", n/3) }
	tests := []struct {
		name string
		item relations.MemoryItem
		want string
		note string
	}{
		{"subject missing", item("|like|海|x"), "rejected missing_field", "subject missing"},
		{"object missing", item("阿岩|like|\u3000|x"), "rejected missing_field", "object missing"},
		{"relation missing", item("阿岩||海|x"), "rejected missing_field", "relation missing"},
		{"content missing", item("阿岩|like|海|\u200b"), "rejected missing_field", "content missing"},
		{"content of 8,000 bytes", item("阿岩|like|海|" + long(7998)), "applied", ""},
		{"content of 27,000 bytes", item("阿岩|like|海|" + long(27000)), "rejected too_long", "27000 bytes"},
		{"object too long", item("阿岩|like|" + long(1002) + "|x"), "rejected too_long", "object"},
		{"subject too long", item(long(1002) + "|like|海|x"), "rejected too_long", "subject"},
		{"a refusal", item("阿岩|like|对话|抱歉，我无法处理这段对话"), "rejected refusal_text", "refusal"},
		{"a pronoun as subject", item("我|like|海|我喜欢海。"), "rejected not_grounded", "names nobody"},
		{"an English pronoun as subject", item("They|like|海|They like the sea."), "rejected not_grounded", ""},
		{"control characters are dropped", item("阿岩|like|海|阿岩\u000b喜欢\x00看海。"), "applied", ""},
		{"an unreadable event date is dropped", item("阿岩|like|海|x", func(m *relations.MemoryItem) { m.EventDate = "2025-02-30" }), "applied", "event_date dropped"},
		{"an event date that says unknown is none", item("阿岩|like|海|x", func(m *relations.MemoryItem) { m.EventDate = "null" }), "applied", ""},
		{"an unknown message is dropped", item("阿岩|like|海|x", cites(1, 77)), "applied", "77 dropped"},
		{"an unknown index0 is derived", item("阿岩|like|海|x", func(m *relations.MemoryItem) { m.Index0 = "爱好" }), "applied", "derived"},
		{"an unknown index1 is derived", item("阿岩|like|海|x", func(m *relations.MemoryItem) { m.Index0, m.Index1 = "profile", "me" }), "applied", "derived"},
		{"a date written by a model is ignored", item("阿岩|like|海|x", func(m *relations.MemoryItem) { m.Date = "2020-01-01" }), "applied", "ignored"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := café(t)
			r := w.submit(private(increments(tt.item)))
			checkVerdicts(t, r, "memories.increments[0] "+tt.want)
			checkNote(t, r, 0, tt.note)
			for _, m := range w.memories {
				if strings.ContainsAny(m.Content, "\x00\u000b") || !m.Date.Equal(at("2026-03-05 10:00:00")) {
					t.Errorf("stored %+v", m.Memory)
				}
			}
		})
	}
}

func TestOneBadItemOfEight(t *testing.T) {
	var items []relations.MemoryItem
	for i := range 8 {
		items = append(items, item(fmt.Sprintf("阿岩|like|东西%d|阿岩喜欢东西%d。", i, i)))
	}
	items[3].Object = ""
	w := café(t)
	r := w.submit(private(increments(items...)))
	if len(w.memories) != 7 || r.Verdicts[3].Code != graph.RejectMissingField {
		t.Errorf("%d stored, %v", len(w.memories), verdicts(r))
	}
}

func TestGrounding(t *testing.T) {
	noNames := func(s *relations.Submission) {
		s.Sources = []graph.Source{message(1, "user", "", "去哪玩?"), message(2, "assistant", "", "我最喜欢大理")}
	}
	group := func(s *relations.Submission) {
		s.Persona, s.Present = nil, []string{"小满", "Lumen"}
		s.Sources = append(s.Sources, message(4, "user", "Maya", "hi"))
	}
	tests := []struct {
		name    string
		change  func(*relations.Submission)
		item    relations.MemoryItem
		want    string
		subject string
	}{
		{"the user is the one who speaks", nil, item("用户|like|海|用户喜欢海。", cites(1)), "applied", "阿岩"},
		{"so in English", nil, item("The User|like|海|The user likes the sea.", cites(1)), "applied", "阿岩"},
		{"the assistant is the persona", nil, item("助手|like|大理|助手喜欢大理。", cites(2)), "applied", "小满"},
		{"the assistant's words are no fact about the user", nil, item("用户|like|大理|用户喜欢大理。", cites(2)), "rejected not_grounded", ""},
		{"nor about the user by name", nil, item("阿岩|like|大理|阿岩喜欢大理。", cites(2)), "rejected not_grounded", ""},
		{"unless the user says so too", nil, item("阿岩|like|大理|阿岩喜欢大理。", cites(2, 3)), "applied", "阿岩"},
		{"the assistant's words about itself stand", nil, item("小满|like|大理|我最喜欢大理。", cites(2)), "applied", "小满"},
		{"and about third things", nil, item("大理|like|风|大理多风。", cites(2)), "applied", "大理"},
		{"in a group the user is nobody", group, item("用户|like|海|用户喜欢海。", cites(1)), "rejected not_grounded", ""},
		{"nor is the assistant anybody", group, item("assistant|like|海|x", cites(2)), "rejected not_grounded", ""},
		{"without names the user is the user", noNames, item("用户|like|海|用户喜欢海。", cites(1)), "applied", "用户"},
		{"who did not say what the assistant said", noNames, item("用户|like|大理|用户喜欢大理。", cites(2)), "rejected not_grounded", ""},
		{"a client's own diff may speak of the user", func(s *relations.Submission) { s.Sources, s.Persona = nil, nil }, item("用户|like|海|用户喜欢海。"), "applied", "用户"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := café(t)
			sub := private(increments(tt.item))
			if tt.change != nil {
				tt.change(&sub)
			}
			r := w.submit(sub)
			checkVerdicts(t, r, "memories.increments[0] "+tt.want)
			if tt.subject != "" && len(r.Memories.Added) == 1 && r.Memories.Added[0].Subject != tt.subject {
				t.Errorf("subject is %s, want %s", r.Memories.Added[0].Subject, tt.subject)
			}
		})
	}
	t.Run("an entity with a pronoun's name is a name", func(t *testing.T) {
		w := café(t)
		w.entity("You")
		checkVerdicts(t, w.submit(private(increments(item("You|like|海|You likes the sea.", cites(1))))), "memories.increments[0] applied")
	})
}

func TestDuplicates(t *testing.T) {
	t.Run("an increment that is there adds sources and awareness and nothing else", func(t *testing.T) {
		w := café(t)
		id := w.memory("阿岩", "like", "海", "阿岩喜欢看海。", w.knownBy("Lumen"), func(s *graph.Stored) { s.MsgIDs, s.Tags = []int64{9}, []string{"旧"} })
		r := w.submit(private(increments(item("阿 岩|Like|海|阿岩喜欢看海！", cites(1), func(m *relations.MemoryItem) {
			m.Tags, m.Index0, m.Index1 = []string{"新"}, "event", "self"
		}))))
		checkVerdicts(t, r, "memories.increments[0] duplicate")
		m := w.memories[id]
		want := graph.Memory{
			ID: id, Subject: "阿岩", Object: "海", Relation: "like", Content: "阿岩喜欢看海。", SubjectID: m.SubjectID, ObjectID: m.ObjectID,
			Date: at("2026-01-02 10:00:00"), Index0: graph.Profile, Index1: "other", Tags: []string{"旧"},
			MsgIDs: []int64{1, 9}, KnownBy: []string{"小满", "Lumen"},
		}
		if diff := gocmp.Diff(want, m.Memory); diff != "" {
			t.Errorf("memory (-want +got):\n%s", diff)
		}
		if r.Status != graph.DiffNothing || len(r.Memories.Added)+len(r.Memories.Replaced) != 0 {
			t.Errorf("receipt: %+v", r)
		}
	})
	t.Run("two equal increments are one", func(t *testing.T) {
		w := café(t)
		r := w.submit(private(increments(
			item("阿岩|like|海|阿岩喜欢看海。", cites(1)), item("阿岩|like|海|阿岩喜欢看海", cites(3)), item("阿岩|plan|海|阿岩喜欢看海。"),
		)))
		checkVerdicts(t, r, "memories.increments[0] applied", "memories.increments[1] duplicate", "memories.increments[2] applied")
		if got := r.Memories.Added[0].MsgIDs; !slices.Equal(got, []int64{1, 3}) {
			t.Errorf("msg_ids are %v", got)
		}
	})
	t.Run("the same words under another entity are another memory", func(t *testing.T) {
		w := café(t)
		w.memory("李明", "like", "海", "他喜欢看海。")
		checkVerdicts(t, w.submit(private(increments(item("李明华|like|海|他喜欢看海。")))), "memories.increments[0] applied")
	})
	t.Run("an alias is the same entity", func(t *testing.T) {
		w := café(t)
		w.memory("小满", "like", "海", "我喜欢看海。")
		checkVerdicts(t, w.submit(private(increments(item("满满|like|海|我喜欢看海。")))), "memories.increments[0] duplicate")
	})
	t.Run("words that were retired come back as a new memory", func(t *testing.T) {
		w := café(t)
		id := w.memory("阿岩", "like", "海", "阿岩喜欢看海。")
		p := relations.Proposal{Memories: relations.MemoryProposals{Removes: []relations.MemoryItem{w.source(id)}}}
		p.Memories.Increments = []relations.MemoryItem{item("阿岩|like|海|阿岩喜欢看海。")}
		r := w.submit(private(p))
		checkVerdicts(t, r, "memories.increments[0] applied", "memories.removes[0] applied")
		if w.find("阿岩喜欢看海。").ID == id {
			t.Error("the id came back")
		}
	})
}

func TestReplaceInPlace(t *testing.T) {
	setup := func(t *testing.T) (*world, graph.MemoryID) {
		w := café(t)
		w.sources[9] = message(9, "user", "阿岩", "x")
		return w, w.memory("阿岩", "like", "海", "阿岩喜欢看海。", w.knownBy("Lumen"), func(s *graph.Stored) {
			s.MsgIDs, s.Tags, s.EventDate, s.Persona, s.Title = []int64{9}, []string{"旧"}, "2025", "Lumen", "标题"
		})
	}
	same := func(change ...func(*relations.MemoryItem)) relations.MemoryItem {
		return item("阿岩|like|海|阿岩喜欢看海。", change...)
	}
	tests := []struct {
		name   string
		target relations.MemoryItem
		change func(*graph.Memory) // from what is stored
		aware  []string
	}{
		{"nothing given: only the date moves", same(), func(*graph.Memory) {}, []string{"Lumen told"}},
		{
			"msg_ids given replace the old ones, and the people of the batch heard it", same(cites(1)),
			func(m *graph.Memory) { m.MsgIDs = []int64{1} },
			[]string{"Lumen told", "阿岩 said"},
		},
		{"old msg_ids may be cited", same(cites(9, 1)), func(m *graph.Memory) { m.MsgIDs = []int64{1, 9} }, []string{"Lumen told", "阿岩 said"}},
		{"msg_ids that are all unknown change nothing", same(cites(77)), func(*graph.Memory) {}, []string{"Lumen told"}},
		{"empty msg_ids are none", same(cites([]int64{}...), func(m *relations.MemoryItem) { m.MsgIDs = []int64{} }), func(m *graph.Memory) { m.MsgIDs = nil }, []string{"Lumen told"}},
		{
			"known_by given is who knows it now", same(known("小满")),
			func(m *graph.Memory) { m.KnownBy = []string{"小满"} },
			[]string{"小满 told by 阿岩", "阿岩 present by 阿岩"},
		},
		{
			"known_by may name who knew the source", same(known("满满", "Lumen")),
			func(m *graph.Memory) { m.KnownBy = []string{"小满", "Lumen"} },
			[]string{"Lumen told", "小满 told by 阿岩", "阿岩 present by 阿岩"},
		},
		{
			"tags, category and event date given replace the old ones", same(func(m *relations.MemoryItem) {
				m.Tags, m.Index0, m.Index1, m.EventDate = []string{"新"}, "event", "owner", "2026-03"
			}),
			func(m *graph.Memory) {
				m.Tags, m.Index0, m.Index1, m.EventDate = []string{"新"}, graph.Event, "owner", "2026-03"
			},
			[]string{"Lumen told"},
		},
		{"index1 alone stays under the old index0", same(func(m *relations.MemoryItem) { m.Index1 = "owner" }), func(m *graph.Memory) { m.Index1 = "owner" }, []string{"Lumen told"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, id := setup(t)
			want := w.memories[id].Memory
			want.Date, want.SessionID = at("2026-03-05 10:00:00"), "s"
			tt.change(&want)
			r := w.submit(private(replaces(w.source(id), tt.target)))
			checkVerdicts(t, r, "memories.replaces[0] applied")
			got := w.memories[id]
			if diff := gocmp.Diff(want, got.Memory, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("memory (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(tt.aware, aware(got.Aware)); diff != "" {
				t.Errorf("aware (-want +got):\n%s", diff)
			}
			if len(w.retired) != 0 || len(r.Memories.Replaced) != 1 || r.Memories.Replaced[0].Old.ID != id || r.Memories.Replaced[0].New.ID != id {
				t.Errorf("%d retired, receipt %+v", len(w.retired), r.Memories)
			}
			if diff := gocmp.Diff(want.KnownBy, r.Memories.Replaced[0].New.KnownBy, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("receipt's known_by (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("moving the key by hand beside a rename is in place too", func(t *testing.T) {
		w, id := setup(t)
		p := replaces(w.source(id), item("阿岩|fond_of|海|阿岩喜欢看海。"))
		p.Relations.Replaces = []relations.RelationReplace{{Source: w.relationSource("like"), Target: rel("fond_of", "likes")}}
		r := w.submit(private(p))
		checkVerdicts(t, r, "relations.replaces[0] applied", "memories.replaces[0] applied")
		if m := w.find("阿岩喜欢看海。"); m.ID != id || m.Relation != "fond_of" || !slices.Equal(m.KnownBy, []string{"Lumen"}) || len(w.memories) != 1 {
			t.Errorf("memory %+v of %d", m.Memory, len(w.memories))
		}
		if r.Relations.Replaced[0].Carried != 1 {
			t.Errorf("carried %d", r.Relations.Replaced[0].Carried)
		}
	})
	t.Run("what was there before is kept for the ledger", func(t *testing.T) {
		w, id := setup(t)
		planned, err := w.plan(private(replaces(w.source(id), same(cites(1), known("小满")))))
		if err != nil {
			t.Fatal(err)
		}
		want := &graph.MemoryFields{
			Date: at("2026-01-02 10:00:00"), Index0: graph.Profile, Index1: "other", EventDate: "2025", Relation: "like",
			Tags: []string{"旧"}, MsgIDs: []int64{9}, KnownBy: []string{"Lumen"},
		}
		got := planned.Changes.Ledger.Items[0]
		if diff := gocmp.Diff(want, got.Before); diff != "" || got.Action != graph.ActionUpdate || got.Memory != id || got.Old != 0 {
			t.Errorf("item %+v, before (-want +got):\n%s", got, diff)
		}
	})
}

func TestReplaceByANewValue(t *testing.T) {
	setup := func(t *testing.T) (*world, graph.MemoryID) {
		w := café(t)
		return w, w.memory("阿岩", "work_at", "青屿科技", "阿岩在青屿科技工作。", w.knownBy("Lumen"), func(s *graph.Stored) {
			s.Tags, s.EventDate, s.MsgIDs, s.Title = []string{"工作"}, "2024", []int64{3}, "工作"
		})
	}
	t.Run("the source is retired and the new memory has its own id", func(t *testing.T) {
		w, id := setup(t)
		r := w.submit(private(replaces(w.source(id), item("阿岩|work_at|北辰|阿岩在北辰工作。", cites(1), known("小满", "Lumen")))))
		checkVerdicts(t, r, "memories.replaces[0] applied")
		m := w.find("阿岩在北辰工作。")
		if m.ID == id || w.retired[id] == nil || w.retired[id].RetiredBy != "replace" {
			t.Errorf("new id %d, retired %v", m.ID, w.retired)
		}
		if !slices.Equal(m.Tags, []string{"工作"}) || m.EventDate != "2024" || m.Index0 != graph.Profile || m.Index1 != "other" ||
			m.Title != "工作" || m.Persona != "小满" || !slices.Equal(m.MsgIDs, []int64{1}) {
			t.Errorf("what is left out is not as in the source: %+v", m.Memory)
		}
		if diff := gocmp.Diff([]string{"Lumen told", "小满 told by 阿岩", "阿岩 said"}, aware(m.Aware)); diff != "" {
			t.Errorf("aware (-want +got):\n%s", diff)
		}
		pair := r.Memories.Replaced[0]
		if pair.Old.ID != id || pair.New.ID != m.ID || !slices.Equal(pair.Old.SupersededBy, []graph.MemoryID{m.ID}) ||
			!slices.Equal(pair.New.Supersedes, []graph.MemoryID{id}) || pair.Old.RetiredAt.IsZero() {
			t.Errorf("receipt: %+v", pair)
		}
	})
	t.Run("known_by left out: the personas present, not those of the old value", func(t *testing.T) {
		w, id := setup(t)
		w.submit(private(replaces(w.source(id), item("阿岩|work_at|北辰|阿岩在北辰工作。"))))
		if m := w.find("阿岩在北辰工作。"); !slices.Equal(m.KnownBy, []string{"小满"}) || !slices.Equal(m.MsgIDs, []int64{3}) {
			t.Errorf("known by %v, msg_ids %v", m.KnownBy, m.MsgIDs)
		}
	})
	t.Run("moving to another existing relation makes a new memory", func(t *testing.T) {
		w, id := setup(t)
		r := w.submit(private(replaces(w.source(id), item("阿岩|plan|青屿科技|阿岩在青屿科技工作。"))))
		checkVerdicts(t, r, "memories.replaces[0] applied")
		if m := w.find("阿岩在青屿科技工作。"); m.ID == id || m.Relation != "plan" {
			t.Errorf("memory %+v", m.Memory)
		}
	})
	t.Run("another spelling of the same words is a new memory", func(t *testing.T) {
		w, id := setup(t)
		w.submit(private(replaces(w.source(id), item("阿岩|work_at|青屿科技|阿岩在青嶼科技工作！"))))
		if m := w.find("阿岩在青嶼科技工作！"); m.ID == id || len(w.memories) != 1 {
			t.Errorf("memory %+v", m.Memory)
		}
	})
	t.Run("a target that exists already: the source goes, the rest is merged", func(t *testing.T) {
		w, id := setup(t)
		other := w.memory("阿岩", "work_at", "北辰", "阿岩在北辰工作。")
		r := w.submit(private(replaces(w.source(id), item("阿岩|work_at|北辰|阿岩在北辰工作。", cites(1)))))
		checkVerdicts(t, r, "memories.replaces[0] applied")
		checkNote(t, r, 0, "says this already")
		m := w.find("阿岩在北辰工作。")
		if m.ID != other || w.retired[id] == nil || !slices.Equal(m.KnownBy, []string{"小满"}) || !slices.Equal(m.MsgIDs, []int64{1}) {
			t.Errorf("memory %+v, retired %v", m.Memory, w.retired)
		}
		if len(r.Memories.Replaced) != 1 || r.Memories.Replaced[0].Old.ID != id || r.Memories.Replaced[0].New.ID != other {
			t.Errorf("receipt: %+v", r.Memories)
		}
	})
	t.Run("two that swap their words are two new memories", func(t *testing.T) {
		w, id := setup(t)
		other := w.memory("阿岩", "work_at", "北辰", "阿岩在北辰工作。")
		r := w.submit(private(replaces(w.source(id), item("阿岩|work_at|北辰|阿岩在北辰工作。"),
			w.source(other), item("阿岩|work_at|青屿科技|阿岩在青屿科技工作。"))))
		checkVerdicts(t, r, "memories.replaces[0] applied", "memories.replaces[1] applied")
		if len(w.memories) != 2 || len(w.retired) != 2 {
			t.Errorf("%d current, %d retired", len(w.memories), len(w.retired))
		}
	})
	t.Run("one source split in two: both stand in its place", func(t *testing.T) {
		w, id := setup(t)
		r := w.submit(private(replaces(w.source(id), item("阿岩|work_at|北辰|阿岩在北辰工作。"), w.source(id), item("阿岩|plan|搬家|阿岩打算搬家。"))))
		checkVerdicts(t, r, "memories.replaces[0] applied", "memories.replaces[1] applied")
		checkNote(t, r, 1, "both stand")
		if len(w.retired) != 1 || len(w.memories) != 2 {
			t.Errorf("%d current, %d retired", len(w.memories), len(w.retired))
		}
	})
	t.Run("a source that was updated is not replaced as well", func(t *testing.T) {
		w, id := setup(t)
		p := replaces(w.source(id), item("阿岩|work_at|青屿科技|阿岩在青屿科技工作。"), w.source(id), item("阿岩|work_at|北辰|阿岩在北辰工作。"))
		p.Memories.Removes = []relations.MemoryItem{w.source(id)}
		r := w.submit(private(p))
		checkVerdicts(t, r, "memories.replaces[0] applied", "memories.replaces[1] rejected ambiguous_source", "memories.removes[0] rejected ambiguous_source")
		if len(w.memories) != 1 {
			t.Errorf("%d current", len(w.memories))
		}
	})
	t.Run("removing what is replaced is nothing more", func(t *testing.T) {
		w, id := setup(t)
		p := replaces(w.source(id), item("阿岩|work_at|北辰|阿岩在北辰工作。"))
		p.Memories.Removes = []relations.MemoryItem{w.source(id)}
		checkVerdicts(t, w.submit(private(p)), "memories.replaces[0] applied", "memories.removes[0] duplicate")
	})
	t.Run("a target that cannot stand leaves its source alone", func(t *testing.T) {
		for _, target := range []string{"阿岩|work_at||x", "阿岩|unknown|北辰|x", "我|work_at|北辰|我在北辰。", "阿岩|work_at|北辰|抱歉，我无法处理这段对话"} {
			w, id := setup(t)
			r := w.submit(private(replaces(w.source(id), item(target))))
			if r.Verdicts[0].Outcome != graph.OutcomeRejected || len(w.retired) != 0 || r.Status != graph.DiffRejected {
				t.Errorf("%s: %+v, %d retired", target, r.Verdicts[0], len(w.retired))
			}
		}
	})
}

func TestDates(t *testing.T) {
	for in, want := range map[string]string{
		"2025-3-8": "2025-03-08 00:00:00", "2025年3月8日": "2025-03-08 00:00:00",
		"2025-03-08 10:39:17.2+00": "2025-03-08 10:39:17", "2025-02-30": "", "null": "", "": "2026-03-05 10:00:00",
	} {
		t.Run("a client's date "+in, func(t *testing.T) {
			w := café(t)
			sub := private(increments(item("阿岩|like|海|阿岩喜欢看海。", func(m *relations.MemoryItem) { m.Date = in })))
			sub.ItemDates = true
			r := w.submit(sub)
			checkVerdicts(t, r, "memories.increments[0] applied")
			if got := relations.FormatDate(r.Memories.Added[0].Date, w.space.Location()); got != want {
				t.Errorf("date %q is stored as %q, want %q", in, got, want)
			}
			if want == "" {
				checkNote(t, r, 0, "without a date")
			}
		})
	}
	t.Run("a batch without a date makes memories without one", func(t *testing.T) {
		w := café(t)
		sub := private(increments(item("阿岩|like|海|阿岩今早搬家了。")))
		sub.Date = time.Time{}
		if r := w.submit(sub); !r.Memories.Added[0].Date.IsZero() {
			t.Errorf("date is %v", r.Memories.Added[0].Date)
		}
	})
}

func TestBatchSources(t *testing.T) {
	t.Run("a message id that exists with other content refuses the whole batch", func(t *testing.T) {
		w := café(t)
		w.sources[2] = message(2, "assistant", "小满", "另一句话")
		_, err := w.plan(private(increments(item("阿岩|like|海|x"))))
		if graph.ErrorCode(err) != graph.CodeConflict {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("so does an id that is sent twice with different words", func(t *testing.T) {
		w := café(t)
		sub := private(relations.Proposal{})
		sub.Sources[2].SourceID = 1
		if _, err := w.plan(sub); graph.ErrorCode(err) != graph.CodeConflict {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("the same message again is stored once", func(t *testing.T) {
		w := café(t)
		sub := private(relations.Proposal{})
		w.sources[2] = sub.Sources[1]
		sub.Sources = append(sub.Sources, sub.Sources[0])
		planned, err := w.plan(sub)
		if err != nil || len(planned.Changes.Sources) != 2 {
			t.Errorf("%d sources to store, %v", len(planned.Changes.Sources), err)
		}
	})
	t.Run("a stored message of another batch may be cited", func(t *testing.T) {
		w := café(t)
		w.sources[77] = message(77, "user", "阿岩", "x")
		r := w.submit(private(increments(item("阿岩|like|海|x", cites(77, 1, 1)))))
		if got := r.Memories.Added[0].MsgIDs; !slices.Equal(got, []int64{1, 77}) || r.Verdicts[0].Note != "" {
			t.Errorf("msg_ids %v, note %q", got, r.Verdicts[0].Note)
		}
	})
}

func TestStatus(t *testing.T) {
	known := item("阿岩|like|海|阿岩喜欢看海。")
	bad := item("阿岩|like||x")
	tests := []struct {
		name     string
		items    []relations.MemoryItem
		change   func(*relations.Submission)
		want     graph.DiffStatus
		keyStays bool
	}{
		{"something new is applied", []relations.MemoryItem{item("阿岩|like|山|x"), bad}, nil, graph.DiffApplied, true},
		{"an empty diff is nothing", nil, nil, graph.DiffNothing, true},
		{"only what is there is nothing", []relations.MemoryItem{known}, nil, graph.DiffNothing, true},
		{"what is there and what is bad is nothing", []relations.MemoryItem{known, bad}, nil, graph.DiffNothing, true},
		{"only what is bad is rejected and releases its key", []relations.MemoryItem{bad}, nil, graph.DiffRejected, false},
		{"a held diff is proposed", []relations.MemoryItem{item("阿岩|like|山|x")}, func(s *relations.Submission) { s.Review = true }, graph.DiffProposed, true},
		{"a truncated answer releases its key", []relations.MemoryItem{item("阿岩|like|山|x")}, func(s *relations.Submission) { s.Truncated = true }, graph.DiffApplied, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := café(t)
			w.memory("阿岩", "like", "海", "阿岩喜欢看海。")
			sub := private(increments(tt.items...))
			sub.Key = "k"
			if tt.change != nil {
				tt.change(&sub)
			}
			planned, err := w.plan(sub)
			if err != nil {
				t.Fatal(err)
			}
			ledger := planned.Changes.Ledger
			if ledger.Status != tt.want || (ledger.Key == "k") != tt.keyStays {
				t.Errorf("status %s, key %q", ledger.Status, ledger.Key)
			}
			if len(planned.Changes.Sources) != 3 {
				t.Errorf("%d sources are stored, want 3 whatever the verdicts", len(planned.Changes.Sources))
			}
		})
	}
}

func TestHeld(t *testing.T) {
	w := café(t)
	w.space.Governance = graph.GovernanceReview
	p := increments(item("阿岩|adore|海|阿岩爱海。", cites(1)), item("阿岩|like|山|阿岩喜欢山。", cites(1)))
	p.Relations.Increments = []relations.RelationItem{rel("adore", "loves")}
	planned, err := w.plan(private(p))
	if err != nil {
		t.Fatal(err)
	}
	w.apply(planned.Changes)
	if strings.Contains(planned.Changes.Held, "我喜欢看海") {
		t.Error("the words of messages are kept beside the messages")
	}
	held, err := relations.ReadHeld(planned.Changes.Held)
	if err != nil {
		t.Fatal(err)
	}
	r := w.submit(held)
	checkVerdicts(t, r, "relations.increments[0] applied", "memories.increments[0] applied")
	m := w.find("阿岩爱海。")
	if diff := gocmp.Diff([]string{"小满 told by 阿岩", "阿岩 said"}, aware(m.Aware)); diff != "" {
		t.Errorf("aware (-want +got):\n%s", diff)
	}
	if len(w.memories) != 2 || !slices.Equal(m.MsgIDs, []int64{1}) {
		t.Errorf("%d current, %+v", len(w.memories), m.Memory)
	}
}

func TestNotesOfTheParser(t *testing.T) {
	w := café(t)
	sub := private(increments(item("阿岩|like|海|x")))
	sub.Notes = map[string]string{"memories.increments[0]": "a bare & was repaired"}
	checkNote(t, w.submit(sub), 0, "a bare & was repaired")
}
