package jobs

import (
	"context"

	"relata/extractor"
	"relata/graph"
)

// Desk is where work is handed in: a [Runner] and a [Buffer] behind the calls
// that a surface makes.
type Desk struct {
	*Runner
	Buffer *Buffer
}

// AddBatch queues a batch of messages. Errors: those of [IngestJob] and
// [Runner.Add].
func (d Desk) AddBatch(ctx context.Context, b extractor.Batch, o extractor.IngestOptions) (graph.Job, error) {
	n, err := IngestJob(b, o)
	if err != nil {
		return graph.Job{}, err
	}
	job, _, err := d.Add(ctx, n)
	return job, err
}

// AddParts queues the parts of some material. Errors: those of [Runner.Add].
func (d Desk) AddParts(ctx context.Context, parts []extractor.Part, o extractor.IngestOptions) (graph.Job, error) {
	n, err := ReadJob(parts, o)
	if err != nil {
		return graph.Job{}, err
	}
	job, _, err := d.Add(ctx, n)
	return job, err
}

// Append keeps turns until their session is due, and with flush ingests what
// waits of it. pending is how many turns wait afterwards, job the last job that
// was made, 0 for none. Errors: those of [Buffer.Add], CodeNotFound for the space.
func (d Desk) Append(ctx context.Context, b extractor.Batch, flush bool) (pending int, job graph.JobID, err error) {
	if len(b.Chats) > 0 {
		buffered, err := d.Buffer.Add(ctx, b)
		if err != nil {
			return 0, 0, err
		}
		pending = buffered.Turns
	}
	if !flush {
		return pending, 0, nil
	}
	made, err := d.Buffer.Flush(ctx, b.Space, b.Session)
	if err != nil || len(made) == 0 {
		return 0, 0, err
	}
	return 0, made[len(made)-1].ID, nil
}
