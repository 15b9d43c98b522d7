package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"relata/extractor"
	"relata/graph"
)

// prefersAsync reads the header Prefer.
func prefersAsync(header string) bool {
	for preference := range strings.SplitSeq(header, ",") {
		name, _, _ := strings.Cut(preference, ";")
		if strings.EqualFold(strings.TrimSpace(name), "respond-async") {
			return true
		}
	}
	return false
}

// queuedResponse is the answer to work that a job does.
type queuedResponse struct{ job Job }

func (s *Server) queued(ctx context.Context, j graph.Job) (*queuedResponse, error) {
	job, err := s.job(ctx, j, "")
	return &queuedResponse{job}, err
}

func (q *queuedResponse) write(w http.ResponseWriter) error {
	w.Header().Set("Location", fmt.Sprintf("/v1/jobs/%d", q.job.Id))
	w.Header().Set("Preference-Applied", "respond-async")
	return writeJSON(w, http.StatusAccepted, "application/json", q.job)
}

// VisitIngestResponse writes the answer.
func (q *queuedResponse) VisitIngestResponse(w http.ResponseWriter) error { return q.write(w) }

// job shows a job; one that is done with the receipt of its last diff. A persona
// sees one that wrote a diff of which it may see something, as far as it may.
// Errors: graph.CodeNotFound for another.
func (s *Server) job(ctx context.Context, j graph.Job, asPersona string) (Job, error) {
	space, err := s.Store.Space(ctx, j.Space)
	if err != nil {
		return Job{}, err
	}
	r := rendererOf(space)
	diffs, err := s.diffsOf(ctx, j.Space, []graph.Job{j}, asPersona)
	if err != nil {
		return Job{}, err
	}
	out, last, ok := r.job(j, diffs, asPersona)
	if !ok {
		return Job{}, graph.Errorf(graph.CodeNotFound, "there is no job %d", j.ID)
	}
	if last == nil {
		return out, nil // it is not done, or its diff is gone with all that it wrote
	}
	receipt, err := s.Store.Receipt(ctx, j.Space, *last, asPersona)
	if err != nil {
		return Job{}, err
	}
	shown := r.receipt(receipt)
	out.Receipt = &shown
	return out, nil
}

