package graph

import (
	"cmp"
	"context"
	"slices"

	"relata/cypher"
)

var neighbourRead = cypher.Load("neighbour_read")

const (
	// neighbourScan is how many memories of one entity a step reads at most: a
	// hub then costs some milliseconds.
	neighbourScan = 2000
	// neighbourParallel is how many memories between the same two entities are
	// given.
	neighbourParallel = 20
	// maxDepth is how far a neighbourhood reaches.
	maxDepth = 3
)

// Edge is a memory as an edge from its subject to its object.
type Edge struct {
	MemoryID        MemoryID
	Relation        string
	Subject, Object EntityID
}

// Subgraph is a part of the graph: entities and memories between them.
type Subgraph struct {
	Nodes     []Entity
	Edges     []Edge
	Truncated bool // there is more than a limit let through
}

// NeighbourhoodQuery asks for what is around an entity.
type NeighbourhoodQuery struct {
	Entity    EntityID
	Depth     int      // steps over memories, 1–3; 0 for 1
	Relations []string // only memories of these relations; empty for all
	Limit     int      // entities at most, the first included: 1–200, 0 for 50
	AsPersona string   // only over memories that this persona is aware of
}

// Neighbourhood gives an entity with what current memories lead to from it, in
// either direction: entities by distance, the first one first, each once, and
// the memories passed. At each step the neighbours of all entities take turns,
// those with the newest memories first, so that a hub does not crowd out the
// others. At most 20 memories between the same two entities are given.
//
// Errors: CodeInvalid, CodeNotFound for the space, the persona, and an entity
// that is not there or that the persona does not know of.
func (s *Store) Neighbourhood(ctx context.Context, space string, q NeighbourhoodQuery) (Subgraph, error) {
	if q.Depth == 0 {
		q.Depth = 1
	}
	if q.Depth < 1 || q.Depth > maxDepth {
		return Subgraph{}, &Error{Code: CodeInvalid, Message: "the depth is out of range", Fields: []Field{{"depth", "must be 1, 2 or 3"}}}
	}
	var err error
	if q.Limit, err = pageSize(q.Limit); err != nil {
		return Subgraph{}, err
	}
	if _, err := s.Space(ctx, space); err != nil {
		return Subgraph{}, err
	}
	persona, err := s.askerID(ctx, space, q.AsPersona)
	if err != nil {
		return Subgraph{}, err
	}
	w := &walk{query: q, persona: persona}
	err = s.Read(ctx, space, func(ctx context.Context, tx *Tx) error { return w.run(ctx, tx) })
	return w.found, err
}

// walk is a neighbourhood that grows step by step.
type walk struct {
	query   NeighbourhoodQuery
	persona any

	found Subgraph
	order []EntityID // in order of their distance
	seen  map[EntityID]bool
	edges map[MemoryID]bool
}

func (w *walk) run(ctx context.Context, tx *Tx) error {
	start, err := tx.entities(ctx, []EntityID{w.query.Entity}, w.persona)
	if err != nil {
		return err
	}
	if len(start) == 0 {
		return noEntity(tx.space.Name, w.query.Entity)
	}
	w.found = Subgraph{}
	w.order = []EntityID{w.query.Entity}
	w.seen = map[EntityID]bool{w.query.Entity: true}
	w.edges = make(map[MemoryID]bool)
	from := 0
	for range w.query.Depth {
		frontier := w.order[from:]
		if len(frontier) == 0 {
			break
		}
		from = len(w.order)
		rows, err := w.step(ctx, tx, frontier)
		if err != nil {
			return err
		}
		w.take(rows)
	}
	return w.nodes(ctx, tx)
}

// neighbour is one entity beside another, with the memories between them.
type neighbour struct {
	from, to EntityID
	edges    []Edge
	rank     int // among the neighbours of from
}

func (w *walk) step(ctx context.Context, tx *Tx, frontier []EntityID) ([]neighbour, error) {
	var relations any
	if len(w.query.Relations) > 0 {
		relations = w.query.Relations
	}
	read := make(map[EntityID]int64)
	ranks := make(map[EntityID]int)
	rows, err := run(ctx, tx.tx, neighbourRead, map[string]any{
		"space": tx.space.Name, "frontier": int64s(frontier), "relations": relations, "persona": w.persona,
		// One more than there is room for says that something was left out.
		"scan": neighbourScan, "fan": w.query.Limit + 1, "parallel": neighbourParallel,
	}, func(r record) (neighbour, error) {
		n := neighbour{from: EntityID(r.int("from")), to: EntityID(r.int("to"))}
		n.rank = ranks[n.from]
		ranks[n.from]++
		read[n.from] += r.int("total")
		for _, f := range r.nodes("edges") {
			e := Edge{MemoryID: MemoryID(f.int("id")), Relation: f.text("relation"), Subject: n.to, Object: n.from}
			if f.bool("outward") {
				e.Subject, e.Object = n.from, n.to
			}
			n.edges = append(n.edges, e)
		}
		if r.int("total") > int64(len(n.edges)) || read[n.from] >= neighbourScan {
			w.found.Truncated = true
		}
		return n, nil
	})
	slices.SortStableFunc(rows, func(a, b neighbour) int { return cmp.Compare(a.rank, b.rank) })
	return rows, err
}

// take adds what a step found, while there is room.
func (w *walk) take(rows []neighbour) {
	for _, n := range rows {
		if !w.seen[n.to] {
			if len(w.order) == w.query.Limit {
				w.found.Truncated = true
				continue
			}
			w.seen[n.to] = true
			w.order = append(w.order, n.to)
		}
		for _, e := range n.edges {
			if !w.edges[e.MemoryID] {
				w.edges[e.MemoryID] = true
				w.found.Edges = append(w.found.Edges, e)
			}
		}
	}
}

// nodes reads the entities, and drops edges to one that went meanwhile.
func (w *walk) nodes(ctx context.Context, tx *Tx) error {
	nodes, err := tx.entities(ctx, w.order, w.persona)
	if err != nil {
		return err
	}
	there := make(map[EntityID]bool, len(nodes))
	for _, n := range nodes {
		there[n.ID] = true
	}
	w.found.Nodes = nodes
	w.found.Edges = slices.DeleteFunc(w.found.Edges, func(e Edge) bool { return !there[e.Subject] || !there[e.Object] })
	return nil
}
