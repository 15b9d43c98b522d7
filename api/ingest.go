package api

import (
	"bytes"
	"context"
	"io"

	"relata/extractor"
)

// Ingest answers POST /v1/spaces/{space}/ingest.
func (s *Server) Ingest(ctx context.Context, r IngestRequestObject) (IngestResponseObject, error) {
	batch, err := readBatch(r)
	if err != nil {
		return nil, err
	}
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	o := extractor.IngestOptions{
		Mode: r.Params.Mode, DryRun: r.Params.DryRun, Review: r.Params.Review, Key: r.Params.IdempotencyKey,
	}
	if prefersAsync(r.Params.Prefer) && !o.DryRun {
		if err := s.Ingester.CheckModel(); err != nil {
			return nil, err
		}
		job, err := s.Jobs.AddBatch(ctx, batch, o)
		if err != nil {
			return nil, err
		}
		return s.queued(ctx, job)
	}
	receipt, err := s.Ingester.Ingest(ctx, batch, o)
	if err != nil {
		return nil, err
	}
	return Ingest200JSONResponse(rendererOf(space).receipt(receipt)), nil
}

// readBatch reads the JSON body, or the XML with its query parameters.
func readBatch(r IngestRequestObject) (extractor.Batch, error) {
	batch := extractor.Batch{Space: r.Space}
	switch {
	case r.JSONBody != nil:
		b := r.JSONBody
		batch.Session, batch.Persona, batch.Present = b.SessionId, b.Persona, b.Present
		batch.Chats, batch.Tags = b.Chats, b.Tags
	case r.Body != nil:
		input, err := readInput(r.Body)
		if err != nil {
			return batch, err
		}
		batch.Session = r.Params.SessionId
		batch.Persona, batch.Present = splitNames(r.Params.Persona), splitNames(r.Params.Present)
		batch.Chats = input.Chats
	default:
		return batch, errNoBody
	}
	return batch, batch.Validate()
}

// readInput reads the XML of the memory diff's input.
func readInput(body io.Reader) (extractor.Input, error) {
	// Whole before it is parsed: a body over the limit is that, not wrong XML.
	text, err := readBody(body)
	if err != nil {
		return extractor.Input{}, err
	}
	return extractor.ReadInput(bytes.NewReader(text))
}
