package bench

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"relata/graph"
)

// bareProbe is what a search is compared with: the vector index alone, for as
// many memories.
func (b *Bench) bareProbe(s Space) probe {
	list := b.World.Questions(s, questions)
	return probe{name: bareVector, run: func(ctx context.Context, round int) error {
		_, err := b.rows(ctx, "bare_vector", map[string]any{
			"space": s.Name, "vector": float64s(list[round%len(list)].Vector), "limit": searchLimit,
		})
		return err
	}}
}

func (b *Bench) bareCategoryProbe(s Space) probe {
	list := b.World.Questions(s, questions)
	return probe{name: bareCategory, run: func(ctx context.Context, round int) error {
		q := list[round%len(list)]
		_, err := b.rows(ctx, "bare_category", map[string]any{
			"space": s.Name, "vector": float64s(q.Vector), "limit": categoryLimit, "index0": q.Index0, "index1": q.Index1,
		})
		return err
	}}
}

func (b *Bench) categoryProbe(s Space) probe {
	list := b.World.Questions(s, questions)
	p := probe{name: fmt.Sprintf("index0 and index1, limit %d", categoryLimit), of: bareCategory, parts: true}
	p.run = func(ctx context.Context, round int) error {
		q := list[round%len(list)]
		return b.ask(ctx, b.store, graph.SearchRequest{
			Space: s.Name, Queries: []graph.Query{{Memory: q.Text, Index0: q.Index0, Index1: q.Index1, Limit: categoryLimit}},
		})
	}
	return p
}

// kindProbe asks only questions that name the hub, another entity, or none.
func (b *Bench) kindProbe(s Space, kind string) probe {
	var list []Question
	for _, q := range b.World.Questions(s, questions) {
		if q.names == kind {
			list = append(list, q)
		}
	}
	return probe{name: "naming " + article(kind), parts: true, run: func(ctx context.Context, round int) error {
		return b.ask(ctx, b.store, graph.SearchRequest{Space: s.Name, Queries: []graph.Query{
			{Memory: list[round%len(list)].Text, All: true, Limit: searchLimit},
		}})
	}}
}

func article(kind string) string {
	switch kind {
	case "hub":
		return "the hub"
	case "entity":
		return "an entity"
	}
	return kind
}

// searchProbe asks n questions a call, as a persona or as nobody.
func (b *Bench) searchProbe(s Space, name, of string, store *graph.Store, n int, persona string) probe {
	list := b.World.Questions(s, questions)
	return probe{name: name, of: of, run: func(ctx context.Context, round int) error {
		req := graph.SearchRequest{Space: s.Name, AsPersona: persona}
		for i := range n {
			q := list[(round*n+i)%len(list)]
			req.Queries = append(req.Queries, graph.Query{Memory: q.Text, All: true, Limit: searchLimit})
		}
		return b.ask(ctx, store, req)
	}}
}

// ask searches and checks that every question was answered.
func (b *Bench) ask(ctx context.Context, store *graph.Store, req graph.SearchRequest) error {
	results, err := store.Search(ctx, req)
	if err != nil {
		return err
	}
	for i, r := range results {
		if r.Err != nil {
			return r.Err
		}
		if len(r.Hints) == 0 && req.AsPersona == "" {
			return fmt.Errorf("the question %q found nothing in %s: is the world loaded?", req.Queries[i].Memory, req.Space)
		}
	}
	return nil
}

// legProbes run the statements of searches by themselves, with the parameters
// that the store gave them: side by side within a search they share the cores,
// and each takes longer.
func (b *Bench) legProbes(ctx context.Context, s Space) ([]probe, error) {
	calls := make(map[string][]graph.Call)
	for _, q := range b.World.Questions(s, legQuestions) {
		var r recorder
		err := b.ask(graph.WithTrace(ctx, r.add), b.store, graph.SearchRequest{
			Space: s.Name, Queries: []graph.Query{{Memory: q.Text, All: true, Limit: searchLimit}},
		})
		if err != nil {
			return nil, err
		}
		for _, c := range r.calls {
			calls[c.Statement] = append(calls[c.Statement], c)
		}
	}
	var out []probe
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		out = append(out, probe{name: name + " by itself", of: bareVector, run: func(ctx context.Context, round int) error {
			c := calls[name][round%len(calls[name])]
			_, err := b.collect(ctx, c.Statement, c.Text, c.Params)
			return err
		}})
	}
	return out, nil
}
