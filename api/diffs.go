package api

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// SubmitDiff answers POST /v1/spaces/{space}/diffs.
func (s *Server) SubmitDiff(ctx context.Context, r SubmitDiffRequestObject) (SubmitDiffResponseObject, error) {
	diff, err := readDiff(r)
	if err != nil {
		return nil, err
	}
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	submission := relations.Submission{
		Space: r.Space, Proposal: diff.proposal, Session: diff.session, Persona: diff.persona, KnownBy: diff.knownBy,
		Key: r.Params.IdempotencyKey, Truncated: diff.report.Truncated, Notes: diff.report.Notes, Dropped: diff.report.Dropped,
		DryRun: r.Params.DryRun,
	}
	if submission.Sources, err = s.sources(ctx, space, diff); err != nil {
		return nil, err
	}
	if submission.Date, err = s.diffDate(space, diff.date, submission.Sources); err != nil {
		return nil, err
	}
	if submission.Truncated {
		submission.Key = "" // what was cut off is not done, and can be sent again whole
	}
	receipt, err := s.Submitter.Submit(ctx, submission)
	if err != nil {
		return nil, err
	}
	return SubmitDiff200JSONResponse(rendererOf(space).receipt(receipt)), nil
}

// clientDiff is a diff that a client brings, read from either form.
type clientDiff struct {
	proposal relations.Proposal
	report   extractor.Report
	date     string
	session  string
	persona  []string
	knownBy  []string
	chats    []extractor.Chat
}

// readDiff reads the JSON twin, or the XML with its query parameters.
func readDiff(r SubmitDiffRequestObject) (clientDiff, error) {
	if b := r.JSONBody; b != nil {
		if b.Relations == nil && b.Memories == nil {
			return clientDiff{}, graph.Errorf(graph.CodeInvalid, "the body is no diff: relations or memories has to be there")
		}
		d := clientDiff{date: b.Date, session: b.SessionId, persona: b.Persona, knownBy: b.KnownBy, chats: b.Chats}
		if b.Relations != nil {
			d.proposal.Relations = *b.Relations
		}
		if b.Memories != nil {
			d.proposal.Memories = *b.Memories
		}
		return d, nil
	}
	if r.Body == nil {
		return clientDiff{}, errNoBody
	}
	text, err := readBody(r.Body)
	if err != nil {
		return clientDiff{}, err
	}
	d := clientDiff{
		date: r.Params.Date, session: r.Params.SessionId,
		persona: splitNames(r.Params.Persona), knownBy: splitNames(r.Params.KnownBy),
	}
	d.proposal, d.report, err = extractor.ParseAnswer(string(text))
	if e, ok := errors.AsType[*extractor.AnswerError](err); ok {
		return clientDiff{}, graph.Errorf(graph.CodeInvalid, "the body is no diff: %s", e.Message)
	}
	return d, err
}

// errNoBody is for routes that read JSON or XML and got neither.
var errNoBody = graph.Errorf(graph.CodeInvalid, "the body is empty: JSON or XML is needed")

// sources checks the messages that a diff came from and gives those without an
// id one.
func (s *Server) sources(ctx context.Context, space graph.Space, d clientDiff) ([]graph.Source, error) {
	if len(d.chats) == 0 {
		return nil, nil
	}
	batch := extractor.Batch{Space: space.Name, Session: d.session, Persona: d.persona, Chats: d.chats}
	if err := batch.Validate(); err != nil {
		return nil, err
	}
	personas, err := s.Store.Personas(ctx, space.Name, "")
	if err != nil {
		return nil, err
	}
	present := make([]string, 0, len(d.persona))
	for _, name := range d.persona {
		// A name that is no persona's is refused when the diff is judged.
		if p, ok := findPersona(personas, name); ok {
			present = append(present, p.Name)
		}
	}
	sources, err := batch.Sources(space.Location(), present)
	if err != nil {
		return nil, err
	}
	nameless := 0
	for _, m := range sources {
		if m.SourceID == 0 {
			nameless++
		}
	}
	id, err := s.Store.NewSourceIDs(ctx, nameless)
	if err != nil {
		return nil, err
	}
	for i := range sources {
		if sources[i].SourceID == 0 {
			sources[i].SourceID = id
			id++
		}
	}
	return sources, nil
}

