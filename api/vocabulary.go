package api

import (
	"context"

	"relata/graph"
)

// ListRelations answers GET /v1/spaces/{space}/relations.
func (s *Server) ListRelations(ctx context.Context, r ListRelationsRequestObject) (ListRelationsResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	all, err := s.Store.Relations(ctx, r.Space, r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	return ListRelations200JSONResponse{Relations: each(all, rendererOf(space).relation)}, nil
}

// PutRelation answers PUT /v1/spaces/{space}/relations/{key}.
func (s *Server) PutRelation(ctx context.Context, r PutRelationRequestObject) (PutRelationResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	b := r.Body
	put, created, err := s.Vocabulary.Put(ctx, r.Space, graph.Relation{
		Key: r.Key, Content: b.Content, Functional: b.Functional, Symmetric: b.Symmetric,
		Inverse: b.Inverse, Aliases: b.Aliases, Successor: b.Successor,
	}, "")
	if err != nil {
		return nil, err
	}
	body := rendererOf(space).relation(put)
	if created {
		return PutRelation201JSONResponse(body), nil
	}
	return PutRelation200JSONResponse(body), nil
}
