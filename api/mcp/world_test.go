package mcp_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"relata/api/mcp"
	"relata/extractor"
	"relata/graph"
	"relata/internal/testkit"
	"relata/relations"
)

// world is a space with two personas: Lumen, who knows that Maya lives in Porto,
// and 小夜, who alone knows 阿岩's secret.
type world struct {
	t       *testing.T
	store   *graph.Store
	service *relations.Service
	space   string
}

const (
	porto  = "Maya lives in Porto."
	secret = "阿岩打算六月离开海港咖啡。"
	// secretDate is as the space's zone has it.
	secretDate = "2026-03-06 09:00:00"
)

func newWorld(t *testing.T) *world {
	t.Helper()
	store := testkit.Store(t)
	w := &world{
		t: t, store: store, service: relations.NewService(relations.ServiceOptions{Store: store}),
		space: testkit.Space(t, store, graph.Space{Vocabulary: "core", Timezone: "Asia/Shanghai"}),
	}
	if err := w.service.Seed(t.Context(), w.space); err != nil {
		t.Fatal(err)
	}
	for persona, owner := range map[string]string{"Lumen": "Maya", "小夜": "阿岩"} {
		if _, err := store.PutPersona(t.Context(), w.space, graph.Persona{Name: persona, Owner: owner}); err != nil {
			t.Fatal(err)
		}
	}
	w.talk("Lumen", 101, "Maya", "I moved to Porto!", relations.MemoryItem{
		Subject: "Maya", Relation: "live_in", Object: "Porto", Content: porto, Index0: "profile", Index1: "owner",
	})
	w.talk("小夜", 201, "阿岩", "别告诉别人，我六月就走。", relations.MemoryItem{
		Subject: "阿岩", Relation: "plan", Object: "离开海港咖啡", Content: secret, Index0: "过往事件", Index1: "owner",
	})
	return w
}

// talk writes what a persona was told in private.
func (w *world) talk(persona string, id int64, speaker, words string, item relations.MemoryItem) {
	w.t.Helper()
	date := time.Date(2026, 3, 6, 1, 0, 0, 0, time.UTC)
	item.MsgIDs = []int64{id}
	r, err := w.service.Submit(w.t.Context(), relations.Submission{
		Space: w.space, Date: date, Session: "private with " + persona, Persona: []string{persona},
		Proposal: relations.Proposal{Memories: relations.MemoryProposals{Increments: []relations.MemoryItem{item}}},
		Sources: []graph.Source{{
			SourceID: id, Kind: graph.SourceMessage, Session: "private with " + persona, Role: "user", Speaker: speaker,
			Date: date, Content: words, Present: []string{persona},
		}},
	})
	if err != nil || r.Status != graph.DiffApplied {
		w.t.Fatalf("%+v, %v", r, err)
	}
}

// server makes a server on the world. Options that are left out are the world's.
func (w *world) server(o mcp.Options) *mcp.Server {
	w.t.Helper()
	if o.Store == nil {
		o.Store = w.store
	}
	o.Submitter = w.service
	s, err := mcp.New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// bound is a client of a server that is bound to a persona.
func (w *world) bound(persona string) client {
	w.t.Helper()
	return connect(w.t, w.server(mcp.Options{Space: w.space, Persona: persona}))
}

// free is a client that sees everything.
func (w *world) free() client {
	w.t.Helper()
	return connect(w.t, w.server(mcp.Options{Space: w.space}))
}

// memory gives the id of the memory with this content.
func (w *world) memory(content string) int64 {
	w.t.Helper()
	page, err := w.store.Memories(w.t.Context(), w.space, graph.MemoryFilter{Limit: 200})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range page.Items {
		if m.Content == content {
			return int64(m.ID)
		}
	}
	w.t.Fatalf("no memory says %s", content)
	return 0
}

// client is the SDK's own.
type client struct {
	t       *testing.T
	session *sdk.ClientSession
}

// connect joins a client to a server over a pair of streams in memory.
func connect(t *testing.T, s *mcp.Server) client {
	t.Helper()
	return over(t, pipe(t, s))
}

// over joins a client to whatever is at the other end.
func over(t *testing.T, transport sdk.Transport) client {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return client{t, session}
}

type object = map[string]any

// call calls a tool that has to succeed; it fills out and gives the text.
func (c client) call(tool string, in any, out any) string {
	c.t.Helper()
	r := c.raw(tool, in)
	if r.IsError {
		c.t.Fatalf("%s: %s", tool, textOf(r))
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil && out != nil {
		err = json.Unmarshal(raw, out)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return textOf(r)
}

// fail calls a tool that has to fail with a text that holds each of want.
func (c client) fail(tool string, in any, want ...string) string {
	c.t.Helper()
	r := c.raw(tool, in)
	text := textOf(r)
	if !r.IsError {
		c.t.Errorf("%s succeeded: %s", tool, text)
	}
	for _, w := range want {
		if !strings.Contains(text, w) {
			c.t.Errorf("%s: %q lacks %q", tool, text, w)
		}
	}
	return text
}

func (c client) raw(tool string, in any) *sdk.CallToolResult {
	c.t.Helper()
	r, err := c.session.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	return r
}

// everything is all that a result tells.
func (c client) everything(tool string, in any) string {
	c.t.Helper()
	r := c.raw(tool, in)
	raw, err := json.Marshal(r)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(raw)
}

func textOf(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// Shapes of answers, as far as tests read them.
type (
	searched struct {
		Results []struct {
			Query json.RawMessage
			Hints []struct {
				ID        int64
				Memory    string
				CreatedAt string
				MsgIDs    []int64 `json:"msg_ids"`
				Explain   *struct{ Subject, Relation, Object string }
			}
			Error *struct{ Detail string }
		}
	}
	judged struct {
		DiffID   int64 `json:"diff_id"`
		Status   string
		Verdicts []struct{ Item, Outcome, Code, Message, Do, Note string }
	}
)

// replaying is an extractor that answers with a text written by hand.
func (w *world) replaying(dir string) *extractor.Extractor {
	w.t.Helper()
	model, err := extractor.ParseModel(w.t.Context(), "replay:"+dir, extractor.ModelOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	e, err := extractor.New(extractor.Options{Store: w.store, Relations: w.service, Model: model, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// broken is a store whose searches fail in a way that nobody foresaw.
type broken struct {
	mcp.Store
	panics bool
}

func (b broken) Search(context.Context, graph.SearchRequest) ([]graph.Result, error) {
	if b.panics {
		panic("inner thoughts")
	}
	return nil, graph.WrapError(graph.CodeInternal, context.DeadlineExceeded, "inner thoughts")
}
