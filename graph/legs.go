package graph

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"relata/cypher"
)

// question is a query that was found right, on its way through the search.
type question struct {
	index      int // in the batch
	category   Category
	text       string
	limit      int
	vector     []float64          // nil where the text has none
	words      string             // Lucene query, "" for none
	names      []map[string]any   // possible names of entities
	relations  map[string]float64 // how likely each relation is asked for, 0 to 1
	size       int                // memories in the space
	candidates []candidate
	at         map[MemoryID]int // where a candidate stands
	ranked     []candidate
}

// candidate is a memory that some leg found.
type candidate struct {
	id                        MemoryID
	content                   string
	subject, relation, object string // as written
	title                     string
	tags                      []string
	date                      time.Time
	hasCosine                 bool
	cosine                    float64 // −1 to 1
	ways                      []way
	retired                   bool
	score                     float64
	vectorScore, textScore    float64
	graphScore                float64
	path                      []MemoryID
}

// way is how the graph leg reached a memory.
type way struct {
	hops  int
	path  []MemoryID // memories before it
	along []float64  // cosine of each memory on the way to the question, its own last; −1 to 1
}

// leg is one statement of a search: what it asks for and what it adds to a
// candidate.
type leg struct {
	statement cypher.Statement
	persona   bool // it takes a persona, null for none
	fields    []string
	asks      func(question) bool // whether it can find anything for a question
	add       func(*candidate, record)
}

func hasVector(q question) bool { return q.vector != nil }
func hasWords(q question) bool  { return q.words != "" }
func hasNames(q question) bool  { return len(q.names) > 0 }

func addWay(c *candidate, r record) {
	w := way{hops: int(r.int("hops"))}
	for _, id := range r.ints("path") {
		w.path = append(w.path, MemoryID(id))
	}
	for _, a := range r.list("along") {
		w.along = append(w.along, fromIndexScore(asFloat(a)))
	}
	c.ways = append(c.ways, w)
}

// legsOf gives the legs of a request.
func legsOf(req *SearchRequest) []leg {
	near := leg{statement: searchNear, fields: []string{"vector", "index0", "index1"}, asks: hasVector}
	words := leg{statement: searchWords, persona: true, fields: []string{"vector", "text", "index1"}, asks: hasWords}
	walk := leg{statement: searchWalk, persona: true, fields: []string{"vector", "names"}, asks: hasNames, add: addWay}
	switch {
	case req.needsPast():
		near.statement, near.persona = searchNearPast, true
		words.statement, walk.statement = searchWordsPast, searchWalkPast
	case req.AsPersona != "":
		near.statement, near.persona = searchNearKnown, true
	}
	return []leg{near, words, walk}
}

// legs runs the legs of all questions side by side and fills their candidates.
// Errors: CodeNotFound for the space or the persona.
func (s *Store) legs(ctx context.Context, req SearchRequest, questions []question) error {
	persona := personaKey(req.AsPersona)
	legs := legsOf(&req)
	found := make([][]finding, len(legs))
	group, ctx := errgroup.WithContext(ctx)
	rows := make([][]map[string]any, len(legs))
	for i, l := range legs {
		rows[i] = l.rows(questions)
	}
	var size int
	var vocabulary []glossed
	group.Go(func() error {
		found, err := s.scope(ctx, req, persona)
		if err != nil {
			return err
		}
		size = found.size
		vocabulary, err = s.glossary(ctx, req.Space, found.vocabulary)
		return err
	})
	for i, l := range legs {
		if len(rows[i]) == 0 {
			continue
		}
		params := map[string]any{"space": req.Space, "queries": rows[i]}
		if l.persona {
			params["persona"] = persona
		}
		if req.needsPast() {
			params["as_of"], params["past"] = dateOrNull(req.AsOf), req.past()
		}
		group.Go(func() error {
			var err error
			found[i], err = read(ctx, s, l.statement, params, toFinding)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i := range questions {
		q := &questions[i]
		q.size = size
		if q.vector != nil {
			q.relations = relationScores(*q, vocabulary)
		}
	}
	for i, l := range legs {
		for _, f := range found[i] {
			q := &questions[f.question]
			if !q.wants(f) {
				continue
			}
			c := q.candidate(f)
			if l.add != nil {
				l.add(c, f.record)
			}
		}
	}
	return nil
}

// scope is what a search needs to know of its space.
type scope struct {
	personaKnown bool
	size         int    // current memories
	vocabulary   string // which state its vocabulary is in
}

// scope checks that the space and the persona exist.
func (s *Store) scope(ctx context.Context, req SearchRequest, persona any) (scope, error) {
	rows, err := read(ctx, s, searchScope, map[string]any{"space": req.Space, "persona": persona}, func(r record) (scope, error) {
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

// rows gives the questions that a leg can answer, with the fields it takes.
func (l leg) rows(questions []question) []map[string]any {
	var rows []map[string]any
	for i, q := range questions {
		if !l.asks(q) {
			continue
		}
		all := map[string]any{
			"vector": nil, "text": q.words, "names": q.names,
			"index0": textOrNull(q.category.Index0), "index1": textOrNull(q.category.Index1),
		}
		if q.vector != nil {
			all["vector"] = q.vector
		}
		row := map[string]any{"i": i}
		for _, f := range l.fields {
			row[f] = all[f]
		}
		rows = append(rows, row)
	}
	return rows
}

// finding is one row of a leg.
type finding struct {
	record
	question int
}

func toFinding(r record) (finding, error) { return finding{r, int(r.int("i"))}, nil }

// wants says whether a finding is in the category asked for. The walk crosses
// categories and returns what it passed; the other legs filter for themselves.
func (q *question) wants(f finding) bool {
	if _, ok := f.Get("index0"); !ok || q.category.Index0 == "" {
		return true
	}
	return f.text("index0") == q.category.Index0 && (q.category.Index1 == "" || f.text("index1") == q.category.Index1)
}

// candidate gives the candidate of a finding, made where it is new.
func (q *question) candidate(f finding) *candidate {
	id := MemoryID(f.int("id"))
	if at, ok := q.at[id]; ok {
		return &q.candidates[at]
	}
	c := candidate{
		id: id, subject: f.text("subject"), relation: f.text("relation"), object: f.text("object"),
		content: f.text("content"), title: f.text("title"), tags: f.texts("tags"), date: asTime(f.get("date")), retired: f.bool("retired"),
	}
	if v, ok := f.get("cosine").(float64); ok {
		c.hasCosine, c.cosine = true, fromIndexScore(v)
	}
	if q.at == nil {
		q.at = make(map[MemoryID]int)
	}
	q.at[id] = len(q.candidates)
	q.candidates = append(q.candidates, c)
	return &q.candidates[len(q.candidates)-1]
}
