package jobs

import (
	"context"
	"encoding/json"

	"relata/extractor"
	"relata/graph"
)

// KindIngest is the kind of jobs that read a batch of messages.
const KindIngest = "ingest"

// Ingester reads batches into the memory of their space. Implemented by
// extractor.Extractor.
type Ingester interface {
	Ingest(ctx context.Context, b extractor.Batch, o extractor.IngestOptions) (graph.Receipt, error)
}

var _ Ingester = (*extractor.Extractor)(nil)

// ingestInput is the input of an ingest job.
type ingestInput struct {
	Batch  extractor.Batch `json:"batch"`
	Mode   string          `json:"mode,omitempty"`
	Review bool            `json:"review,omitempty"`
	// Keyed: the diff stands under the job's key. Else under one of the content,
	// so that the same batch, sent twice without a key, is done once.
	Keyed bool `json:"keyed,omitempty"`
}

// IngestJob makes a job of a batch. The key of the options is that of the job
// too. Errors: those of [extractor.Batch.Validate], and CodeInvalid for a dry run,
// which has nothing to be kept.
func IngestJob(b extractor.Batch, o extractor.IngestOptions) (graph.NewJob, error) {
	if err := b.Validate(); err != nil {
		return graph.NewJob{}, err
	}
	if o.DryRun {
		return graph.NewJob{}, graph.Errorf(graph.CodeInvalid, "a dry run cannot be a job: leave out dry_run, or Prefer: respond-async")
	}
	return ingestJob(KindIngest, b, o, o.Key != "")
}

func ingestJob(kind string, b extractor.Batch, o extractor.IngestOptions, keyed bool) (graph.NewJob, error) {
	input, err := json.Marshal(ingestInput{Batch: b, Mode: o.Mode, Review: o.Review, Keyed: keyed})
	if err != nil {
		return graph.NewJob{}, graph.WrapError(graph.CodeInternal, err, "the batch cannot be stored as a job")
	}
	return graph.NewJob{
		Space: b.Space, Kind: kind, Session: b.Session, Key: o.Key, By: o.By, Total: len(b.Chats), Input: string(input),
	}, nil
}

// Ingest handles ingest jobs.
type Ingest struct{ Ingester Ingester }

var _ Handler = Ingest{}

// Handle ingests the batch of a job. A run after one whose end was not written
// down finds the diff by its key and gives it again.
func (h Ingest) Handle(ctx context.Context, job graph.Job, input string, _ func(done, total int)) ([]graph.DiffID, error) {
	var in ingestInput
	if err := json.Unmarshal([]byte(input), &in); err != nil {
		return nil, graph.WrapError(graph.CodeInternal, err, "the input of job %d cannot be read", job.ID)
	}
	in.Batch.Space = job.Space
	o := extractor.IngestOptions{Mode: in.Mode, Review: in.Review, By: job.By}
	if in.Keyed {
		o.Key = job.Key
	}
	receipt, err := h.Ingester.Ingest(ctx, in.Batch, o)
	if err != nil {
		return nil, err
	}
	return []graph.DiffID{receipt.DiffID}, nil
}
