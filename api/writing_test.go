package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// sameTime compares times by their moment.
var sameTime = cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })

// receipt is one with something in every place.
func receipt() graph.Receipt {
	old := graph.Memory{
		ID: 16, Subject: "阿岩", Relation: "rest_on", Object: "周三", Content: "阿岩周三轮休",
		Index0: graph.Profile, Index1: "owner", Date: at("2026-03-03 20:11:00"), MsgIDs: []int64{1},
		KnownBy: []string{"小满"}, Persona: "小满", RetiredAt: at("2026-03-03 20:14:30"), SupersededBy: []graph.MemoryID{17},
	}
	now := old
	now.ID, now.Object, now.Content, now.Date = 17, "周四", "阿岩周四轮休", at("2026-03-03 20:14:30")
	now.RetiredAt, now.SupersededBy, now.Supersedes = time.Time{}, nil, []graph.MemoryID{16}
	now.Tags, now.Title, now.MemoryType, now.EventDate = []string{"作息"}, "轮休", "UserMemory", "2026-03"
	now.Chunks = []string{"handbook.md#2"}
	return graph.Receipt{
		DiffID: 12, Status: graph.DiffApplied,
		Relations: graph.ReceiptRelations{
			Added: []graph.Relation{{Key: "rest_on", Content: "轮休于", Date: at("2026-03-03 20:14:30"), Functional: true, Status: graph.RelationActive}},
			Replaced: []graph.ReplacedRelation{{
				Old:     graph.Relation{Key: "at", Content: "在", Date: at("2026-03-01 00:00:00")},
				New:     graph.Relation{Key: "located_in", Content: "位于", Date: at("2026-03-01 00:00:00"), Aliases: []string{"at"}},
				Carried: 3,
			}},
		},
		Memories: graph.ReceiptMemories{
			Added:    []graph.Memory{{ID: 18, Subject: "R&D", Relation: "own", Object: "<x>", Content: "R&D owns <x>"}},
			Replaced: []graph.ReplacedMemory{{Old: old, New: now}},
		},
		Verdicts: []graph.Verdict{{Item: "memories.increments[0]", Outcome: graph.OutcomeRejected, Code: graph.RejectInvalidKey, Message: "rename it", Note: "seen"}},
		Usage:    graph.Usage{Model: "m", InputTokens: 10, OutputTokens: 5, Calls: 1, Milliseconds: 900},
	}
}

const receiptBody = `{"diff_id":12,"status":"applied",` +
	`"relations":{"added":[{"key":"rest_on","content":"轮休于","date":"2026-03-03 20:14:30","functional":true,"status":"active"}],` +
	`"replaced":[{"old":{"key":"at","content":"在","date":"2026-03-01 00:00:00"},` +
	`"new":{"key":"located_in","content":"位于","date":"2026-03-01 00:00:00","aliases":["at"]},"carried":3}],"removed":[]},` +
	`"memories":{"added":[{"id":18,"subject":"R&D","relation":"own","object":"<x>","content":"R&D owns <x>","index0":"","index1":"","tags":[],"createdAt":"","msg_ids":[],"known_by":[]}],` +
	`"replaced":[{"old":` + oldMemory + `,"new":` + newMemory + `}],"removed":[]},` +
	`"verdicts":[{"item":"memories.increments[0]","outcome":"rejected","code":"invalid_key","message":"rename it","note":"seen"}],` +
	`"usage":{"model":"m","input_tokens":10,"output_tokens":5,"calls":1,"milliseconds":900},"truncated":false,"repeated":false}`

const oldMemory = `{"id":16,"subject":"阿岩","relation":"rest_on","object":"周三","content":"阿岩周三轮休","index0":"人物画像","index1":"owner","tags":[],` +
	`"createdAt":"2026-03-03 20:11:00","msg_ids":[1],"known_by":["小满"],"persona":"小满","retiredAt":"2026-03-03 20:14:30","superseded_by":[17]}`

const newMemory = `{"id":17,"subject":"阿岩","relation":"rest_on","object":"周四","content":"阿岩周四轮休","index0":"人物画像","index1":"owner","tags":["作息"],` +
	`"createdAt":"2026-03-03 20:14:30","msg_ids":[1],"sources":["handbook.md#2"],"known_by":["小满"],"persona":"小满","title":"轮休","memory_type":"UserMemory","event_date":"2026-03","supersedes":[16]}`

