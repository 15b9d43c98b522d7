package bench

import (
	"context"
	"fmt"
	"time"

	"relata/extractor"
	"relata/relations"
)

// promptSizes are how many memories a space knows when a batch comes in.
var promptSizes = []int{10, 30, 100, 300, 1000, 3000, 10_000}

const (
	// promptTurns is how many messages the batch has.
	promptTurns = 20
	// promptBatches is over how many batches the figures are a mean.
	promptBatches = 5
)

// Prompts counts what the diff step is shown, in tokens as the extractor
// estimates them, while one space grows: it levels off at the budget for what is
// known.
func (b *Bench) Prompts(ctx context.Context) ([]Table, error) {
	w := *b.World
	e, err := extractor.New(extractor.Options{Store: b.store, Relations: b.service})
	if err != nil {
		return nil, err
	}
	t := Table{Title: fmt.Sprintf("prompt of the diff step for %d messages, mean of %d batches", promptTurns, promptBatches)}
	for _, n := range promptSizes {
		if n > b.World.Memories {
			break
		}
		w.Memories, w.sizes = n, []int{n}
		if _, err := b.Load(ctx, &w); err != nil {
			return nil, err
		}
		b.say("asking for prompts at %d memories", n)
		row, err := promptRow(ctx, e, &w)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, row)
	}
	return []Table{t}, nil
}

func promptRow(ctx context.Context, e *extractor.Extractor, w *World) (Row, error) {
	space := w.Spaces()[0]
	system, user, chats := 0, 0, 0
	for i := range promptBatches {
		batch := extractor.Batch{Space: space.Name, Session: fmt.Sprintf("prompt-%d", i)}
		for k := range promptTurns {
			it := w.Item(space, (i*promptTurns+k)*7%space.Size)
			id := int64(1_000_000_000 + i*promptTurns + k)
			batch.Chats = append(batch.Chats, extractor.Chat{
				ID: &id, Date: relations.FormatDate(it.Source.Date, time.UTC), Role: "user", Speaker: it.Source.Speaker, Content: it.Source.Content,
			})
			w.Embedder.learn(it.Source.Content, it.Vector)
			chats += extractor.EstimateTokens(it.Source.Content)
		}
		req, err := e.Prompt(ctx, batch)
		if err != nil {
			return Row{}, err
		}
		system += extractor.EstimateTokens(req.System)
		user += extractor.EstimateTokens(req.User)
	}
	return Row{
		Name: fmt.Sprintf("%d memories known", w.Memories), Count: promptBatches,
		Note: fmt.Sprintf("%d tokens: %d instructions, %d relations, memories and messages, of which the messages' own words %d",
			(system+user)/promptBatches, system/promptBatches, user/promptBatches, chats/promptBatches),
	}, nil
}
