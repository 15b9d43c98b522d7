package api

import (
	"context"

	"relata/graph"
)

// ListMemories answers GET /v1/spaces/{space}/memories.
func (s *Server) ListMemories(ctx context.Context, r ListMemoriesRequestObject) (ListMemoriesResponseObject, error) {
	p := r.Params
	var category graph.Category
	switch {
	case p.Index0 != "":
		var err error
		if category, err = graph.ParseCategory(p.Index0, p.Index1); err != nil {
			return nil, err
		}
	case p.Index1 != "":
		return nil, invalidField("index1", "needs index0 beside it")
	}
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	page, err := s.Store.Memories(ctx, r.Space, graph.MemoryFilter{
		Subject: p.Subject, Relation: p.Relation, Object: p.Object, About: p.About,
		Index0: category.Index0, Index1: category.Index1,
		Session: p.Session, Retired: p.Retired, AsPersona: p.AsPersona, Cursor: p.Cursor, Limit: pageLimit(p.Limit),
	})
	if err != nil {
		return nil, err
	}
	return ListMemories200JSONResponse{
		Memories: each(page.Items, rendererOf(space).memory), Cursor: page.Cursor,
	}, nil
}

// GetMemory answers GET /v1/spaces/{space}/memories/{id}.
func (s *Server) GetMemory(ctx context.Context, r GetMemoryRequestObject) (GetMemoryResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	m, err := s.Store.Memory(ctx, r.Space, graph.MemoryID(r.Id), r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	return GetMemory200JSONResponse(rendererOf(space).memory(m)), nil
}

// GetMemoryHistory answers GET /v1/spaces/{space}/memories/{id}/history.
func (s *Server) GetMemoryHistory(ctx context.Context, r GetMemoryHistoryRequestObject) (GetMemoryHistoryResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	versions, err := s.Store.History(ctx, r.Space, graph.MemoryID(r.Id), r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	return GetMemoryHistory200JSONResponse{Memories: each(versions, rendererOf(space).memory)}, nil
}

// ListMessages answers GET /v1/spaces/{space}/messages.
func (s *Server) ListMessages(ctx context.Context, r ListMessagesRequestObject) (ListMessagesResponseObject, error) {
	p := r.Params
	if len(p.Ids) == 0 && p.Session == "" {
		return nil, &graph.Error{
			Code: graph.CodeInvalid, Message: "which messages: give ids or session",
			Fields: []graph.Field{{Name: "ids", Message: "is missing, and session too"}},
		}
	}
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	messages, err := s.Store.Messages(ctx, r.Space, graph.MessageQuery{
		IDs: p.Ids, Session: p.Session, Before: p.Before, After: p.After, AsPersona: p.AsPersona, Limit: pageLimit(p.Limit),
	})
	if err != nil {
		return nil, err
	}
	return ListMessages200JSONResponse{Messages: each(messages, rendererOf(space).message)}, nil
}

// defaultPage is how many entries a page has where no limit is given.
const defaultPage = 50

func pageLimit(limit *int) int {
	if limit == nil {
		return defaultPage
	}
	return *limit
}
