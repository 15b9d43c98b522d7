package graph

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"relata/cypher"
)

// question is a query that was found right, on its way through the search.
type question struct {
	index      int // in the batch; of an event the place of the question that names it
	category   Category
	text       string
	limit      int
	minScore   float64
	legs       legSet
	vector     []float64          // of the text as it is; nil where it has none
	aim        []float64          // the vector that memories are compared with: see centre
	words      string             // Lucene query, "" for none
	heard      string             // that of what was heard where memories come from, for a persona; "" for none
	single     bool               // it asks for Han characters that stand alone
	spans      []nameSpan         // possible names of entities
	dates      []period           // times that it speaks of
	clause     *clause            // what it names to say when, nil for nothing
	event      period             // the time that its clause means
	sure       float64            // of the event, 0 to 1
	relations  map[string]float64 // how likely each relation is asked for, 0 to 1
	size       int                // memories in the space
	candidates []candidate
	at         map[MemoryID]int // where a candidate stands
	ranked     []candidate
}

// candidate is a memory that some leg found.
type candidate struct {
	id                     MemoryID
	relation               string
	terms, chars           string // words and single Han characters as the text index holds them
	heard                  string // words of its messages, where the text leg found it and the asker may know them
	date                   time.Time
	eventDate              string
	hasCosine              bool
	cosine                 float64 // to the question's aim, −1 to 1
	ways                   []way
	named                  string // the entity in the question that it hangs on, "" for none
	retired                bool
	score, confidence      float64
	vectorScore, textScore float64
	graphScore             float64
	path                   []MemoryID
}

// way is how the graph leg reached a memory.
type way struct {
	path  []MemoryID // memories before it
	along []float64  // cosine of each memory on the way to the question, its own last; −1 to 1
}

// hops is how many steps a way has.
func (w way) hops() int { return len(w.path) + 1 }

// legSet says which legs of a search run.
type legSet struct{ vector, text, graph bool }

// legSetOf reads the names of legs; none are all.
func legSetOf(legs []Leg) (legSet, *Error) {
	set := legSet{}
	for _, l := range legs {
		switch l {
		case LegVector:
			set.vector = true
		case LegText:
			set.text = true
		case LegGraph:
			set.graph = true
		default:
			return set, Errorf(CodeInvalid, "there is no leg %q: name vector, text or graph", l)
		}
	}
	if set == (legSet{}) {
		set = legSet{true, true, true}
	}
	return set, nil
}

// leg is one statement of a search: what it asks for and what it adds to a
// candidate.
type leg struct {
	statement cypher.Statement
	persona   bool // it takes a persona, null for none
	reach     bool // it takes how many memories of each question it shall bring
	fields    []string
	asks      func(question) bool // whether it can find anything for a question
	add       func(*candidate, record)
}

func hasVector(q question) bool { return q.legs.vector && q.aim != nil }
func hasWords(q question) bool  { return q.legs.text && q.words != "" }
func hasNames(q question) bool  { return q.legs.graph && len(q.spans) > 0 }

func addWay(c *candidate, r record) {
	var w way
	for _, id := range r.ints("path") {
		w.path = append(w.path, MemoryID(id))
	}
	for _, a := range r.list("along") {
		w.along = append(w.along, fromIndexScore(asFloat(a)))
	}
	c.ways = append(c.ways, w)
	if name := r.text("named"); name != "" {
		c.named = name
	}
}

func addHeard(c *candidate, r record) { c.heard = r.text("heard") }

