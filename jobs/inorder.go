package jobs

import (
	"context"

	"relata/extractor"
	"relata/graph"
)

// InOrder is an extractor for surfaces that answer at once, whose batches go
// behind what arrived before them in their session: turns that wait, and jobs.
type InOrder struct {
	*extractor.Extractor
	Desk Desk
}

// Ingest waits for what comes first, then reads the batch. A job that failed or
// was cancelled holds nothing up. Errors: as of [extractor.Extractor.Ingest], and
// CodeTimeout where the context ended before its turn came.
func (o InOrder) Ingest(ctx context.Context, b extractor.Batch, options extractor.IngestOptions) (graph.Receipt, error) {
	if err := b.Validate(); err != nil {
		return graph.Receipt{}, err
	}
	if b.Session != "" && !options.DryRun && o.CheckModel() == nil {
		if err := o.Desk.settle(ctx, b.Space, b.Session); err != nil {
			return graph.Receipt{}, err
		}
	}
	return o.Extractor.Ingest(ctx, b, options)
}

// settle waits until all is done that came to a session before.
func (d Desk) settle(ctx context.Context, space, session string) error {
	ahead, err := d.store.Ahead(ctx, space, session)
	if err != nil {
		return err
	}
	if ahead.Waiting {
		made, err := d.Buffer.Flush(ctx, space, session)
		if err != nil {
			return err
		}
		if len(made) > 0 {
			ahead.Last = made[len(made)-1].ID
		}
	}
	if ahead.Last == 0 {
		return nil
	}
	watch, err := d.Watch(ctx, ahead.Last)
	if graph.ErrorCode(err) == graph.CodeNotFound {
		return nil // it ended, and is gone
	}
	if err != nil {
		return err
	}
	for job := range watch {
		if job.Ended() {
			return nil
		}
	}
	if err := ctx.Err(); err != nil {
		return graph.WrapError(graph.CodeTimeout, err,
			"job %d of the session %q comes first and was not done in time: send the batch with Prefer: respond-async, and it waits for its turn", ahead.Last, session)
	}
	return nil
}
