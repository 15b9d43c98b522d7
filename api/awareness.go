package api

import (
	"context"

	"relata/graph"
	"relata/relations"
)

// WhoKnows answers POST /v1/spaces/{space}/who-knows.
func (s *Server) WhoKnows(ctx context.Context, r WhoKnowsRequestObject) (WhoKnowsResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	known, err := s.Store.WhoKnows(ctx, r.Space, graph.WhoKnowsQuery{
		About: r.Body.About, Memory: graph.MemoryID(r.Body.MemoryId), Limit: r.Body.Limit, AsPersona: r.Body.AsPersona,
	})
	if err != nil {
		return nil, err
	}
	return WhoKnows200JSONResponse{Memories: each(known, rendererOf(space).known)}, nil
}

// ListKnown answers GET /v1/spaces/{space}/personas/{name}/memories.
func (s *Server) ListKnown(ctx context.Context, r ListKnownRequestObject) (ListKnownResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	p := r.Params
	// As a persona others are not there: what they know is not for it.
	all, err := s.Store.Personas(ctx, r.Space, "")
	if err != nil {
		return nil, err
	}
	of, ok := findPersona(all, r.Name)
	if asker, known := findPersona(all, p.AsPersona); p.AsPersona != "" && (!known || asker.ID != of.ID) {
		ok = false
	}
	if !ok {
		return nil, noPersona(r.Space, r.Name)
	}
	page, err := s.Store.Memories(ctx, r.Space, graph.MemoryFilter{
		KnownTo: of.Name, UnknownTo: p.UnknownTo, About: p.About, AsPersona: p.AsPersona, Cursor: p.Cursor, Limit: pageLimit(p.Limit),
	})
	if err != nil {
		return nil, err
	}
	return ListKnown200JSONResponse{Memories: each(page.Items, rendererOf(space).memory), Cursor: page.Cursor}, nil
}

// GetAwareness answers GET /v1/spaces/{space}/memories/{id}/awareness.
func (s *Server) GetAwareness(ctx context.Context, r GetAwarenessRequestObject) (GetAwarenessResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	known, err := s.Store.Awareness(ctx, r.Space, graph.MemoryID(r.Id), r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	return GetAwareness200JSONResponse(rendererOf(space).known(known)), nil
}

// GrantAwareness answers POST /v1/spaces/{space}/memories/{id}/awareness.
func (s *Server) GrantAwareness(ctx context.Context, r GrantAwarenessRequestObject) (GrantAwarenessResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	known, err := s.Editor.Grant(ctx, relations.Grant{
		Space: r.Space, Memory: graph.MemoryID(r.Id), Names: r.Body.Names, How: graph.How(r.Body.How),
	})
	if err != nil {
		return nil, err
	}
	return GrantAwareness200JSONResponse(rendererOf(space).known(known)), nil
}

// RevokeAwareness answers DELETE /v1/spaces/{space}/memories/{id}/awareness.
func (s *Server) RevokeAwareness(ctx context.Context, r RevokeAwarenessRequestObject) (RevokeAwarenessResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	known, err := s.Editor.Revoke(ctx, relations.Grant{Space: r.Space, Memory: graph.MemoryID(r.Id), Names: r.Body.Names})
	if err != nil {
		return nil, err
	}
	return RevokeAwareness200JSONResponse(rendererOf(space).known(known)), nil
}

func (r renderer) known(k graph.Known) Known {
	return Known{Id: int64(k.ID), Content: k.Content, KnownBy: each(k.KnownBy, func(a graph.Awareness) Knower {
		return Knower{
			Name: a.Entity.Name, Persona: a.Persona, Since: r.time(a.Since), How: string(a.How), By: a.By, MsgIds: list(a.MsgIDs),
		}
	})}
}
