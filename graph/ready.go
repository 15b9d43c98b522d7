package graph

import (
	"context"
	"strings"

	"relata/cypher"
)

var (
	indexList   = cypher.Load("index_list")
	probeSample = cypher.Load("probe_sample")
	probeWords  = cypher.Load("probe_words")
	probeVector = cypher.Load("probe_vector")
)

// Check is one thing that has to hold before the store can serve.
type Check struct {
	Name string
	Err  error // nil where it holds; an *Error's message says what to do
}

// textAnalyzer is what the text indexes have to split with: words are cut in Go
// ([Terms]), and another analyzer would cut them again.
const textAnalyzer = "whitespace"

var (
	textIndexes   = []string{"memory_terms", "retired_terms"}
	vectorIndexes = []string{"memory_vector", "retired_vector"}
)

// Ready looks at all that serving needs of the database, in this order:
//
//   - database: it answers
//   - indexes: those that searches need are there and online
//   - analyzers: the text indexes split as this build expects
//   - dimensions: the vector indexes hold vectors of the embedder's length
//   - words, vectors: a stored memory is found through its index
//
// Without the first the others cannot be told and are left out.
func (s *Store) Ready(ctx context.Context) []Check {
	type index struct {
		state  string
		config fields
	}
	indexes := make(map[string]index)
	_, err := read(ctx, s, indexList, nil, func(r record) (struct{}, error) {
		config, _ := r.node("options")["indexConfig"].(map[string]any)
		indexes[r.text("name")] = index{r.text("state"), config}
		return struct{}{}, nil
	})
	if err != nil {
		return []Check{{"database", err}}
	}
	online := Check{Name: "indexes"}
	for _, name := range append(append([]string{}, textIndexes...), vectorIndexes...) {
		switch ix, ok := indexes[name]; {
		case !ok:
			online.Err = Errorf(CodeUnavailable, "the index %s is missing: run relata migrate", name)
		case ix.state == "FAILED":
			online.Err = Errorf(CodeUnavailable, "the index %s failed to build: see the database's log", name)
		case ix.state != "ONLINE":
			online.Err = Errorf(CodeUnavailable, "the index %s is still being built", name)
		}
	}
	analyzers := Check{Name: "analyzers"}
	for _, name := range textIndexes {
		if got := indexes[name].config.text("fulltext.analyzer"); got != textAnalyzer && indexes[name].state != "" {
			analyzers.Err = Errorf(CodeUnavailable, "the index %s has the analyzer %q, not %q, and would find nothing: drop it and make it anew as migrations/V003__text.cypher and V007__heard.cypher do", name, got, textAnalyzer)
		}
	}
	dimensions := Check{Name: "dimensions"}
	for _, name := range vectorIndexes {
		if got := indexes[name].config.int("vector.dimensions"); s.dimensions > 0 && got != int64(s.dimensions) && indexes[name].state != "" {
			dimensions.Err = Errorf(CodeUnavailable, "the index %s is for vectors of %d dimensions, the embedder makes %d: configure the model that the database records", name, got, s.dimensions)
		}
	}
	checks := []Check{{Name: "database"}, online, analyzers, dimensions}
	if online.Err != nil {
		return checks
	}
	words, vectors := s.probe(ctx)
	if words != nil || vectors != nil {
		// The memory asked for may have gone between the two reads.
		words, vectors = s.probe(ctx)
	}
	return append(checks, Check{"words", words}, Check{"vectors", vectors})
}

// probe looks up a stored memory through the text and the vector index, which
// can be online and yet find nothing.
func (s *Store) probe(ctx context.Context) (words, vectors error) {
	type sample struct {
		space, terms string
		embedding    []any
	}
	rows, err := read(ctx, s, probeSample, nil, func(r record) (sample, error) {
		return sample{r.text("space"), r.text("terms"), r.list("embedding")}, nil
	})
	if err != nil {
		return err, err
	}
	if len(rows) == 0 {
		return nil, nil
	}
	m := rows[0]
	if first := strings.Fields(m.terms); len(first) > 0 {
		text := "+space:" + escapeLucene(m.space) + " +terms:" + escapeLucene(first[0])
		words = s.finds(ctx, probeWords, map[string]any{"text": text}, "text")
	}
	if m.embedding != nil {
		vectors = s.finds(ctx, probeVector, map[string]any{"space": m.space, "vector": m.embedding}, "vector")
	}
	return words, vectors
}

func (s *Store) finds(ctx context.Context, st cypher.Statement, params map[string]any, kind string) error {
	found, err := read(ctx, s, st, params, func(r record) (int64, error) { return r.int("found"), nil })
	if err == nil && found[0] == 0 {
		err = Errorf(CodeUnavailable, "the %s index of memories does not find a memory that is stored: drop it and make it anew", kind)
	}
	return err
}
