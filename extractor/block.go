package extractor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"relata/graph"
)

const (
	// DefaultBlockTokens is the budget of a context block that names none,
	// MaxBlockTokens the largest.
	DefaultBlockTokens, MaxBlockTokens = 800, 16_000
	// blockTurns is how many of the newest turns are asked by themselves; each
	// counts a fifth less than the one after it.
	blockTurns, blockFade = 4, 0.8
	// blockWhole is the weight of the question that all these turns make together:
	// what "it" and "there" stand for is often a turn before.
	blockWhole = 0.9
	// blockFilled is how many tokens the memories that one question brings fill; a
	// budget of more is filled by asking the first one in each category, too, whose
	// answers count blockMore.
	blockFilled, blockMore = 1000, 0.3
	// blockRepeats is what a memory loses at most for saying with the same words
	// what a chosen one says already.
	blockRepeats = 0.5
)

// Searcher answers questions. Implemented by *graph.Store.
type Searcher interface {
	Space(ctx context.Context, name string) (graph.Space, error)
	Search(ctx context.Context, r graph.SearchRequest) ([]graph.Result, error)
}

// BlockRequest asks for a block of memories to paste into a prompt.
type BlockRequest struct {
	Space     string
	Turns     []Chat   // the newest turns of a conversation, oldest first
	Queries   []string // or questions
	AsPersona string
	Beliefs   bool   // with AsPersona: also what changed without it, as it last knew it
	MaxTokens int    // 0 for [DefaultBlockTokens]
	Language  string // "zh" or "en"; "" for the space's, else that of what is asked
	Sources   bool   // name the messages each memory came from
}

// Block is a text of at most the tokens asked for, with the memories it holds in
// its order.
type Block struct {
	Text     string
	Memories []graph.MemoryID
	Tokens   int // as [EstimateTokens] counts
}

// ContextBlock makes a block of what is known that has to do with the newest
// turns: the memories that answer them best, without saying a thing twice, what
// holds before what no longer does, each with its date. Errors: CodeInvalid for
// a request that asks nothing, those of the search.
func ContextBlock(ctx context.Context, s Searcher, r BlockRequest) (Block, error) {
	space, err := s.Space(ctx, r.Space)
	if err != nil {
		return Block{}, err
	}
	asked, spoken, err := r.questions()
	if err != nil {
		return Block{}, err
	}
	req := graph.SearchRequest{Space: r.Space, AsPersona: r.AsPersona, Beliefs: r.Beliefs, Explain: true}
	if cmp.Or(r.MaxTokens, DefaultBlockTokens) > blockFilled*len(asked) {
		first := asked[0]
		for _, index0 := range []string{graph.Event, graph.Profile, graph.Knowledge, graph.Method} {
			asked = append(asked, weighted{first.text, blockMore * first.weight, index0})
		}
	}
	for _, q := range asked {
		req.Queries = append(req.Queries, graph.Query{Memory: q.text, Index0: q.index0, All: q.index0 == "", Limit: 50})
	}
	results, err := s.Search(ctx, req)
	if err != nil {
		return Block{}, err
	}
	lang := cmp.Or(r.Language, space.Language, spoken.dominant())
	w := blockWriter{lang: lang, loc: space.Location(), sources: r.Sources, budget: cmp.Or(r.MaxTokens, DefaultBlockTokens)}
	return w.block(choose(results, asked)), nil
}

// weighted is a question and how much its answers count.
type weighted struct {
	text   string
	weight float64
	index0 string // of what it is asked; "" for everything
}

