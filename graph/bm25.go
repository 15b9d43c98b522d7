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

// weightHeard is how much a word counts that stands in a message which a memory
// was read from, against one of its own.
const weightHeard = 0.4

// lexicon scores memories by the words of a question. The text index finds the
// memories, but its own scores count how rare a word is over all spaces: there
// the name that a whole space is about would seem rare. So the candidates are
// scored again by how rare each word is among them, and in their space by its
// size. The words of a memory and of its messages are two fields of one text
// (BM25F), each by its own length.
type lexicon struct {
	asked      map[string]int // place of each word asked for
	rarity     []float64      // of the words asked for
	total      float64        // of all rarities
	own, heard field          // what candidates say, and what was said where they come from
}

// newLexicon reads the words of a question's candidates. named are words of names
// in the question.
func newLexicon(q *question, named map[string]bool) *lexicon {
	words, chars := QueryTerms(q.text)
	words = append(words, chars...)
	l := &lexicon{
		asked: make(map[string]int, len(words)), rarity: make([]float64, len(words)),
		own: newField(len(words), len(q.candidates)), heard: newField(len(words), len(q.candidates)),
	}
	for i, w := range words {
		l.asked[w] = i
	}
	for i := range q.candidates {
		c := &q.candidates[i]
		l.own.lengths[i] = l.count(l.own.of(i), c.terms)
		l.count(l.own.of(i), c.chars)
		l.heard.lengths[i] = l.count(l.heard.of(i), c.heard)
	}
	l.own.measure()
	l.heard.measure()
	n := float64(max(min(q.size, countedSize), len(q.candidates)))
	for w, at := range l.asked {
		having := 0.0
		for i := at; i < len(l.own.counts); i += len(words) {
			if l.own.counts[i]+l.heard.counts[i] > 0 {
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

// count counts the words asked for among terms, which blanks part, and gives the
// number of all of them.
func (l *lexicon) count(counts []uint8, terms string) int {
	n := 0
	for terms != "" {
		term := terms
		if end := strings.IndexByte(terms, ' '); end >= 0 {
			term, terms = terms[:end], terms[end+1:]
		} else {
			terms = ""
		}
		if term == "" {
			continue
		}
		n++
		if at, ok := l.asked[term]; ok && counts[at] < math.MaxUint8/2 {
			counts[at]++
		}
	}
	return n
}

// score gives the BM25 of the candidate at i.
func (l *lexicon) score(i int) float64 {
	sum := 0.0
	own, heard := l.own.of(i), l.heard.of(i)
	ownNorm, heardNorm := l.own.norm(i), l.heard.norm(i)
	for at := range l.rarity {
		if tf := float64(own[at])/ownNorm + weightHeard*float64(heard[at])/heardNorm; tf > 0 {
			sum += l.rarity[at] * tf * (bm25K1 + 1) / (tf + bm25K1)
		}
	}
	return sum
}

// mean gives the rarity of the words asked for on average: what one of them is
// worth.
func (l *lexicon) mean() float64 { return l.total / float64(max(1, len(l.rarity))) }

// covered gives the share of a question's words that the candidate at i, or what
// was said where it comes from, has, by their rarity.
func (l *lexicon) covered(i int) float64 {
	sum := 0.0
	own, heard := l.own.of(i), l.heard.of(i)
	for at, rarity := range l.rarity {
		if own[at]+heard[at] > 0 {
			sum += rarity
		}
	}
	return sum / max(l.total, 1e-9)
}

// field is one of the texts of all candidates.
type field struct {
	words   int     // asked for
	counts  []uint8 // of the words asked for, candidate by candidate
	lengths []int   // words of each candidate, 0 where it has no such text
	average float64 // of those that have it
}

func newField(words, candidates int) field {
	return field{words: words, counts: make([]uint8, words*candidates), lengths: make([]int, candidates)}
}

// of gives the counts of the candidate at i.
func (f *field) of(i int) []uint8 { return f.counts[i*f.words : (i+1)*f.words] }

// measure fills in the average.
func (f *field) measure() {
	total, having := 0, 0
	for _, n := range f.lengths {
		if n > 0 {
			total, having = total+n, having+1
		}
	}
	f.average = max(1, float64(total)/float64(max(1, having)))
}

// norm is by how much a word of the candidate at i counts less for its length.
func (f *field) norm(i int) float64 {
	return 1 - bm25B + bm25B*float64(f.lengths[i])/f.average
}

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
