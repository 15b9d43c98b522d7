package api

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"relata/graph"
	"relata/relations"
)

// Exporter takes a space out, line by line.
type Exporter interface {
	// Export gives each line to emit, whose error ends it. Errors:
	// graph.CodeNotFound.
	Export(ctx context.Context, space string, emit func(line any) error) error
}

// Importer puts lines into a space. Implemented by *relations.Importer.
type Importer interface {
	// Import reads lines to their end. A bad line is in the report; an error ends
	// the import. Errors: graph.CodeNotFound, graph.CodeModel.
	Import(ctx context.Context, r relations.ImportRequest) (relations.ImportReport, error)
}

// importRoute takes a body without an end: only its lines are bounded.
const importRoute = "/v1/spaces/:space/import"

// streamOperations last as long as their streams; only the caller ends them.
var streamOperations = map[string]bool{"ExportSpace": true, "ImportSpace": true, "WatchJob": true}

// linesKind gives the one name of the kinds that JSON Lines are sent as.
func linesKind(kind string) (string, error) {
	switch kind {
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
		return "application/x-ndjson", nil
	}
	return "", echo.NewHTTPError(http.StatusUnsupportedMediaType,
		"the body must be JSON Lines: send Content-Type: application/x-ndjson")
}

// patientBody gives a body without an end as long for each piece as others have
// for the whole.
type patientBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func newPatientBody(w http.ResponseWriter, body io.ReadCloser) patientBody {
	return patientBody{body, http.NewResponseController(w)}
}

// Read waits for the next piece.
func (b patientBody) Read(p []byte) (int, error) {
	// Only a connection of a real server has deadlines.
	_ = b.control.SetReadDeadline(time.Now().Add(readTimeout))
	return b.ReadCloser.Read(p)
}

// ImportSpace answers POST /v1/spaces/{space}/import.
func (s *Server) ImportSpace(ctx context.Context, r ImportSpaceRequestObject) (ImportSpaceResponseObject, error) {
	report, err := s.Importer.Import(ctx, relations.ImportRequest{Space: r.Space, Lines: r.Body, By: "api"})
	if err != nil {
		return nil, err
	}
	return ImportSpace200JSONResponse{
		Spaces: report.Spaces, Personas: report.Personas, Relations: report.Relations, Entities: report.Entities,
		Sources: report.Sources, Memories: report.Memories, Diffs: report.Diffs, Duplicates: report.Duplicates,
		Failed: report.Failed, MissingSources: report.MissingSources,
		Errors: each(report.Errors, func(e relations.LineError) LineError { return LineError{Line: e.Line, Message: e.Message} }),
	}, nil
}

// ExportSpace answers GET /v1/spaces/{space}/export.
func (s *Server) ExportSpace(ctx context.Context, r ExportSpaceRequestObject) (ExportSpaceResponseObject, error) {
	// Before the first line, while a failure can still be told by its status.
	if _, err := s.Store.Space(ctx, r.Space); err != nil {
		return nil, err
	}
	return exportResponse{s, ctx, r.Space}, nil
}

// exportResponse writes lines while they are read.
type exportResponse struct {
	*Server
	ctx   context.Context
	space string
}

// exportBuffer is what is sent at a time.
const exportBuffer = 64 << 10

// VisitExportSpaceResponse writes the lines. A failure cuts the connection, by
// which callers know that the lines are not all.
func (e exportResponse) VisitExportSpaceResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	out := bufio.NewWriterSize(flushed{w, http.NewResponseController(w)}, exportBuffer)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err := e.Store.Export(e.ctx, e.space, enc.Encode)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		return nil
	}
	if committed, ok := w.(*echo.Response); ok && !committed.Committed {
		w.Header().Del("Content-Type")
		return err // nothing is sent yet
	}
	if e.ctx.Err() == nil {
		e.Logger.ErrorContext(e.ctx, "export broke off", "space", e.space, "code", string(graph.ErrorCode(err)), "error", err)
	}
	panic(http.ErrAbortHandler)
}

// flushed sends each piece at once.
type flushed struct {
	io.Writer
	control *http.ResponseController
}

// Write sends p.
func (f flushed) Write(p []byte) (int, error) {
	n, err := f.Writer.Write(p)
	if err == nil {
		// A writer that cannot flush sends when it likes.
		_ = f.control.Flush()
	}
	return n, err
}