// legsOf gives the legs of a request.
func legsOf(req *SearchRequest) []leg {
	near := leg{statement: searchNear, reach: true, fields: []string{"vector", "chars", "index0", "index1"}, asks: hasVector}
	words := leg{statement: searchWords, persona: true, fields: []string{"vector", "chars", "text", "index1"}, asks: hasWords, add: addHeard}
	walk := leg{statement: searchWalk, persona: true, fields: []string{"vector", "chars", "names", "index0", "index1"}, asks: hasNames, add: addWay}
	switch {
	case req.needsPast():
		near.statement, near.persona, near.reach = searchNearPast, true, false
		words.statement, walk.statement = searchWordsPast, searchWalkPast
		return []leg{near, words, walk}
	case req.AsPersona != "":
		near.statement, near.persona, near.reach = searchNearKnown, true, false
	}
	words.fields = append(words.fields, "heard")
	return []leg{near, words, walk}
}

const (
	// spare is how many memories the vector leg brings beyond those that are asked
	// for, at most most: the index grows slower with each, and its own scores are
	// too coarse to be cut at the limit.
	spare = 20
	most  = 50
)

// reach gives how many memories the vector leg shall bring for each question.
func reach(questions []question) int {
	limit := 0
	for _, q := range questions {
		limit = max(limit, q.limit)
	}
	return min(limit+spare, most)
}

// legs runs the legs of all questions side by side and fills their candidates.
// Errors: CodeNotFound for the space or the persona.
func (s *Store) legs(ctx context.Context, req SearchRequest, questions []question) error {
	persona := personaKey(req.AsPersona)
	legs := legsOf(&req)
	found := make([][]finding, len(legs))
	group, within := errgroup.WithContext(ctx)
	var known glossary
	group.Go(func() (err error) {
		known, err = s.glossary(within, req, persona)
		return err
	})
	for i, l := range legs {
		rows := l.rows(questions)
		if len(rows) == 0 {
			continue
		}
		params := map[string]any{"space": req.Space, "queries": rows}
		if l.persona {
			params["persona"] = persona
		}
		if l.reach {
			params["reach"] = reach(questions)
		}
		if req.needsPast() {
			params["as_of"], params["past"] = dateOrNull(req.AsOf), req.past()
		}
		group.Go(func() (err error) {
			found[i], err = ask(within, s, l.statement, params, toFinding)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i := range questions {
		q := &questions[i]
		q.size = known.size
		if q.vector != nil {
			q.relations = relationScores(q, known.relations)
		}
	}
	for i, l := range legs {
		for _, f := range found[i] {
			c := questions[f.question].candidate(f)
			if l.add != nil {
				l.add(c, f.record)
			}
		}
	}
	return nil
}

// rows gives the questions that a leg can answer, with the fields it takes.
func (l leg) rows(questions []question) []map[string]any {
	var rows []map[string]any
	for i, q := range questions {
		if !l.asks(q) {
			continue
		}
		row := map[string]any{"i": i}
		for _, f := range l.fields {
			row[f] = q.field(f)
		}
		rows = append(rows, row)
	}
	return rows
}

// field gives what a statement knows of a question.
func (q *question) field(name string) any {
	switch name {
	case "vector":
		if q.aim != nil {
			return q.aim
		}
	case "chars":
		return q.single
	case "text":
		return q.words
	case "heard":
		return q.heard
	case "names":
		names := make([]map[string]any, len(q.spans))
		for i, n := range q.spans {
			names[i] = map[string]any{"key": n.key, "from": n.from, "to": n.to}
		}
		return names
	case "index0":
		return textOrNull(q.category.Index0)
	case "index1":
		return textOrNull(q.category.Index1)
	}
	return nil
}

// finding is one row of a leg.
type finding struct {
	record
	question int
}

func toFinding(r record) (finding, error) { return finding{r, int(r.int("i"))}, nil }

// candidate gives the candidate of a finding, made where it is new.
func (q *question) candidate(f finding) *candidate {
	id := MemoryID(f.int("id"))
	if at, ok := q.at[id]; ok {
		return &q.candidates[at]
	}
	c := candidate{
		id: id, relation: f.text("relation"), terms: f.text("terms"), chars: f.text("chars"),
		date: asTime(f.get("date")), eventDate: f.text("event_date"), retired: f.bool("retired"),
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
