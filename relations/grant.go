package relations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"relata/graph"
)

// Grant is a change to who knows one memory, by hand.
type Grant struct {
	Space  string
	Memory graph.MemoryID
	Names  []string  // personas or people
	How    graph.How // by what way they come to know it; "" for granted
	By     string    // the caller's key name
}

// Grant makes personas and people aware of a current memory from now on; who
// knows it already goes on knowing it as before. It is a diff of one item in the
// ledger, none where all know it. The answer is the memory with those aware of it.
//
// Errors: CodeInvalid for no names, names that the space does not have, and an
// unknown way; CodeNotFound for the space and for a memory that is not there or
// retired; CodeUnavailable, CodeTimeout.
func (s *Service) Grant(ctx context.Context, g Grant) (graph.Known, error) {
	switch g.How {
	case "":
		g.How = graph.HowGranted
	case graph.HowSaid, graph.HowTold, graph.HowPresent, graph.HowRead, graph.HowGranted:
	default:
		return graph.Known{}, &graph.Error{
			Code: graph.CodeInvalid, Message: "the way is not known",
			Fields: []graph.Field{{Name: "how", Message: "must be said, told, present, read or granted"}},
		}
	}
	return s.regrant(ctx, g, func(ctx context.Context, tx transaction, known graph.Known, who []graph.EntityRef) (*graph.MemoryUpdate, error) {
		if _, err := currentMemory(ctx, tx, g.Space, g.Memory); err != nil {
			return nil, err
		}
		u := &graph.MemoryUpdate{ID: g.Memory}
		for _, ref := range who {
			if !knows(known, ref) {
				u.Aware = append(u.Aware, graph.Awareness{Entity: ref, Since: s.clock(), How: g.How, Persona: ref.Persona})
			}
		}
		return u, nil
	})
}

// Revoke takes the knowledge of a memory, current or retired, from personas and
// people; who does not know it is left out. Otherwise it is as [Service.Grant].
func (s *Service) Revoke(ctx context.Context, g Grant) (graph.Known, error) {
	return s.regrant(ctx, g, func(_ context.Context, _ transaction, known graph.Known, who []graph.EntityRef) (*graph.MemoryUpdate, error) {
		u := &graph.MemoryUpdate{ID: g.Memory}
		for _, ref := range who {
			if knows(known, ref) {
				u.Forget = append(u.Forget, ref)
			}
		}
		return u, nil
	})
}

func knows(k graph.Known, ref graph.EntityRef) bool {
	return slices.ContainsFunc(k.KnownBy, func(a graph.Awareness) bool { return a.Entity.ID == ref.ID })
}

// regrant changes who knows a memory by what plan makes of the names.
func (s *Service) regrant(ctx context.Context, g Grant, plan func(context.Context, transaction, graph.Known, []graph.EntityRef) (*graph.MemoryUpdate, error)) (graph.Known, error) {
	if len(g.Names) == 0 {
		return graph.Known{}, &graph.Error{
			Code: graph.CodeInvalid, Message: "nobody is named",
			Fields: []graph.Field{{Name: "names", Message: "must name a persona or a person at least"}},
		}
	}
	id, err := s.store.NewIDs(ctx, 1)
	if err != nil {
		return graph.Known{}, err
	}
	err = s.store.Write(ctx, g.Space, func(ctx context.Context, tx *graph.Tx) error {
		ground, err := tx.Ground(ctx, graph.GroundQuery{Names: g.Names})
		if err != nil {
			return err
		}
		who, err := g.people(ground)
		if err != nil {
			return err
		}
		// Read under the space's lock: nobody changes it meanwhile.
		known, err := s.store.Awareness(ctx, g.Space, g.Memory, "")
		if err != nil {
			return err
		}
		u, err := plan(ctx, tx, known, who)
		if err != nil || len(u.Aware)+len(u.Forget) == 0 {
			return err
		}
		before := &graph.MemoryFields{KnownBy: personasByAge(known.KnownBy)}
		return tx.Apply(ctx, &graph.ChangeSet{Update: []*graph.MemoryUpdate{u}, Ledger: s.grantEntry(graph.DiffID(id), g, before)})
	})
	if err != nil {
		return graph.Known{}, err
	}
	return s.store.Awareness(ctx, g.Space, g.Memory, "")
}

// people resolves the names.
func (g *Grant) people(ground *graph.Ground) ([]graph.EntityRef, error) {
	bad := &graph.Error{Code: graph.CodeInvalid, Message: "somebody is named whom the space does not have"}
	who := newPersonaBook(ground)
	var refs []graph.EntityRef
	for i, name := range g.Names {
		ref, ok := who.persona(name)
		if !ok {
			ref = ground.Resolve(strings.TrimSpace(name))
		}
		if ref.ID == 0 {
			bad.Fields = append(bad.Fields, graph.Field{Name: fmt.Sprintf("names[%d]", i), Message: "no persona and no entity is called " + quote(name)})
			continue
		}
		if !containsRef(refs, ref) {
			refs = append(refs, ref)
		}
	}
	if len(bad.Fields) > 0 {
		return nil, bad
	}
	return refs, nil
}

// grantEntry is the ledger's entry: an update in place, which changed who knows
// the memory.
func (s *Service) grantEntry(id graph.DiffID, g Grant, before *graph.MemoryFields) *graph.Diff {
	now := s.clock()
	return &graph.Diff{
		ID: id, Status: graph.DiffApplied, By: g.By, Date: now, CreatedAt: now,
		Items: []graph.DiffItem{{
			Verdict: graph.Verdict{Item: "memories.replaces[0]", Outcome: graph.OutcomeApplied, Note: "who knows it was changed"},
			Action:  graph.ActionUpdate, Memory: g.Memory, Before: before,
		}},
	}
}
