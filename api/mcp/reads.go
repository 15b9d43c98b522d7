package mcp

import (
	"context"
	"fmt"
	"strings"

	"relata/graph"
)

type whoKnowsInput struct {
	Space     string `json:"space,omitempty" jsonschema:"the space to ask; left out: the server's own"`
	About     string `json:"about,omitempty" jsonschema:"what the memories are about, in natural language; this or memory_id"`
	MemoryID  int64  `json:"memory_id,omitempty" jsonschema:"one memory by its id, as search_long_term_memory gives it"`
	Limit     int    `json:"limit,omitempty" jsonschema:"memories at most, 1 to 50; left out: 10"`
	AsPersona string `json:"as_persona,omitempty" jsonschema:"only what this persona knows, and of who knows it itself alone"`
}

type whoKnowsAnswer struct {
	Memories []known `json:"memories"`
}

type known struct {
	ID      int64    `json:"id"`
	Content string   `json:"content"`
	KnownBy []knower `json:"known_by"`
}

type knower struct {
	Name    string  `json:"name"`
	Persona bool    `json:"persona"`
	Since   string  `json:"since"`
	How     string  `json:"how"`
	By      string  `json:"by"`
	MsgIDs  []int64 `json:"msg_ids"`
}

// whoKnows answers who_knows.
func (s *Server) whoKnows(ctx context.Context, in whoKnowsInput) (whoKnowsAnswer, error) {
	c, err := s.scope(ctx, in.Space, in.AsPersona)
	if err != nil {
		return whoKnowsAnswer{}, err
	}
	found, err := s.Store.WhoKnows(ctx, c.space.Name, graph.WhoKnowsQuery{
		About: in.About, Memory: graph.MemoryID(in.MemoryID), Limit: in.Limit, AsPersona: c.persona,
	})
	return whoKnowsAnswer{Memories: each(found, func(k graph.Known) known {
		return known{ID: int64(k.ID), Content: k.Content, KnownBy: each(k.KnownBy, func(a graph.Awareness) knower {
			return knower{
				Name: a.Entity.Name, Persona: a.Persona, Since: c.time(a.Since), How: string(a.How), By: a.By, MsgIDs: list(a.MsgIDs),
			}
		})}
	})}, err
}

func (a whoKnowsAnswer) text() string {
	var b strings.Builder
	if len(a.Memories) == 0 {
		b.WriteString("nothing\n")
	}
	for _, m := range a.Memories {
		fmt.Fprintf(&b, "%s [memory %d]\n", m.Content, m.ID)
		if len(m.KnownBy) == 0 {
			b.WriteString("   nobody in particular\n")
		}
		for _, k := range m.KnownBy {
			kind := "person"
			if k.Persona {
				kind = "persona"
			}
			fmt.Fprintf(&b, "   - %s (%s): %s", k.Name, kind, k.How)
			if k.By != "" {
				fmt.Fprintf(&b, " by %s", k.By)
			}
			if k.Since != "" {
				fmt.Fprintf(&b, ", since %s", k.Since)
			}
			b.WriteString(messages(k.MsgIDs) + "\n")
		}
	}
	return b.String()
}

type messagesInput struct {
	Space     string  `json:"space,omitempty" jsonschema:"the space to ask; left out: the server's own"`
	IDs       []int64 `json:"ids,omitempty" jsonschema:"up to 200 message ids, such as the msg_ids of hints; this or session_id"`
	SessionID string  `json:"session_id,omitempty" jsonschema:"a session whose timeline is wanted: its newest messages, or those around before and after"`
	Before    int64   `json:"before,omitempty" jsonschema:"with session_id: only messages before this id"`
	After     int64   `json:"after,omitempty" jsonschema:"with session_id: only messages after this id"`
	Limit     int     `json:"limit,omitempty" jsonschema:"with session_id: messages at most, 1 to 200; left out: 50"`
	AsPersona string  `json:"as_persona,omitempty" jsonschema:"only messages that this persona was present at"`
}

type messagesAnswer struct {
	Messages []chat `json:"messages"`
}

type chat struct {
	ID         int64            `json:"id"`
	SessionID  string           `json:"session_id"`
	Date       string           `json:"date"`
	Role       string           `json:"role"`
	Speaker    string           `json:"speaker,omitempty"`
	Content    string           `json:"content,omitempty"`
	ToolCalls  []graph.ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string           `json:"tool_call_id,omitempty"`
}

