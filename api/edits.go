package api

import (
	"context"

	"relata/graph"
	"relata/relations"
)

// EditMemory answers PATCH /v1/spaces/{space}/memories/{id}.
func (s *Server) EditMemory(ctx context.Context, r EditMemoryRequestObject) (EditMemoryResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	b := r.Body
	receipt, err := s.Editor.EditMemory(ctx, relations.Edit{
		Space: r.Space, Memory: graph.MemoryID(r.Id),
		Subject: b.Subject, Relation: b.Relation, Object: b.Object, Content: b.Content,
		Index0: b.Index0, Index1: b.Index1, Tags: b.Tags, EventDate: b.EventDate, KnownBy: b.KnownBy,
		DryRun: r.Params.DryRun,
	})
	if err != nil {
		return nil, err
	}
	return EditMemory200JSONResponse(rendererOf(space).receipt(receipt)), nil
}

// DeleteMemory answers DELETE /v1/spaces/{space}/memories/{id}.
func (s *Server) DeleteMemory(ctx context.Context, r DeleteMemoryRequestObject) (DeleteMemoryResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	receipt, err := s.Editor.RemoveMemory(ctx, r.Space, graph.MemoryID(r.Id), "", r.Params.DryRun)
	if err != nil {
		return nil, err
	}
	return DeleteMemory200JSONResponse(rendererOf(space).receipt(receipt)), nil
}
