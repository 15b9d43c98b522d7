package relations_test

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/relations"
)

func group(p relations.Proposal) relations.Submission {
	sub := private(p)
	sub.Persona, sub.Present = nil, []string{"Lumen", "满满"}
	sub.Sources = append(sub.Sources, message(4, "user", "Maya", "I like tea"), message(5, "tool", "web_search", "{}"))
	return sub
}

func TestAwarenessOfANewMemory(t *testing.T) {
	document := func(p relations.Proposal) relations.Submission {
		return relations.Submission{
			Proposal: p, Date: at("2026-03-05 10:00:00"), KnownBy: []string{"小满", "Lumen"}, How: graph.HowRead,
			Sources: []graph.Source{{SourceID: 50, Kind: graph.SourceChunk, Speaker: "阿岩", Content: "…"}},
		}
	}
	client := func(p relations.Proposal) relations.Submission {
		return relations.Submission{Proposal: p, Date: at("2026-03-05 10:00:00"), FreeKnownBy: true}
	}
	tests := []struct {
		name  string
		batch func(relations.Proposal) relations.Submission
		item  relations.MemoryItem
		aware []string
		by    string // the writer
		note  string
	}{
		{"in private the persona was told", private, item("阿岩|like|海|x", cites(1)), []string{"小满 told by 阿岩", "阿岩 said"}, "小满", ""},
		{"a persona said its own words", private, item("小满|like|大理|x", cites(2)), []string{"小满 said", "阿岩 present"}, "小满", ""},
		{"without evidence the batch tells it", private, item("阿岩|like|海|x"), []string{"小满 told by 阿岩", "阿岩 present by 阿岩"}, "小满", ""},
		{
			"in a group everybody was present", group, item("Maya|like|茶|x", cites(4)),
			[]string{"Lumen present by Maya", "Maya said", "小满 present by Maya", "阿岩 present by Maya"},
			"Lumen", "",
		},
		{
			"known_by keeps it to some personas; people were there all the same", group, item("Maya|like|茶|x", cites(4), known("满满")),
			[]string{"Maya said", "小满 present by Maya", "阿岩 present by Maya"},
			"Lumen", "",
		},
		{
			"an empty known_by: no persona", group, item("Maya|like|茶|x", cites(4), known()),
			[]string{"Maya said", "阿岩 present by Maya"},
			"Lumen", "",
		},
		{
			"who was not there cannot be named", private, item("阿岩|like|海|x", cites(1), known("小满", "Lumen", "路人")),
			[]string{"小满 told by 阿岩", "阿岩 said"},
			"小满", "Lumen, 路人 dropped",
		},
		{
			"if nobody who is named was there, those present know it", private, item("阿岩|like|海|x", cites(1), known("Lumen")),
			[]string{"小满 told by 阿岩", "阿岩 said"},
			"小满", "Lumen dropped",
		},
		{
			"a document is read by whom it was given to", document, item("北辰|like|海|x"),
			[]string{"Lumen read by 阿岩", "小满 read by 阿岩", "阿岩 read"},
			"", "",
		},
		{"a client's own diff is known to nobody", client, item("北辰|like|海|x"), []string{}, "", ""},
		{"unless it says so", client, item("北辰|like|海|x", known("Lumen")), []string{"Lumen told"}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := café(t)
			r := w.submit(tt.batch(increments(tt.item)))
			checkVerdicts(t, r, "memories.increments[0] applied")
			checkNote(t, r, 0, tt.note)
			m := w.find("x")
			if diff := gocmp.Diff(tt.aware, aware(m.Aware)); diff != "" {
				t.Errorf("aware (-want +got):\n%s", diff)
			}
			if m.Persona != tt.by {
				t.Errorf("writer is %q, want %q", m.Persona, tt.by)
			}
			for _, a := range m.Aware {
				if !a.Since.Equal(at("2026-03-05 10:00:00")) || a.Persona != a.Entity.Persona {
					t.Errorf("awareness %+v", a)
				}
			}
			if diff := gocmp.Diff(m.KnownBy, append([]string(nil), r.Memories.Added[0].KnownBy...)); diff != "" {
				t.Errorf("receipt's known_by (-stored +receipt):\n%s", diff)
			}
		})
	}
}

