package graph

import (
	"context"
	"strconv"

	"relata/cypher"
)

var (
	pathStep  = cypher.Load("path_step")
	pathAlias = cypher.Load("path_alias")
	edgeRead  = cypher.Load("edge_read")
)

const (
	// maxHops is how long a path may be, defaultHops where nobody says.
	maxHops, defaultHops = 6, 4
	// maxPaths is how many paths are given.
	maxPaths = 5
	// stepLimit is how many memories one step reads at most, and with six steps
	// what a question costs at most: some 100 ms a step.
	stepLimit = 30_000
)

// PathQuery asks how two entities hang together.
type PathQuery struct {
	From, To  string // numbers of entities, or names
	MaxHops   int    // 1–6, 0 for 4
	AsPersona string // only over memories that this persona is aware of
}

// Path is a way from one entity to another: Edges[i] lies between Nodes[i] and
// Nodes[i+1], in either direction.
type Path struct {
	Nodes []Entity
	Edges []Edge
}

// Paths gives up to five ways between two entities over current memories, the
// shortest first: those of the least number of steps, then those of one more.
// No way passes an entity twice; of several memories between the same two
// entities the newest stands for all. A memory of the relation alias_of is
// passed at no cost of a step. Without a way there are no paths.
//
// Errors: CodeInvalid, CodeNotFound for the space, the persona, and an end that
// is not there or that the persona does not know of.
func (s *Store) Paths(ctx context.Context, space string, q PathQuery) ([]Path, error) {
	if q.MaxHops == 0 {
		q.MaxHops = defaultHops
	}
	if q.MaxHops < 1 || q.MaxHops > maxHops {
		return nil, &Error{Code: CodeInvalid, Message: "max_hops is out of range", Fields: []Field{{"max_hops", "must be between 1 and 6"}}}
	}
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	persona, err := s.askerID(ctx, space, q.AsPersona)
	if err != nil {
		return nil, err
	}
	from, err := s.end(ctx, space, "from", q.From, persona)
	if err != nil {
		return nil, err
	}
	to, err := s.end(ctx, space, "to", q.To, persona)
	if err != nil {
		return nil, err
	}
	var paths []Path
	err = s.Read(ctx, space, func(ctx context.Context, tx *Tx) error {
		f := newPathfinder(from.ID, to.ID, q.MaxHops, &steps{tx: tx, persona: persona})
		routes, err := f.find(ctx)
		if err != nil {
			return err
		}
		paths, err = tx.paths(ctx, routes, persona)
		return err
	})
	return paths, err
}

// end finds the entity at an end of a path: by its number, else by its name, as
// far as the asker knows of it.
func (s *Store) end(ctx context.Context, space, field, text string, persona any) (Entity, error) {
	if EntityKey(text) == "" {
		return Entity{}, &Error{Code: CodeInvalid, Message: field + " is missing", Fields: []Field{{field, "must be the number or the name of an entity"}}}
	}
	var ids []int64
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		ids = append(ids, id)
	}
	if ref, ok, err := s.Resolve(ctx, space, text); err != nil {
		return Entity{}, err
	} else if ok {
		ids = append(ids, int64(ref.ID))
	}
	rows, err := read(ctx, s, entityRead, map[string]any{"space": space, "ids": ids, "persona": persona},
		func(r record) (Entity, error) { return toEntity(r.node("entity")), nil })
	if err != nil {
		return Entity{}, err
	}
	for _, e := range rows {
		if persona == nil || int64(e.ID) == ids[0] && strconv.FormatInt(ids[0], 10) == text || e.answersTo(text) {
			return e, nil
		}
	}
	return Entity{}, &Error{
		Code: CodeNotFound, Message: "the space \"" + space + "\" has no entity \"" + text + "\"",
		Fields: []Field{{field, "is no entity of this space"}},
	}
}

// answersTo says whether an entity has a name among those that are shown of it:
// a persona must not learn of an alias by asking.
func (e Entity) answersTo(name string) bool {
	key := EntityKey(name)
	if e.Key == key {
		return true
	}
	for _, a := range e.Aliases {
		if EntityKey(a) == key {
			return true
		}
	}
	return false
}

// steps reads the graph for a pathfinder.
type steps struct {
	tx      *Tx
	persona any
}

// link is a neighbour with the newest memory in between.
type link struct {
	from, to EntityID
	memory   MemoryID
}

func (s *steps) neighbours(ctx context.Context, frontier []EntityID) ([]link, error) {
	return run(ctx, s.tx.tx, pathStep, map[string]any{
		"space": s.tx.space.Name, "frontier": int64s(frontier), "persona": s.persona, "limit": stepLimit,
	}, toLink)
}

func (s *steps) twins(ctx context.Context, frontier []EntityID) ([]link, error) {
	return run(ctx, s.tx.tx, pathAlias, map[string]any{
		"space": s.tx.space.Name, "frontier": int64s(frontier), "persona": s.persona,
	}, toLink)
}

func toLink(r record) (link, error) {
	return link{EntityID(r.int("from")), EntityID(r.int("to")), MemoryID(r.int("memory"))}, nil
}

// paths reads what the routes pass. A route over something that went meanwhile
// is left out.
func (t *Tx) paths(ctx context.Context, routes []route, persona any) ([]Path, error) {
	var ids []EntityID
	var memories []MemoryID
	for _, r := range routes {
		ids, memories = append(ids, r.nodes...), append(memories, r.memories...)
	}
	nodes := make(map[EntityID]Entity, len(ids))
	edges := make(map[MemoryID]Edge, len(memories))
	if len(ids) > 0 {
		all, err := t.entities(ctx, ids, persona)
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			nodes[e.ID] = e
		}
		_, err = run(ctx, t.tx, edgeRead, map[string]any{"space": t.space.Name, "ids": int64s(memories)}, func(r record) (struct{}, error) {
			id := MemoryID(r.int("id"))
			edges[id] = Edge{id, r.text("relation"), EntityID(r.int("subject")), EntityID(r.int("object"))}
			return struct{}{}, nil
		})
		if err != nil {
			return nil, err
		}
	}
	paths := make([]Path, 0, len(routes))
	for _, r := range routes {
		p := Path{Nodes: make([]Entity, 0, len(r.nodes)), Edges: make([]Edge, 0, len(r.memories))}
		for _, id := range r.nodes {
			if e, ok := nodes[id]; ok {
				p.Nodes = append(p.Nodes, e)
			}
		}
		for _, id := range r.memories {
			if e, ok := edges[id]; ok {
				p.Edges = append(p.Edges, e)
			}
		}
		if len(p.Nodes) == len(r.nodes) && len(p.Edges) == len(r.memories) {
			paths = append(paths, p)
		}
	}
	return paths, nil
}
