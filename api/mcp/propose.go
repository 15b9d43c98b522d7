package mcp

import (
	"context"
	"errors"
	"time"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// caller is who the ledger says asked.
const caller = "mcp"

type proposeInput struct {
	Space     string                       `json:"space,omitempty" jsonschema:"the space to write to; left out: the server's own"`
	XML       string                       `json:"xml,omitempty" jsonschema:"the diff as XML; this, or relations and memories"`
	Relations *relations.RelationProposals `json:"relations,omitempty" jsonschema:"the diff's part on the vocabulary, as JSON"`
	Memories  *relations.MemoryProposals   `json:"memories,omitempty" jsonschema:"the diff's part on memories, as JSON"`
	DryRun    bool                         `json:"dry_run,omitempty" jsonschema:"judge and store nothing"`
	SessionID string                       `json:"session_id,omitempty" jsonschema:"the conversation that it came from"`
	Date      string                       `json:"date,omitempty" jsonschema:"when what is new was said, in the space's time zone; left out: now"`
	Persona   string                       `json:"persona,omitempty" jsonschema:"the persona that writes it and knows it from then on; not needed where the server is bound to one"`
	KnownBy   []string                     `json:"known_by,omitempty" jsonschema:"who knows what is new, besides the persona that writes it"`
}

// propose answers propose_diff.
func (s *Server) propose(ctx context.Context, in proposeInput) (diffAnswer, error) {
	c, err := s.scope(ctx, in.Space, in.Persona)
	if err != nil {
		return diffAnswer{}, err
	}
	submission, err := in.submission()
	if err != nil {
		return diffAnswer{}, err
	}
	submission.Space, submission.By = c.space.Name, caller
	submission.FreeKnownBy = s.Persona == ""
	if submission.Date, err = c.date(in.Date); err != nil {
		return diffAnswer{}, err
	}
	if c.persona != "" {
		submission.Persona = []string{c.persona}
		if len(submission.KnownBy) > 0 {
			submission.KnownBy = append([]string{c.persona}, submission.KnownBy...)
		}
	}
	if s.Persona != "" {
		if err := s.bind(ctx, c, &submission, in.KnownBy); err != nil {
			return diffAnswer{}, err
		}
	}
	receipt, err := s.Submitter.Submit(ctx, submission)
	if err != nil {
		return diffAnswer{}, err
	}
	return s.receipt(receipt, in.DryRun), nil
}

// submission reads the diff from either form.
func (in proposeInput) submission() (relations.Submission, error) {
	out := relations.Submission{Session: in.SessionID, KnownBy: in.KnownBy, DryRun: in.DryRun}
	asJSON := in.Relations != nil || in.Memories != nil
	if asJSON == (in.XML != "") {
		return out, graph.Errorf(graph.CodeInvalid, "there is no diff, or there are two: send it as xml, or as relations and memories")
	}
	if asJSON {
		if in.Relations != nil {
			out.Proposal.Relations = *in.Relations
		}
		if in.Memories != nil {
			out.Proposal.Memories = *in.Memories
		}
		return out, nil
	}
	proposal, report, err := extractor.ParseAnswer(in.XML)
	if e, ok := errors.AsType[*extractor.AnswerError](err); ok {
		return out, graph.Errorf(graph.CodeInvalid, "xml is no diff: %s", e.Message)
	}
	out.Proposal, out.Truncated, out.Notes, out.Dropped = proposal, report.Truncated, report.Notes, report.Dropped
	return out, err
}

// date reads the date of a diff, which is now where none is given.
func (c scope) date(given string) (time.Time, error) {
	if given == "" {
		return time.Now(), nil
	}
	date, _, err := relations.ParseDate(given, c.space.Location())
	if err != nil {
		return date, invalidField("date", "cannot be read: %s", err)
	}
	return date, nil
}
