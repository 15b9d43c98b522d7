package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"relata/graph"
)

// probe is one thing to measure.
type probe struct {
	name string
	of   string // the probe it is compared with; "" for none
	run  func(ctx context.Context, round int) error
	// parts adds a row for each statement that the store ran, and one for the
	// time outside them.
	parts bool
	// before and after run around each round, untimed; nil for nothing.
	before, after func(ctx context.Context) error
}

// around runs what has to run around a round.
func around(ctx context.Context, fn func(context.Context) error) error {
	if fn == nil {
		return nil
	}
	return fn(ctx)
}

// samples are durations of one thing.
type samples struct {
	times []time.Duration
	wall  time.Duration // how long all of them took together, under concurrency
	parts map[string][]time.Duration
	order []string

	failed  int
	failure error // the last one
}

// note adds a time, or counts a failure: under load some may be refused, and the
// report says how many.
func (s *samples) note(d time.Duration, err error) {
	if err != nil {
		s.failed++
		s.failure = err
		return
	}
	s.add(d)
}

func (s *samples) add(d time.Duration) { s.times = append(s.times, d) }

func (s *samples) part(name string, d time.Duration) {
	if s.parts == nil {
		s.parts = make(map[string][]time.Duration)
	}
	if _, ok := s.parts[name]; !ok {
		s.order = append(s.order, name)
	}
	s.parts[name] = append(s.parts[name], d)
}

// percentile gives the smallest of sorted times that a share of all is not above.
func percentile(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	at := int(share*float64(len(sorted))+0.9999) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

// warmUp is the share of rounds that are run before, untimed: the server compiles
// what it runs often.
const warmUp = 0.3

// alternate measures the probes by turns, each once a round, so that what else
// the machine does meets all of them alike. The order turns from round to round.
func (b *Bench) alternate(ctx context.Context, rounds int, probes []probe) ([]Row, error) {
	all := make([]samples, len(probes))
	for round := -int(warmUp*float64(rounds)) - 1; round < rounds; round++ {
		for i := range probes {
			at := (i + max(round, 0)) % len(probes)
			p := probes[at]
			number := round
			if round < 0 {
				number = rounds - round // questions that the timed rounds do not ask
			}
			calls := &recorder{}
			within := ctx
			if p.parts {
				within = calls.within(ctx)
			}
			if err := around(ctx, p.before); err != nil {
				return nil, err
			}
			started := time.Now()
			if err := p.run(within, number); err != nil {
				return nil, calls.blame(p.name, err)
			}
			took := time.Since(started)
			if round >= 0 {
				all[at].add(took)
				calls.into(&all[at], took)
			}
			if err := around(ctx, p.after); err != nil {
				return nil, err
			}
		}
	}
	return rows(probes, all), nil
}

// together measures the probes by turns in short blocks of time, in each of which
// a number of workers runs the probe as often as it can.
func (b *Bench) together(ctx context.Context, workers int, probes []probe) ([]Row, error) {
	const blocks = 3
	all := make([]samples, len(probes))
	block := time.Duration(b.seconds / blocks * float64(time.Second))
	var mu sync.Mutex
	next := make([]int, len(probes))
	for turn := -1; turn < blocks; turn++ {
		for i := range probes {
			at := (i + max(turn, 0)) % len(probes)
			started := time.Now()
			group, ctx := errgroup.WithContext(ctx)
			for range workers {
				group.Go(func() error {
					for time.Since(started) < block {
						mu.Lock()
						number := next[at]
						next[at]++
						mu.Unlock()
						began := time.Now()
						err := probes[at].run(ctx, number)
						if ctx.Err() != nil {
							return ctx.Err()
						}
						mu.Lock()
						if turn >= 0 {
							all[at].note(time.Since(began), err)
						}
						mu.Unlock()
					}
					return nil
				})
			}
			if err := group.Wait(); err != nil {
				return nil, err
			}
			if turn >= 0 {
				all[at].wall += time.Since(started)
			}
		}
	}
	return rows(probes, all), nil
}

// rows turns samples into rows of a table.
func rows(probes []probe, all []samples) []Row {
	var out []Row
	p50 := make(map[string]float64)
	for i, p := range probes {
		r := row(p.name, all[i].times)
		p50[p.name] = r.P50
		r.Of = p.of
		if all[i].failed > 0 {
			r.Note = fmt.Sprintf("%d failed: %v", all[i].failed, all[i].failure)
		}
		if all[i].wall > 0 {
			r.PerSecond = float64(r.Count) / all[i].wall.Seconds()
		}
		out = append(out, r)
		for _, name := range all[i].order {
			part := row(name, all[i].parts[name])
			part.Part = true
			out = append(out, part)
		}
	}
	for i, r := range out {
		if base := p50[r.Of]; r.Of != "" && base > 0 {
			out[i].Ratio = r.P50 / base
		}
	}
	return out
}

func row(name string, times []time.Duration) Row {
	slices.Sort(times)
	return Row{
		Name: name, Count: len(times),
		P50: milliseconds(percentile(times, 0.5)), P95: milliseconds(percentile(times, 0.95)),
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// recorder keeps the statements of one run.
type recorder struct {
	mu    sync.Mutex
	calls []graph.Call
}

func (r *recorder) add(c graph.Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, c)
}

type recorderKey struct{}

// within gives a context under which the statements of the store, and those that
// replay runs, are recorded.
func (r *recorder) within(ctx context.Context) context.Context {
	return graph.WithTrace(context.WithValue(ctx, recorderKey{}, r), r.add)
}

// blame says during what an error came, and which statement took longest.
func (r *recorder) blame(name string, err error) error {
	if len(r.calls) == 0 {
		return fmt.Errorf("%s: %w", name, err)
	}
	slowest := slices.MaxFunc(r.calls, func(a, b graph.Call) int {
		return cmp.Compare(a.End.Sub(a.Start), b.End.Sub(b.Start))
	})
	return fmt.Errorf("%s (its slowest statement was %s, %s): %w", name, slowest.Statement,
		slowest.End.Sub(slowest.Start).Round(time.Millisecond), err)
}

// into adds the time of each statement, all its runs together, and what of the
// whole was outside every statement: Go, and what a transaction costs.
func (r *recorder) into(s *samples, whole time.Duration) {
	if len(r.calls) == 0 {
		return
	}
	slices.SortFunc(r.calls, func(a, b graph.Call) int { return a.Start.Compare(b.Start) })
	sums := make(map[string]time.Duration)
	var order []string
	var covered time.Duration
	var until time.Time
	for _, c := range r.calls {
		if _, ok := sums[c.Statement]; !ok {
			order = append(order, c.Statement)
		}
		sums[c.Statement] += c.End.Sub(c.Start)
		if from := later(c.Start, until); c.End.After(from) {
			covered += c.End.Sub(from)
			until = c.End
		}
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Compare(a, b) })
	for _, name := range order {
		s.part(name, sums[name])
	}
	s.part("outside statements", whole-covered)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
