package api_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

const cafeBody = `{"name":"cafe","timezone":"Asia/Shanghai","language":"zh","vocabulary":"core","governance":"open","writer_sees":"space","createdAt":"2026-03-01 00:00:00"}`

func TestReadsAreAnsweredAsDocumented(t *testing.T) {
	memory := receipt().Memories.Replaced[0].New
	f := &fake{
		deleteSpace: func(string) (graph.Deletion, error) {
			return graph.Deletion{Memories: 7, Entities: 5, Relations: 3, Sources: 9, Diffs: 2, Other: 1}, nil
		},
		personas: []graph.Persona{
			{ID: 3, Name: "小满", Aliases: []string{"满满"}, Owner: "阿岩", OwnerAliases: []string{"林岩"}, Voice: "warm"},
			{ID: 4, Name: "Lumen"},
		},
		memories: func(graph.MemoryFilter) (graph.Page[graph.Memory], error) {
			return graph.Page[graph.Memory]{Items: []graph.Memory{memory}, Cursor: "bmV4dA"}, nil
		},
		memory:  func(graph.MemoryID) (graph.Memory, error) { return memory, nil },
		history: func(graph.MemoryID) ([]graph.Memory, error) { return []graph.Memory{memory}, nil },
		messages: func(graph.MessageQuery) ([]graph.Source, error) {
			return []graph.Source{
				{SourceID: 1, Session: "s", Role: "user", Speaker: "阿岩", Date: at("2026-03-03 20:14:00"), Content: "R&D"},
				{SourceID: 2, Session: "s", Role: "assistant", Date: at("2026-03-03 20:14:30"), ToolCalls: []graph.ToolCall{{ID: "c", Function: "f", Arguments: "{}"}}},
				{SourceID: 3, Session: "s", Role: "tool", Date: at("2026-03-03 20:14:31"), Content: "晴", ToolCallID: "c"},
			}, nil
		},
		relations: []graph.Relation{{
			Key: "work_at", Content: "在某处工作", Date: at("2026-03-01 00:00:00"), Functional: true, Symmetric: true,
			Inverse: "employ", Aliases: []string{"employed_by"}, Status: graph.RelationDeprecated, Successor: "work_for", Uses: 4,
		}},
	}
	tests := map[string]struct{ method, path, want string }{
		"spaces":             {"GET", "", `{"spaces":[` + cafeBody + `]}`},
		"a space":            {"GET", "/cafe", cafeBody},
		"deletion":           {"DELETE", "/cafe?confirm=cafe", `{"deleted":{"memories":7,"entities":5,"relations":3,"sources":9,"diffs":2,"other":1},"remaining":0}`},
		"personas":           {"GET", "/cafe/personas", `{"personas":[{"id":3,"name":"小满","aliases":["满满"],"owner":"阿岩","owner_aliases":["林岩"],"voice":"warm"},{"id":4,"name":"Lumen","aliases":[],"owner_aliases":[]}]}`},
		"a persona":          {"GET", "/cafe/personas/ＬＵＭＥＮ", `{"id":4,"name":"Lumen","aliases":[],"owner_aliases":[]}`},
		"a persona by alias": {"GET", "/cafe/personas/滿滿", `{"id":3,"name":"小满","aliases":["满满"],"owner":"阿岩","owner_aliases":["林岩"],"voice":"warm"}`},
		"memories":           {"GET", "/cafe/memories", `{"memories":[` + newMemory + `],"cursor":"bmV4dA"}`},
		"a memory":           {"GET", "/cafe/memories/17", newMemory},
		"a history":          {"GET", "/cafe/memories/17/history", `{"memories":[` + newMemory + `]}`},
		"messages": {"GET", "/cafe/messages?ids=1,2,3", `{"messages":[` +
			`{"id":1,"session_id":"s","date":"2026-03-03 20:14:00","role":"user","speaker":"阿岩","content":"R&D"},` +
			`{"id":2,"session_id":"s","date":"2026-03-03 20:14:30","role":"assistant","tool_calls":[{"id":"c","function":"f","arguments":"{}"}]},` +
			`{"id":3,"session_id":"s","date":"2026-03-03 20:14:31","role":"tool","content":"晴","tool_call_id":"c"}]}`},
		"relations": {"GET", "/cafe/relations", `{"relations":[{"key":"work_at","content":"在某处工作","date":"2026-03-01 00:00:00","functional":true,"symmetric":true,` +
			`"inverse":"employ","aliases":["employed_by"],"status":"deprecated","successor":"work_for","uses":4}]}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := call(t, serve(t, f), request(tt.method, "/v1/spaces"+tt.path, ""))
			wantStatus(t, w, 200)
			wantBody(t, w, tt.want)
			if got := w.Header().Get("Cache-Control"); got != "no-store" {
				t.Errorf("Cache-Control is %q", got)
			}
		})
	}
}

func TestEmptyListsAreLists(t *testing.T) {
	for path, want := range map[string]string{
		"/personas": `{"personas":[]}`, "/memories": `{"memories":[]}`, "/diffs": `{"diffs":[]}`,
		"/relations": `{"relations":[]}`, "/messages?session=s": `{"messages":[]}`,
	} {
		t.Run(path, func(t *testing.T) {
			w := call(t, serve(t, &fake{}), request("GET", "/v1/spaces/cafe"+path, ""))
			wantStatus(t, w, 200)
			wantBody(t, w, want)
		})
	}
}

func TestFiltersReachTheStore(t *testing.T) {
	var filter graph.MemoryFilter
	var query graph.MessageQuery
	var cursor string
	var limit int
	s := serve(t, &fake{
		memories: func(f graph.MemoryFilter) (graph.Page[graph.Memory], error) {
			filter = f
			return graph.Page[graph.Memory]{}, nil
		},
		messages: func(q graph.MessageQuery) ([]graph.Source, error) { query = q; return nil, nil },
		diffs: func(c string, l int) (graph.Page[graph.Diff], error) {
			cursor, limit = c, l
			return graph.Page[graph.Diff]{}, nil
		},
	})
	t.Run("of memories", func(t *testing.T) {
		wantStatus(t, call(t, s, request("GET", "/v1/spaces/cafe/memories?subject=%E9%98%BF%E5%B2%A9&relation=own&object=C%2B%2B&index0=knowledge&index1=meme&session=s&retired=true&cursor=abc&limit=7", "")), 200)
		want := graph.MemoryFilter{
			Subject: "阿岩", Relation: "own", Object: "C++", Index0: graph.Knowledge, Index1: "梗知识",
			Session: "s", Retired: true, Cursor: "abc", Limit: 7,
		}
		if diff := cmp.Diff(want, filter); diff != "" {
			t.Errorf("filter (-want +got)\n%s", diff)
		}
	})
	t.Run("of messages by id", func(t *testing.T) {
		wantStatus(t, call(t, s, request("GET", "/v1/spaces/cafe/messages?ids=3,1", "")), 200)
		if diff := cmp.Diff(graph.MessageQuery{IDs: []int64{3, 1}, Limit: 50}, query); diff != "" {
			t.Errorf("query (-want +got)\n%s", diff)
		}
	})
	t.Run("of a session's messages", func(t *testing.T) {
		wantStatus(t, call(t, s, request("GET", "/v1/spaces/cafe/messages?session=s&before=9&after=2&limit=200", "")), 200)
		if diff := cmp.Diff(graph.MessageQuery{Session: "s", Before: 9, After: 2, Limit: 200}, query); diff != "" {
			t.Errorf("query (-want +got)\n%s", diff)
		}
	})
	t.Run("of diffs", func(t *testing.T) {
		wantStatus(t, call(t, s, request("GET", "/v1/spaces/cafe/diffs?cursor=abc", "")), 200)
		if cursor != "abc" || limit != 50 {
			t.Errorf("cursor %q, limit %d", cursor, limit)
		}
	})
}

func TestTheLedgerShowsEachItemBeforeAndAfter(t *testing.T) {
	r := receipt()
	d := graph.Diff{
		ID: 12, Status: graph.DiffApplied, Session: "s", Persona: "小满", Present: []string{"小满"}, Key: "secret-key",
		Date: at("2026-03-03 20:14:30"), CreatedAt: at("2026-03-03 20:15:00"), PromptVersion: "v1",
		Items: []graph.DiffItem{
			{
				Verdict: graph.Verdict{Item: "relations.replaces[0]", Outcome: graph.OutcomeApplied}, Action: graph.ActionReplace,
				RelationBefore: &r.Relations.Replaced[0].Old, RelationAfter: &r.Relations.Replaced[0].New, Carried: 3,
			},
			{Verdict: graph.Verdict{Item: "memories.replaces[0]", Outcome: graph.OutcomeApplied}, Action: graph.ActionReplace, Memory: 17, Old: 16},
			{Verdict: graph.Verdict{Item: "memories.increments[0]", Outcome: graph.OutcomeRejected, Code: graph.RejectInvalidKey, Message: "rename it"}},
			{Verdict: graph.Verdict{Item: "memories.increments[1]", Outcome: graph.OutcomeDuplicate}, Action: graph.ActionMerge, Memory: 99},
		},
	}
	f := &fake{
		receipt: r,
		diff:    func(graph.DiffID) (graph.Diff, error) { return d, nil },
		diffs: func(string, int) (graph.Page[graph.Diff], error) {
			return graph.Page[graph.Diff]{Items: []graph.Diff{d}, Cursor: "c"}, nil
		},
	}
	t.Run("one", func(t *testing.T) {
		w := call(t, serve(t, f), request("GET", "/v1/spaces/cafe/diffs/12", ""))
		wantStatus(t, w, 200)
		wantBody(t, w, `{"id":12,"status":"applied","session_id":"s","persona":"小满","present":["小满"],"date":"2026-03-03 20:14:30","createdAt":"2026-03-03 20:15:00","prompt_version":"v1","items":[`+
			`{"item":"relations.replaces[0]","outcome":"applied","action":"replace","before":{"key":"at","content":"在","date":"2026-03-01 00:00:00"},`+
			`"after":{"key":"located_in","content":"位于","date":"2026-03-01 00:00:00","aliases":["at"]},"carried":3},`+
			`{"item":"memories.replaces[0]","outcome":"applied","action":"replace","before":`+oldMemory+`,"after":`+newMemory+`},`+
			`{"item":"memories.increments[0]","outcome":"rejected","code":"invalid_key","message":"rename it"},`+
			`{"item":"memories.increments[1]","outcome":"duplicate","action":"merge"}],"receipt":`+receiptBody+`}`)
	})
	t.Run("a list of them", func(t *testing.T) {
		w := call(t, serve(t, f), request("GET", "/v1/spaces/cafe/diffs", ""))
		wantStatus(t, w, 200)
		wantBody(t, w, `{"diffs":[{"id":12,"status":"applied","session_id":"s","persona":"小满","date":"2026-03-03 20:14:30","createdAt":"2026-03-03 20:15:00",`+
			`"items":{"applied":2,"duplicate":1,"rejected":1}}],"cursor":"c"}`)
	})
}

func TestASpaceIsMadeWithItsVocabulary(t *testing.T) {
	tests := map[string]struct {
		body      string
		exists    string // vocabulary of the space that is there
		created   bool
		relations []graph.Relation
		status    int
		seeded    bool
	}{
		"a new one":                              {`{"timezone":"Asia/Shanghai"}`, "", true, nil, 201, true},
		"a new one without a body":               {"", "", true, nil, 201, true},
		"a new one that is to be empty":          {`{"vocabulary":"empty"}`, "", true, nil, 201, false},
		"one that is there":                      {`{"language":"en"}`, "core", false, []graph.Relation{{Key: "own"}}, 200, false},
		"one whose making was cut off":           {"", "core", false, nil, 200, true},
		"one that began empty and stays so":      {"", "empty", false, nil, 200, false},
		"one that began empty and wants a start": {`{"vocabulary":"core"}`, "empty", false, []graph.Relation{{Key: "own"}}, 200, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var put graph.Space
			f := &fake{
				relations: tt.relations,
				space: func(name string) (graph.Space, error) {
					if tt.exists == "" {
						return graph.Space{}, graph.Errorf(graph.CodeNotFound, "no")
					}
					return graph.Space{Name: name, Vocabulary: tt.exists}, nil
				},
				putSpace: func(s graph.Space) (graph.Space, bool, error) {
					put = s
					out := cafe()
					switch {
					case s.Vocabulary != "":
						out.Vocabulary = s.Vocabulary
					case tt.exists != "":
						out.Vocabulary = tt.exists
					}
					return out, tt.created, nil
				},
			}
			w := call(t, serve(t, f), request("PUT", "/v1/spaces/cafe", tt.body))
			wantStatus(t, w, tt.status)
			if put.Name != "cafe" {
				t.Errorf("put %+v", put)
			}
			if seeded := len(f.seeded) > 0; seeded != tt.seeded {
				t.Errorf("seeded is %v, want %v", seeded, tt.seeded)
			}
		})
	}
}

func TestAPersonaAndARelationReachTheirStores(t *testing.T) {
	var persona graph.Persona
	var relation graph.Relation
	s := serve(t, &fake{
		putPersona: func(_ string, p graph.Persona) (graph.Persona, error) { persona = p; return p, nil },
		putRelation: func(r graph.Relation) (graph.Relation, bool, error) {
			relation = r
			return r, r.Key == "new_key", nil
		},
	})
	wantStatus(t, call(t, s, request("PUT", "/v1/spaces/cafe/personas/小满", `{"aliases":["满满"],"owner":"阿岩","owner_aliases":["林岩"],"voice":"warm"}`)), 200)
	if diff := cmp.Diff(graph.Persona{Name: "小满", Aliases: []string{"满满"}, Owner: "阿岩", OwnerAliases: []string{"林岩"}, Voice: "warm"}, persona); diff != "" {
		t.Errorf("persona (-want +got)\n%s", diff)
	}
	body := `{"content":"拥有","functional":true,"symmetric":true,"inverse":"owned_by","aliases":["has"],"successor":"have"}`
	wantStatus(t, call(t, s, request("PUT", "/v1/spaces/cafe/relations/own", body)), 200)
	want := graph.Relation{Key: "own", Content: "拥有", Functional: true, Symmetric: true, Inverse: "owned_by", Aliases: []string{"has"}, Successor: "have"}
	if diff := cmp.Diff(want, relation); diff != "" {
		t.Errorf("relation (-want +got)\n%s", diff)
	}
	wantStatus(t, call(t, s, request("PUT", "/v1/spaces/cafe/relations/new_key", body)), 201)
	wantStatus(t, call(t, s, request("GET", "/v1/spaces/cafe/personas/nobody", "")), 404)
}

func TestHealthAndReadiness(t *testing.T) {
	f := &fake{}
	s := serve(t, f)
	wantBody(t, call(t, s, request("GET", "/healthz", "")), `{"status":"ok","version":"test"}`)
	wantBody(t, call(t, s, request("GET", "/readyz", "")), `{"status":"ready","version":"test","checks":["database","indexes"]}`)

	f.ready = []graph.Check{
		{Name: "database"},
		{Name: "migrations", Err: graph.Errorf(graph.CodeUnavailable, "the database lacks 2 migrations: run relata migrate")},
		{Name: "indexes", Err: errors.New("dial tcp 10.0.0.1:7687: refused")},
	}
	w := call(t, s, request("GET", "/readyz", ""))
	wantStatus(t, w, 503)
	wantBody(t, w, `{"type":"urn:relata:problem:unavailable","title":"Not available now","status":503,"detail":"the database lacks 2 migrations: run relata migrate",`+
		`"errors":[{"field":"migrations","message":"the database lacks 2 migrations: run relata migrate"},{"field":"indexes","message":"the check failed; the server's log tells more"}]}`)
	wantStatus(t, call(t, s, request("GET", "/healthz", "")), 200)
}
