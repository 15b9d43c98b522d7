package api

import (
	"context"
	"slices"

	"relata/graph"
)

// PutPersona answers PUT /v1/spaces/{space}/personas/{name}.
func (s *Server) PutPersona(ctx context.Context, r PutPersonaRequestObject) (PutPersonaResponseObject, error) {
	var settings PersonaSettings
	if r.Body != nil {
		settings = *r.Body
	}
	if _, err := s.Store.Space(ctx, r.Space); err != nil {
		return nil, err
	}
	p, err := s.Store.PutPersona(ctx, r.Space, graph.Persona{
		Name: r.Name, Aliases: settings.Aliases, Owner: settings.Owner,
		OwnerAliases: settings.OwnerAliases, Voice: settings.Voice,
	})
	if err != nil {
		return nil, err
	}
	return PutPersona200JSONResponse(persona(p)), nil
}

// ListPersonas answers GET /v1/spaces/{space}/personas.
func (s *Server) ListPersonas(ctx context.Context, r ListPersonasRequestObject) (ListPersonasResponseObject, error) {
	all, err := s.Store.Personas(ctx, r.Space, r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	return ListPersonas200JSONResponse{Personas: each(all, persona)}, nil
}

// GetPersona answers GET /v1/spaces/{space}/personas/{name}.
func (s *Server) GetPersona(ctx context.Context, r GetPersonaRequestObject) (GetPersonaResponseObject, error) {
	all, err := s.Store.Personas(ctx, r.Space, r.Params.AsPersona)
	if err != nil {
		return nil, err
	}
	p, ok := findPersona(all, r.Name)
	if !ok {
		return nil, noPersona(r.Space, r.Name)
	}
	return GetPersona200JSONResponse(persona(p)), nil
}

// findPersona finds a persona by its name, else by an alias.
func findPersona(all []graph.Persona, name string) (graph.Persona, bool) {
	key := graph.EntityKey(name)
	same := func(name string) bool { return graph.EntityKey(name) == key }
	i := slices.IndexFunc(all, func(p graph.Persona) bool { return same(p.Name) })
	if i < 0 {
		i = slices.IndexFunc(all, func(p graph.Persona) bool { return slices.ContainsFunc(p.Aliases, same) })
	}
	if i < 0 {
		return graph.Persona{}, false
	}
	return all[i], true
}

func noPersona(space, name string) error {
	return graph.Errorf(graph.CodeNotFound, "the space %q has no persona %q", space, name)
}
