package graph

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"

	"relata/cypher"
)

var (
	relationUnglossed = cypher.Load("relation_unglossed")
	relationGloss     = cypher.Load("relation_gloss")
	relationGlossList = cypher.Load("relation_gloss_list")
)

// gloss gives the words of a relation's content that tell it from others: what
// stands in brackets and the words for subject and object are left out.
func gloss(content string) string {
	s := bracketed.ReplaceAllString(content, "")
	s = strings.TrimSpace(frame.ReplaceAllString(s, ""))
	if s == "" {
		return content
	}
	return s
}

var (
	bracketed = regexp.MustCompile(`（[^）]*）|\([^)]*\)`)
	frame     = regexp.MustCompile(`表示|主体|客体|主语|宾语|(?i:\b(the )?(subject|object)\b)`)
)

// keyWords gives a relation key as words.
func keyWords(key string) string { return strings.ReplaceAll(key, "_", " ") }

// FillGlosses embeds what the space's relations mean, where a vector is missing.
// It runs after each change of the vocabulary; a search does without what is
// missing.
func (s *Store) FillGlosses(ctx context.Context, space string) error {
	if s.queries == nil {
		return nil
	}
	missing, err := read(ctx, s, relationUnglossed, map[string]any{"space": space}, func(r record) (Relation, error) {
		return Relation{Key: r.text("key"), Content: r.text("content")}, nil
	})
	if err != nil || len(missing) == 0 {
		return err
	}
	texts := make([]string, 0, 2*len(missing))
	for _, r := range missing {
		texts = append(texts, keyWords(r.Key), gloss(r.Content))
	}
	embedded, err := vectors(ctx, s.queries, texts)
	if err != nil {
		return err
	}
	rows := make([]map[string]any, 0, len(missing))
	for i, r := range missing {
		byKey, byGloss := embedded[2*i], embedded[2*i+1]
		if byGloss == nil {
			byGloss = byKey
		}
		if byKey != nil {
			rows = append(rows, map[string]any{"key": r.Key, "content": r.Content, "key_vector": float64s(byKey), "gloss_vector": float64s(byGloss)})
		}
	}
	_, err = write(ctx, s, relationGloss, map[string]any{"space": space, "rows": rows}, drop)
	return err
}

// glossed is what a relation means: as vectors, and in words to be found in a
// question.
type glossed struct {
	key, inverse     string
	byKey, byMeaning []float64
	han              []rune     // of its gloss, without those that nearly every gloss has
	names            [][]string // words of its key and of each alias, by stem
}

// meanings reads what the relations of a space mean.
func (s *Store) meanings(ctx context.Context, space string) ([]glossed, error) {
	return ask(ctx, s, relationGlossList, map[string]any{"space": space}, func(r record) (glossed, error) {
		g := newGlossed(r.text("key"), r.text("content"), r.texts("aliases")...)
		g.inverse, g.byKey, g.byMeaning = r.text("inverse"), asFloats(r.get("key_vector")), asFloats(r.get("gloss_vector"))
		return g, nil
	})
}

func newGlossed(key, content string, aliases ...string) glossed {
	g := glossed{key: key}
	for _, r := range Fold(gloss(content)) {
		if unicode.Is(unicode.Han, r) && !strings.ContainsRune(commonHan, r) {
			g.han = append(g.han, r)
		}
	}
	for _, name := range append([]string{key}, aliases...) {
		words, chars := QueryTerms(keyWords(name))
		words = slices.DeleteFunc(append(words, chars...), english.IsStopWord) // "from" says nothing
		if len(words) > 0 {
			g.names = append(g.names, words)
		}
	}
	return g
}

// Relation linking. Cosines of a question to relations were seen from 0 (has
// nothing to do with it) to .6; words in common count on top.
const (
	relationFloor = 0.1 // below it a relation has nothing to do with the question
	relationSure  = 0.2 // above the floor by this much, the best one is surely meant
	relationWords = 0.2 // what it adds that all words of the gloss are in the question
)

// relationScores says how likely a question asks for each relation, 0 to 1: the
// share of the best one's similarity, squared, and less where even the best has
// little to do with the question.
func relationScores(q *question, relations []glossed) map[string]float64 {
	raw := make(map[string]float64, len(relations))
	best := 0.0
	folded := Fold(q.text)
	asked, _ := Terms(folded)
	for _, r := range relations {
		similarity := max(dot(q.vector, r.byKey), dot(q.vector, r.byMeaning))
		raw[r.key] = similarity + relationWords*r.shared(folded, asked)
		best = max(best, raw[r.key])
	}
	for _, r := range relations {
		// What one relation says its inverse says backwards.
		raw[r.key] = max(raw[r.key], raw[r.inverse])
	}
	if best <= relationFloor {
		return nil
	}
	sure := min(1, (best-relationFloor)/relationSure)
	for key, similarity := range raw {
		share := max(0, similarity-relationFloor) / (best - relationFloor)
		raw[key] = sure * share * share
	}
	return raw
}

// dot gives the cosine of two vectors of length 1; 0 for those of two models.
func dot(a, b []float64) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// shared gives the share of a relation's own words that a folded question, of
// which asked are the words, has: characters of its gloss, or words of its key or
// of an alias.
func (g glossed) shared(folded string, asked []string) float64 {
	common := 0
	for _, r := range g.han {
		if strings.ContainsRune(folded, r) {
			common++
		}
	}
	share := float64(common) / float64(max(1, len(g.han)))
	for _, words := range g.names {
		common = 0
		for _, w := range words {
			if slices.Contains(asked, w) {
				common++
			}
		}
		share = max(share, float64(common)/float64(len(words)))
	}
	return share
}

// commonHan are characters that nearly every gloss has.
const commonHan = "是的在和与对有一个某件事人或"
