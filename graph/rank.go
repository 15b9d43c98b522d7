package graph

import (
	"math"
	"slices"
	"unicode"
)

// Weights of the legs. Scores of each leg are first scaled to 0–1 within the
// question; dense and words then add to 1, and the graph comes on top.
const (
	// weightVector and weightText: convex fusion, measured better than fusing by
	// rank on every set (shared measurements of the embedder, §6).
	weightVector = 0.6
	weightText   = 0.4
	// weightGraph is what a memory reached over the graph gains at most.
	weightGraph = 0.35
)

// hopWeight damps what a memory gains by its distance from a named entity.
var hopWeight = [...]float64{0, 0.8, 1, 0.9}

// rank fuses the legs of a question and gives its best candidates in order, at
// most its limit, near-duplicates folded.
func rank(q *question) []candidate {
	scale := newScale(q.candidates)
	asked := scriptOf(q.text)
	for i := range q.candidates {
		c := &q.candidates[i]
		if c.hasCosine {
			c.vectorScore = scale.vector(c.cosine)
		}
		if scale.maxText > 0 {
			c.textScore = c.text / scale.maxText
		}
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
			if g := scale.way(w); g > c.graphScore {
				c.graphScore, c.path = g, w.path
			}
		}
		c.score += weightGraph * c.graphScore
	}
	ranked := slices.Clone(q.candidates)
	slices.SortFunc(ranked, byScore)
	return fold(ranked, q.limit)
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
	minCosine, maxCosine, maxText float64
}

func newScale(candidates []candidate) scale {
	s := scale{minCosine: math.Inf(1), maxCosine: math.Inf(-1)}
	for _, c := range candidates {
		if c.hasCosine {
			s.minCosine, s.maxCosine = min(s.minCosine, c.cosine), max(s.maxCosine, c.cosine)
		}
		s.maxText = max(s.maxText, c.text)
	}
	return s
}

func (s scale) vector(cosine float64) float64 {
	v := (cosine - s.minCosine) / max(s.maxCosine-s.minCosine, 1e-9)
	return min(max(v, 0), 1)
}

// way scores a path by how near the memories along it are to the question.
func (s scale) way(w way) float64 {
	if w.hops <= 0 || w.hops >= len(hopWeight) || len(w.along) == 0 {
		return 0
	}
	sum := 0.0
	for _, c := range w.along {
		sum += s.vector(c)
	}
	return hopWeight[w.hops] * sum / float64(len(w.along))
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
