package extractor

import "context"

// Prompt gives the diff step's prompt for a batch as [Extractor.Ingest] would
// send it now, asking no model and storing nothing: the instructions and the
// material, with what the store shows of the space. It needs no model. Where
// some messages of the batch have ids and others none, it takes new ids for
// those, as Ingest would.
//
// Errors: CodeInvalid and CodeTooLarge for the batch, CodeNotFound for the space,
// and those of the store.
func (e *Extractor) Prompt(ctx context.Context, b Batch) (Request, error) {
	if err := b.Validate(); err != nil {
		return Request{}, err
	}
	j, err := e.open(ctx, b)
	if err != nil {
		return Request{}, err
	}
	if !j.shortIDs {
		if err := e.number(ctx, j); err != nil {
			return Request{}, err
		}
	}
	if err := (contextStage{e}).run(ctx, j); err != nil {
		return Request{}, err
	}
	req, _, err := diffStage{e}.request(j)
	return req, err
}
