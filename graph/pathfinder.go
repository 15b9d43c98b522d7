package graph

import (
	"cmp"
	"context"
	"slices"
)

const (
	// pathNodes is how many entities a search for paths meets at most before it
	// goes no further.
	pathNodes = 60_000
	// pathTries bounds the enumeration of ways once the graph between the ends is
	// known.
	pathTries = 200_000
	// aliasChain is how many aliases of aliases are followed.
	aliasChain = 3
)

// stepper gives the neighbours of entities and what memories call the same.
type stepper interface {
	neighbours(ctx context.Context, frontier []EntityID) ([]link, error)
	twins(ctx context.Context, frontier []EntityID) ([]link, error)
}

var _ stepper = (*steps)(nil)

// route is a path by numbers: memories[i] lies between nodes[i] and nodes[i+1].
type route struct {
	nodes    []EntityID
	memories []MemoryID
	cost     int // steps, those over aliases not counted
}

// pathfinder searches from both ends at once, always on the side that has fewer
// entities to go on from: a hub in the middle is then met and not expanded.
type pathfinder struct {
	from, to EntityID
	maxHops  int
	steps    stepper
	sides    [2]side
	links    map[EntityID]map[EntityID]joint
	best     int // fewest steps found so far, 0 for none
}

// side is what is known from one end.
type side struct {
	distance map[EntityID]int
	frontier []EntityID
	depth    int
}

// joint is what lies between two entities.
type joint struct {
	memory MemoryID
	cost   int // 0 for an alias
}

func newPathfinder(from, to EntityID, maxHops int, s stepper) *pathfinder {
	f := &pathfinder{from: from, to: to, maxHops: maxHops, steps: s, links: make(map[EntityID]map[EntityID]joint)}
	for i, end := range []EntityID{from, to} {
		f.sides[i] = side{distance: map[EntityID]int{end: 0}, frontier: []EntityID{end}}
	}
	return f
}

// find gives the routes, best first, at most [maxPaths].
func (f *pathfinder) find(ctx context.Context) ([]route, error) {
	if f.from == f.to {
		return []route{{nodes: []EntityID{f.from}}}, nil
	}
	met := false
	for i := range f.sides {
		if err := f.aliases(ctx, &f.sides[i], f.sides[i].frontier); err != nil {
			return nil, err
		}
	}
	f.best, met = f.shortest()
	for {
		reach := f.maxHops
		if met {
			reach = min(reach, f.best+1)
		}
		s := f.next()
		if s == nil || f.sides[0].depth+f.sides[1].depth >= reach {
			break
		}
		if err := f.grow(ctx, s); err != nil {
			return nil, err
		}
		f.best, met = f.shortest()
	}
	if !met {
		return nil, nil
	}
	var routes []route
	for cost := f.best; cost <= min(f.best+1, f.maxHops) && len(routes) < maxPaths; cost++ {
		routes = append(routes, f.routes(cost, maxPaths-len(routes))...)
	}
	return routes, nil
}

// next gives the side to grow: the one with fewer entities to go on from, nil
// where one has none left (then all there is to know is known) or too many were met.
func (f *pathfinder) next() *side {
	a, b := &f.sides[0], &f.sides[1]
	switch {
	case len(a.frontier) == 0 || len(b.frontier) == 0, len(a.distance)+len(b.distance) > pathNodes:
		return nil
	case len(a.frontier) <= len(b.frontier):
		return a
	}
	return b
}

func (f *pathfinder) grow(ctx context.Context, s *side) error {
	links, err := f.steps.neighbours(ctx, s.frontier)
	if err != nil {
		return err
	}
	s.depth++
	s.frontier = nil
	f.add(s, links, 1)
	return f.aliases(ctx, s, s.frontier)
}

// aliases adds to a side what memories call the same as entities just met.
func (f *pathfinder) aliases(ctx context.Context, s *side, fresh []EntityID) error {
	for range aliasChain {
		if len(fresh) == 0 {
			return nil
		}
		links, err := f.steps.twins(ctx, fresh)
		if err != nil {
			return err
		}
		before := len(s.frontier)
		f.add(s, links, 0)
		fresh = slices.Clone(s.frontier[before:])
	}
	return nil
}

// add takes links over; entities that are new to the side become its frontier.
func (f *pathfinder) add(s *side, links []link, cost int) {
	for _, l := range links {
		f.join(l.from, l.to, joint{l.memory, cost})
		f.join(l.to, l.from, joint{l.memory, cost})
		if _, ok := s.distance[l.to]; !ok {
			s.distance[l.to] = s.depth
			s.frontier = append(s.frontier, l.to)
		}
	}
}

// join keeps the best link between two entities: an alias before a step, then
// the newer memory.
func (f *pathfinder) join(from, to EntityID, j joint) {
	to2 := f.links[from]
	if to2 == nil {
		to2 = make(map[EntityID]joint)
		f.links[from] = to2
	}
	if old, ok := to2[to]; !ok || j.cost < old.cost || j.cost == old.cost && j.memory > old.memory {
		to2[to] = j
	}
}

// shortest gives the fewest steps between the ends over what both sides know.
func (f *pathfinder) shortest() (steps int, met bool) {
	a, b := f.sides[0].distance, f.sides[1].distance
	if len(b) < len(a) {
		a, b = b, a
	}
	for id, d := range a {
		if e, ok := b[id]; ok && (!met || d+e < steps) {
			steps, met = d+e, true
		}
	}
	return steps, met && steps <= f.maxHops
}

// routes enumerates ways of exactly a cost, at most n. What is known from the
// far end tells early which entities lead nowhere.
func (f *pathfinder) routes(cost, n int) []route {
	var out []route
	tries := 0
	on := map[EntityID]bool{f.from: true}
	nodes, memories := []EntityID{f.from}, []MemoryID{}
	var visit func(at EntityID, spent int)
	visit = func(at EntityID, spent int) {
		if at == f.to {
			if spent == cost {
				out = append(out, route{slices.Clone(nodes), slices.Clone(memories), cost})
			}
			return
		}
		for _, l := range f.outward(at) {
			tries++
			if len(out) == n || tries > pathTries {
				return
			}
			now := spent + l.cost
			if on[l.to] || now+f.left(l.to) > cost {
				continue
			}
			on[l.to] = true
			nodes, memories = append(nodes, l.to), append(memories, l.memory)
			visit(l.to, now)
			nodes, memories = nodes[:len(nodes)-1], memories[:len(memories)-1]
			delete(on, l.to)
		}
	}
	visit(f.from, 0)
	slices.SortStableFunc(out, func(a, b route) int { return cmp.Compare(len(a.memories), len(b.memories)) })
	return out
}

// left is how many steps an entity is from the far end at least.
func (f *pathfinder) left(id EntityID) int {
	far := &f.sides[1]
	if d, ok := far.distance[id]; ok {
		return d
	}
	if len(far.frontier) == 0 {
		return f.maxHops + 1 // everything that leads there was met
	}
	return far.depth + 1
}

// outLink is a link seen from one entity.
type outLink struct {
	joint
	to EntityID
}

// outward gives the links of an entity, those that lead nearest to the far end
// first, then the newest.
func (f *pathfinder) outward(from EntityID) []outLink {
	out := make([]outLink, 0, len(f.links[from]))
	for to, j := range f.links[from] {
		out = append(out, outLink{j, to})
	}
	slices.SortFunc(out, func(a, b outLink) int {
		return cmp.Or(cmp.Compare(f.left(a.to), f.left(b.to)), cmp.Compare(b.memory, a.memory), cmp.Compare(a.to, b.to))
	})
	return out
}
