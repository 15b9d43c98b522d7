package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"relata/graph"
)

// forPeople gives an error whose whole text was written for callers. What was
// not is logged under a reference.
func (s *Server) forPeople(ctx context.Context, tool string, err error) error {
	e, ours := errors.AsType[*graph.Error](err)
	switch {
	case ours && e.Code != graph.CodeInternal:
		return errors.New(message(e))
	case ours:
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("the call took longer than its limit: try again, or ask for less at once")
	case errors.Is(err, context.Canceled):
		return errors.New("the call was cancelled")
	}
	reference := rand.Text()[:10]
	s.Logger.ErrorContext(ctx, "tool failed", "tool", tool, "reference", reference, "error", err)
	return fmt.Errorf("the server failed; its log tells more under the reference %s", reference)
}

// message gives an error's message with the fields that are wrong, but for those
// that it names already.
func message(e *graph.Error) string {
	var fields []string
	for _, f := range e.Fields {
		if field := f.Name + " " + f.Message; !strings.Contains(e.Message, field) {
			fields = append(fields, field)
		}
	}
	if len(fields) == 0 {
		return e.Message
	}
	return e.Message + ": " + strings.Join(fields, "; ")
}

// invalidField is a call with one wrong field.
func invalidField(name, format string, args ...any) error {
	f := graph.Field{Name: name, Message: fmt.Sprintf(format, args...)}
	return &graph.Error{Code: graph.CodeInvalid, Message: f.Name + " " + f.Message, Fields: []graph.Field{f}}
}
