package api

import (
	"context"
	"time"

	"relata/graph"
	"relata/relations"
)

// Search answers POST /v1/spaces/{space}/search.
func (s *Server) Search(ctx context.Context, r SearchRequestObject) (SearchResponseObject, error) {
	// The space is read beside the search, which checks for itself that it
	// exists, for a search is to be fast and only its times need the space.
	type found struct {
		space graph.Space
		err   error
	}
	reading := make(chan found, 1)
	go func() {
		space, err := s.Store.Space(ctx, r.Space)
		reading <- found{space, err}
	}()
	var got found
	if r.Body.AsOf != "" {
		// A time is read in the space's zone.
		if got = <-reading; got.err != nil {
			return nil, got.err
		}
		reading <- got
	}
	asOf, err := readAsOf(r.Body.AsOf, got.space)
	if err != nil {
		return nil, err
	}
	started := time.Now()
	answers, err := s.ask(ctx, r, asOf)
	s.observeSearch(time.Since(started), answers)
	if got = <-reading; got.err != nil {
		return nil, got.err // names the space that does not exist
	}
	if err != nil {
		return nil, err
	}

	var pending [][]graph.FoundTurn
	if r.Body.IncludePending {
		questions := make([]string, len(r.Body.Queries)) // "" for one that is not answered
		for i, q := range r.Body.Queries {
			if answers[i].Err == nil {
				questions[i] = q.query.Memory
			}
		}
		pending, err = s.Store.SearchPending(ctx, r.Space, questions, r.Body.AsPersona, pendingTurns)
		if err != nil {
			return nil, err
		}
	}
	out := SearchAnswer{Results: make([]SearchResult, 0, len(r.Body.Queries))}
	render := rendererOf(got.space)
	for i, q := range r.Body.Queries {
		result := SearchResult{Query: q, Hints: []Hint{}}
		if wrong := answers[i].Err; wrong != nil {
			if graph.ErrorCode(wrong) == graph.CodeInternal {
				s.Logger.ErrorContext(ctx, "query failed", "error", wrong)
			}
			p := problemOf(wrong)
			result.Error = &p
		} else {
			result.Hints = each(answers[i].Hints, func(h graph.Hint) Hint { return render.hint(h, r.Body.Explain) })
		}
		if r.Body.IncludePending && answers[i].Err == nil {
			result.Pending = each(pending[i], func(t graph.FoundTurn) Message { return render.message(t.Source) })
		}
		out.Results = append(out.Results, result)
	}
	return Search200JSONResponse(out), nil
}

// readAsOf reads the time of a search; a day stands for its end, as do a month
// and a year.
func readAsOf(text string, space graph.Space) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, precision, err := relations.ParseDate(text, space.Location())
	if err != nil {
		return at, invalidField("as_of", "cannot be read: %s", err)
	}
	return precision.End(at), nil
}

// pendingTurns is how many waiting turns a query brings at most.
const pendingTurns = 10

// ask has the readable queries answered and gives one result for each query.
func (s *Server) ask(ctx context.Context, r SearchRequestObject, asOf time.Time) ([]graph.Result, error) {
	results := make([]graph.Result, len(r.Body.Queries))
	request := graph.SearchRequest{
		Space: r.Space, AsPersona: r.Body.AsPersona, IncludeRetired: r.Body.IncludeRetired,
		Beliefs: r.Body.Beliefs, AsOf: asOf,
		// An observer counts what each leg found; callers see it where they ask.
		Explain: r.Body.Explain || s.Observer != nil,
	}
	var at []int
	for i, q := range r.Body.Queries {
		if q.wrong != nil {
			results[i].Err = q.wrong
			continue
		}
		request.Queries = append(request.Queries, q.query)
		at = append(at, i)
	}
	if len(request.Queries) == 0 {
		return results, nil
	}
	answered, err := s.Store.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	if len(answered) != len(at) {
		return nil, graph.Errorf(graph.CodeInternal, "%d results for %d queries", len(answered), len(at))
	}
	for i, result := range answered {
		results[at[i]] = result
	}
	return results, nil
}
