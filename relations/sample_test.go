package relations_test

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/relations"
)

const sampleDir = "../sample"

// wireItem is an item in the XML of formats §1.
type wireItem struct {
	Date      string  `xml:"date"`
	Key       string  `xml:"key"`
	Subject   string  `xml:"subject"`
	Object    string  `xml:"object"`
	Relation  string  `xml:"relation"`
	Content   string  `xml:"content"`
	Index0    string  `xml:"index0"`
	Index1    string  `xml:"index1"`
	MsgIDs    *string `xml:"msg_ids"`
	Tags      *string `xml:"tags"`
	KnownBy   *string `xml:"known_by"`
	EventDate string  `xml:"event_date"`
}

type wirePart struct {
	Replaces []struct {
		Source wireItem `xml:"source"`
		Target wireItem `xml:"target"`
	} `xml:"replaces>replace"`
	Increments []wireItem `xml:"increments>increment"`
	Removes    []wireItem `xml:"removes>remove"`
}

func (i wireItem) relation() relations.RelationItem {
	return relations.RelationItem{Date: i.Date, Key: i.Key, Content: i.Content}
}

func (i wireItem) memory(t *testing.T) relations.MemoryItem {
	m := relations.MemoryItem{
		Date: i.Date, Subject: i.Subject, Object: i.Object, Relation: i.Relation, Content: i.Content,
		Index0: i.Index0, Index1: i.Index1, EventDate: i.EventDate,
	}
	list := func(s *string) []string {
		if s == nil {
			return nil
		}
		return strings.Split(*s, ",")
	}
	m.Tags, m.KnownBy = list(i.Tags), list(i.KnownBy)
	for _, s := range list(i.MsgIDs) {
		id, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		m.MsgIDs = append(m.MsgIDs, id)
	}
	return m
}