func (r *BlockRequest) questions() ([]weighted, script, error) {
	var out []weighted
	var spoken script
	switch {
	case r.MaxTokens < 0 || r.MaxTokens > MaxBlockTokens:
		return nil, spoken, &graph.Error{Code: graph.CodeInvalid, Message: "the budget is out of range", Fields: []graph.Field{{Name: "max_tokens", Message: fmt.Sprintf("must be between 1 and %d", MaxBlockTokens)}}}
	case r.Language != "" && r.Language != langZH && r.Language != langEN:
		return nil, spoken, &graph.Error{Code: graph.CodeInvalid, Message: "the language is unknown", Fields: []graph.Field{{Name: "language", Message: "must be zh or en"}}}
	}
	for _, q := range r.Queries {
		if !isBlank(q) {
			spoken.add(q)
			out = append(out, weighted{text: q, weight: 1})
		}
	}
	var turns []string
	for _, c := range r.Turns {
		if c.Role != "tool" && !isBlank(c.Content) {
			spoken.add(c.Content)
			turns = append(turns, cut(c.Content, longestText))
		}
	}
	turns = turns[max(0, len(turns)-blockTurns):]
	weight := 1.0
	for _, turn := range slices.Backward(turns) {
		out = append(out, weighted{text: turn, weight: weight})
		weight *= blockFade
	}
	if len(turns) > 1 {
		out = append(out, weighted{text: strings.Join(turns, "\n"), weight: blockWhole})
	}
	if len(out) == 0 {
		return nil, spoken, &graph.Error{Code: graph.CodeInvalid, Message: "nothing is asked", Fields: []graph.Field{{Name: "messages", Message: "must hold a turn that says something, where there are no queries"}}}
	}
	return out[:min(len(out), 50)], spoken, nil
}

// chosen is a memory that may go into a block.
type chosen struct {
	graph.Hint
	score float64
	words words
}

// choose orders what the questions found, best first, so that each further one
// adds something.
func choose(results []graph.Result, asked []weighted) []chosen {
	best := make(map[graph.MemoryID]*chosen)
	var all []*chosen
	for i, r := range results {
		for _, h := range r.Hints {
			score := asked[i].weight * h.Explain.Score
			c, ok := best[h.ID]
			if !ok {
				c = &chosen{Hint: h, words: wordSet([]string{h.Memory})}
				best[h.ID] = c
				all = append(all, c)
			}
			c.score = max(c.score, score)
		}
	}
	slices.SortStableFunc(all, func(a, b *chosen) int { return cmp.Compare(b.score, a.score) })
	out := make([]chosen, 0, len(all))
	said := map[bool]words{false: {}, true: {}} // by what holds and what does not
	for len(all) > 0 {
		top, gain := 0, -1.0
		for i, c := range all[:min(len(all), 30)] { // those further down cannot come first
			if g := c.score * (1 - blockRepeats*c.words.within(said[c.Outdated])); g > gain {
				top, gain = i, g
			}
		}
		c := all[top]
		all = slices.Delete(all, top, top+1)
		for w := range c.words {
			said[c.Outdated][w] = true
		}
		out = append(out, *c)
	}
	return out
}

// within gives the share of the words that another set has.
func (w words) within(other words) float64 {
	if len(w) == 0 {
		return 0
	}
	n := 0
	for x := range w {
		if other[x] {
			n++
		}
	}
	return float64(n) / float64(len(w))
}

// blockWriter renders a block within a budget.
type blockWriter struct {
	lang    string
	loc     *time.Location
	sources bool
	budget  int
}

var blockHeads = map[string][2]string{
	langZH: {"记得的事：", "从前如此，现在已不成立："},
	langEN: {"What is remembered:", "What held before and no longer does:"},
}

// block takes memories as long as they fit.
func (w blockWriter) block(list []chosen) Block {
	heads := blockHeads[w.lang]
	var lines [2][]string
	var ids [2][]graph.MemoryID
	tokens := 0
	for _, c := range list {
		at := 0
		if c.Outdated {
			at = 1
		}
		line := w.line(c)
		cost := EstimateTokens(line + "\n")
		if len(lines[at]) == 0 {
			cost += EstimateTokens(heads[at] + "\n")
		}
		if tokens+cost > w.budget {
			continue // a shorter one may still fit
		}
		tokens += cost
		lines[at] = append(lines[at], line)
		ids[at] = append(ids[at], c.ID)
	}
	var b strings.Builder
	for i, part := range lines {
		if len(part) > 0 {
			fmt.Fprintf(&b, "%s\n%s\n", heads[i], strings.Join(part, "\n"))
		}
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return Block{Text: text, Memories: append(ids[0], ids[1]...), Tokens: EstimateTokens(text)}
}

func (w blockWriter) line(c chosen) string {
	line := "- "
	if !c.CreatedAt.IsZero() {
		line += c.CreatedAt.In(w.loc).Format(time.DateOnly) + " "
	}
	line += oneLine(c.Memory)
	if w.sources && len(c.MsgIDs) > 0 {
		line += " [" + strings.ReplaceAll(strings.Trim(fmt.Sprint(c.MsgIDs), "[]"), " ", ",") + "]"
	}
	return line
}