// messages answers get_messages.
func (s *Server) messages(ctx context.Context, in messagesInput) (messagesAnswer, error) {
	c, err := s.scope(ctx, in.Space, in.AsPersona)
	if err != nil {
		return messagesAnswer{}, err
	}
	if (len(in.IDs) == 0) == (in.SessionID == "") {
		return messagesAnswer{}, invalidField("ids", "or session_id must be given, and not both")
	}
	found, err := s.Store.Messages(ctx, c.space.Name, graph.MessageQuery{
		IDs: in.IDs, Session: in.SessionID, Before: in.Before, After: in.After, Limit: in.Limit, AsPersona: c.persona,
	})
	return messagesAnswer{Messages: each(found, func(m graph.Source) chat {
		return chat{
			ID: m.SourceID, SessionID: m.Session, Date: c.time(m.Date), Role: m.Role, Speaker: m.Speaker,
			Content: m.Content, ToolCalls: m.ToolCalls, ToolCallID: m.ToolCallID,
		}
	})}, err
}

func (a messagesAnswer) text() string {
	var b strings.Builder
	if len(a.Messages) == 0 {
		b.WriteString("no such messages\n")
	}
	for _, m := range a.Messages {
		fmt.Fprintf(&b, "[%d] %s %s", m.ID, m.Date, m.Role)
		if m.Speaker != "" {
			fmt.Fprintf(&b, " %s", m.Speaker)
		}
		fmt.Fprintf(&b, ": %s\n", m.Content)
		for _, t := range m.ToolCalls {
			fmt.Fprintf(&b, "   calls %s(%s)\n", t.Function, t.Arguments)
		}
	}
	return b.String()
}

type relationsInput struct {
	Space     string `json:"space,omitempty" jsonschema:"the space to ask; left out: the server's own"`
	AsPersona string `json:"as_persona,omitempty" jsonschema:"only relations of what this persona knows"`
}

type relationsAnswer struct {
	Relations []relation `json:"relations"`
}

type relation struct {
	Key        string   `json:"key"`
	Content    string   `json:"content"`
	Date       string   `json:"date"`
	Functional bool     `json:"functional,omitempty"`
	Symmetric  bool     `json:"symmetric,omitempty"`
	Inverse    string   `json:"inverse,omitempty"`
	Aliases    []string `json:"aliases,omitempty"`
	Status     string   `json:"status,omitempty"`
	Successor  string   `json:"successor,omitempty"`
	Uses       int      `json:"uses"`
}

// listRelations answers list_relations.
func (s *Server) listRelations(ctx context.Context, in relationsInput) (relationsAnswer, error) {
	c, err := s.scope(ctx, in.Space, in.AsPersona)
	if err != nil {
		return relationsAnswer{}, err
	}
	found, err := s.Store.Relations(ctx, c.space.Name, c.persona)
	return relationsAnswer{Relations: each(found, func(r graph.Relation) relation {
		return relation{
			Key: r.Key, Content: r.Content, Date: c.time(r.Date), Functional: r.Functional, Symmetric: r.Symmetric,
			Inverse: r.Inverse, Aliases: r.Aliases, Status: string(r.Status), Successor: r.Successor, Uses: r.Uses,
		}
	})}, err
}

func (a relationsAnswer) text() string {
	var b strings.Builder
	if len(a.Relations) == 0 {
		b.WriteString("no relations yet: a diff may add some\n")
	}
	for _, r := range a.Relations {
		fmt.Fprintf(&b, "%s: %s [%s, used by %d", r.Key, r.Content, r.Date, r.Uses)
		if r.Functional {
			b.WriteString(", one value at a time")
		}
		if r.Symmetric {
			b.WriteString(", reads both ways")
		}
		if r.Inverse != "" {
			fmt.Fprintf(&b, ", inverse %s", r.Inverse)
		}
		if len(r.Aliases) > 0 {
			fmt.Fprintf(&b, ", also %s", strings.Join(r.Aliases, " "))
		}
		if r.Status != "" && r.Status != string(graph.RelationActive) {
			fmt.Fprintf(&b, ", %s", r.Status)
		}
		if r.Successor != "" {
			fmt.Fprintf(&b, ", use %s", r.Successor)
		}
		b.WriteString("]\n")
	}
	return b.String()
}
