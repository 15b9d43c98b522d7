package bench

import (
	"context"
	"errors"
	"fmt"
)

// Scale measures while the world grows in place: at 1,000 memories, 3,000, 10,000
// and so on up to its size.
func (b *Bench) Scale(ctx context.Context) ([]Table, error) {
	var tables []Table
	for _, n := range steps(b.World.Memories, 20*b.World.WorldOptions.Spaces) {
		w := *b.World
		w.Memories, w.sizes = n, sizes(n, w.WorldOptions.Spaces)
		loading, err := b.Load(ctx, &w)
		if err != nil {
			return nil, err
		}
		b.say("measuring at %d memories", n)
		rows, err := b.atSize(ctx, &w)
		if err != nil {
			return nil, err
		}
		tables = append(tables, Table{
			Title: fmt.Sprintf("at %d memories, %d in the largest space", n, w.sizes[0]), Rows: rows,
			Notes: []string{fmt.Sprintf("the last %d were loaded at %.0f a second", loading.Loaded, loading.PerSecond())},
		})
	}
	return tables, nil
}

// steps gives 1,000, 3,000, 10,000, … from least to most, and most itself.
func steps(most, least int) []int {
	var out []int
	for n := 1000; n < most; n *= 10 {
		for _, k := range []int{n, 3 * n} {
			if k >= least && k < most {
				out = append(out, k)
			}
		}
	}
	return append(out, most)
}

func (b *Bench) atSize(ctx context.Context, w *World) (rows []Row, err error) {
	large := w.Spaces()[0]
	whole := b.searchProbe(large, wholeSearch, bareVector, b.store, 1, "")
	whole.parts = true
	rows, err = b.alternate(ctx, b.rounds, []probe{
		b.bareProbe(large), whole,
		b.searchProbe(large, "ten questions in a call", wholeSearch, b.store, tenQuestions, ""),
	})
	if err != nil {
		return nil, err
	}
	space, clock, err := b.writingSpace(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.erase(context.WithoutCancel(ctx), space)) }()
	writer, err := b.newWriter(ctx, space, clock)
	if err != nil {
		return nil, err
	}
	applied, err := b.applyAlone(ctx, writer, writersItems)
	return append(rows, applied...), err
}
