package graph

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Weights of the legs. Scores of each leg are first scaled to 0–1 within the
// question; dense and words then add to 1, and the graph comes on top.
const (
	// weightVector and weightText: convex fusion, measured better than fusing by
	// rank on every set (shared measurements of the embedder, §6).
	weightVector = 0.6
	weightText   = 0.4
	// weightGraph is what a memory gains at most by the way over the graph that
	// leads to it.
	weightGraph = 0.3
	// weightRelation is what a memory gains whose relation the question asks
	// for: with a way to it from what the question names, and without.
	weightRelation     = 0.8
	weightRelationOnly = 0.1
	// rareRelation is how many candidates may have a relation for it to count in
	// full: one that many have tells them apart little.
	rareRelation = 4
	// standOut is what a memory gains, of a whole way, because those before it are
	// much nearer to the question than all others: what is asked for then hangs on
	// them, whatever it says itself.
	standOut = 0.5
	// weightDate is what a memory gains of a time that the question speaks of.
	weightDate = 0.2
)

// hopWeight is by how much a way counts by its length: what stands one step
// from a named entity is found by words and vector anyway.
var hopWeight = [...]float64{0, 0.7, 1, 1}

// A question in few words asks for one thing, and the graph helps; a pasted
// conversation names much in passing, and it misleads (measured on madial).
const (
	shortQuestion = 30.0 // words or Han characters: the graph counts in full
	longQuestion  = 60.0 // not at all
)

// spareHints is how many candidates are ranked beyond the limit, for those that
// prove to say the same as another.
const spareHints = 5

// rank fuses the legs of a question and gives its best candidates in order, some
// more than its limit.
func rank(q *question) []candidate {
	scale := newScale(q.candidates)
	named := namedWords(q)
	asked := scriptOf(q.unnamed(named))
	pointed := pointedness(q.text)
	lexicon := newLexicon(q, named)
	// The best scores 1, but not where it has less than one word of the question:
	// a name alone is little.
	words, most := make([]float64, len(q.candidates)), max(1e-9, lexicon.mean())
	relations := make(map[MemoryID]string, len(q.candidates))
	q.relations = telling(q.relations, q.candidates)
	for i, c := range q.candidates {
		words[i] = lexicon.score(i)
		most = max(most, words[i])
		relations[c.id] = c.relation
	}
	for i := range q.candidates {
		c := &q.candidates[i]
		same := asked.shares(scriptOf(c.terms))
		vector, text := weightVector, weightText
		switch {
		case !c.hasCosine || !q.legs.vector:
			vector = 0
		case !same || !q.legs.text:
			// Words cannot match across scripts: the vector decides alone.
			vector, text = weightVector+weightText, 0
		}
		if !q.legs.text {
			text = 0
		}
		if c.hasCosine {
			c.vectorScore = scale.vector(c.cosine)
		}
		c.textScore = words[i] / most
		c.score = vector*c.vectorScore + text*c.textScore
		c.confidence = confidence(c, lexicon.covered(i))
		for _, w := range c.ways {
			if g := q.way(w, c, scale, relations); g > c.graphScore {
				c.graphScore, c.path = g, w.path
			}
		}
		if q.legs.graph {
			relation := weightRelationOnly
			if len(c.ways) > 0 {
				relation = weightRelation
			}
			c.score += pointed * (weightGraph*c.graphScore + relation*q.relations[c.relation])
		}
		c.score += weightDate * q.timeMatch(c)
	}
	ranked := slices.Clone(q.candidates)
	slices.SortFunc(ranked, byScore)
	return ranked[:min(len(ranked), q.limit+spareHints)]
}

// telling weakens the relations that many of the candidates have.
func telling(relations map[string]float64, candidates []candidate) map[string]float64 {
	having := make(map[string]float64)
	for i := range candidates {
		having[candidates[i].relation]++
	}
	out := make(map[string]float64, len(having))
	for key, n := range having {
		out[key] = relations[key] * min(1, rareRelation/n)
	}
	return out
}

// confidence says how surely a memory has to do with a question.
func confidence(c *candidate, covered float64) float64 {
	if !c.hasCosine {
		return covered
	}
	return min(1, max(0, c.cosine))
}

// way scores how a memory was reached: its own relation and nearness to the
// question, and how well the memories before it lead there.
func (q *question) way(w way, c *candidate, scale scale, relations map[MemoryID]string) float64 {
	hops := w.hops()
	if hops >= len(hopWeight) || len(w.along) != hops {
		return 0
	}
	asked := q.relations[c.relation]
	own := scale.vector(w.along[hops-1])
	if hops == 1 {
		return hopWeight[1] * (asked + own) / 2
	}
	lead := 0.0
	for i, id := range w.path {
		step := scale.vector(w.along[i])
		lead += max(step, q.relations[relations[id]]) / float64(len(w.path))
	}
	return hopWeight[hops] * (max(0.7*asked, standOut*lead*lead*lead*lead) + 0.3*own) * (0.4 + 0.6*lead)
}

// pointedness is 1 for a short question and falls to 0 for a long one.
func pointedness(text string) float64 {
	n := 0
	cut(Fold(text), func(run string, ideographic bool) {
		if ideographic {
			n += utf8.RuneCountInString(run)
		} else {
			n++
		}
	})
	return min(1, max(0, (longQuestion-float64(n))/(longQuestion-shortQuestion)))
}

// scale maps the raw scores of one question to 0–1.
type scale struct {
	minCosine, maxCosine float64
}

func newScale(candidates []candidate) scale {
	s := scale{minCosine: math.Inf(1), maxCosine: math.Inf(-1)}
	for _, c := range candidates {
		if c.hasCosine {
			s.minCosine, s.maxCosine = min(s.minCosine, c.cosine), max(s.maxCosine, c.cosine)
		}
	}
	return s
}

func (s scale) vector(cosine float64) float64 {
	v := (cosine - s.minCosine) / max(s.maxCosine-s.minCosine, 1e-9)
	return min(max(v, 0), 1)
}

// unnamed gives the words of a question without those of the names that the
// graph leg started from: a Chinese question on Maya is a Chinese one. It gives
// the whole question where nothing else is in it.
func (q *question) unnamed(named map[string]bool) string {
	if len(named) == 0 {
		return q.text
	}
	rest := q.apart(named)
	if len(rest) == 0 {
		return q.text
	}
	return strings.Join(rest, " ")
}

// apart gives the words of a question that are not among those of names.
func (q *question) apart(named map[string]bool) []string {
	words, chars := QueryTerms(q.text)
	return slices.DeleteFunc(append(words, chars...), func(w string) bool { return named[w] })
}

// script says which kinds of letters a text has.
type script struct{ ideographic, other bool }

func scriptOf(text string) script {
	var s script
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			s.other = s.other || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		case isIdeographic(r):
			s.ideographic = true
		case unicode.IsLetter(r):
			s.other = true
		}
		if s.ideographic && s.other {
			break
		}
	}
	return s
}

// shares says that two texts have letters of one kind in common; texts without
// letters share with all.
func (s script) shares(t script) bool {
	none := script{}
	return s == none || t == none || s.ideographic && t.ideographic || s.other && t.other
}