// diffDate is the date as given, else that of the last message, else now.
func (s *Server) diffDate(space graph.Space, given string, sources []graph.Source) (time.Time, error) {
	if given != "" {
		date, _, err := relations.ParseDate(given, space.Location())
		if err != nil {
			return time.Time{}, invalidField("date", "cannot be read: %s", err)
		}
		return date, nil
	}
	for _, m := range slices.Backward(sources) {
		if !m.Date.IsZero() {
			return m.Date, nil
		}
	}
	return s.Now(), nil
}

// ListDiffs answers GET /v1/spaces/{space}/diffs.
func (s *Server) ListDiffs(ctx context.Context, r ListDiffsRequestObject) (ListDiffsResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	page, err := s.Store.Diffs(ctx, r.Space, r.Params.Cursor, pageLimit(r.Params.Limit), r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	return ListDiffs200JSONResponse{Diffs: each(page.Items, rendererOf(space).summary), Cursor: page.Cursor}, nil
}

// GetDiff answers GET /v1/spaces/{space}/diffs/{id}.
func (s *Server) GetDiff(ctx context.Context, r GetDiffRequestObject) (GetDiffResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	diff, err := s.Store.Diff(ctx, r.Space, graph.DiffID(r.Id), r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	receipt, err := s.Store.Receipt(ctx, r.Space, diff, r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	return GetDiff200JSONResponse(rendererOf(space).diff(diff, receipt)), nil
}

func (r renderer) summary(d graph.Diff) DiffSummary {
	items := make(map[string]int)
	for _, it := range d.Items {
		items[string(it.Outcome)]++
	}
	return DiffSummary{
		Id: int64(d.ID), Status: d.Status, SessionId: d.Session, Persona: d.Persona, By: d.By,
		Date: r.time(d.Date), CreatedAt: r.time(d.CreatedAt), Items: items,
	}
}

// diff shows the ledger's entry. Texts of memories come from the receipt, which
// reads them as they are now; those that were erased since are missing.
func (r renderer) diff(d graph.Diff, receipt graph.Receipt) Diff {
	sides := newSides(receipt)
	out := Diff{
		Id: int64(d.ID), Status: d.Status, SessionId: d.Session, Persona: d.Persona, Present: list(d.Present),
		By: d.By, Date: r.time(d.Date), CreatedAt: r.time(d.CreatedAt), PromptVersion: d.PromptVersion,
		Items: make([]DiffItem, 0, len(d.Items)), Receipt: r.receipt(receipt),
		Summary: d.Summary, Stages: d.Stages,
	}
	for _, it := range d.Items {
		item := DiffItem{
			Item: it.Item, Outcome: it.Outcome, Code: it.Code, Message: it.Message, Note: it.Note,
			Action: string(it.Action), Carried: it.Carried,
		}
		switch {
		case it.RelationBefore != nil || it.RelationAfter != nil:
			item.Before, item.After = r.relationSide(it.RelationBefore), r.relationSide(it.RelationAfter)
		default:
			item.Before = r.memorySide(sides.before, cmp.Or(it.Old, it.Memory))
			item.After = r.memorySide(sides.after, it.Memory)
		}
		out.Items = append(out.Items, item)
	}
	return out
}

// sides are the memories of a receipt by id, as they were and as they are.
type sides struct {
	before, after map[graph.MemoryID]graph.Memory
}

func newSides(x graph.Receipt) sides {
	s := sides{make(map[graph.MemoryID]graph.Memory), make(map[graph.MemoryID]graph.Memory)}
	for _, m := range x.Memories.Added {
		s.after[m.ID] = m
	}
	for _, p := range x.Memories.Replaced {
		s.before[p.Old.ID], s.after[p.New.ID] = p.Old, p.New
	}
	for _, m := range x.Memories.Removed {
		s.before[m.ID] = m
	}
	return s
}

func (r renderer) memorySide(of map[graph.MemoryID]graph.Memory, id graph.MemoryID) any {
	m, ok := of[id]
	if !ok {
		return nil
	}
	return r.memory(m)
}

func (r renderer) relationSide(x *graph.Relation) any {
	if x == nil {
		return nil
	}
	return r.relation(*x)
}
