package api

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"relata/extractor"
	"relata/graph"
)

// fileRoutes take forms with a file.
var fileRoutes = map[string]bool{"/v1/spaces/:space/documents": true, "/v1/spaces/:space/images": true}

// ReadDocument answers POST /v1/spaces/{space}/documents.
func (s *Server) ReadDocument(ctx context.Context, r ReadDocumentRequestObject) (ReadDocumentResponseObject, error) {
	m := extractor.Material{Space: r.Space}
	switch b := r.JSONBody; {
	case b != nil:
		m.Session, m.Title, m.Text, m.Date, m.GivenBy, m.Tags = b.SessionId, b.Title, b.Text, b.Date, b.GivenBy, b.Tags
		m.VisibleTo = b.VisibleTo
	case r.MultipartBody != nil:
		if err := readForm(r.MultipartBody, &m); err != nil {
			return nil, err
		}
	default:
		return nil, errNoBody
	}
	return s.read(ctx, m, materialCall{r.Params.IdempotencyKey, r.Params.Prefer, r.Params.DryRun})
}

// ReadImage answers POST /v1/spaces/{space}/images.
func (s *Server) ReadImage(ctx context.Context, r ReadImageRequestObject) (ReadImageResponseObject, error) {
	m := extractor.Material{Space: r.Space, Image: true}
	if r.Body == nil {
		return nil, errNoBody
	}
	if err := readForm(r.Body, &m); err != nil {
		return nil, err
	}
	return s.read(ctx, m, materialCall{r.Params.IdempotencyKey, r.Params.Prefer, r.Params.DryRun})
}

// materialCall is what a call on material asks beside it.
type materialCall struct {
	key, prefer string
	dryRun      bool
}

// read reads material at once, where it is one part and nobody prefers a job.
func (s *Server) read(ctx context.Context, m extractor.Material, call materialCall) (materialResponse, error) {
	space, err := s.Store.Space(ctx, m.Space)
	if err != nil {
		return materialResponse{}, err
	}
	if err := s.Ingester.CheckModel(); err != nil {
		return materialResponse{}, err
	}
	parts, err := s.Reader.Parts(ctx, m, call.key)
	if err != nil {
		return materialResponse{}, err
	}
	if !call.dryRun && (len(parts) > 1 || prefersAsync(call.prefer)) {
		job, err := s.Jobs.AddParts(ctx, parts, extractor.IngestOptions{})
		if err != nil {
			return materialResponse{}, err
		}
		queued, err := s.queued(ctx, job)
		return materialResponse{queued: queued}, err
	}
	receipt, err := s.Reader.Read(ctx, parts[0], extractor.IngestOptions{DryRun: call.dryRun})
	if err != nil {
		return materialResponse{}, err
	}
	return materialResponse{receipt: rendererOf(space).receipt(receipt)}, nil
}

// materialResponse is a receipt, or a job where one was made.
type materialResponse struct {
	receipt Receipt
	queued  *queuedResponse
}

// VisitReadDocumentResponse writes the answer.
func (m materialResponse) VisitReadDocumentResponse(w http.ResponseWriter) error {
	if m.queued != nil {
		return m.queued.write(w)
	}
	return ReadDocument200JSONResponse(m.receipt).VisitReadDocumentResponse(w)
}

// VisitReadImageResponse writes the answer.
func (m materialResponse) VisitReadImageResponse(w http.ResponseWriter) error {
	return m.VisitReadDocumentResponse(w)
}

// formText is how long a field of a form may be that is no file.
const formText = 64 << 10

// readForm reads the form of a file and what is said of it. A field that is not
// known is refused, as in JSON.
func readForm(form *multipart.Reader, m *extractor.Material) error {
	seen := make(map[string]bool)
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return formError(err)
		}
		name := part.FormName()
		if seen[name] {
			return invalidField(name, "comes twice")
		}
		seen[name] = true
		limit := int64(formText)
		if name == "file" {
			limit = DefaultFileLimit // the body is bounded already
		}
		data, err := io.ReadAll(io.LimitReader(part, limit+1))
		if err != nil {
			return formError(err)
		}
		if int64(len(data)) > limit {
			return &graph.Error{Code: graph.CodeTooLarge, Message: "a part of the form is too large", Fields: []graph.Field{{Name: name, Message: "is too large"}}}
		}
		if err := setField(m, name, part.FileName(), data); err != nil {
			return err
		}
	}
	if !seen["file"] && !(m.Image && m.URL != "") {
		return invalidField("file", "is missing")
	}
	return nil
}

// setField puts a field of a form into the material.
func setField(m *extractor.Material, field, file string, data []byte) error {
	text := strings.TrimSpace(strings.ToValidUTF8(string(data), "\uFFFD"))
	switch field {
	case "file":
		m.Data, m.Name = data, cmp.Or(file, "file")
	case "session_id":
		m.Session = text
	case "title":
		m.Title = text
	case "date":
		m.Date = text
	case "given_by":
		m.GivenBy = text
	case "visible_to":
		m.VisibleTo = append([]string{}, splitNames(text)...)
	case "tags":
		m.Tags = splitNames(text)
	case "context":
		m.Context = text
	case "url":
		m.URL = text
	default:
		return invalidField(field, "is not a field of this form")
	}
	if (field == "context" || field == "url") && !m.Image {
		return invalidField(field, "is not a field of this form")
	}
	return nil
}

func formError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return graph.WrapError(graph.CodeInvalid, err, "the form cannot be read: send multipart/form-data with the file in the field \"file\"")
}
