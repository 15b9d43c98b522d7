package extractor

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"relata/graph"
)

// DefaultContextTokens is what relations and memories may take in a prompt. A
// space that grows past it shows the model a selection, and a call's cost levels
// off.
const DefaultContextTokens = 24_000

const (
	// relationShare is the part of the budget that relations may take; what they
	// leave is for memories.
	relationShare = 3
	// mostMemories bounds one context read; a memory takes about 80 tokens, so
	// that more would not fit the default budget.
	mostMemories = 300
	// itemTokens is what the markup of one item takes.
	itemTokens = 30
	// mostTexts and longestText bound what is searched with: the newest messages,
	// the beginning of each.
	mostTexts   = 48
	longestText = 600
)

// selection is what the model is shown of a space.
type selection struct {
	relations []graph.Relation
	memories  []graph.Memory
}

func (s selection) shown() []graph.MemoryID {
	ids := make([]graph.MemoryID, len(s.memories))
	for i, m := range s.memories {
		ids[i] = m.ID
	}
	return ids
}

// selectContext reads what a batch may touch: the memories nearest to it, within
// the budget, and the relations: all while they fit, else those that the
// memories use and those whose words the batch shares.
func selectContext(ctx context.Context, store Store, j *job, budget int) (selection, error) {
	space, p := j.space, j.people
	rels, err := store.Relations(ctx, space.Name, "")
	if err != nil {
		return selection{}, err
	}
	q := graph.ContextQuery{Names: p.names(j.sources), Session: j.batch.Session, Limit: mostMemories}
	for _, text := range j.texts() {
		q.Texts = append(q.Texts, cut(text, longestText))
	}
	q.Texts = q.Texts[max(0, len(q.Texts)-mostTexts):]
	var mems []graph.Memory
	seen := true
	if space.WriterSees == graph.WriterSeesPresent {
		q.Personas = p.personaNames()
		seen = len(q.Personas) > 0 // nobody there, nothing known
	}
	if seen {
		if mems, err = store.Context(ctx, space.Name, q); err != nil {
			return selection{}, err
		}
	}
	rels = slices.DeleteFunc(slices.Clone(rels), func(r graph.Relation) bool {
		return r.Status != "" && r.Status != graph.RelationActive
	})
	rels, left := fitRelations(rels, mems, q.Texts, budget/relationShare)
	left += budget - budget/relationShare
	return selection{relations: rels, memories: fitMemories(mems, left)}, nil
}

// texts gives what the batch says: its facts where a reader took some, else its
// messages.
func (j *job) texts() []string {
	var out []string
	for _, f := range j.facts {
		out = append(out, f.Value)
	}
	if j.read {
		return out
	}
	for _, s := range j.sources {
		if s.Role != "tool" && !isBlank(s.Content) {
			out = append(out, s.Content)
		}
	}
	return out
}

// fitRelations keeps relations within the budget, in their order, and gives what
// is left of it.
func fitRelations(rels []graph.Relation, mems []graph.Memory, texts []string, budget int) ([]graph.Relation, int) {
	total := 0
	for _, r := range rels {
		total += relationTokens(r)
	}
	if total <= budget {
		return rels, budget - total
	}
	used := make(map[string]int)
	for _, m := range mems {
		used[m.Relation]++
	}
	words := wordSet(texts)
	type ranked struct {
		i           int
		used, share int
	}
	order := make([]ranked, len(rels))
	for i, r := range rels {
		order[i] = ranked{i, used[r.Key], words.shared(r.Content + " " + strings.ReplaceAll(r.Key, "_", " "))}
	}
	slices.SortStableFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.used, a.used), cmp.Compare(b.share, a.share), cmp.Compare(rels[b.i].Uses, rels[a.i].Uses))
	})
	var keep []int
	for _, o := range order {
		if cost := relationTokens(rels[o.i]); cost <= budget {
			budget -= cost
			keep = append(keep, o.i)
		}
	}
	slices.Sort(keep)
	out := make([]graph.Relation, len(keep))
	for i, k := range keep {
		out[i] = rels[k]
	}
	return out, budget
}

// fitMemories keeps the first memories that fit, for they come nearest first,
// and gives them oldest first, as a history reads.
func fitMemories(mems []graph.Memory, budget int) []graph.Memory {
	var out []graph.Memory
	for _, m := range mems {
		cost := itemTokens + EstimateTokens(m.Subject+m.Object+m.Relation) + EstimateTokens(m.Content)
		if cost > budget {
			break
		}
		budget -= cost
		out = append(out, m)
	}
	slices.SortStableFunc(out, func(a, b graph.Memory) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID))
	})
	return out
}

func relationTokens(r graph.Relation) int {
	return itemTokens + EstimateTokens(r.Key) + EstimateTokens(r.Content)
}

// words are the Latin words and pairs of Han characters of a text.
type words map[string]bool

func wordSet(texts []string) words {
	w := make(words)
	for _, t := range texts {
		for _, x := range wordsOf(t) {
			w[x] = true
		}
	}
	return w
}

// shared counts the words of s that are in w.
func (w words) shared(s string) int {
	n := 0
	for _, x := range wordsOf(s) {
		if w[x] {
			n++
		}
	}
	return n
}

func wordsOf(s string) []string {
	var out []string
	var word []rune
	prev := rune(0)
	flush := func() {
		if len(word) > 2 {
			out = append(out, string(word))
		}
		word = word[:0]
	}
	for _, r := range graph.Fold(s) {
		switch {
		case r >= 0x2e80:
			flush()
			if prev != 0 {
				out = append(out, string([]rune{prev, r}))
			}
			prev = r
			continue
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			word = append(word, r)
		default:
			flush()
		}
		prev = 0
	}
	flush()
	return out
}
