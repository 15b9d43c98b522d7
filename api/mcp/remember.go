package mcp

import (
	"cmp"
	"context"
	"slices"
	"time"

	"relata/extractor"
	"relata/graph"
)

// ownSession is where messages belong that name no session.
const ownSession = "mcp"

type rememberInput struct {
	Space     string   `json:"space,omitempty" jsonschema:"the space to write to; left out: the server's own"`
	Text      string   `json:"text,omitempty" jsonschema:"what somebody said, in their words; this or turns"`
	Speaker   string   `json:"speaker,omitempty" jsonschema:"with text: who said it"`
	Turns     []turn   `json:"turns,omitempty" jsonschema:"a piece of conversation, oldest first"`
	SessionID string   `json:"session_id,omitempty" jsonschema:"the conversation that it belongs to; what it wrote before is taken into account"`
	Persona   string   `json:"persona,omitempty" jsonschema:"the persona that took part; not needed where the server is bound to one"`
	Present   []string `json:"present,omitempty" jsonschema:"who else was there"`
	DryRun    bool     `json:"dry_run,omitempty" jsonschema:"ask the model and judge, but store nothing"`
}

type turn struct {
	ID      *int64 `json:"id,omitempty" jsonschema:"your own number of the message, unique in the space; left out: one is given"`
	Date    string `json:"date,omitempty" jsonschema:"when it was said, in the space's time zone; left out of all turns: now"`
	Role    string `json:"role" jsonschema:"user, assistant or tool"`
	Speaker string `json:"speaker,omitempty" jsonschema:"name of who said it"`
	Content string `json:"content" jsonschema:"the words"`
}

// remember answers remember.
func (s *Server) remember(ctx context.Context, in rememberInput) (diffAnswer, error) {
	if s.Ingester == nil {
		return diffAnswer{}, graph.Errorf(graph.CodeInvalid, "no model is configured that could read this: make the diff yourself and send it with propose_diff")
	}
	c, err := s.scope(ctx, in.Space, in.Persona)
	if err != nil {
		return diffAnswer{}, err
	}
	if s.Persona != "" {
		if err := s.checkNames(ctx, c, nil); err != nil {
			return diffAnswer{}, err
		}
	}
	if (in.Text == "") == (len(in.Turns) == 0) {
		return diffAnswer{}, invalidField("text", "or turns must be given, and not both")
	}
	batch := extractor.Batch{
		Space: c.space.Name, Session: cmp.Or(in.SessionID, ownSession), Present: in.Present, Chats: in.chats(c),
	}
	if c.persona != "" {
		batch.Persona = []string{c.persona}
	}
	receipt, err := s.Ingester.Ingest(ctx, batch, extractor.IngestOptions{DryRun: in.DryRun, By: caller})
	if err != nil {
		return diffAnswer{}, err
	}
	return s.receipt(receipt, in.DryRun), nil
}

// chats gives the messages. Where none has a date they were said now: a model
// needs the day to read "yesterday", and a timeline its order.
func (in rememberInput) chats(c scope) []extractor.Chat {
	turns := in.Turns
	if in.Text != "" {
		turns = []turn{{Role: "user", Speaker: in.Speaker, Content: in.Text}}
	}
	now := ""
	if !slices.ContainsFunc(turns, func(t turn) bool { return t.Date != "" }) {
		now = c.time(time.Now())
	}
	return each(turns, func(t turn) extractor.Chat {
		return extractor.Chat{ID: t.ID, Date: cmp.Or(t.Date, now), Role: t.Role, Speaker: t.Speaker, Content: t.Content}
	})
}
