package bench

import (
	"context"
	"fmt"
	"slices"

	"relata/extractor"
	"relata/graph"
)

// BlockFigures says how much of the evidence stands in context blocks of a
// budget, over questions with an answer.
type BlockFigures struct {
	Budget   int     `json:"budget"`   // tokens
	Covered  float64 `json:"covered"`  // share of the evidence, mean over questions
	Tokens   float64 `json:"tokens"`   // that the blocks took, mean
	Memories float64 `json:"memories"` // in a block, mean
}

// blocks asks for a block for each question, in each budget.
func (r *Recall) blocks(ctx context.Context, p *Pack, spaces map[string]scratch) ([]BlockFigures, error) {
	var out []BlockFigures
	for _, budget := range r.Blocks {
		r.Progress(fmt.Sprintf("%s: context blocks of %d tokens", p.Name, budget))
		f, asked := BlockFigures{Budget: budget}, 0.0
		for _, q := range p.Questions {
			groups := q.groups()
			if q.Abstain || len(groups) == 0 {
				continue
			}
			s := spaces[q.Space]
			block, err := extractor.ContextBlock(ctx, r.Store, extractor.BlockRequest{Space: s.name, Queries: []string{q.Question}, MaxTokens: budget})
			if err != nil {
				return nil, fmt.Errorf("pack %s, question %s: %w", p.Name, q.ID, err)
			}
			asked++
			f.Covered += covered(groups, block.Memories, s.led)
			f.Tokens += float64(block.Tokens)
			f.Memories += float64(len(block.Memories))
		}
		if asked > 0 {
			f.Covered, f.Tokens, f.Memories = f.Covered/asked, f.Tokens/asked, f.Memories/asked
		}
		out = append(out, f)
	}
	return out, nil
}

// covered gives the share of the groups of which a memory leads to a message.
func covered(groups [][]int64, memories []graph.MemoryID, led map[graph.MemoryID][]int64) float64 {
	n := 0
	for _, group := range groups {
		if slices.ContainsFunc(memories, func(id graph.MemoryID) bool {
			return slices.ContainsFunc(led[id], func(message int64) bool { return slices.Contains(group, message) })
		}) {
			n++
		}
	}
	return float64(n) / float64(len(groups))
}
