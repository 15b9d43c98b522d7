package graph

import (
	"cmp"
	"context"
	"slices"

	"relata/cypher"
)

var messageList = cypher.Load("message_list")

// Messages gives messages whole, in order of date and id: those with the ids
// asked for, or a session's timeline, which is its newest messages (before a
// given one) or the next after a given one. Messages without a date stand first.
// Errors: CodeNotFound for the space or the persona, CodeInvalid where neither
// ids nor a session are given.
func (s *Store) Messages(ctx context.Context, space string, q MessageQuery) ([]Source, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	limit, err := pageSize(q.Limit)
	if err != nil {
		return nil, err
	}
	var persona any
	if q.AsPersona != "" {
		ref, err := s.asker(ctx, space, q.AsPersona)
		if err != nil {
			return nil, err
		}
		persona = ref.Name
	}
	switch {
	case len(q.IDs) > maxPage:
		return nil, &Error{Code: CodeInvalid, Message: "too many messages", Fields: []Field{{"ids", "at most 200 at once"}}}
	case len(q.IDs) > 0:
		rows, err := read(ctx, s, sourceRead, map[string]any{"space": space, "ids": q.IDs}, toSource)
		if err != nil {
			return nil, err
		}
		if persona != nil {
			rows = slices.DeleteFunc(rows, func(m Source) bool { return !slices.Contains(m.Present, persona.(string)) })
		}
		slices.SortFunc(rows, func(a, b Source) int { return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.SourceID, b.SourceID)) })
		return slices.CompactFunc(rows, func(a, b Source) bool { return a.SourceID == b.SourceID }), nil
	case q.Session != "":
		return read(ctx, s, messageList, map[string]any{
			"space": space, "session": q.Session, "before": q.Before, "after": q.After, "limit": limit, "persona": persona,
		}, toSource)
	}
	return nil, Errorf(CodeInvalid, "name the messages: ids=1,2 or session=…")
}