func TestAwarenessNamesItsMessages(t *testing.T) {
	w := café(t)
	w.submit(private(increments(item("阿岩|like|海|x", cites(1, 2, 3)))))
	got := map[string][]int64{}
	for _, a := range w.find("x").Aware {
		got[a.Entity.Name] = a.MsgIDs
	}
	want := map[string][]int64{"小满": {2}, "阿岩": {1, 3}}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestPeoplePresent(t *testing.T) {
	w := café(t)
	sub := private(increments(item("阿岩|like|海|x", cites(1))))
	sub.Present = []string{"小满", "舟舟"}
	w.submit(sub)
	want := []string{"小满 told by 阿岩", "舟舟 present by 阿岩", "阿岩 said"}
	if diff := gocmp.Diff(want, aware(w.find("x").Aware)); diff != "" {
		t.Errorf("aware (-want +got):\n%s", diff)
	}
}

func TestDuplicateSpreadsKnowledge(t *testing.T) {
	w := café(t)
	id := w.memory("阿岩", "like", "海", "阿岩喜欢看海。", w.knownBy("Lumen"))
	w.submit(private(increments(item("阿岩|like|海|阿岩喜欢看海。", cites(1)))))
	want := []string{"Lumen told", "小满 told by 阿岩", "阿岩 said"}
	if diff := gocmp.Diff(want, aware(w.memories[id].Aware)); diff != "" {
		t.Errorf("aware (-want +got):\n%s", diff)
	}
}

func TestPersonaWhoSpeaksIsPresent(t *testing.T) {
	w := café(t)
	sub := private(increments(item("阿岩|like|海|x", cites(1))))
	sub.Persona = nil
	r := w.submit(sub)
	if m := r.Memories.Added[0]; !slices.Equal(m.KnownBy, []string{"小满"}) || m.Persona != "小满" {
		t.Errorf("known by %v, written by %q", m.KnownBy, m.Persona)
	}
}

func TestUnknownNamesOfTheBatch(t *testing.T) {
	for name, change := range map[string]func(*relations.Submission){
		"persona":  func(s *relations.Submission) { s.Persona = []string{"无此人"} },
		"known_by": func(s *relations.Submission) { s.KnownBy = []string{"无此人"} },
	} {
		t.Run(name, func(t *testing.T) {
			w := café(t)
			sub := private(relations.Proposal{})
			change(&sub)
			if _, err := w.plan(sub); graph.ErrorCode(err) != graph.CodeInvalid {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestCategory(t *testing.T) {
	index := func(index0, index1 string) func(*relations.MemoryItem) {
		return func(m *relations.MemoryItem) { m.Index0, m.Index1 = index0, index1 }
	}
	tests := []struct {
		name string
		item relations.MemoryItem
		want graph.Category
	}{
		{"as given in Chinese", item("A|like|B|x", index("百科知识", "生活")), graph.Category{Index0: graph.Knowledge, Index1: "生活"}},
		{"as given in English", item("A|like|B|x", index("knowledge", "life")), graph.Category{Index0: graph.Knowledge, Index1: "生活"}},
		{"spelled with capitals and blanks", item("A|like|B|x", index(" Event ", "Other")), graph.Category{Index0: graph.Event, Index1: "other"}},
		{"index1 left out: the persona itself", item("小满|like|B|x", index("profile", "")), graph.Category{Index0: graph.Profile, Index1: "self"}},
		{"index1 left out: its owner", item("阿岩|like|B|x", index("profile", "")), graph.Category{Index0: graph.Profile, Index1: "owner"}},
		{"index1 left out: its owner as object", item("李明|like|阿岩|x", index("event", "")), graph.Category{Index0: graph.Event, Index1: "owner"}},
		{"index1 left out: somebody else", item("李明|like|B|x", index("profile", "")), graph.Category{Index0: graph.Profile, Index1: "other"}},
		{"index1 left out: a method", item("A|like|B|x", index("method", "")), graph.Category{Index0: graph.Method, Index1: "general"}},
		{"all left out: by the relation", item("A|plan|B|x"), graph.Category{Index0: graph.Event, Index1: "other"}},
		{"all left out: by the relation, a taste", item("A|like|B|x"), graph.Category{Index0: graph.Profile, Index1: "other"}},
		{"all left out, a relation of the space: a person", item("阿岩|hum|B|x"), graph.Category{Index0: graph.Profile, Index1: "owner"}},
		{"all left out, a relation of the space: a thing", item("A|hum|B|x"), graph.Category{Index0: graph.Knowledge, Index1: "其他"}},
		{"index1 alone fits what is derived", item("李明|like|B|x", index("", "owner")), graph.Category{Index0: graph.Profile, Index1: "owner"}},
		{"an index1 of another index0", item("李明|like|B|x", index("event", "文史")), graph.Category{Index0: graph.Event, Index1: "other"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := café(t)
			w.relation(graph.Relation{Key: "hum"})
			m := w.submit(private(increments(tt.item))).Memories.Added[0]
			if got := (graph.Category{Index0: m.Index0, Index1: m.Index1}); got != tt.want {
				t.Errorf("category is %v, want %v", got, tt.want)
			}
		})
	}
}
