package bench

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"relata/graph"
)

// Parameters of the floor's BM25.
const (
	floorK1 = 1.2
	floorB  = 0.75
)

// Floor answers the questions by BM25 over the contents of the memories of each
// space, in this process: what a search has to be better than. Words count as
// they are written, without stems or a list of common ones. Ties keep the order
// of the pack.
func (p *Pack) Floor() []RecallResult {
	indexes := make(map[string]*floorIndex, len(p.memories))
	for space, memories := range p.memories {
		indexes[space] = newFloorIndex(memories)
	}
	out := make([]RecallResult, 0, len(p.Questions))
	for _, q := range p.Questions {
		started := time.Now()
		hits := indexes[q.Space].search(q.Question)
		out = append(out, RecallResult{ID: q.ID, Hits: hits, Latency: milliseconds(time.Since(started))})
	}
	return out
}

type floorIndex struct {
	memories []graph.MemoryLine
	postings map[string][]posting
	norms    []float64
}

type posting struct {
	memory int
	count  float64
}

func newFloorIndex(memories []graph.MemoryLine) *floorIndex {
	x := &floorIndex{memories: memories, postings: make(map[string][]posting), norms: make([]float64, len(memories))}
	total := 0.0
	for i, m := range memories {
		_, counts := floorCounts(m.Content)
		for token, n := range counts {
			x.postings[token] = append(x.postings[token], posting{i, n})
			x.norms[i] += n
			total += n
		}
	}
	mean := max(1, total) / float64(max(1, len(memories)))
	for i, length := range x.norms {
		x.norms[i] = floorK1 * (1 - floorB + floorB*length/mean)
	}
	return x
}

// search gives the best memories that share a word with the question.
func (x *floorIndex) search(question string) []RecallHit {
	scores := make(map[int]float64)
	tokens, times := floorCounts(question)
	for _, token := range tokens {
		list := x.postings[token]
		n := float64(len(list))
		rarity := math.Log(1 + (float64(len(x.memories))-n+0.5)/(n+0.5))
		for _, p := range list {
			scores[p.memory] += times[token] * rarity * p.count * (floorK1 + 1) / (p.count + x.norms[p.memory])
		}
	}
	found := make([]int, 0, len(scores))
	for i := range scores {
		found = append(found, i)
	}
	slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), a-b) })
	hits := make([]RecallHit, 0, recallLimit)
	for _, i := range found[:min(recallLimit, len(found))] {
		m := x.memories[i]
		hits = append(hits, RecallHit{MsgIDs: m.MsgIDs, Content: m.Content, Score: scores[i]})
	}
	return hits
}

// floorCounts counts the tokens of a text; order has each once, as they come.
func floorCounts(text string) (order []string, counts map[string]float64) {
	counts = make(map[string]float64)
	for _, t := range floorTokens(text) {
		if counts[t] == 0 {
			order = append(order, t)
		}
		counts[t]++
	}
	return order, counts
}

// floorTokens gives the words of a text and the pairs of neighbours in its runs of
// Han characters, after NFKC and lower case. A Han character alone is a token.
func floorTokens(text string) []string {
	var out []string
	var run []rune
	flush := func() {
		switch {
		case len(run) == 0:
		case len(run) == 1 || !floorHan(run[0]):
			out = append(out, string(run))
		default:
			for i := range len(run) - 1 {
				out = append(out, string(run[i:i+2]))
			}
		}
		run = run[:0]
	}
	for _, r := range strings.ToLower(norm.NFKC.String(text)) {
		word := unicode.IsLetter(r) || unicode.IsNumber(r)
		if !word || len(run) > 0 && floorHan(r) != floorHan(run[0]) {
			flush()
		}
		if word {
			run = append(run, r)
		}
	}
	flush()
	return out
}

// floorHan has the two blocks that the packs' own floor takes for Han.
func floorHan(r rune) bool {
	return r >= 0x3400 && r <= 0x4dbf || r >= 0x4e00 && r <= 0x9fff
}
