package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"relata/graph"
	"relata/relations"
)

type searchCmd struct {
	Questions []string `arg:"" help:"What to look for, in plain words."`
	Space     string   `required:"" help:"The space to ask."`
	As        string   `help:"Ask as this persona: only what it knows comes back."`
	Index0    string   `help:"Category: event, profile, knowledge or method. All of them if left out."`
	Index1    string   `help:"Part of the category."`
	Limit     int      `default:"10" help:"How many hints, 10 to 50."`
	Retired   bool     `help:"Also what was replaced or removed."`
	Beliefs   bool     `help:"With --as: also what changed without it, as it last knew it."`
	AsOf      string   `help:"The state of knowledge at a time, such as 2026-04-19, in the space's time zone."`
	JSON      bool     `name:"json" help:"Print JSON."`
}

// Run asks all questions in one call.
func (s *searchCmd) Run(ctx context.Context, c *Config, std streams) error {
	a, err := c.open(ctx, std.err, c.logger(std.err), nil)
	if err != nil {
		return err
	}
	return errors.Join(s.search(ctx, a.store, std.out), a.close(context.WithoutCancel(ctx)))
}

func (s *searchCmd) search(ctx context.Context, store *graph.Store, w io.Writer) error {
	req := graph.SearchRequest{Space: s.Space, AsPersona: s.As, IncludeRetired: s.Retired, Beliefs: s.Beliefs, Explain: true}
	space, err := store.Space(ctx, s.Space)
	if err != nil {
		return err
	}
	if s.AsOf != "" {
		at, precision, err := relations.ParseDate(s.AsOf, space.Location())
		if err != nil {
			return fmt.Errorf("--as-of: %w", err)
		}
		req.AsOf = precision.End(at)
	}
	for _, q := range s.Questions {
		req.Queries = append(req.Queries, graph.Query{Index0: s.Index0, Index1: s.Index1, Memory: q, Limit: s.Limit, All: s.Index0 == ""})
	}
	results, err := store.Search(ctx, req)
	if err != nil {
		return err
	}
	if s.JSON {
		return printJSON(w, viewResults(s.Questions, results, space.Location()))
	}
	for i, r := range results {
		if err := printResult(w, s.Questions[i], r, s.Limit); err != nil {
			return err
		}
	}
	return nil
}

// printJSON prints for pipes, with <, > and & as they are.
func printJSON(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

// printResult shows a question with its best hints and how the graph led there.
func printResult(w io.Writer, question string, r graph.Result, limit int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n? %s\n", question)
	switch {
	case r.Err != nil:
		fmt.Fprintf(&b, "  ! %s\n", r.Err.Message)
	case len(r.Hints) == 0:
		b.WriteString("  (nothing)\n")
	}
	for i, h := range r.Hints {
		if i == limit {
			break
		}
		mark := ""
		if h.Outdated {
			mark = " (no longer holds)"
		}
		fmt.Fprintf(&b, "  %2d. %s%s\n", i+1, h.Memory, mark)
		if h.Explain == nil {
			continue
		}
		fmt.Fprintf(&b, "      %.2f  vector %.2f  words %.2f  graph %.2f   (%s)-[%s]->(%s)\n", h.Explain.Score,
			h.Explain.Vector, h.Explain.Text, h.Explain.Graph, h.Explain.Subject, h.Explain.Relation, h.Explain.Object)
		if path := pathText(h.Explain.Path); path != "" {
			fmt.Fprintf(&b, "      path  %s\n", path)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func pathText(path []graph.PathEdge) string {
	steps := make([]string, len(path))
	for i, e := range path {
		steps[i] = fmt.Sprintf("(%s)-[%s]->(%s)", e.Subject, e.Relation, e.Object)
	}
	return strings.Join(steps, "  ")
}
