package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"relata/graph"
)

// exchange says how often a search waits for the database, and how much it gets
// from there for each hint.
func (b *Bench) exchange(ctx context.Context, s Space) (string, error) {
	list := b.World.Questions(s, legQuestions)
	var trips []int
	bytes := 0
	for _, q := range list {
		var r recorder
		err := b.ask(graph.WithTrace(ctx, r.add), b.store, graph.SearchRequest{
			Space: s.Name, Queries: []graph.Query{{Memory: q.Text, All: true, Limit: searchLimit}},
		})
		if err != nil {
			return "", err
		}
		trips = append(trips, roundTrips(r.calls))
		for _, c := range r.calls {
			rows, err := b.collect(ctx, c.Statement, c.Text, c.Params)
			if err != nil {
				return "", err
			}
			for _, row := range rows {
				bytes += packed(row.Values)
			}
		}
	}
	slices.Sort(trips)
	return fmt.Sprintf("%d round trips a call in the middle, statements side by side counted as one; %.1f KiB from the database for each of %d hits",
		trips[len(trips)/2], float64(bytes)/1024/float64(searchLimit*len(list)), searchLimit), nil
}

// roundTrips counts groups of statements that ran at the same time.
func roundTrips(calls []graph.Call) int {
	slices.SortFunc(calls, func(a, b graph.Call) int { return a.Start.Compare(b.Start) })
	n := 0
	var until time.Time
	for _, c := range calls {
		if n == 0 || c.Start.After(until) {
			n++
		}
		until = later(until, c.End)
	}
	return n
}

// packed gives about how many bytes a value takes on the wire.
func packed(value any) int {
	switch v := value.(type) {
	case nil, bool:
		return 1
	case string:
		return 2 + len(v)
	case []any:
		n := 2
		for _, x := range v {
			n += packed(x)
		}
		return n
	case map[string]any:
		n := 2
		for k, x := range v {
			n += packed(k) + packed(x)
		}
		return n
	}
	return 9 // numbers and times
}
