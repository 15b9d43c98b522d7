package api

import (
	"context"

	"relata/extractor"
)

// ContextBlock answers POST /v1/spaces/{space}/context.
func (s *Server) ContextBlock(ctx context.Context, r ContextBlockRequestObject) (ContextBlockResponseObject, error) {
	b := r.Body
	block, err := extractor.ContextBlock(ctx, s.Store, extractor.BlockRequest{
		Space: r.Space, Turns: b.Messages, Queries: b.Queries, AsPersona: b.AsPersona, Beliefs: b.Beliefs,
		MaxTokens: b.MaxTokens, Language: b.Language, Sources: b.Sources,
	})
	if err != nil {
		return nil, err
	}
	return ContextBlock200JSONResponse{Text: block.Text, Memories: list(ids(block.Memories)), Tokens: block.Tokens}, nil
}
