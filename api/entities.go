package api

import (
	"context"

	"relata/graph"
)

// ListEntities answers GET /v1/spaces/{space}/entities.
func (s *Server) ListEntities(ctx context.Context, r ListEntitiesRequestObject) (ListEntitiesResponseObject, error) {
	p := r.Params
	page, err := s.Store.Entities(ctx, r.Space, graph.EntityFilter{
		Name: p.Name, AsPersona: p.AsPersona, Cursor: p.Cursor, Limit: pageLimit(p.Limit),
	})
	if err != nil {
		return nil, err
	}
	return ListEntities200JSONResponse{Entities: each(page.Items, entity), Cursor: page.Cursor}, nil
}

// GetEntity answers GET /v1/spaces/{space}/entities/{id}.
func (s *Server) GetEntity(ctx context.Context, r GetEntityRequestObject) (GetEntityResponseObject, error) {
	e, err := s.Store.Entity(ctx, r.Space, graph.EntityID(r.Id), r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	return GetEntity200JSONResponse(entity(e)), nil
}

// AddAliases answers POST /v1/spaces/{space}/entities/{id}/aliases.
func (s *Server) AddAliases(ctx context.Context, r AddAliasesRequestObject) (AddAliasesResponseObject, error) {
	e, err := s.Store.AddAliases(ctx, r.Space, graph.EntityID(r.Id), r.Body.Aliases)
	if err != nil {
		return nil, err
	}
	return AddAliases200JSONResponse(entity(e)), nil
}

// GetNeighbourhood answers GET /v1/spaces/{space}/entities/{id}/neighbourhood.
func (s *Server) GetNeighbourhood(ctx context.Context, r GetNeighbourhoodRequestObject) (GetNeighbourhoodResponseObject, error) {
	p := r.Params
	q := graph.NeighbourhoodQuery{
		Entity: graph.EntityID(r.Id), Depth: 1, Relations: p.Relations, Limit: pageLimit(p.Limit), AsPersona: p.AsPersona,
	}
	if p.Depth != nil {
		q.Depth = *p.Depth
	}
	found, err := s.Store.Neighbourhood(ctx, r.Space, q)
	if err != nil {
		return nil, err
	}
	return GetNeighbourhood200JSONResponse{
		Nodes: each(found.Nodes, entity), Edges: each(found.Edges, edge), Truncated: found.Truncated,
	}, nil
}

// FindPaths answers GET /v1/spaces/{space}/paths.
func (s *Server) FindPaths(ctx context.Context, r FindPathsRequestObject) (FindPathsResponseObject, error) {
	p := r.Params
	q := graph.PathQuery{From: p.From, To: p.To, AsPersona: p.AsPersona}
	if p.MaxHops != nil {
		q.MaxHops = *p.MaxHops
	}
	paths, err := s.Store.Paths(ctx, r.Space, q)
	if err != nil {
		return nil, err
	}
	return FindPaths200JSONResponse{Paths: each(paths, func(p graph.Path) Path {
		return Path{Nodes: each(p.Nodes, entity), Edges: each(p.Edges, edge)}
	})}, nil
}

func entity(e graph.Entity) Entity {
	return Entity{Id: int64(e.ID), Name: e.Name, Aliases: list(e.Aliases), Kind: e.Kind, Persona: e.Persona}
}

func edge(e graph.Edge) Edge {
	return Edge{Relation: e.Relation, MemoryId: int64(e.MemoryID), Subject: int64(e.Subject), Object: int64(e.Object)}
}