// readReply reads a well-formed reply of the sample.
func readReply(t *testing.T, name string) relations.Proposal {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(sampleDir, name))
	if err != nil {
		t.Fatal(err)
	}
	var wire struct {
		Relations wirePart `xml:"relations"`
		Memories  wirePart `xml:"memories"`
	}
	if err := xml.Unmarshal([]byte("<diff>"+string(raw)+"</diff>"), &wire); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var p relations.Proposal
	for _, r := range wire.Relations.Replaces {
		p.Relations.Replaces = append(p.Relations.Replaces, relations.RelationReplace{Source: r.Source.relation(), Target: r.Target.relation()})
	}
	for _, r := range wire.Relations.Increments {
		p.Relations.Increments = append(p.Relations.Increments, r.relation())
	}
	for _, r := range wire.Relations.Removes {
		p.Relations.Removes = append(p.Relations.Removes, r.relation())
	}
	for _, m := range wire.Memories.Replaces {
		p.Memories.Replaces = append(p.Memories.Replaces, relations.MemoryReplace{Source: m.Source.memory(t), Target: m.Target.memory(t)})
	}
	for _, m := range wire.Memories.Increments {
		p.Memories.Increments = append(p.Memories.Increments, m.memory(t))
	}
	for _, m := range wire.Memories.Removes {
		p.Memories.Removes = append(p.Memories.Removes, m.memory(t))
	}
	return p
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(sampleDir, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// sampleWorld makes the harbour café before its first session.
func sampleWorld(t *testing.T) *world {
	w := newWorld(t)
	var cast struct {
		Personas []struct {
			Name         string   `json:"name"`
			Aliases      []string `json:"aliases"`
			Owner        string   `json:"owner"`
			OwnerAliases []string `json:"owner_aliases"`
		} `json:"personas"`
	}
	readJSON(t, "personas.json", &cast)
	for _, p := range cast.Personas {
		w.persona(p.Name, p.Owner, p.Aliases...)
		for _, a := range p.OwnerAliases {
			w.aliases[graph.EntityKey(a)] = graph.EntityKey(p.Owner)
		}
	}
	return w
}

// session makes the submission of one session with a given answer.
func (w *world) session(t *testing.T, name string, p relations.Proposal) relations.Submission {
	var chat struct {
		Persona string   `json:"persona"`
		Present []string `json:"present"`
		Chats   []struct {
			ID         int64            `json:"id"`
			Date       string           `json:"date"`
			Role       string           `json:"role"`
			Speaker    string           `json:"speaker"`
			Content    string           `json:"content"`
			ToolCalls  []graph.ToolCall `json:"tool_calls"`
			ToolCallID string           `json:"tool_call_id"`
		} `json:"chats"`
	}
	readJSON(t, "chats/"+name+".json", &chat)
	sub := relations.Submission{Space: w.space.Name, Session: name, Proposal: p, Present: chat.Present}
	if chat.Persona != "" {
		sub.Persona = []string{chat.Persona}
	}
	for _, c := range chat.Chats {
		sub.Date = at(c.Date)
		sub.Sources = append(sub.Sources, graph.Source{
			SourceID: c.ID, Kind: graph.SourceMessage, Session: name, Role: c.Role, Speaker: c.Speaker,
			Date: at(c.Date), Content: c.Content, ToolCalls: c.ToolCalls, ToolCallID: c.ToolCallID,
		})
	}
	for id := range w.memories {
		sub.Shown = append(sub.Shown, id)
	}
	slices.Sort(sub.Shown)
	return sub
}

type counts struct {
	Session    string `json:"session_id"`
	RelReplace int    `json:"rel_replace"`
	RelAdd     int    `json:"rel_increment"`
	RelRemove  int    `json:"rel_remove"`
	MemReplace int    `json:"mem_replace"`
	MemAdd     int    `json:"mem_increment"`
	MemRemove  int    `json:"mem_remove"`
	Relations  int    `json:"relations"`
	Memories   int    `json:"memories"`
}

func (w *world) count(session string, r graph.Receipt) counts {
	return counts{
		Session:    session,
		RelReplace: len(r.Relations.Replaced), RelAdd: len(r.Relations.Added), RelRemove: len(r.Relations.Removed),
		MemReplace: len(r.Memories.Replaced), MemAdd: len(r.Memories.Added), MemRemove: len(r.Memories.Removed),
		Relations: len(w.relations), Memories: len(w.memories),
	}
}

type sampleMemory struct {
	Date     string   `json:"date"`
	Subject  string   `json:"subject"`
	Relation string   `json:"relation"`
	Object   string   `json:"object"`
	Content  string   `json:"content"`
	Index0   string   `json:"index0"`
	Index1   string   `json:"index1"`
	MsgIDs   []int64  `json:"msg_ids"`
	Tags     []string `json:"tags"`
	KnownBy  []string `json:"known_by"`
	Session  string   `json:"session_id"`
}

type sampleState struct {
	Relations []struct {
		Date    string `json:"date"`
		Key     string `json:"key"`
		Content string `json:"content"`
	} `json:"relations"`
	Memories []sampleMemory `json:"memories"`
}

func (w *world) compare(file string) {
	w.t.Helper()
	var want, got sampleState
	readJSON(w.t.(*testing.T), file, &want)
	for _, r := range sortedByKey(w.relations) {
		got.Relations = append(got.Relations, struct {
			Date    string `json:"date"`
			Key     string `json:"key"`
			Content string `json:"content"`
		}{relations.FormatDate(r.Date, w.space.Location()), r.Key, r.Content})
	}
	slices.SortFunc(want.Relations, func(a, b struct {
		Date    string `json:"date"`
		Key     string `json:"key"`
		Content string `json:"content"`
	},
	) int {
		return cmp.Compare(a.Key, b.Key)
	})
	for _, m := range w.memories {
		got.Memories = append(got.Memories, sampleMemory{
			Date: relations.FormatDate(m.Date, w.space.Location()), Subject: m.Subject, Relation: m.Relation,
			Object: m.Object, Content: m.Content, Index0: m.Index0, Index1: m.Index1, MsgIDs: m.MsgIDs,
			Tags: m.Tags, KnownBy: m.KnownBy, Session: m.SessionID,
		})
	}
	for _, s := range []*sampleState{&want, &got} {
		for i := range s.Memories {
			m := &s.Memories[i]
			slices.Sort(m.KnownBy)
			if len(m.MsgIDs) == 0 {
				m.MsgIDs = nil
			}
			if len(m.Tags) == 0 {
				m.Tags = nil
			}
		}
		slices.SortFunc(s.Memories, func(a, b sampleMemory) int {
			return cmp.Compare(a.Content+a.Subject+a.Object, b.Content+b.Subject+b.Object)
		})
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		w.t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

// TestSample replays the recorded answers of all sessions and documents and
// holds every state against the expected one.
func TestSample(t *testing.T) {
	w := sampleWorld(t)
	var want struct {
		Sessions []counts `json:"sessions"`
	}
	readJSON(t, "expected/after-each-session.json", &want)
	for _, s := range want.Sessions {
		r := w.submit(w.session(t, s.Session, readReply(t, "replies/"+s.Session+".xml")))
		if diff := gocmp.Diff(s, w.count(s.Session, r)); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", s.Session, diff)
		}
		for _, v := range r.Verdicts {
			if v.Outcome != graph.OutcomeApplied || v.Note != "" {
				t.Errorf("%s: %+v", s.Session, v)
			}
		}
	}
	w.compare("expected/final-state.json")
	var retired struct {
		Retired []struct{ Content, By string } `json:"retired"`
	}
	readJSON(t, "expected/retired.json", &retired)
	if got, want := len(w.retired), len(retired.Retired); got != want {
		t.Errorf("%d memories are retired, want %d", got, want)
	}

	var docs struct {
		Documents []struct {
			Date, Reply string
			GivenBy     string   `json:"given_by"`
			GivenTo     []string `json:"given_to"`
		} `json:"documents"`
	}
	readJSON(t, "documents/documents.json", &docs)
	for i, d := range docs.Documents {
		w.submit(relations.Submission{
			Space: w.space.Name, Session: d.Reply, Date: at(d.Date), Proposal: readReply(t, "replies/"+d.Reply+".xml"),
			KnownBy: d.GivenTo, How: graph.HowRead,
			Sources: []graph.Source{{SourceID: int64(9000 + i), Kind: graph.SourceChunk, Speaker: d.GivenBy, Content: d.Reply}},
		})
	}
	for _, m := range w.memories { // chunks are linked and are no messages
		m.MsgIDs = slices.DeleteFunc(m.MsgIDs, func(id int64) bool { return id >= 9000 })
	}
	w.compare("expected/final-state-with-documents.json")
}

// TestSampleBroken replays faulty answers that are well-formed XML: what is
// wrong is refused or repaired, the rest applies.
func TestSampleBroken(t *testing.T) {
	tests := []struct {
		reply, base string
		fault       []string // verdicts other than a plain "applied"
		want        counts   // of the receipt
		check       func(*testing.T, *world)
	}{
		{
			reply: "05-undefined-relation", base: "11-one-character-apart",
			fault: []string{"memories.increments[1] rejected undefined_relation"},
			want:  counts{MemReplace: 4, MemAdd: 8, MemRemove: 9, RelRemove: 1},
		},
		{
			reply: "06-source-one-space", base: "10-tidepool-becomes-kelpline",
			check: func(t *testing.T, w *world) {
				n := 0
				for _, m := range w.memories {
					if m.Subject == "Maya" && strings.Contains(m.Content, "flat white") {
						n++
					}
				}
				if n != 1 {
					t.Errorf("%d current coffee orders, want 1", n)
				}
			},
		},
		{
			reply: "09-bad-key", base: "10-tidepool-becomes-kelpline",
			fault: []string{"relations.increments[0] mapped", "memories.increments[2] mapped"},
			check: func(t *testing.T, w *world) {
				if w.relations["work_at"].Content != "表示主体（人）在客体（公司、店铺等机构）工作" {
					t.Errorf("work_at changed: %+v", w.relations["work_at"])
				}
				if _, ok := w.relations["works_at"]; ok {
					t.Error("works_at was stored")
				}
			},
		},
		{
			reply: "10-missing-object", base: "05-captains-orders",
			fault: []string{"memories.increments[3] rejected missing_field"},
			want:  counts{RelReplace: 1, RelAdd: 3, MemReplace: 5, MemAdd: 14, MemRemove: 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.reply, func(t *testing.T) {
			w := sampleWorld(t)
			var all struct {
				Sessions []counts `json:"sessions"`
			}
			readJSON(t, "expected/after-each-session.json", &all)
			for _, s := range all.Sessions {
				if s.Session == tt.base {
					break
				}
				w.submit(w.session(t, s.Session, readReply(t, "replies/"+s.Session+".xml")))
			}
			r := w.submit(w.session(t, tt.base, readReply(t, "replies-broken/"+tt.reply+".xml")))
			var fault []string
			for i, v := range verdicts(r) {
				if r.Verdicts[i].Outcome != graph.OutcomeApplied {
					fault = append(fault, v)
				}
			}
			if diff := gocmp.Diff(tt.fault, fault); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if tt.want != (counts{}) {
				got := w.count("", r)
				got.Relations, got.Memories = 0, 0
				if diff := gocmp.Diff(tt.want, got); diff != "" {
					t.Errorf("receipt (-want +got):\n%s", diff)
				}
			}
			if tt.check != nil {
				tt.check(t, w)
			}
		})
	}
}