// diffsOf gives the diffs of jobs that are done, as far as the asker may see them.
func (s *Server) diffsOf(ctx context.Context, space string, jobs []graph.Job, asPersona string) (map[graph.DiffID]graph.Diff, error) {
	var ids []graph.DiffID
	for _, j := range jobs {
		if j.State == graph.JobDone {
			ids = append(ids, j.DiffIDs...)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return s.Store.DiffsByID(ctx, space, ids, asPersona)
}

// job shows a job without a receipt, and the last of its diffs. A persona is shown
// those that it may see, and no error text, which may quote what was read; ok is
// false where that is nothing.
func (r renderer) job(j graph.Job, diffs map[graph.DiffID]graph.Diff, asPersona string) (out Job, last *graph.Diff, ok bool) {
	out = Job{
		Id: int64(j.ID), Space: j.Space, Kind: j.Kind, SessionId: j.Session, State: string(j.State), Done: j.Done, Total: j.Total,
		Attempts: j.Attempts, DiffIds: ids(j.DiffIDs), Error: j.Error, CreatedAt: r.time(j.CreatedAt),
	}
	var visible []graph.DiffID
	for _, id := range j.DiffIDs {
		if d, ok := diffs[id]; ok {
			visible, last = append(visible, id), &d
		}
	}
	if asPersona == "" {
		return out, last, true
	}
	if len(visible) == 0 {
		return Job{}, nil, false
	}
	out.DiffIds, out.SessionId, out.Error = ids(visible), last.Session, ""
	return out, last, true
}

// ListJobs answers GET /v1/spaces/{space}/jobs; a list holds no receipts.
func (s *Server) ListJobs(ctx context.Context, r ListJobsRequestObject) (ListJobsResponseObject, error) {
	page, err := s.Store.Jobs(ctx, r.Space, graph.JobFilter{
		State: graph.JobState(r.Params.State), Session: r.Params.Session, Cursor: r.Params.Cursor, Limit: pageLimit(r.Params.Limit),
	})
	if err != nil {
		return nil, err
	}
	space, err := s.Store.Space(ctx, r.Space)
	if err != nil {
		return nil, err
	}
	render := rendererOf(space)
	out := ListJobs200JSONResponse{Jobs: make([]Job, 0, len(page.Items)), Cursor: page.Cursor}
	var diffs map[graph.DiffID]graph.Diff
	if r.Params.AsPersona != "" {
		if diffs, err = s.diffsOf(ctx, r.Space, page.Items, r.Params.AsPersona); err != nil {
			return nil, err
		}
	}
	for _, j := range page.Items {
		if job, _, ok := render.job(j, diffs, r.Params.AsPersona); ok {
			out.Jobs = append(out.Jobs, job)
		}
	}
	return out, nil
}

// GetJob answers GET /v1/jobs/{id}.
func (s *Server) GetJob(ctx context.Context, r GetJobRequestObject) (GetJobResponseObject, error) {
	j, err := s.Store.Job(ctx, graph.JobID(r.Id))
	if err != nil {
		return nil, err
	}
	job, err := s.job(ctx, j, r.Params.AsPersona)
	return GetJob200JSONResponse(job), err
}

// RetryJob answers POST /v1/jobs/{id}/retry.
func (s *Server) RetryJob(ctx context.Context, r RetryJobRequestObject) (RetryJobResponseObject, error) {
	j, err := s.Jobs.Retry(ctx, graph.JobID(r.Id))
	if err != nil {
		return nil, err
	}
	job, err := s.job(ctx, j, "")
	return RetryJob200JSONResponse(job), err
}

// CancelJob answers POST /v1/jobs/{id}/cancel.
func (s *Server) CancelJob(ctx context.Context, r CancelJobRequestObject) (CancelJobResponseObject, error) {
	j, err := s.Jobs.Cancel(ctx, graph.JobID(r.Id))
	if err != nil {
		return nil, err
	}
	job, err := s.job(ctx, j, "")
	return CancelJob200JSONResponse(job), err
}

// WatchJob answers GET /v1/jobs/{id}/events.
func (s *Server) WatchJob(ctx context.Context, r WatchJobRequestObject) (WatchJobResponseObject, error) {
	if as := r.Params.AsPersona; as != "" {
		j, err := s.Store.Job(ctx, graph.JobID(r.Id))
		if err == nil {
			_, err = s.job(ctx, j, as)
		}
		if err != nil {
			return nil, err
		}
	}
	states, err := s.Jobs.Watch(ctx, graph.JobID(r.Id))
	if err != nil {
		return nil, err
	}
	return eventsResponse{s, ctx, r.Params.AsPersona, states}, nil
}

// eventsResponse sends a job at each change, as server-sent events.
type eventsResponse struct {
	*Server
	ctx    context.Context
	as     string // the persona that asks, "" for none
	states <-chan graph.Job
}

// VisitWatchJobResponse writes the events until the job has ended.
func (e eventsResponse) VisitWatchJobResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/event-stream")
	out := flushed{w, http.NewResponseController(w)}
	for j := range e.states {
		job, err := e.job(e.ctx, j, e.as)
		if err != nil {
			e.Logger.WarnContext(e.ctx, "events of a job broke off", "job", int64(j.ID), "error", err)
			return nil // the stream has begun; its end says that there is no more
		}
		var data bytes.Buffer
		enc := json.NewEncoder(&data)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(job); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "event: job\ndata: %s\n\n", bytes.TrimSpace(data.Bytes())); err != nil {
			return nil // the caller is gone
		}
	}
	return nil
}

// AppendMessages answers POST /v1/spaces/{space}/messages.
func (s *Server) AppendMessages(ctx context.Context, r AppendMessagesRequestObject) (AppendMessagesResponseObject, error) {
	b := r.Body
	batch := extractor.Batch{Space: r.Space, Session: b.SessionId, Persona: b.Persona, Present: b.Present, Chats: b.Chats}
	if len(b.Chats) > 0 || !b.Flush {
		if err := batch.Validate(); err != nil {
			return nil, err
		}
	}
	if err := s.Ingester.CheckModel(); err != nil {
		return nil, err
	}
	pending, job, err := s.Jobs.Append(ctx, batch, b.Flush)
	if err != nil {
		return nil, err
	}
	return AppendMessages200JSONResponse{Pending: pending, Job: int64(job)}, nil
}