const emptyReceipt = `{"diff_id":0,"status":"nothing","relations":{"added":[],"replaced":[],"removed":[]},"memories":{"added":[],"replaced":[],"removed":[]},` +
	`"verdicts":[],"usage":{"model":"","input_tokens":0,"output_tokens":0,"calls":0,"milliseconds":0},"truncated":false,"repeated":true}`

func TestReceiptsAreByteForByteAsDocumented(t *testing.T) {
	const ingest = `{"session_id":"s","chats":[{"date":"2026-03-03","role":"user","content":"x"}]}`
	t.Run("a full one", func(t *testing.T) {
		w := call(t, serve(t, &fake{receipt: receipt()}), request("POST", "/v1/spaces/cafe/ingest", ingest))
		wantStatus(t, w, 200)
		wantBody(t, w, receiptBody)
	})
	t.Run("an empty one has no null", func(t *testing.T) {
		f := &fake{receipt: graph.Receipt{Status: graph.DiffNothing, Repeated: true}}
		w := call(t, serve(t, f), request("POST", "/v1/spaces/cafe/diffs", `{"memories":{}}`))
		wantStatus(t, w, 200)
		wantBody(t, w, emptyReceipt)
	})
}

func id(n int64) *int64 { return &n }

func TestABatchReachesTheExtractorFromEitherForm(t *testing.T) {
	chats := []extractor.Chat{
		{ID: id(7), Date: "2026-03-03 20:14:00", Role: "user", Speaker: "阿岩", Content: "R&D 部门"},
		{
			Date: "2026-03-03 20:14:30", Role: "assistant", Speaker: "小满",
			ToolCalls: []graph.ToolCall{{ID: "c1", Function: "weather", Arguments: `{"city":"里斯本"}`}},
		},
		{Date: "2026-03-03 20:14:31", Role: "tool", Content: "晴", ToolCallID: "c1"},
	}
	const json = `"chats":[` +
		`{"id":7,"date":"2026-03-03 20:14:00","role":"user","speaker":"阿岩","content":"R&D 部门","mood":"tired"},` +
		`{"date":"2026-03-03 20:14:30","role":"assistant","speaker":"小满","content":null,"tool_calls":[{"id":"c1","function":"weather","arguments":"{\"city\":\"里斯本\"}"}]},` +
		`{"date":"2026-03-03 20:14:31","role":"tool","content":"晴","tool_call_id":"c1"}]`
	const xml = `<relations/><memories/><chats>` +
		`<chat><id>7</id><date>2026-03-03 20:14:00</date><role>user</role><speaker>阿岩</speaker><content>R&amp;D 部门</content></chat>` +
		`<chat><date>2026-03-03 20:14:30</date><role>assistant</role><speaker>小满</speaker><tool_calls><tool_call><id>c1</id><function>weather</function><arguments>{"city":"里斯本"}</arguments></tool_call></tool_calls></chat>` +
		`<chat><date>2026-03-03 20:14:31</date><role>tool</role><content>晴</content><tool_call_id>c1</tool_call_id></chat></chats>`
	tests := map[string]struct {
		target, body string
		header       []string
		batch        extractor.Batch
		options      extractor.IngestOptions
	}{
		"JSON, one persona": {
			"/v1/spaces/cafe/ingest", `{"session_id":"s","persona":"小满","tags":["作息"],` + json + `}`, nil,
			extractor.Batch{Space: "cafe", Session: "s", Persona: []string{"小满"}, Tags: []string{"作息"}, Chats: chats},
			extractor.IngestOptions{},
		},
		"JSON, a list of personas": {
			"/v1/spaces/cafe/ingest?mode=fast&dry_run=true&colour=red", `{"session_id":"s","persona":["小满","墨鱼"],"present":["Maya"],` + json + `}`,
			[]string{"Idempotency-Key: chat-42", "Content-Type: Application/JSON; charset=UTF-8"},
			extractor.Batch{Space: "cafe", Session: "s", Persona: []string{"小满", "墨鱼"}, Present: []string{"Maya"}, Chats: chats},
			extractor.IngestOptions{Mode: "fast", DryRun: true, Key: "chat-42"},
		},
		"XML": {
			"/v1/spaces/cafe/ingest?session_id=s&persona=%E5%B0%8F%E6%BB%A1,%E5%A2%A8%E9%B1%BC&present=Maya%20F", xml,
			[]string{"Content-Type: application/xml"},
			extractor.Batch{Space: "cafe", Session: "s", Persona: []string{"小满", "墨鱼"}, Present: []string{"Maya F"}, Chats: chats},
			extractor.IngestOptions{},
		},
		"XML by its other name": {
			"/v1/spaces/cafe/ingest?session_id=s", xml,
			[]string{"Content-Type: text/xml; charset=utf-8"},
			extractor.Batch{Space: "cafe", Session: "s", Chats: chats},
			extractor.IngestOptions{},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var batch extractor.Batch
			var options extractor.IngestOptions
			f := &fake{ingest: func(b extractor.Batch, o extractor.IngestOptions) (graph.Receipt, error) {
				batch, options = b, o
				return graph.Receipt{}, nil
			}}
			wantStatus(t, call(t, serve(t, f), request("POST", tt.target, tt.body, tt.header...)), 200)
			if diff := cmp.Diff(tt.batch, batch); diff != "" {
				t.Errorf("batch (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.options, options); diff != "" {
				t.Errorf("options (-want +got)\n%s", diff)
			}
		})
	}
}

