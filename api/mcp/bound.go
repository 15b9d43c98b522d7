package mcp

import (
	"context"
	"strings"

	"relata/graph"
	"relata/relations"
)

// maxSources bounds the memories that one diff of a bound server may name: each
// is looked up.
const maxSources = 200

// bind makes a submission the bound persona's own: it can change only what it
// knows, and tell only personas that it knows of.
//
// A source that it is not aware of gets a date that no memory has. So it is
// judged as one that is not there, in the same words, in its own place among the
// verdicts.
func (s *Server) bind(ctx context.Context, c scope, sub *relations.Submission, knownBy []string) error {
	if err := s.checkNames(ctx, c, knownBy); err != nil {
		return err
	}
	mem := &sub.Proposal.Memories
	if n := len(mem.Replaces) + len(mem.Removes); n > maxSources {
		return graph.Errorf(graph.CodeTooLarge, "the diff replaces and removes %d memories, at most %d are allowed in a call: make several calls", n, maxSources)
	}
	for i := range mem.Replaces {
		if err := s.hideUnknown(ctx, c, &mem.Replaces[i].Source); err != nil {
			return err
		}
	}
	for i := range mem.Removes {
		if err := s.hideUnknown(ctx, c, &mem.Removes[i]); err != nil {
			return err
		}
	}
	return nil
}

// unknownDate is no date at all.
const unknownDate = "not known to this persona"

func (s *Server) hideUnknown(ctx context.Context, c scope, item *relations.MemoryItem) error {
	f := graph.MemoryFilter{
		Subject: strings.TrimSpace(item.Subject), Relation: strings.TrimSpace(item.Relation), Object: strings.TrimSpace(item.Object),
		AsPersona: c.persona, Limit: 200,
	}
	if f.Subject == "" || f.Relation == "" || f.Object == "" {
		return nil // rejected as incomplete
	}
	for {
		page, err := s.Store.Memories(ctx, c.space.Name, f)
		if err != nil {
			return err
		}
		for _, m := range page.Items {
			if m.Content == strings.TrimSpace(item.Content) && c.time(m.Date) == strings.TrimSpace(item.Date) {
				return nil
			}
		}
		if f.Cursor = page.Cursor; f.Cursor == "" {
			item.Date = unknownDate
			return nil
		}
	}
}

// checkNames refuses names that the persona cannot know to be those of personas.
// It also makes sure that the persona itself is there. Errors: CodeNotFound for
// it, CodeInvalid for the names.
func (s *Server) checkNames(ctx context.Context, c scope, names []string) error {
	personas, err := s.Store.Personas(ctx, c.space.Name, c.persona)
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	for _, p := range personas {
		seen[graph.EntityKey(p.Name)] = true
		for _, a := range p.Aliases {
			seen[graph.EntityKey(a)] = true
		}
	}
	for _, name := range names {
		if !seen[graph.EntityKey(name)] {
			return invalidField("known_by", "names %q, and %q knows of no persona that is called so", name, c.persona)
		}
	}
	return nil
}

// asBound gives a receipt as a bound persona may see it. Whether others had said
// the same before, what their older values were, who knows them and how many
// there are would all show in outcomes and notes, so that what is new to the
// persona was simply applied.
func asBound(r graph.Receipt) graph.Receipt {
	out := r
	out.Verdicts = make([]graph.Verdict, 0, len(r.Verdicts))
	for _, v := range r.Verdicts {
		if v.Code == graph.RejectRelationInUse {
			v.Message = "" // it counts uses
		}
		v.Note = ""
		if strings.HasPrefix(v.Item, "memories.") {
			switch v.Outcome {
			case graph.OutcomeDuplicate, graph.OutcomeSuperseded:
				v.Outcome, v.Message = graph.OutcomeApplied, ""
			}
			if v.Outcome == graph.OutcomeApplied && out.Status == graph.DiffNothing {
				out.Status = graph.DiffApplied
			}
		}
		out.Verdicts = append(out.Verdicts, v)
	}
	return out
}
