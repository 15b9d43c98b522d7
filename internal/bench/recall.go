package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"relata/graph"
	"relata/relations"
)

const (
	// recallLimit is how many hints each question asks for.
	recallLimit = 50
	// recallWarmUp is how many searches are made before those that count: the
	// server compiles what it runs often.
	recallWarmUp = 50
)

// Names of the runs that every pack has.
const (
	RunSearch = "search"
	RunFloor  = "BM25 floor"
)

// RecallOptions configure a [Recall].
type RecallOptions struct {
	Store *graph.Store
	// Retired are the types of questions that ask for what was replaced. They are
	// asked with include_retired.
	Retired []string
	// Legs also asks each leg of the search alone.
	Legs bool
	// Blocks are the budgets of context blocks to measure, in tokens.
	Blocks []int
	// Keep leaves the scratch spaces and takes those that an earlier run left.
	Keep     bool
	Progress func(string) // nil for none
}

// Recall measures how well searches find the evidence of packs, with no model as
// judge. It imports a pack into scratch spaces as a client would.
type Recall struct {
	RecallOptions
	importer *relations.Importer
}

// NewRecall makes one.
func NewRecall(o RecallOptions) *Recall {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	return &Recall{RecallOptions: o, importer: relations.NewImporter(relations.ImporterOptions{Store: o.Store})}
}

// Measure asks the questions of a pack one a call, in their order, over all
// categories, and scores the answers beside the BM25 floor. results are the
// answers of the search. The scratch spaces are gone afterwards, unless they are
// to be kept.
func (r *Recall) Measure(ctx context.Context, p *Pack) (report PackReport, results []RecallResult, err error) {
	spaces := make(map[string]scratch, len(p.Spaces))
	if !r.Keep {
		defer func() { err = errors.Join(err, r.clear(context.WithoutCancel(ctx), p)) }()
	}
	report = PackReport{
		Pack: p.Name, Spaces: len(p.Spaces), Messages: p.Messages, Memories: p.Memories, Questions: len(p.Questions),
		Asked: make(map[string]int),
	}
	for _, space := range p.Spaces {
		r.Progress(fmt.Sprintf("%s: importing %s, %d memories", p.Name, space, len(p.memories[space])))
		s, err := r.fill(ctx, p, space)
		if err != nil {
			return report, nil, err
		}
		spaces[space] = s
		report.Repeated += s.took.Duplicates
		if s.kept {
			report.Kept++
		}
	}
	report.Ceiling = p.ceiling(p.led())
	report.Reach, report.Short = r.reach(p, spaces)
	r.Progress(fmt.Sprintf("%s: asking %d questions", p.Name, len(p.Questions)))
	if err := r.warmUp(ctx, p, spaces); err != nil {
		return report, nil, err
	}
	legs := make([][]RecallResult, len(recallLegs))
	for _, q := range p.Questions {
		name := spaces[q.Space].name
		hints, took, err := r.ask(ctx, name, q.Question, r.withRetired(q))
		if err != nil {
			return report, nil, fmt.Errorf("pack %s, question %s: %w", p.Name, q.ID, err)
		}
		if r.withRetired(q) {
			report.Asked[q.Type]++
		}
		for _, h := range hints {
			if !spaces[q.Space].imported[h.ID] {
				report.Strange++
			}
		}
		results = append(results, RecallResult{ID: q.ID, Hits: recallHits(hints), Latency: milliseconds(took)})
		if !r.Legs {
			continue
		}
		for i, leg := range recallLegs {
			hints, took, err := r.ask(ctx, name, q.Question, r.withRetired(q), leg)
			if err != nil {
				return report, nil, fmt.Errorf("pack %s, question %s, %s leg: %w", p.Name, q.ID, leg, err)
			}
			legs[i] = append(legs[i], RecallResult{ID: q.ID, Hits: recallHits(hints), Latency: milliseconds(took)})
		}
	}
	report.Runs = []RecallRun{p.Score(RunSearch, results), p.Score(RunFloor, p.Floor())}
	if r.Legs {
		for i, leg := range recallLegs {
			report.Runs = append(report.Runs, p.Score(string(leg)+" leg", legs[i]))
		}
	}
	report.Blocks, err = r.blocks(ctx, p, spaces)
	return report, results, err
}

func (r *Recall) withRetired(q PackQuestion) bool { return slices.Contains(r.Retired, q.Type) }

// reach gives the overall ceiling of what was imported, for questions as they are
// asked, and by type the share of evidence that only what was retired leads to,
// where it is not asked for.
func (r *Recall) reach(p *Pack, spaces map[string]scratch) (ceiling float64, short map[string]float64) {
	ceiling = p.ceiling(func(q PackQuestion, id int64) bool {
		s := spaces[q.Space]
		return s.current[id] || r.withRetired(q) && s.retired[id]
	})
	lost, of := make(map[string]float64), make(map[string]float64)
	for _, q := range p.Questions {
		for _, group := range q.groups() {
			of[q.Type]++
			s := spaces[q.Space]
			holds := slices.ContainsFunc(group, func(id int64) bool { return s.current[id] })
			held := slices.ContainsFunc(group, func(id int64) bool { return s.retired[id] })
			if held && !holds && !r.withRetired(q) {
				lost[q.Type]++
			}
		}
	}
	for kind, n := range lost {
		lost[kind] = n / of[kind]
	}
	return ceiling, lost
}

// clear deletes the scratch spaces of a pack.
func (r *Recall) clear(ctx context.Context, p *Pack) error {
	var errs []error
	for _, space := range p.Spaces {
		_, err := r.Store.DeleteSpace(ctx, scratchName(p.Name, space))
		if graph.ErrorCode(err) != graph.CodeNotFound {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// warmUp asks for memories by their own words, so that no question was asked
// before it is timed.
func (r *Recall) warmUp(ctx context.Context, p *Pack, spaces map[string]scratch) error {
	for i := range recallWarmUp {
		space := p.Questions[i%len(p.Questions)].Space
		memories := p.memories[space]
		if _, _, err := r.ask(ctx, spaces[space].name, memories[i%len(memories)].Content, i%2 == 1); err != nil {
			return fmt.Errorf("pack %s: %w", p.Name, err)
		}
	}
	return nil
}

func (r *Recall) ask(ctx context.Context, space, question string, retired bool, legs ...graph.Leg) ([]graph.Hint, time.Duration, error) {
	started := time.Now()
	results, err := r.Store.Search(ctx, graph.SearchRequest{
		Space: space, Queries: []graph.Query{{Memory: question, All: true, Limit: recallLimit}},
		IncludeRetired: retired, Explain: true, // the confidence tells when to abstain
		Legs: legs,
	})
	took := time.Since(started)
	switch {
	case err != nil:
		return nil, 0, err
	case results[0].Err != nil:
		return nil, 0, results[0].Err
	}
	return results[0].Hints, took, nil
}

// recallLegs are the legs that are asked alone.
var recallLegs = []graph.Leg{graph.LegVector, graph.LegText, graph.LegGraph}

// recallHits gives hints as hits; their score is how sure the search is of them.
func recallHits(hints []graph.Hint) []RecallHit {
	out := make([]RecallHit, 0, len(hints))
	for _, h := range hints {
		ids := h.MsgIDs
		if ids == nil {
			ids = []int64{} // the form wants a list
		}
		out = append(out, RecallHit{MsgIDs: ids, Content: h.Memory, Score: h.Explain.Confidence})
	}
	return out
}
