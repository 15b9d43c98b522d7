package extractor

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"relata/extractor/steps"
	"relata/graph"
	"relata/relations"
)

// Modes of ingesting a conversation.
const (
	// ModeFast makes the diff with one model call. The default.
	ModeFast = "fast"
	// ModeFine reads facts first, checks them against what was said, leaves out
	// what is known, makes the diff of the rest and merges what belongs together.
	ModeFine = "fine"
	// ModeFineUser is ModeFine for which only the user's own words count as
	// ground.
	ModeFineUser = "fine_user"
)

// readChatStage takes facts from the messages of a batch.
type readChatStage struct{ e *Extractor }

func (s readChatStage) run(ctx context.Context, j *job) error {
	j.read = true
	step := steps.ReadChat(j.messages(), j.options())
	reading, notes, err := askStep(ctx, s.e, j, step, nil, readingTexts)
	if err != nil {
		return modelFailure(ctx, err, "the reader gave no usable facts", j.usage.Calls)
	}
	j.note(step.Name, notes...)
	j.take(reading, func(it steps.Item) fact {
		f := fact{Item: it, date: j.date}
		for _, n := range it.MsgIDs {
			if src, ok := j.numbered(n); ok {
				f.sources = append(f.sources, src.SourceID)
				if !src.Date.IsZero() {
					f.date = src.Date
				}
			}
		}
		return f
	})
	j.note(step.Name, fmt.Sprintf("%d facts", len(reading.Items)))
	return nil
}

func readingTexts(r steps.Reading) []string {
	var out []string
	for _, it := range r.Items {
		out = append(out, it.Value)
	}
	return out
}

// take adds what a reader found.
func (j *job) take(r steps.Reading, of func(steps.Item) fact) {
	for _, it := range r.Items {
		j.facts = append(j.facts, of(it))
	}
	if r.Summary != "" {
		if j.summary != "" {
			j.summary += "\n"
		}
		j.summary += r.Summary
	}
	j.report.Truncated = j.report.Truncated || r.Truncated
}

// rewriteStage has facts reworded that say more than the messages do.
type rewriteStage struct {
	e        *Extractor
	userOnly bool
}

func (s rewriteStage) run(ctx context.Context, j *job) error {
	if len(j.facts) == 0 {
		return nil
	}
	step := steps.RewriteMemories(j.messages(), j.items(), j.options())
	if s.userOnly {
		step = steps.RewriteToUser(j.messages(), j.items(), j.options())
	}
	results, notes, err := askStep(ctx, s.e, j, step, nil, nil)
	if err != nil {
		return j.without(ctx, s.e.log, step.Name, err)
	}
	for i, r := range results {
		if r.NeedRewrite && relations.IsRefusal(r.Rewritten, "") {
			delete(results, i)
			notes = append(notes, fmt.Sprintf("memory %d stays as it is: the new text is a refusal", i))
		}
	}
	items, more := steps.ApplyRewrites(j.items(), results)
	for i := range items {
		if items[i].Value != j.facts[i].Value {
			notes = append(notes, fmt.Sprintf("memory %d was reworded: %s", i, results[i].Reason))
		}
		j.facts[i].Item = items[i]
	}
	j.note(step.Name, append(notes, more...)...)
	return nil
}

// filterStage sorts out facts that nobody said.
type filterStage struct{ e *Extractor }

func (s filterStage) run(ctx context.Context, j *job) error {
	if len(j.facts) == 0 {
		return nil
	}
	step := steps.FilterHallucinations(j.messages(), j.items(), j.options())
	results, notes, err := askStep(ctx, s.e, j, step, nil, nil)
	if err != nil {
		return j.without(ctx, s.e.log, step.Name, err)
	}
	j.sortOut(step.Name, results, notes)
	return nil
}

// knownStage sorts out facts that say nothing new beside what is stored.
type knownStage struct{ e *Extractor }

func (s knownStage) run(ctx context.Context, j *job) error {
	existing := j.known(j.context.memories)
	if len(j.facts) == 0 || len(existing) == 0 {
		return nil
	}
	step := steps.SortOutKnown(j.messages(), j.items(), existing, j.options())
	results, notes, err := askStep(ctx, s.e, j, step, nil, nil)
	if err != nil {
		return j.without(ctx, s.e.log, step.Name, err)
	}
	j.sortOut(step.Name, results, notes)
	return nil
}

// sortOut keeps the facts that a check keeps and notes the others.
func (j *job) sortOut(stage string, results map[int]steps.Verdict, notes []string) {
	_, dropped, more := steps.ApplyVerdicts(j.items(), results)
	notes = append(notes, more...)
	gone := make(map[int]bool, len(dropped))
	for _, d := range dropped {
		gone[d.Index] = true
		notes = append(notes, fmt.Sprintf("sorted out: %s (%s)", d.Item.Value, d.Reason))
	}
	kept := make([]fact, 0, len(j.facts))
	for i, f := range j.facts {
		if !gone[i] {
			kept = append(kept, f)
		}
	}
	j.facts = kept
	j.note(stage, notes...)
}

// without goes on where a check failed: everything stays, and the ledger says
// so. Only the end of the request itself is an error.
func (j *job) without(ctx context.Context, log *slog.Logger, stage string, err error) error {
	if ctx.Err() != nil {
		return contextError(ctx.Err())
	}
	// What the provider said is for the log.
	log.WarnContext(ctx, "a check failed, the memories stay as they are", "step", stage, "error", err)
	j.note(stage, fmt.Sprintf("no usable answer, the memories stay as they are: %s", reason(failureKind(err))))
	return nil
}

// items gives the facts as the steps are shown them.
func (j *job) items() []steps.Item {
	out := make([]steps.Item, len(j.facts))
	for i, f := range j.facts {
		out[i] = f.Item
	}
	return out
}

// known gives stored memories as the steps are shown them, under their ids.
func (j *job) known(memories []graph.Memory) []steps.Known {
	out := make([]steps.Known, len(memories))
	for i, m := range memories {
		out[i] = steps.Known{ID: int64(m.ID), Date: relations.FormatDate(m.Date, j.space.Location()), Value: m.Content}
	}
	return out
}

// messages gives the batch's messages as the steps are shown them; nothing for
// documents and images.
func (j *job) messages() []steps.Message {
	var out []steps.Message
	for i, s := range j.sources {
		if s.Kind != graph.SourceMessage && s.Kind != "" {
			continue
		}
		id := s.SourceID
		if j.shortIDs {
			id = int64(i + 1)
		}
		out = append(out, steps.Message{
			ID: id, Date: relations.FormatDate(s.Date, j.space.Location()), Role: s.Role, Speaker: s.Speaker, Content: s.Content,
		})
	}
	return out
}

// numbered gives the message that a step knows under a number.
func (j *job) numbered(n int64) (graph.Source, bool) {
	if j.shortIDs {
		if n < 1 || n > int64(len(j.sources)) {
			return graph.Source{}, false
		}
		return j.sources[n-1], true
	}
	i := slices.IndexFunc(j.sources, func(s graph.Source) bool { return s.SourceID == n })
	if i < 0 {
		return graph.Source{}, false
	}
	return j.sources[i], true
}

func (j *job) options() steps.Options {
	return steps.Options{Tags: j.batch.Tags, Policy: j.space.ContentPolicy, Timezone: j.space.Location().String()}
}
