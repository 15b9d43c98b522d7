package extractor

import (
	"context"
	"fmt"
	"slices"

	"relata/extractor/steps"
	"relata/graph"
	"relata/relations"
)

const (
	// mostMerges is how many new memories of a batch are merged with what is known:
	// each costs a model call.
	mostMerges = 12
	// mostSimilar is how many stored memories one of them is compared with.
	mostSimilar = 5
)

// mergeStage joins new memories with stored ones that say a part of the same.
// The result becomes replaces in the same diff, so that history, ledger and
// typed edges follow.
type mergeStage struct{ e *Extractor }

func (s mergeStage) run(ctx context.Context, j *job) error {
	taken := j.replaced()
	var kept []relations.MemoryItem
	asked, left := 0, 0
	for _, m := range j.proposal.Memories.Increments {
		similar := j.similar(m, taken)
		if len(similar) == 0 {
			kept = append(kept, m)
			continue
		}
		if asked == mostMerges {
			left++
			kept = append(kept, m)
			continue
		}
		asked++
		item := steps.Item{Key: m.Title, MemoryType: m.MemoryType, Value: m.Content, Tags: m.Tags}
		step := steps.MergeInto(item, relations.FormatDate(j.date, j.space.Location()), j.known(similar), j.options())
		merged, notes, err := askStep(ctx, s.e, j, step, nil, func(all []steps.Merged) []string {
			var texts []string
			for _, one := range all {
				texts = append(texts, one.Value)
			}
			return texts
		})
		if err != nil {
			if err := j.without(ctx, s.e.log, step.Name, err); err != nil {
				return err
			}
			kept = append(kept, m)
			continue
		}
		j.note(step.Name, notes...)
		if !j.merge(m, similar, merged, taken) {
			kept = append(kept, m)
		}
	}
	j.proposal.Memories.Increments = kept
	if left > 0 {
		j.note(steps.Merger, fmt.Sprintf("%d more new memories are about what is known, and stay beside it: at most %d are looked at", left, mostMerges))
	}
	return nil
}

// replaced gives the stored memories that the diff replaces or removes already.
func (j *job) replaced() map[graph.MemoryID]bool {
	out := make(map[graph.MemoryID]bool)
	mark := func(item relations.MemoryItem) {
		for _, m := range j.context.memories {
			if m.Content == item.Content && m.Subject == item.Subject && m.Object == item.Object && m.Relation == item.Relation {
				out[m.ID] = true
			}
		}
	}
	for _, r := range j.proposal.Memories.Replaces {
		mark(r.Source)
	}
	for _, r := range j.proposal.Memories.Removes {
		mark(r)
	}
	return out
}

// similar gives stored memories, of those the model was shown, that are about
// the same subject and by relation or object about the same of it; those that
// share the most words first.
func (j *job) similar(m relations.MemoryItem, taken map[graph.MemoryID]bool) []graph.Memory {
	words := wordSet([]string{m.Content, m.Object})
	var out []graph.Memory
	for _, x := range j.context.memories {
		same := graph.EntityKey(x.Subject) == graph.EntityKey(m.Subject) &&
			(x.Relation == m.Relation || graph.EntityKey(x.Object) == graph.EntityKey(m.Object))
		if same && !taken[x.ID] && graph.ContentKey(x.Content) != graph.ContentKey(m.Content) {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b graph.Memory) int { return words.shared(b.Content) - words.shared(a.Content) })
	return out[:min(len(out), mostSimilar)]
}

// merge turns results into replaces: each stored memory that went into one gives
// way to the merged text. It says whether the new memory went into one.
func (j *job) merge(m relations.MemoryItem, similar []graph.Memory, results []steps.Merged, taken map[graph.MemoryID]bool) bool {
	done := false
	for _, r := range results {
		if relations.IsRefusal(r.Value, "") {
			j.note(steps.Merger, "a merge was left out: its text is a refusal")
			continue
		}
		target := m
		target.Content = r.Value
		for _, id := range r.MergedFrom {
			at := slices.IndexFunc(similar, func(x graph.Memory) bool { return int64(x.ID) == id })
			if at < 0 || taken[similar[at].ID] {
				continue
			}
			old := similar[at]
			taken[old.ID] = true
			j.proposal.Memories.Replaces = append(j.proposal.Memories.Replaces, relations.MemoryReplace{
				Source: relations.MemoryItem{
					Date: relations.FormatDate(old.Date, j.space.Location()), Subject: old.Subject, Object: old.Object,
					Relation: old.Relation, Content: old.Content,
				},
				Target: target,
			})
			j.note(steps.Merger, fmt.Sprintf("memory %d went into: %s", old.ID, r.Value))
			done = true
		}
	}
	return done
}