func TestBodiesThatAreNoBatch(t *testing.T) {
	tests := map[string]struct {
		body   string
		header []string
	}{
		"nothing":         {"", nil},
		"broken XML":      {"<chats><chat>", []string{"Content-Type: application/xml"}},
		"XML of a diff":   {"<relations/><memories/>", []string{"Content-Type: application/xml"}},
		"empty XML":       {" ", []string{"Content-Type: application/xml"}},
		"no messages":     {`{"session_id":"s","chats":[]}`, nil},
		"an unknown part": {`{"session_id":"s","chat":[]}`, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := &fake{ingest: func(extractor.Batch, extractor.IngestOptions) (graph.Receipt, error) {
				t.Error("it reached the extractor")
				return graph.Receipt{}, nil
			}}
			wantStatus(t, call(t, serve(t, f), request("POST", "/v1/spaces/cafe/ingest?session_id=s", tt.body, tt.header...)), 400)
		})
	}
}

func TestADiffReachesTheJudgeFromEitherForm(t *testing.T) {
	proposal := relations.Proposal{
		Relations: relations.RelationProposals{Increments: []relations.RelationItem{{Key: "work_at", Content: "在某处工作"}}},
		Memories: relations.MemoryProposals{Increments: []relations.MemoryItem{
			{Subject: "阿岩", Object: "AT&T", Relation: "work_at", Content: "阿岩在AT&T上班"},
		}},
	}
	const json = `"relations":{"increments":[{"key":"work_at","content":"在某处工作"}]},` +
		`"memories":{"increments":[{"subject":"阿岩","object":"AT&T","relation":"work_at","content":"阿岩在AT&T上班","why":"said so"}]}`
	const xml = `<relations><replaces></replaces><increments><increment><key>work_at</key><content>在某处工作</content></increment></increments><removes></removes></relations>` +
		`<memories><replaces></replaces><increments><increment><subject>阿岩</subject><object>AT&amp;T</object><relation>work_at</relation><content>阿岩在AT&amp;T上班</content></increment></increments><removes></removes></memories>`
	asXML := []string{"Content-Type: application/xml"}
	tests := map[string]struct {
		target, body string
		header       []string
		want         relations.Submission
	}{
		"JSON alone: now, and known to nobody": {
			"/v1/spaces/cafe/diffs", `{` + json + `}`, nil,
			relations.Submission{Space: "cafe", Proposal: proposal, Date: at("2026-06-05 12:00:00")},
		},
		"JSON with everything": {
			"/v1/spaces/cafe/diffs?dry_run=true",
			`{` + json + `,"date":"2026年3月3日 20:14","session_id":"s","persona":"满满","known_by":[],"chats":[` +
				`{"date":"2026-03-03 09:00:00","role":"user","content":"a"},{"id":5,"date":"2026-03-03 10:00:00","role":"user","content":"b"}]}`,
			[]string{"Idempotency-Key: k"},
			relations.Submission{
				Space: "cafe", Proposal: proposal, Date: at("2026-03-03 20:14:00"), Session: "s", Persona: []string{"满满"},
				KnownBy: []string{}, Key: "k", DryRun: true,
				Sources: []graph.Source{
					{SourceID: 1000, Kind: graph.SourceMessage, Session: "s", Role: "user", Content: "a", Date: at("2026-03-03 09:00:00"), Present: []string{"小满"}},
					{SourceID: 5, Kind: graph.SourceMessage, Session: "s", Role: "user", Content: "b", Date: at("2026-03-03 10:00:00"), Present: []string{"小满"}},
				},
			},
		},
		"the date of the last message": {
			"/v1/spaces/cafe/diffs",
			`{` + json + `,"session_id":"s","chats":[{"id":5,"date":"2026-03-03 10:00:00","role":"user","content":"b"}]}`, nil,
			relations.Submission{
				Space: "cafe", Proposal: proposal, Date: at("2026-03-03 10:00:00"), Session: "s",
				Sources: []graph.Source{{SourceID: 5, Kind: graph.SourceMessage, Session: "s", Role: "user", Content: "b", Date: at("2026-03-03 10:00:00"), Present: []string{}}},
			},
		},
		"XML": {
			"/v1/spaces/cafe/diffs?date=2026-03-03&session_id=s&persona=%E5%B0%8F%E6%BB%A1&known_by=a,b", xml, asXML,
			relations.Submission{
				Space: "cafe", Proposal: proposal, Date: at("2026-03-03 00:00:00"), Session: "s",
				Persona: []string{"小满"}, KnownBy: []string{"a", "b"},
			},
		},
		"XML alone": {
			"/v1/spaces/cafe/diffs", xml, asXML,
			relations.Submission{Space: "cafe", Proposal: proposal, Date: at("2026-06-05 12:00:00")},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got relations.Submission
			f := &fake{
				nextSourceID: 1000,
				personas:     []graph.Persona{{Name: "小满", Aliases: []string{"满满"}}},
				submit: func(s relations.Submission) (graph.Receipt, error) {
					got = s
					return graph.Receipt{}, nil
				},
			}
			wantStatus(t, call(t, serve(t, f), request("POST", tt.target, tt.body, tt.header...)), 200)
			if diff := cmp.Diff(tt.want, got, sameTime); diff != "" {
				t.Errorf("submission (-want +got)\n%s", diff)
			}
		})
	}
}

