package graph

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
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
	asked   map[string]bool
	rarity  map[string]float64
	average float64 // words in a candidate
	counts  []map[string]int
	lengths []int
	// initials are the first bytes of the words asked for: a word that begins
	// with another is none of them and need not be stemmed.
	initials [256]bool
}

// newLexicon reads the candidates' words. size is how many memories the space
// holds.
func newLexicon(question string, candidates []candidate, size int) *lexicon {
	words, chars := QueryTerms(question)
	l := &lexicon{
		asked: make(map[string]bool, len(words)+len(chars)), rarity: make(map[string]float64),
		counts: make([]map[string]int, len(candidates)), lengths: make([]int, len(candidates)),
	}
	for _, w := range append(words, chars...) {
		l.asked[w] = true
	}
	for w := range l.asked {
		l.initials[w[0]] = true
	}
	having := make(map[string]int)
	total := 0
	for i, c := range candidates {
		l.counts[i], l.lengths[i] = l.count(searchText(c.content, c.subject, c.object, c.title, c.tags))
		for w := range l.counts[i] {
			having[w]++
		}
		total += l.lengths[i]
	}
	l.average = max(1, float64(total)/float64(max(1, len(candidates))))
	n := float64(max(min(size, countedSize), len(candidates)))
	named := namedWords(question, candidates)
	for w, h := range having {
		l.rarity[w] = math.Log(1 + (n-float64(h)+0.5)/(float64(h)+0.5))
		if named[w] {
			l.rarity[w] *= nameWords
		}
	}
	return l
}

// count counts the asked words in a text, cut as [Terms] cuts it, and gives the
// number of all its words.
func (l *lexicon) count(text string) (counts map[string]int, length int) {
	counts = make(map[string]int)
	add := func(term string) {
		if l.asked[term] {
			counts[term]++
		}
	}
	cut(Fold(text), func(run string, ideographic bool) {
		if !ideographic {
			whole, parts := pieces(run)
			if whole != "" {
				length++
				add(whole)
			}
			for _, p := range parts {
				length++
				if l.initials[p[0]] {
					add(english.Stem(p, true))
				}
			}
			return
		}
		before := -1
		for i, r := range run {
			end := i + utf8.RuneLen(r)
			add(run[i:end])
			if before >= 0 {
				length++
				add(run[before:end])
			}
			before = i
		}
	})
	return counts, length
}

// nameWords is how much a word counts that is part of a name which the graph
// leg started from: what hangs on that name has its gain from there, and what
// answers over several steps never says it.
const nameWords = 0.25

// namedWords gives the words of the names in a question that the graph leg
// found as entities.
func namedWords(question string, candidates []candidate) map[string]bool {
	keys := make(map[string]bool)
	for _, span := range nameSpans(question) {
		keys[span.key] = true
	}
	out := make(map[string]bool)
	seen := make(map[string]bool)
	for _, c := range candidates {
		if !slices.ContainsFunc(c.ways, func(w way) bool { return w.hops == 1 }) {
			continue
		}
		for _, name := range []string{c.subject, c.object} {
			if seen[name] {
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
	}
	return out
}

// score gives the BM25 of the candidate at i.
func (l *lexicon) score(i int) float64 {
	sum := 0.0
	norm := bm25K1 * (1 - bm25B + bm25B*float64(l.lengths[i])/l.average)
	for w, n := range l.counts[i] {
		tf := float64(n)
		sum += l.rarity[w] * tf * (bm25K1 + 1) / (tf + norm)
	}
	return sum
}
