package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"relata/cypher"
)

var (
	searchScope     = cypher.Load("search_scope")
	searchNear      = cypher.Load("search_near")
	searchNearKnown = cypher.Load("search_near_known")
	searchNearPast  = cypher.Load("search_near_past")
	searchWords     = cypher.Load("search_words")
	searchWordsPast = cypher.Load("search_words_past")
	searchWalk      = cypher.Load("search_walk")
	searchWalkPast  = cypher.Load("search_walk_past")
	searchHydrate   = cypher.Load("search_hydrate")
)

// maxQueries bounds one call.
const maxQueries = 50

// Search answers a batch of questions, one result for each in order. It embeds
// all of them at once and makes two round trips: one for the legs, which run
// side by side, and one for what the chosen hints lack. A query that is wrong gets its error in its own
// result. Errors: CodeNotFound for the space or the persona, CodeInvalid for a
// batch without queries or with more than 50, and for beliefs of nobody.
func (s *Store) Search(ctx context.Context, req SearchRequest) ([]Result, error) {
	if len(req.Queries) == 0 || len(req.Queries) > maxQueries {
		return nil, &Error{
			Code: CodeInvalid, Message: "a search needs 1 to 50 queries",
			Fields: []Field{{"queries", "must hold 1 to 50 queries"}},
		}
	}
	if req.Beliefs && req.AsPersona == "" {
		return nil, &Error{
			Code: CodeInvalid, Message: "beliefs are those of a persona",
			Fields: []Field{{"as_persona", "must be given together with beliefs"}},
		}
	}
	results := make([]Result, len(req.Queries))
	questions := make([]question, 0, len(req.Queries))
	for i, q := range req.Queries {
		asked, err := readQuery(i, q)
		if err != nil {
			results[i].Err = err
			continue
		}
		questions = append(questions, asked)
	}
	if err := s.prepare(ctx, req, questions); err != nil {
		return nil, err
	}
	if err := s.searches.Acquire(ctx, 1); err != nil {
		return nil, translate("search", err)
	}
	defer s.searches.Release(1)
	if err := s.legs(ctx, req, questions); err != nil {
		return nil, err
	}
	var ids []int64
	for i := range questions {
		q := &questions[i]
		q.ranked = rank(q)
		for _, c := range q.ranked {
			ids = append(ids, int64(c.id))
		}
	}
	details, err := s.hydrate(ctx, req, ids)
	if err != nil {
		return nil, err
	}
	for i := range questions {
		q := &questions[i]
		results[q.index].Hints = hints(q, details, req.Explain)
	}
	return results, nil
}

// readQuery checks one query.
func readQuery(i int, q Query) (question, *Error) {
	out := question{index: i, text: strings.TrimSpace(strings.ToValidUTF8(q.Memory, "\uFFFD")), limit: q.Limit}
	wrong := func(field, message string) (question, *Error) {
		return out, &Error{Code: CodeInvalid, Message: field + " " + message, Fields: []Field{{field, message}}}
	}
	if Fold(out.text) == "" {
		return wrong("memory", "must not be blank: say what is looked for")
	}
	switch {
	case q.Index0 == "" && !q.All:
		return wrong("index0", `is required, or "all": true to search every category`)
	case q.Index0 == "" && q.Index1 != "":
		return wrong("index1", "needs an index0")
	case q.Index0 != "":
		c, err := ParseCategory(q.Index0, q.Index1)
		if err != nil {
			e := err.(*Error)
			return out, e
		}
		out.category = c
	}
	switch {
	case q.Limit == 0 && out.category.Index0 != "" && out.category.Index1 == "":
		out.limit = 50
	case q.Limit == 0:
		out.limit = 25
	case q.Limit < 10 || q.Limit > 50:
		return wrong("limit", "must be between 10 and 50")
	}
	return out, nil
}

