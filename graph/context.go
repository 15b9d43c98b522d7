package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"relata/cypher"
)

var contextRead = cypher.Load("context_read")

// maxContextVectors bounds how many messages of a batch are looked up by vector;
// the newest count.
const maxContextVectors = 40

// Context gives the memories that a batch may touch, likeliest first: those near
// to its messages, sharing its words, about what it names, and what the same
// session wrote last. Sources and awareness are not filled in. One round trip.
func (s *Store) Context(ctx context.Context, space string, q ContextQuery) ([]Memory, error) {
	texts := q.Texts
	if len(texts) > maxContextVectors {
		texts = texts[len(texts)-maxContextVectors:]
	}
	embedded, err := s.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	vectors := [][]float64{}
	for _, v := range embedded {
		if v != nil {
			vectors = append(vectors, float64s(v))
		}
	}
	keys := make(map[string]bool)
	for _, name := range q.Names {
		keys[EntityKey(name)] = true
	}
	for _, text := range texts {
		for _, span := range nameSpans(text) {
			keys[span.key] = true
		}
	}
	delete(keys, "")
	names := make([]string, 0, len(keys))
	for key := range keys {
		names = append(names, key)
	}
	slices.Sort(names)
	personas := make([]string, 0, len(q.Personas))
	for _, p := range q.Personas {
		personas = append(personas, EntityKey(p))
	}
	type found struct {
		Memory
		score float64
	}
	rows, err := read(ctx, s, contextRead, map[string]any{
		"space": space, "vectors": vectors, "text": textQuery(space, Category{}, strings.Join(texts, "\n")),
		"names": names, "session": q.Session, "personas": personas, "limit": q.Limit,
	}, func(r record) (found, error) {
		f := found{Memory: toMemory(r.node("memory")), score: r.float("near")}
		// A named entity or a shared word outweighs mere likeness, and what the
		// session itself wrote comes first: the batch most likely goes on with it.
		if r.bool("named") {
			f.score += 0.2
		}
		if r.float("worded") > 0 {
			f.score += 0.1
		}
		if r.bool("recent") {
			f.score++
		}
		return f, nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.ID, a.ID))
	})
	if q.Limit > 0 && len(rows) > q.Limit {
		rows = rows[:q.Limit]
	}
	out := make([]Memory, len(rows))
	for i, f := range rows {
		out[i] = f.Memory
	}
	return out, nil
}
