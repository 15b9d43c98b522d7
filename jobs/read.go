package jobs

import (
	"context"
	"encoding/json"

	"relata/extractor"
	"relata/graph"
)

// KindRead is the kind of jobs that read documents and images.
const KindRead = "read"

// Reader reads parts of documents and images. Implemented by
// extractor.Extractor.
type Reader interface {
	Read(ctx context.Context, p extractor.Part, o extractor.IngestOptions) (graph.Receipt, error)
}

var _ Reader = (*extractor.Extractor)(nil)

// readInput is the input of a read job. The bytes of an image are in it until
// the job is done.
type readInput struct {
	Parts []extractor.Part `json:"parts"`
}

// ReadJob makes a job of the parts of some material. It has the key of the first,
// which is the same for the same material.
func ReadJob(parts []extractor.Part, o extractor.IngestOptions) (graph.NewJob, error) {
	if len(parts) == 0 {
		return graph.NewJob{}, graph.Errorf(graph.CodeInvalid, "there is nothing to read")
	}
	input, err := json.Marshal(readInput{parts})
	if err != nil {
		return graph.NewJob{}, graph.WrapError(graph.CodeInternal, err, "the parts cannot be stored as a job")
	}
	m := parts[0].Material
	return graph.NewJob{
		Space: m.Space, Kind: KindRead, Session: m.Session, Key: "read:" + parts[0].Key, By: o.By, Total: len(parts), Input: string(input),
	}, nil
}

// Read handles read jobs.
type Read struct{ Reader Reader }

var _ Handler = Read{}

// Handle reads each part into a diff of its own. A run after one that was cut off
// finds by their keys what is done.
func (h Read) Handle(ctx context.Context, job graph.Job, input string, progress func(done, total int)) ([]graph.DiffID, error) {
	var in readInput
	if err := json.Unmarshal([]byte(input), &in); err != nil {
		return nil, graph.WrapError(graph.CodeInternal, err, "the input of job %d cannot be read", job.ID)
	}
	var diffs []graph.DiffID
	for i, p := range in.Parts {
		p.Material.Space = job.Space
		receipt, err := h.Reader.Read(ctx, p, extractor.IngestOptions{By: job.By})
		if err != nil {
			return diffs, err
		}
		diffs = append(diffs, receipt.DiffID)
		progress(i+1, len(in.Parts))
	}
	return diffs, nil
}
