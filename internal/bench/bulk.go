package bench

import (
	"context"
	"errors"
	"fmt"

	"relata/graph"
)

const (
	bareNodes = "bare nodes with vectors"
	bulkApply = "memories with all that belongs to them"
)

// Import loads the world, then measures batches beside the bare creation of as
// many nodes with vectors.
func (b *Bench) Import(ctx context.Context) (tables []Table, err error) {
	loading, err := b.Load(ctx, b.World)
	if err != nil {
		return nil, err
	}
	space := Space{Name: fmt.Sprintf("%s%d-import", Prefix, b.World.Seed), number: writingNumber}
	if err := b.erase(ctx, space); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.erase(context.WithoutCancel(ctx), space)) }()
	if err := b.settle(ctx, b.World, space); err != nil {
		return nil, err
	}
	size := min(loadBatch, b.World.Memories/10)
	next := 0
	items := func() []Item {
		out := make([]Item, size)
		for i := range out {
			out[i] = b.World.Item(space, next+i)
		}
		next += size
		return out
	}
	var batch []Item
	prepare := func(context.Context) error { batch = items(); return nil }
	b.say("importing in batches of %d", size)
	rows, err := b.alternate(ctx, max(b.rounds/10, 1), []probe{
		{name: bareNodes, before: prepare, run: func(ctx context.Context, _ int) error { return b.writeBare(ctx, space, batch) }},
		{name: bulkApply, of: bareNodes, before: prepare, parts: true, run: func(ctx context.Context, _ int) error {
			return b.write(ctx, space, batch)
		}},
	})
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		if !r.Part {
			rows[i].PerSecond = float64(size) / r.P50 * 1000
		}
	}
	return []Table{loading.Table(), {Title: fmt.Sprintf("import, batches of %d, one writer", size), Rows: rows}}, nil
}

func (b *Bench) writeBare(ctx context.Context, space Space, items []Item) error {
	first, err := b.store.NewIDs(ctx, len(items))
	if err != nil {
		return err
	}
	rows := make([]map[string]any, len(items))
	for i, it := range items {
		rows[i] = map[string]any{"id": first + int64(i), "content": it.Memory.Content, "vector": float64s(it.Vector)}
	}
	return b.replay(ctx, []graph.Call{{
		Statement: "bare_nodes", Text: statement("bare_nodes"), Params: map[string]any{"space": space.Name, "rows": rows},
	}})
}
