package graph

import (
	"context"
	"strings"

	"relata/cypher"
)

var (
	searchNear      = cypher.Load("search_near")
	searchNearKnown = cypher.Load("search_near_known")
	searchNearPast  = cypher.Load("search_near_past")
	searchWords     = cypher.Load("search_words")
	searchWordsPast = cypher.Load("search_words_past")
	searchWalk      = cypher.Load("search_walk")
	searchWalkPast  = cypher.Load("search_walk_past")
)

// maxQueries bounds one call.
const maxQueries = 50

// Search answers a batch of questions, one result for each in order. It embeds
// all of them at once and makes two round trips: one for the legs, which run
// side by side, and one for what the chosen hints say. The first search of a
// space makes one more before, see glossary. A query that is wrong gets its error
// in its own result. Errors: CodeNotFound for the space or the persona, CodeInvalid for a
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
	legs, wrong := legSetOf(req.Legs)
	if wrong != nil {
		return nil, wrong
	}
	results := make([]Result, len(req.Queries))
	questions := make([]question, 0, len(req.Queries))
	for i, q := range req.Queries {
		asked, err := readQuery(i, q)
		if err != nil {
			results[i].Err = err
			continue
		}
		asked.legs = legs
		asked.dates, asked.clause = timesIn(asked.text, req.now())
		questions = append(questions, asked)
	}
	count := len(questions)
	questions = append(questions, events(questions)...)
	if err := s.embed(ctx, questions); err != nil {
		return nil, err
	}
	if err := s.searches.Acquire(ctx, 1); err != nil {
		return nil, translate("search", err)
	}
	defer s.searches.Release(1)
	if err := s.prepare(ctx, req, questions); err != nil {
		return nil, err
	}
	if err := s.legs(ctx, req, questions); err != nil {
		return nil, err
	}
	for i := count; i < len(questions); i++ {
		event := &questions[i]
		event.ranked = rank(event)
		asked := &questions[event.index]
		asked.event, asked.sure = asked.eventTime(event)
	}
	questions = questions[:count]
	var ids []int64
	for i := range questions {
		q := &questions[i]
		q.ranked = rank(q)
		for _, c := range q.ranked {
			ids = append(ids, int64(c.id))
			if req.Explain {
				ids = append(ids, int64s(c.path)...)
			}
		}
	}
	found, err := s.hydrate(ctx, req, ids)
	if err != nil {
		return nil, err
	}
	for i := range questions {
		q := &questions[i]
		results[q.index].Hints = hints(q, found, req.Explain)
	}
	return results, nil
}

// readQuery checks one query.
func readQuery(i int, q Query) (question, *Error) {
	out := question{index: i, text: strings.TrimSpace(strings.ToValidUTF8(q.Memory, "\uFFFD")), limit: q.Limit, minScore: q.MinScore}
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
	if !(q.MinScore >= 0 && q.MinScore <= 1) { // NaN is neither
		return wrong("min_score", "must be between 0 and 1")
	}
	return out, nil
}

// embed gives the questions their vectors.
func (s *Store) embed(ctx context.Context, questions []question) error {
	texts := make([]string, len(questions))
	for i, q := range questions {
		texts[i] = q.text
	}
	embedded, err := vectors(ctx, s.queries, texts)
	for i := range embedded {
		questions[i].vector = float64s(embedded[i])
	}
	return err
}

// prepare fills in what the legs ask by: aims, words and possible names.
// Errors: CodeNotFound for the space or the persona.
func (s *Store) prepare(ctx context.Context, req SearchRequest, questions []question) error {
	known, ok := s.glosses.Get(req.Space)
	if !ok {
		var err error
		if known, err = s.glossary(ctx, req, personaKey(req.AsPersona)); err != nil {
			return err
		}
	}
	for i := range questions {
		q := &questions[i]
		q.aim = known.aimed(q.vector)
		category := q.category
		if req.AsPersona != "" {
			// owner, other and self are then as the persona sees them.
			category.Index1 = ""
		}
		words, chars := QueryTerms(q.text)
		q.single = len(chars) > 0
		of := ownWords
		if req.AsPersona == "" && req.AsOf.IsZero() {
			of |= heardWords
		}
		q.words = termQuery(req.Space, category, words, chars, of)
		if req.AsPersona != "" && !req.needsPast() {
			// Whether it heard the messages of a memory is asked of each.
			q.heard = termQuery(req.Space, category, words, nil, heardWords)
		}
		q.spans = nameSpans(q.text)
	}
	return nil
}

// personaKey gives a persona's name as the statements of a search take it.
func personaKey(name string) any { return textOrNull(EntityKey(name)) }

// fromIndexScore turns Neo4j's similarity, which is (1 + cosine) / 2, back.
func fromIndexScore(score float64) float64 { return 2*score - 1 }