func TestBodiesThatAreNoDiff(t *testing.T) {
	for name, body := range map[string]string{
		"an empty object": `{}`, "items of numbers": `{"memories":{"increments":[1]}}`, "prose": `好的，没有变化`,
		"nothing": ` `, "JSON as XML": `{"memories":{}}`,
	} {
		t.Run(name, func(t *testing.T) {
			header := "Content-Type: application/xml"
			if strings.HasPrefix(body, "{") && name != "JSON as XML" {
				header = "Content-Type: application/json"
			}
			f := &fake{submit: func(relations.Submission) (graph.Receipt, error) {
				t.Error("it reached the judge")
				return graph.Receipt{}, nil
			}}
			wantStatus(t, call(t, serve(t, f), request("POST", "/v1/spaces/cafe/diffs", body, header)), 400)
		})
	}
}

func TestWhatCouldNotBeReadOfADiffIsHandedOn(t *testing.T) {
	var got relations.Submission
	f := &fake{submit: func(s relations.Submission) (graph.Receipt, error) {
		got = s
		return graph.Receipt{Truncated: s.Truncated}, nil
	}}
	const cutOff = `<relations></relations><memories><replaces></replaces><increments>` +
		`<increment><subject>a</subject><object>b</object><relation>own</relation><content>a owns b</content></increment>` +
		`<increment><subject>c</subject><object>d`
	w := call(t, serve(t, f), request("POST", "/v1/spaces/cafe/diffs", cutOff, "Content-Type: application/xml", "Idempotency-Key: k"))
	wantStatus(t, w, 200)
	if len(got.Proposal.Memories.Increments) != 1 || !got.Truncated {
		t.Errorf("submission %+v", got)
	}
	if got.Key != "" {
		t.Error("a diff that was cut off took the idempotency key")
	}
	if len(got.Dropped) != 1 || !strings.Contains(got.Dropped[0], "memories.increments[1]") {
		t.Errorf("the half item gets no verdict: %q", got.Dropped)
	}
	if !strings.Contains(w.Body.String(), `"truncated":true`) {
		t.Errorf("the receipt says nothing of it: %s", w.Body)
	}
}
