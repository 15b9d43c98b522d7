package graph

import (
	"math"
	"strings"
)

// Parameters of BM25, the usual ones.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// countedSize is as how large a space counts at most: how many memories have a
// word is known of the candidates only, and against a very large space all words
// would seem equally rare.
const countedSize = 1000

// lexicon scores memories by the words of a question. The text index finds the
// memories, but its own scores count how rare a word is over all spaces: there
// the name that a whole space is about would seem rare. So the candidates are
// scored again by how rare each word is among them, and in their space by its
// size.
type lexicon struct {
	asked   map[string]int // place of each word asked for
	rarity  []float64      // of the words asked for
	total   float64        // of all rarities
	average float64        // words in a candidate
	counts  []uint8        // of the words asked for, candidate by candidate
	lengths []int          // words of the candidates
}

// newLexicon reads the words of a question's candidates. named are words of names
// in the question.
func newLexicon(q *question, named map[string]bool) *lexicon {
	words, chars := QueryTerms(q.text)
	words = append(words, chars...)
	l := &lexicon{
		asked: make(map[string]int, len(words)), rarity: make([]float64, len(words)),
		counts: make([]uint8, len(words)*len(q.candidates)), lengths: make([]int, len(q.candidates)),
	}
	for i, w := range words {
		l.asked[w] = i
	}
	total := 0
	for i := range q.candidates {
		l.lengths[i] = l.count(i, q.candidates[i].terms)
		l.count(i, q.candidates[i].chars)
		total += l.lengths[i]
	}
	l.average = max(1, float64(total)/float64(max(1, len(q.candidates))))
	n := float64(max(min(q.size, countedSize), len(q.candidates)))
	for w, at := range l.asked {
		having := 0.0
		for i := at; i < len(l.counts); i += len(words) {
			if l.counts[i] > 0 {
				having++
			}
		}
		l.rarity[at] = math.Log(1 + (n-having+0.5)/(having+0.5))
		if named[w] {
			l.rarity[at] *= nameWords
		}
		l.total += l.rarity[at]
	}
	return l
}

// count counts the words asked for among the terms of the candidate at i, which
// blanks part, and gives the number of all of them.
func (l *lexicon) count(i int, terms string) int {
	counts := l.of(i)
	n := 0
	for terms != "" {
		term := terms
		if end := strings.IndexByte(terms, ' '); end >= 0 {
			term, terms = terms[:end], terms[end+1:]
		} else {
			terms = ""
		}
		n++
		if at, ok := l.asked[term]; ok && counts[at] < math.MaxUint8 {
			counts[at]++
		}
	}
	return n
}

// of gives the counts of the candidate at i.
func (l *lexicon) of(i int) []uint8 { return l.counts[i*len(l.rarity) : (i+1)*len(l.rarity)] }

// nameWords is how much a word counts that is part of a name which the graph
// leg started from: what hangs on that name has its gain from there, and what
// answers over several steps never says it.
const nameWords = 0.25

// namedWords gives the words of the names in a question that the graph leg
// found as entities.
func namedWords(q *question) map[string]bool {
	keys := make(map[string]bool, len(q.spans))
	for _, span := range q.spans {
		keys[span.key] = true
	}
	out := make(map[string]bool)
	seen := make(map[string]bool)
	for i := range q.candidates {
		name := q.candidates[i].named
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		if !keys[EntityKey(name)] {
			continue
		}
		words, _ := QueryTerms(name)
		for _, w := range words {
			out[w] = true
		}
	}
	return out
}

// score gives the BM25 of the candidate at i.
func (l *lexicon) score(i int) float64 {
	sum := 0.0
	norm := bm25K1 * (1 - bm25B + bm25B*float64(l.lengths[i])/l.average)
	for at, n := range l.of(i) {
		if n > 0 {
			tf := float64(n)
			sum += l.rarity[at] * tf * (bm25K1 + 1) / (tf + norm)
		}
	}
	return sum
}

// mean gives the rarity of the words asked for on average: what one of them is
// worth.
func (l *lexicon) mean() float64 { return l.total / float64(max(1, len(l.rarity))) }

// covered gives the share of a question's words that the candidate at i has, by
// their rarity.
func (l *lexicon) covered(i int) float64 {
	sum := 0.0
	for at, n := range l.of(i) {
		if n > 0 {
			sum += l.rarity[at]
		}
	}
	return sum / max(l.total, 1e-9)
}
