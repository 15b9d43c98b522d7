package api

import (
	"context"

	"relata/graph"
)

// ListSpaces answers GET /v1/spaces.
func (s *Server) ListSpaces(ctx context.Context, _ ListSpacesRequestObject) (ListSpacesResponseObject, error) {
	spaces, err := s.Store.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	return ListSpaces200JSONResponse{Spaces: each(spaces, func(sp graph.Space) Space {
		return rendererOf(sp).space(sp)
	})}, nil
}

// GetSpace answers GET /v1/spaces/{space}.
func (s *Server) GetSpace(ctx context.Context, r GetSpaceRequestObject) (GetSpaceResponseObject, error) {
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	return GetSpace200JSONResponse(rendererOf(space).space(space)), nil
}

// PutSpace answers PUT /v1/spaces/{space}.
func (s *Server) PutSpace(ctx context.Context, r PutSpaceRequestObject) (PutSpaceResponseObject, error) {
	var settings SpaceSettings
	if r.Body != nil {
		settings = *r.Body
	}
	want := graph.Space{
		Name: r.Space, Timezone: settings.Timezone, Language: settings.Language, Vocabulary: settings.Vocabulary,
		Governance: graph.Governance(settings.Governance), WriterSees: graph.WriterSees(settings.WriterSees),
		ContentPolicy: settings.ContentPolicy,
	}
	if err := want.Validate(); err != nil {
		return nil, err
	}
	before, err := s.Store.Space(ctx, r.Space)
	if err != nil && graph.ErrorCode(err) != graph.CodeNotFound {
		return nil, err
	}
	space, created, err := s.Store.PutSpace(ctx, want)
	if err != nil {
		return nil, err
	}
	if err := s.seed(ctx, before, space, created); err != nil {
		return nil, err
	}
	body := rendererOf(space).space(space)
	if created {
		return PutSpace201JSONResponse(body), nil
	}
	return PutSpace200JSONResponse(body), nil
}

// seed loads the core vocabulary where it is asked for and not there: into a
// new space, into one that began empty, and into one whose making was cut off
// before it had any. Else a relation that somebody removed would come back with
// every change of a setting.
func (s *Server) seed(ctx context.Context, before, space graph.Space, created bool) error {
	if space.Vocabulary != "core" {
		return nil
	}
	if !created && before.Vocabulary == "core" {
		relations, err := s.Store.Relations(ctx, space.Name, "")
		if err != nil || len(relations) > 0 {
			return err
		}
	}
	return s.Vocabulary.Seed(ctx, space.Name)
}

// DeleteSpace answers DELETE /v1/spaces/{space}.
func (s *Server) DeleteSpace(ctx context.Context, r DeleteSpaceRequestObject) (DeleteSpaceResponseObject, error) {
	if r.Params.Confirm != r.Space {
		return nil, invalidField("confirm", "must be the name of the space, %q: deleting has no way back", r.Space)
	}
	d, err := s.Store.DeleteSpace(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	return DeleteSpace200JSONResponse{
		Deleted: DeletedCounts{
			Memories: d.Memories, Entities: d.Entities, Relations: d.Relations,
			Sources: d.Sources, Diffs: d.Diffs, Other: d.Other,
		},
		Remaining: d.Remaining,
	}, nil
}
