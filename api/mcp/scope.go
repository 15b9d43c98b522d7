package mcp

import (
	"cmp"
	"context"
	"time"

	"relata/graph"
	"relata/relations"
)

// scope is where a call happens: in which space, and with whose eyes.
type scope struct {
	space   graph.Space
	persona string // "" sees everything
}

// scope reads the space and the persona that a call names, either of which may
// be left out. Errors: CodeNotFound for the space; CodeForbidden for what the
// server is not bound to; CodeInvalid where no space is named.
func (s *Server) scope(ctx context.Context, space, asPersona string) (scope, error) {
	name := cmp.Or(space, s.Space)
	switch {
	case name == "":
		return scope{}, invalidField("space", "is missing: this server has none that it takes by itself")
	case s.Persona != "" && s.Space != "" && name != s.Space:
		return scope{}, graph.Errorf(graph.CodeForbidden, "this server is bound to the space %q: leave space out", s.Space)
	case s.Persona != "" && asPersona != "" && graph.EntityKey(asPersona) != graph.EntityKey(s.Persona):
		return scope{}, graph.Errorf(graph.CodeForbidden, "this server is bound to the persona %q: leave the other name out", s.Persona)
	}
	found, err := s.Store.Space(ctx, name)
	return scope{space: found, persona: cmp.Or(s.Persona, asPersona)}, err
}

// time gives a time as bodies have it, in the space's zone; "" where it is not
// known.
func (c scope) time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(c.space.Location()).Format(relations.DateLayout)
}

// list gives a list that is never null in JSON.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// each renders a list; it is never null in JSON.
func each[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, x := range in {
		out = append(out, f(x))
	}
	return out
}
