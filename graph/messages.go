package graph

import (
	"context"
	"math"

	"relata/cypher"
)

var messageList = cypher.Load("message_list")

// Messages gives messages whole, in order of their ids: those with the ids
// asked for, or a session's timeline, which is its newest messages (before a
// given one) or the next after a given one. Errors: CodeNotFound for the space,
// CodeInvalid where neither ids nor a session are given.
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
		ref, ok, err := s.Resolve(ctx, space, q.AsPersona)
		if err != nil || !ok {
			return nil, err
		}
		persona = ref.Name
	}
	switch {
	case len(q.IDs) > maxPage:
		return nil, &Error{Code: CodeInvalid, Message: "too many messages", Fields: []Field{{"ids", "at most 200 at once"}}}
	case len(q.IDs) > 0:
		rows, err := read(ctx, s, sourceRead, map[string]any{"space": space, "ids": q.IDs}, toSource)
		if err != nil || persona == nil {
			return rows, err
		}
		var visible []Source
		for _, m := range rows {
			for _, p := range m.Present {
				if p == persona {
					visible = append(visible, m)
					break
				}
			}
		}
		return visible, nil
	case q.Session != "":
		before := q.Before
		if before == 0 {
			before = math.MaxInt64
		}
		return read(ctx, s, messageList, map[string]any{
			"space": space, "session": q.Session, "before": before, "after": q.After, "limit": limit, "persona": persona,
		}, toSource)
	}
	return nil, Errorf(CodeInvalid, "name the messages: ids=1,2 or session=…")
}
