package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/graph"
)

// Names of the rows that others are compared with.
const (
	bareVector   = "bare vector query"
	bareCategory = "bare vector query, by category"
	wholeSearch  = "search, one question"
)

const (
	searchLimit   = 10
	categoryLimit = 25 // the default with index0 and index1
	tenQuestions  = 10
	questions     = 200
	legQuestions  = 50
)

// Search measures searches in a large, a middling and a small space, one call at a
// time, and in the large and the small one with several calls at once.
func (b *Bench) Search(ctx context.Context) ([]Table, error) {
	var out []Table
	picked := pickSpaces(b.World.Spaces())
	for _, s := range picked {
		b.say("searching %s, %d memories, one call at a time", s.Name, s.Size)
		t, err := b.searchAlone(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, t...)
	}
	for _, s := range []Space{picked[0], picked[len(picked)-1]} {
		for _, workers := range b.workers {
			b.say("searching %s, %d memories, %d at once", s.Name, s.Size, workers)
			rows, err := b.together(ctx, workers, []probe{
				b.bareProbe(s),
				b.searchProbe(s, wholeSearch, bareVector, b.store, 1, ""),
				b.searchProbe(s, "ten questions in a call", wholeSearch, b.store, tenQuestions, ""),
			})
			if err != nil {
				return nil, err
			}
			out = append(out, Table{Title: fmt.Sprintf("search, space of %d, %d at once", s.Size, workers), Rows: rows})
		}
	}
	return out, nil
}

// pickSpaces gives the largest space, one of about a fiftieth of it, and the
// smallest.
func pickSpaces(all []Space) []Space {
	middle := all[len(all)-1]
	for _, s := range all {
		if s.Size >= all[0].Size/50 {
			middle = s
		}
	}
	out := []Space{all[0]}
	for _, s := range []Space{middle, all[len(all)-1]} {
		if s != out[len(out)-1] {
			out = append(out, s)
		}
	}
	return out
}

func (b *Bench) searchAlone(ctx context.Context, s Space) ([]Table, error) {
	whole := b.searchProbe(s, wholeSearch, bareVector, b.store, 1, "")
	whole.parts = true
	ten := b.searchProbe(s, "ten questions in a call", wholeSearch, b.store, tenQuestions, "")
	ten.parts = true
	probes := []probe{
		{name: "round trip", of: bareVector, run: func(ctx context.Context, _ int) error {
			_, err := b.rows(ctx, "round_trip", nil)
			return err
		}},
		b.bareProbe(s),
		whole, ten,
	}
	if b.real != nil {
		probes = append(probes, b.searchProbe(s, "search, with the local embedder", wholeSearch, b.real, 1, ""))
	}
	legs, err := b.legProbes(ctx, s)
	if err != nil {
		return nil, err
	}
	rows, err := b.alternate(ctx, b.rounds, append(probes, legs...))
	if err != nil {
		return nil, err
	}
	exchange, err := b.exchange(ctx, s)
	if err != nil {
		return nil, err
	}
	out := []Table{{
		Title: fmt.Sprintf("search, space of %d, limit %d, all categories", s.Size, searchLimit), Rows: rows, Notes: []string{exchange},
	}}

	probes = []probe{b.searchProbe(s, wholeSearch, "", b.store, 1, ""), b.bareCategoryProbe(s), b.categoryProbe(s)}
	for _, p := range b.World.Personas(s) {
		name := fmt.Sprintf("as a persona that knows %d", p.Known(s.Size))
		as := b.searchProbe(s, name, wholeSearch, b.store, 1, p.Name)
		as.parts = true
		probes = append(probes, as)
	}
	for _, kind := range []string{"entity", "hub", "nothing"} {
		probes = append(probes, b.kindProbe(s, kind))
	}
	rows, err = b.alternate(ctx, b.rounds, probes)
	if err != nil {
		return nil, err
	}
	asked := Table{Title: fmt.Sprintf("search, space of %d, by what is asked", s.Size), Rows: rows}
	for _, p := range b.World.Personas(s) {
		recall, err := b.knownRecall(ctx, s, p)
		if err != nil {
			return nil, err
		}
		asked.Notes = append(asked.Notes, fmt.Sprintf("as a persona that knows %d: recall@10 of the vector leg is %.3f of exact, over %d questions",
			p.Known(s.Size), recall, legQuestions))
	}
	return append(out, asked), nil
}

// knownRecall compares the vector leg of a persona with looking at each memory
// that it knows.
func (b *Bench) knownRecall(ctx context.Context, s Space, p Persona) (float64, error) {
	sum := 0.0
	list := b.World.Questions(s, legQuestions)
	for _, q := range list {
		near, aim, err := b.nearKnown(ctx, s, p, q)
		if err != nil {
			return 0, err
		}
		exact, err := b.rows(ctx, "exact_known", map[string]any{"space": s.Name, "persona": p.Name, "vector": aim})
		if err != nil {
			return 0, err
		}
		if len(exact) == 0 {
			return 0, fmt.Errorf("%s knows nothing in %s: is the world loaded?", p.Name, s.Name)
		}
		found := 0
		for _, r := range exact {
			id, _ := r.Get("id")
			if slices.Contains(near, id) {
				found++
			}
		}
		sum += float64(found) / float64(len(exact))
	}
	return sum / float64(len(list)), nil
}

// nearKnown gives the ten memories that the vector leg of a persona's search
// brings first, and the vector that it asked by.
func (b *Bench) nearKnown(ctx context.Context, s Space, p Persona, q Question) (ids []any, aim any, err error) {
	var r recorder
	err = b.ask(graph.WithTrace(ctx, r.add), b.store, graph.SearchRequest{
		Space: s.Name, AsPersona: p.Name, Queries: []graph.Query{{Memory: q.Text, All: true, Limit: searchLimit}},
	})
	if err != nil {
		return nil, nil, err
	}
	at := slices.IndexFunc(r.calls, func(c graph.Call) bool { return c.Statement == "search_near_known" })
	if at < 0 {
		return nil, nil, fmt.Errorf("a search as %s ran no search_near_known", p.Name)
	}
	rows, err := b.collect(ctx, r.calls[at].Statement, r.calls[at].Text, r.calls[at].Params)
	if err != nil {
		return nil, nil, err
	}
	column := func(r *neo4j.Record, name string) any { v, _ := r.Get(name); return v }
	slices.SortFunc(rows, func(x, y *neo4j.Record) int {
		return cmp.Compare(column(y, "cosine").(float64), column(x, "cosine").(float64))
	})
	for _, r := range rows[:min(10, len(rows))] {
		ids = append(ids, column(r, "id"))
	}
	return ids, r.calls[at].Params["queries"].([]map[string]any)[0]["vector"], nil
}
