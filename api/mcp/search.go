package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"relata/graph"
	"relata/relations"
)

// searchInput is formats §2 with its extras.
type searchInput struct {
	Space          string            `json:"space,omitempty" jsonschema:"the space to ask; left out: the server's own"`
	Queries        []json.RawMessage `json:"queries" jsonschema:"1 to 50 questions, answered side by side in one call"`
	AsPersona      string            `json:"as_persona,omitempty" jsonschema:"only what this persona knows"`
	Beliefs        bool              `json:"beliefs,omitempty" jsonschema:"with a persona: also what changed without it, as it last knew it, marked as outdated"`
	AsOf           string            `json:"as_of,omitempty" jsonschema:"the state of knowledge at a time, such as 2026-04-19"`
	IncludeRetired bool              `json:"include_retired,omitempty" jsonschema:"also what was replaced or removed, marked as outdated"`
	Explain        bool              `json:"explain,omitempty" jsonschema:"also subject, relation and object of each hint, which a source in propose_diff copies"`
}

// query is one question of a search.
type query struct {
	Index0 string `json:"index0"`
	Index1 string `json:"index1"`
	Memory string `json:"memory"`
	Limit  *int   `json:"limit"`
	All    bool   `json:"all"`

	MinScore float64 `json:"min_score"`
}

type searchAnswer struct {
	Results []searchResult `json:"results"`
}

type searchResult struct {
	Query json.RawMessage `json:"query"`
	Hints []hint          `json:"hints"`
	Error *queryError     `json:"error,omitempty"`

	memory string // what was looked for
}

// queryError says what is wrong with one query; the others are answered.
type queryError struct {
	Detail string `json:"detail"`
}

type hint struct {
	ID        int64    `json:"id"`
	Memory    string   `json:"memory"`
	CreatedAt string   `json:"createdAt"`
	MsgIDs    []int64  `json:"msg_ids"`
	Outdated  bool     `json:"outdated,omitempty"`
	Explain   *explain `json:"explain,omitempty"`
}

type explain struct {
	Score float64 `json:"score"`
	// Confidence can be compared between questions.
	Confidence float64    `json:"confidence"`
	Legs       legs       `json:"legs"`
	Path       []pathStep `json:"path,omitempty"`
	Subject    string     `json:"subject"`
	Relation   string     `json:"relation"`
	Object     string     `json:"object"`
}

type legs struct {
	Vector float64 `json:"vector"`
	Text   float64 `json:"text"`
	Graph  float64 `json:"graph"`
}

type pathStep struct {
	Relation string `json:"relation"`
	MemoryID int64  `json:"memory_id"`
	Subject  string `json:"subject"`
	Object   string `json:"object"`
}

// search answers search_long_term_memory.
func (s *Server) search(ctx context.Context, in searchInput) (searchAnswer, error) {
	c, err := s.scope(ctx, in.Space, in.AsPersona)
	if err != nil {
		return searchAnswer{}, err
	}
	request := graph.SearchRequest{
		Space: c.space.Name, AsPersona: c.persona, IncludeRetired: in.IncludeRetired, Beliefs: in.Beliefs, Explain: in.Explain,
	}
	if request.AsOf, err = c.asOf(in.AsOf); err != nil {
		return searchAnswer{}, err
	}
	answer := searchAnswer{Results: make([]searchResult, len(in.Queries))}
	var at []int // of the request's queries in the answer
	for i, sent := range in.Queries {
		result := &answer.Results[i]
		result.Query, result.Hints = sent, []hint{}
		q, err := readQuery(sent)
		result.memory = q.Memory
		if err != nil {
			result.Error = &queryError{Detail: message(err)}
			continue
		}
		request.Queries = append(request.Queries, q)
		at = append(at, i)
	}
	if len(at) == 0 && len(in.Queries) > 0 {
		return answer, nil
	}
	found, err := s.Store.Search(ctx, request)
	if err != nil {
		return searchAnswer{}, err
	}
	for i, r := range found {
		result := &answer.Results[at[i]]
		if r.Err != nil {
			if r.Err.Code == graph.CodeInternal {
				return searchAnswer{}, r.Err
			}
			result.Error = &queryError{Detail: message(r.Err)}
			continue
		}
		result.Hints = each(r.Hints, c.hint)
	}
	return answer, nil
}

// readQuery reads one query as far as the store does not check it itself.
func readQuery(sent json.RawMessage) (graph.Query, *graph.Error) {
	var q query
	if err := json.Unmarshal(sent, &q); err != nil {
		return graph.Query{}, graph.WrapError(graph.CodeInvalid, err, "the query cannot be read: index0, index1 and memory are texts, limit is a whole number")
	}
	out := graph.Query{Index0: q.Index0, Index1: q.Index1, Memory: q.Memory, All: q.All, MinScore: q.MinScore}
	if q.Limit != nil {
		// The store takes 0 for the default, which is for what was left out.
		if out.Limit = *q.Limit; out.Limit == 0 {
			return out, graph.Errorf(graph.CodeInvalid, "limit must be between 10 and 50")
		}
	}
	return out, nil
}

// asOf reads the time of a search; a day stands for its end, as do a month and a
// year.
func (c scope) asOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, precision, err := relations.ParseDate(text, c.space.Location())
	if err != nil {
		return at, invalidField("as_of", "cannot be read: %s", err)
	}
	return precision.End(at), nil
}

func (c scope) hint(h graph.Hint) hint {
	out := hint{ID: int64(h.ID), Memory: h.Memory, CreatedAt: c.time(h.CreatedAt), MsgIDs: list(h.MsgIDs), Outdated: h.Outdated}
	if e := h.Explain; e != nil {
		out.Explain = &explain{
			Score: e.Score, Confidence: e.Confidence, Legs: legs{Vector: e.Vector, Text: e.Text, Graph: e.Graph},
			Subject: e.Subject, Relation: e.Relation, Object: e.Object,
			Path: each(e.Path, func(p graph.PathEdge) pathStep {
				return pathStep{Relation: p.Relation, MemoryID: int64(p.MemoryID), Subject: p.Subject, Object: p.Object}
			}),
		}
	}
	return out
}

func (a searchAnswer) text() string {
	var b strings.Builder
	for i, r := range a.Results {
		fmt.Fprintf(&b, "%d. %s\n", i+1, r.memory)
		switch {
		case r.Error != nil:
			fmt.Fprintf(&b, "   error: %s\n", r.Error.Detail)
		case len(r.Hints) == 0:
			b.WriteString("   nothing\n")
		}
		for _, h := range r.Hints {
			fmt.Fprintf(&b, "   - %s [memory %d", h.Memory, h.ID)
			if h.CreatedAt != "" {
				fmt.Fprintf(&b, ", %s", h.CreatedAt)
			}
			b.WriteString(messages(h.MsgIDs))
			if h.Outdated {
				b.WriteString(", no longer holds")
			}
			b.WriteByte(']')
			if e := h.Explain; e != nil {
				fmt.Fprintf(&b, " (%s)-[%s]->(%s)", e.Subject, e.Relation, e.Object)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// messages gives ", messages 3 4", or "" for none.
func messages(ids []int64) string {
	if len(ids) == 0 {
		return ""
	}
	return ", messages " + strings.Trim(fmt.Sprint(ids), "[]")
}
