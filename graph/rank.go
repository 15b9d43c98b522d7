package graph

import (
	"math"
	"slices"
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
	weightRelation     = 0.5
	weightRelationOnly = 0.1
)

// hopWeight is by how much a way counts by its length: what stands one step
// from a named entity is found by words and vector anyway.
var hopWeight = [...]float64{0, 0.7, 1, 1}

// A question in few words asks for one thing, and the graph helps; a pasted
// conversation names much in passing, and it misleads (measured on madial).
const (
	shortQuestion = 30 // words or Han characters: the graph counts in full
	longQuestion  = 60 // not at all
)

// rank fuses the legs of a question and gives its best candidates in order, at
// most its limit, near-duplicates folded.
func rank(q *question) []candidate {
	scale := newScale(q.candidates)
	asked := scriptOf(q.text)
	pointed := pointedness(q.text)
	lexicon := newLexicon(q.text, q.candidates, q.size)
	words, most := make([]float64, len(q.candidates)), 1e-9
	for i := range q.candidates {
		words[i] = lexicon.score(i)
		most = max(most, words[i])
	}
	byID := make(map[MemoryID]*candidate, len(q.candidates))
	for i := range q.candidates {
		byID[q.candidates[i].id] = &q.candidates[i]
	}
	for i := range q.candidates {
		c := &q.candidates[i]
		if c.hasCosine {
			c.vectorScore = scale.vector(c.cosine)
		}
		c.textScore = words[i] / most
		switch {
		case !c.hasCosine:
			c.score = weightText * c.textScore
		case !asked.shares(scriptOf(c.content)):
			// Words cannot match across scripts: the vector decides alone.
			c.score = c.vectorScore
		default:
			c.score = weightVector*c.vectorScore + weightText*c.textScore
		}
		for _, w := range c.ways {
			if g := q.way(w, c, scale, byID); g > c.graphScore {
				c.graphScore, c.path = g, w.path
			}
		}
		relation := weightRelationOnly
		if len(c.ways) > 0 {
			relation = weightRelation
		}
		c.score += pointed * (weightGraph*c.graphScore + relation*q.relations[c.relation])
	}
	ranked := slices.Clone(q.candidates)
	slices.SortFunc(ranked, byScore)
	return fold(ranked, q.limit)
}

// way scores how a memory was reached: its own relation and nearness to the
// question, and how well the memories before it lead there.
func (q *question) way(w way, c *candidate, scale scale, byID map[MemoryID]*candidate) float64 {
	if w.hops <= 0 || w.hops >= len(hopWeight) || len(w.along) != w.hops {
		return 0
	}
	asked := q.relations[c.relation]
	own := scale.vector(w.along[w.hops-1])
	if w.hops == 1 {
		return hopWeight[1] * (asked + own) / 2
	}
	lead := 0.0
	for i, id := range w.path {
		step := scale.vector(w.along[i])
		if via, ok := byID[id]; ok {
			step = max(step, q.relations[via.relation])
		}
		lead += step / float64(len(w.path))
	}
	return hopWeight[w.hops] * (0.7*asked + 0.3*own) * (0.4 + 0.6*lead)
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
	return min(1, max(0, float64(longQuestion-n)/(longQuestion-shortQuestion)))
}

// fold drops candidates that say the same as a better one.
func fold(ranked []candidate, limit int) []candidate {
	out := make([]candidate, 0, min(limit, len(ranked)))
	seen := make(map[string]bool, len(ranked))
	for _, c := range ranked {
		if len(out) == limit {
			break
		}
		key := ContentKey(c.content)
		if seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, c)
	}
	return out
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

// script says which kinds of letters a text has.
type script struct{ ideographic, other bool }

func scriptOf(text string) script {
	var s script
	for _, r := range text {
		switch {
		case isIdeographic(r):
			s.ideographic = true
		case unicode.IsLetter(r):
			s.other = true
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
