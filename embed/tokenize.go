package embed

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Ids of the pieces with a meaning of their own.
const (
	idUnknown = 0
	idBegin   = 1
	idEnd     = 2
)

// unknownPenalty is how much worse an unknown code point scores than the
// worst piece.
const unknownPenalty = 10

// tokenizer cuts text into pieces of a unigram vocabulary. It is read-only
// after construction.
type tokenizer struct {
	norm    *normalizer
	edges   map[edge]int32 // the pieces as a tree of code points; node 0 is the root
	ids     []int32        // by node: the piece that ends there, or -1
	scores  []float32      // by id
	unknown float64        // the score of an unknown code point
}

// edge leads from a node to the child for one more code point.
type edge struct {
	node int32
	r    rune
}

// newTokenizer reads a SentencePiece model file.
func newTokenizer(model []byte) (*tokenizer, error) {
	voc, err := parseVocabulary(model)
	if err != nil {
		return nil, err
	}
	norm, err := newNormalizer(voc.charsmap)
	if err != nil {
		return nil, err
	}
	t := &tokenizer{
		norm:   norm,
		edges:  make(map[edge]int32, 2*len(voc.pieces)),
		ids:    append(make([]int32, 0, 2*len(voc.pieces)), -1),
		scores: voc.scores,
	}
	least := math.Inf(1)
	for id, piece := range voc.pieces {
		if !utf8.ValidString(piece) {
			return nil, fmt.Errorf("read SentencePiece model: piece %d is not UTF-8", id)
		}
		node := int32(0)
		for _, r := range piece {
			child, ok := t.edges[edge{node, r}]
			if !ok {
				child = int32(len(t.ids))
				t.edges[edge{node, r}] = child
				t.ids = append(t.ids, -1)
			}
			node = child
		}
		t.ids[node] = int32(id)
		least = min(least, float64(voc.scores[id]))
	}
	t.unknown = least - unknownPenalty
	return t, nil
}

// tokenize returns the ids of text between begin and end marks. A text that
// normalises to nothing gives one unknown piece. There is no upper bound.
func (t *tokenizer) tokenize(text string) []int32 {
	return t.split(t.norm.normalize(text))
}

// split cuts normalised text into the pieces with the highest sum of scores.
// Sums are kept in float64, as the reference does: with float32 some texts
// come out otherwise. On ties the piece that starts earlier stays.
func (t *tokenizer) split(normalized string) []int32 {
	if normalized == "" {
		return []int32{idBegin, idUnknown, idEnd}
	}
	text := []rune(normalized)
	type step struct {
		score float64
		start int32
		id    int32
	}
	best := make([]step, len(text)+1)
	for i := 1; i < len(best); i++ {
		best[i].score = -1e38
	}
	for i := range text {
		offer := func(end int, id int32, score float64) {
			if s := best[i].score + score; s > best[end].score {
				best[end] = step{s, int32(i), id}
			}
		}
		node, single := int32(0), false
		for j := i; j < len(text); j++ {
			child, ok := t.edges[edge{node, text[j]}]
			if !ok {
				break
			}
			node = child
			if id := t.ids[node]; id >= 0 {
				offer(j+1, id, float64(t.scores[id]))
				single = single || j == i
			}
		}
		if !single {
			offer(i+1, idUnknown, t.unknown)
		}
	}
	count := 0
	for end := int32(len(text)); end > 0; end = best[end].start {
		count++
	}
	ids := make([]int32, count+2)
	ids[0], ids[count+1] = idBegin, idEnd
	for end := int32(len(text)); end > 0; end = best[end].start {
		ids[count] = best[end].id
		count--
	}
	return ids
}
