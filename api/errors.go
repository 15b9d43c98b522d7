package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"relata/graph"
)

// statusClientGone is written to nobody: the caller hung up. The log shows it.
const statusClientGone = 499

// kind is a kind of problem: its status, the last part of its type, its title.
type kind struct {
	status int
	name   string
	title  string
}

// kindOf gives the kind for each code of package graph.
func kindOf(code graph.Code) kind {
	switch code {
	case graph.CodeInvalid:
		return kind{http.StatusBadRequest, "invalid", "Invalid request"}
	case graph.CodeUnauthorized:
		return kind{http.StatusUnauthorized, "unauthorized", "No valid key"}
	case graph.CodeForbidden:
		return kind{http.StatusForbidden, "forbidden", "Not allowed"}
	case graph.CodeNotFound:
		return kind{http.StatusNotFound, "not_found", "Not found"}
	case graph.CodeConflict:
		return kind{http.StatusConflict, "conflict", "Conflict with what is stored"}
	case graph.CodeTooLarge:
		return kind{http.StatusRequestEntityTooLarge, "too_large", "Too large"}
	case graph.CodeUnsupported:
		return kind{http.StatusUnsupportedMediaType, "unsupported_media_type", "Unsupported media type"}
	case graph.CodeVocabularyFull:
		return kind{http.StatusUnprocessableEntity, "vocabulary_full", "Vocabulary full"}
	case graph.CodeModel:
		return kind{http.StatusBadGateway, "model", "The model failed"}
	case graph.CodeUnavailable:
		return kind{http.StatusServiceUnavailable, "unavailable", "Not available now"}
	case graph.CodeTimeout:
		return kind{http.StatusGatewayTimeout, "timeout", "Timed out"}
	}
	return kind{http.StatusInternalServerError, "internal", "Internal error"}
}

// internalDetail is all that a caller learns of a failure of our own.
const internalDetail = "the server failed; its log tells more under the id in the header X-Request-Id"

// problemOf puts any error in the form that callers get. Texts that were not
// written for callers stay out of it.
func problemOf(err error) Problem {
	if e, ok := errors.AsType[*graph.Error](err); ok {
		if e.Code == graph.CodeInternal {
			return problem(kindOf(e.Code), internalDetail, nil)
		}
		return problem(kindOf(e.Code), e.Message, e.Fields)
	}
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem(kindOf(graph.CodeTooLarge), fmt.Sprintf("the body is larger than %d bytes: send it in parts", e.Limit), nil)
	}
	if e, ok := errors.AsType[*echo.HTTPError](err); ok {
		return problemOfEcho(e)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return problem(kindOf(graph.CodeTimeout), "the work took longer than its limit", nil)
	}
	return problem(kindOf(graph.CodeInternal), internalDetail, nil)
}

// problemOfEcho is for what the router itself, or a middleware, refuses.
func problemOfEcho(e *echo.HTTPError) Problem {
	k := kind{e.Code, strings.ReplaceAll(strings.ToLower(http.StatusText(e.Code)), " ", "_"), http.StatusText(e.Code)}
	detail, ok := e.Message.(string)
	switch {
	case e.Code >= http.StatusInternalServerError || e.Code < http.StatusBadRequest:
		k, detail = kindOf(graph.CodeInternal), internalDetail
	case e.Code == http.StatusNotFound:
		k, detail = kindOf(graph.CodeNotFound), "there is no such route: see /docs"
	case e.Code == http.StatusMethodNotAllowed:
		detail = "the route does not know this method: the header Allow lists those that it does"
	case e.Code == http.StatusRequestEntityTooLarge:
		k = kindOf(graph.CodeTooLarge)
	case !ok:
		detail = k.title
	}
	return problem(k, detail, nil)
}

func problem(k kind, detail string, fields []graph.Field) Problem {
	p := Problem{
		Type: "urn:relata:problem:" + k.name, Title: k.title, Status: k.status,
		Detail: detail, Errors: make([]FieldError, 0, len(fields)),
	}
	for _, f := range fields {
		p.Errors = append(p.Errors, FieldError{Field: f.Name, Message: f.Message})
	}
	return p
}

// answerError is the one place that answers failures. It writes no log: the
// line of the request does (logRequests).
func (s *Server) answerError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	if errors.Is(c.Request().Context().Err(), context.Canceled) {
		_ = c.NoContent(statusClientGone) // nobody is there to read it
		return
	}
	p := problemOf(err)
	if p.Status == http.StatusUnauthorized {
		c.Response().Header().Set(echo.HeaderWWWAuthenticate, "Bearer")
	}
	if c.Request().Method == http.MethodHead {
		_ = c.NoContent(p.Status)
		return
	}
	// An error here means that the connection broke, and the line shows that.
	_ = writeJSON(c.Response(), p.Status, "application/problem+json", p)
}

// invalidField is a request with one wrong field.
func invalidField(field, format string, args ...any) *graph.Error {
	message := fmt.Sprintf(format, args...)
	return &graph.Error{
		Code: graph.CodeInvalid, Message: field + " " + message,
		Fields: []graph.Field{{Name: field, Message: message}},
	}
}

// paramError is a parameter that cannot be read as the type it is to have.
func paramError(name, kind string, _ error) error {
	switch kind {
	case "integer":
		return invalidField(name, "must be an integer")
	case "boolean":
		return invalidField(name, "must be true or false")
	case "array":
		return invalidField(name, "must be a list of integers joined by commas")
	}
	return invalidField(name, "is missing or cannot be read")
}
