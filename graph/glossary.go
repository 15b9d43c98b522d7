package graph

import (
	"context"
	"math"

	"relata/cypher"
)

var (
	searchScope  = cypher.Load("search_scope")
	searchSample = cypher.Load("search_sample")
)

// glossary is what searches know of a space beforehand: what its relations mean
// and what its memories have in common. It is kept in memory, and read again
// where the space changed.
type glossary struct {
	state     string    // Space.vocabulary_id, of the relations
	relations []glossed // in order of key
	size      int       // current memories, now
	sampled   int       // memories when the centre was computed
	centre    []float64 // mean vector of its memories; nil where none has one
}

// glossaries is how many spaces' are kept: some 600 KB each with the core
// relations at 512 dimensions.
const glossaries = 32

// scope is what a search needs to know of its space.
type scope struct {
	personaKnown bool
	size         int    // current memories
	vocabulary   string // which state its vocabulary is in
}

// scope checks that the space and the persona exist.
func (s *Store) scope(ctx context.Context, req SearchRequest, persona any) (scope, error) {
	rows, err := ask(ctx, s, searchScope, map[string]any{"space": req.Space, "persona": persona}, func(r record) (scope, error) {
		return scope{r.bool("persona_known"), int(r.int("size")), r.text("vocabulary_id")}, nil
	})
	switch {
	case err != nil:
		return scope{}, err
	case len(rows) == 0:
		return scope{}, noSpace(req.Space)
	case !rows[0].personaKnown:
		return scope{}, Errorf(CodeNotFound, "the space %q has no persona %q", req.Space, req.AsPersona)
	}
	return rows[0], nil
}

// glossary gives what is known of a request's space, and keeps it. Errors:
// CodeNotFound for the space or the persona.
func (s *Store) glossary(ctx context.Context, req SearchRequest, persona any) (glossary, error) {
	found, err := s.scope(ctx, req, persona)
	if err != nil {
		return glossary{}, err
	}
	g, kept := s.glosses.Get(req.Space)
	g.size = found.size
	if !kept || g.state != found.vocabulary {
		if g.relations, err = s.meanings(ctx, req.Space); err != nil {
			return glossary{}, err
		}
		g.state = found.vocabulary
	}
	if !kept || moved(g.sampled, g.size) {
		if g.centre, err = s.centre(ctx, req.Space); err != nil {
			return glossary{}, err
		}
		g.sampled = g.size
	}
	s.glosses.Add(req.Space, g)
	return g, nil
}

// moved says whether a space grew or shrank so much that its centre may lie
// elsewhere: by a fifth.
func moved(then, now int) bool {
	return 5*max(then-now, now-then) > max(then, 1)
}

// sampleSize is of how many memories a space's centre is the mean: with 20 to
// 200 recall is the same to .01 (docs/retrieval.md).
const sampleSize = 48

// centre gives the mean of vectors of a space's memories.
func (s *Store) centre(ctx context.Context, space string) ([]float64, error) {
	sample, err := ask(ctx, s, searchSample, map[string]any{"space": space, "count": sampleSize}, func(r record) ([]float64, error) {
		return asFloats(r.get("vector")), nil
	})
	if err != nil || len(sample) == 0 {
		return nil, err
	}
	mean := make([]float64, len(sample[0]))
	for _, v := range sample {
		if len(v) != len(mean) {
			return nil, nil // two models: what they have in common says nothing
		}
		for i, x := range v {
			mean[i] += x / float64(len(sample))
		}
	}
	return mean, nil
}

// What all memories of a space have in common tells none of them from another,
// but draws every question to those that are most like the rest. So half of it
// is taken out of the question, less in a small space, where the mean says
// little.
const (
	centreShare = 0.5
	centreSmall = 20 // memories at which half of that half is taken
)

// aimed gives the vector that a space's memories are compared with for a
// question: of length 1, nil for none.
func (g glossary) aimed(vector []float64) []float64 {
	if len(g.centre) != len(vector) {
		return vector
	}
	share := centreShare * float64(g.sampled) / float64(g.sampled+centreSmall)
	out := make([]float64, len(vector))
	length := 0.0
	for i, x := range vector {
		out[i] = x - share*g.centre[i]
		length += out[i] * out[i]
	}
	length = math.Sqrt(length)
	if length < 1e-6 {
		return vector // the question is the centre
	}
	for i := range out {
		out[i] /= length
	}
	return out
}