// prepare fills in what the legs ask by: vectors, words and possible names.
func (s *Store) prepare(ctx context.Context, req SearchRequest, questions []question) error {
	texts := make([]string, len(questions))
	for i, q := range questions {
		texts[i] = q.text
	}
	embedded, err := vectors(ctx, s.queries, texts)
	if err != nil {
		return err
	}
	for i := range questions {
		q := &questions[i]
		q.vector = float64s(embedded[i])
		category := q.category
		if req.AsPersona != "" {
			// owner, other and self are then as the persona sees them.
			category.Index1 = ""
		}
		q.words = textQuery(req.Space, category, q.text)
		for _, n := range nameSpans(q.text) {
			q.names = append(q.names, map[string]any{"key": n.key, "from": n.from, "to": n.to})
		}
	}
	return nil
}

// personaKey gives a persona's name as the statements of a search take it.
func personaKey(name string) any { return textOrNull(EntityKey(name)) }

// fromIndexScore turns Neo4j's similarity, which is (1 + cosine) / 2, back.
func fromIndexScore(score float64) float64 { return 2*score - 1 }

// detail is what hydration adds to a hint.
type detail struct {
	msgIDs       []int64
	supersededBy []MemoryID
}

func (s *Store) hydrate(ctx context.Context, req SearchRequest, ids []int64) (map[MemoryID]detail, error) {
	out := make(map[MemoryID]detail, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	slices.Sort(ids)
	_, err := read(ctx, s, searchHydrate, map[string]any{
		"space": req.Space, "ids": slices.Compact(ids), "persona": personaKey(req.AsPersona),
	}, func(r record) (struct{}, error) {
		out[MemoryID(r.int("id"))] = detail{sortedInts(r.ints("msg_ids")), toMemoryIDs(r.ints("superseded_by"))}
		return struct{}{}, nil
	})
	return out, err
}

// hints gives the ranked candidates of a question as hints: those that were
// deleted meanwhile are left out, and nothing outdated stands above what
// replaced it.
func hints(q *question, details map[MemoryID]detail, explain bool) []Hint {
	byID := make(map[MemoryID]candidate, len(q.candidates))
	for _, c := range q.candidates {
		byID[c.id] = c
	}
	out := make([]Hint, 0, len(q.ranked))
	for _, c := range newestFirst(q.ranked, details) {
		d, ok := details[c.id]
		if !ok {
			continue
		}
		h := Hint{ID: c.id, Memory: c.content, CreatedAt: c.date, MsgIDs: d.msgIDs, Outdated: c.retired}
		if explain {
			h.Explain = &Explain{
				Score: c.score, Vector: c.vectorScore, Text: c.textScore, Graph: c.graphScore,
				Subject: c.subject, Relation: c.relation, Object: c.object,
			}
			for _, id := range c.path {
				if via, ok := byID[id]; ok {
					h.Explain.Path = append(h.Explain.Path, PathEdge{via.subject, via.relation, via.object, id})
				}
			}
			if len(c.path) > 0 {
				h.Explain.Path = append(h.Explain.Path, PathEdge{c.subject, c.relation, c.object, c.id})
			}
		}
		out = append(out, h)
	}
	return out
}

// newestFirst moves what was replaced below what replaced it, where both are
// there.
func newestFirst(ranked []candidate, details map[MemoryID]detail) []candidate {
	out := slices.Clone(ranked)
	for i := 0; i < len(out); i++ {
		lowest := i
		for _, successor := range details[out[i].id].supersededBy {
			if at := slices.IndexFunc(out, func(c candidate) bool { return c.id == successor }); at > lowest {
				lowest = at
			}
		}
		if lowest > i {
			c := out[i]
			copy(out[i:lowest], out[i+1:lowest+1])
			out[lowest] = c
			i-- // another stands here now
		}
	}
	return out
}

// byScore orders candidates: better first, then newer, then by id.
func byScore(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), b.date.Compare(a.date), cmp.Compare(b.id, a.id))
}
