package extractor

import (
	"context"
	"errors"
	"time"

	"relata/graph"
	"relata/relations"
)

// stage is one step of a mode; a mode is a list of stages over one job.
type stage interface {
	run(ctx context.Context, j *job) error
}

// job is a batch on its way through the stages.
type job struct {
	batch   Batch
	space   graph.Space
	people  people
	sources []graph.Source // in time order, each with an id
	date    time.Time      // of the diff
	// shortIDs: the model is shown 1, 2, 3 for the messages' ids.
	shortIDs bool

	facts   []fact // what a reader found; nil where the messages go into the diff as they are
	read    bool   // a reader was asked: the diff is made of facts
	summary string
	trace   []graph.Stage
	visible []string  // who knows what material says; nil for a conversation
	how     graph.How // by what way; "" for a conversation

	context  selection // what the model is shown
	proposal relations.Proposal
	report   Report
	raw      string // the answer as it came
	usage    graph.Usage
}

// nameless counts the messages without an id.
func (j *job) nameless() int {
	n := 0
	for _, s := range j.sources {
		if s.SourceID == 0 {
			n++
		}
	}
	return n
}

// contextStage selects what the model is shown.
type contextStage struct{ e *Extractor }

func (s contextStage) run(ctx context.Context, j *job) error {
	var err error
	j.context, err = selectContext(ctx, s.e.store, j, s.e.budget)
	return err
}

// diffStage asks for the diff.
type diffStage struct{ e *Extractor }

func (s diffStage) run(ctx context.Context, j *job) error {
	if j.read && len(j.facts) == 0 {
		return nil // nothing was worth a memory
	}
	req, spoken, err := s.request(j)
	if err != nil {
		return err
	}
	s.e.log.DebugContext(ctx, "model asked", "step", req.Step, "session", req.Session, "system", req.System, "user", req.User)

	var usage graph.Usage
	got, err := s.ask(ctx, req, &usage)
	if err == nil {
		got = s.inLanguage(ctx, req, got, spoken.clear(), &usage)
	}
	j.spend(req.Step, usage)
	if err != nil {
		return modelFailure(ctx, err, "the model gave no usable diff", j.usage.Calls)
	}
	got.report.Truncated = got.report.Truncated || j.report.Truncated
	j.proposal, j.report, j.raw = got.proposal, got.report, got.raw
	switch {
	case j.read:
		j.inherit()
	case j.shortIDs:
		j.restoreIDs()
	}
	s.e.log.InfoContext(ctx, "model answered", "step", req.Step, "space", j.space.Name, "session", req.Session,
		"model", j.usage.Model, "calls", j.usage.Calls, "input_tokens", j.usage.InputTokens,
		"output_tokens", j.usage.OutputTokens, "milliseconds", j.usage.Milliseconds, "truncated", j.report.Truncated)
	return nil
}

// request gives the prompt of a job, and what script its chat is in.
func (s diffStage) request(j *job) (Request, script, error) {
	chats := j.chats()
	if j.read {
		chats = j.factChats()
	}
	spoken := j.script()
	lang := j.language(spoken)
	data := newPromptData(s.e.profile, lang, j.space, j.people, j.batch.Tags)
	data.Facts = j.read
	system, err := s.e.prompts.system(lang, data)
	if err != nil {
		return Request{}, spoken, err
	}
	in := storedInput(j.space, j.context.relations, j.context.memories)
	in.Chats = chats
	return Request{Step: StepDiff, Session: j.batch.Session, System: system, User: EncodeInput(in, s.e.profile)}, spoken, nil
}

// script is what the batch is written in.
func (j *job) script() script { return chatScript(j.chats()) }

// language gives the language of prompts: the space's, else the batch's.
func (j *job) language(spoken script) string {
	if j.space.Language != "" {
		return j.space.Language
	}
	return spoken.dominant()
}

// reading is an answer that was read.
type reading struct {
	proposal relations.Proposal
	report   Report
	raw      string
}

// ask asks for a diff and reads it. An answer that the output budget cut off is
// kept in case the larger budget brings nothing better.
func (s diffStage) ask(ctx context.Context, req Request, usage *graph.Usage) (reading, error) {
	var got, partial reading
	err := s.e.asker.ask(ctx, req, usage, func(a Answer) error {
		p, rep, err := ParseAnswer(a.Text)
		if err != nil {
			return err
		}
		got = reading{p, rep, a.Text}
		if a.Truncated && rep.Truncated {
			partial = got
		}
		return nil
	})
	if err != nil && ctx.Err() == nil && partial.raw != "" {
		return partial, nil
	}
	return got, err
}

// inLanguage asks once more where a chat that is clearly in one language came
// back in another. Where that does not help, the items are marked.
func (s diffStage) inLanguage(ctx context.Context, req Request, got reading, lang string, usage *graph.Usage) reading {
	if lang == "" {
		return got
	}
	if _, most := wrongLanguage(got.proposal, lang); !most {
		return got
	}
	req.System += "\n" + reminders[lang]
	if again, err := s.ask(ctx, req, usage); err == nil {
		if _, most := wrongLanguage(again.proposal, lang); !most && !again.report.Truncated {
			return again
		}
	}
	items, _ := wrongLanguage(got.proposal, lang)
	for _, item := range items {
		got.report.note(item, "the content is not in the language of the chat")
	}
	return got
}

var reminders = map[string]string{
	langZH: "注意：这段对话是中文，记忆的内容必须用中文书写，不要翻译成别的语言。",
	langEN: "Mind: this conversation is in English. Write the contents of memories in English; do not translate them.",
}

// modelFailure turns a failed question into an error for the caller.
func modelFailure(ctx context.Context, err error, what string, calls int) error {
	if ctx.Err() != nil {
		return contextError(ctx.Err())
	}
	kind := failureKind(err)
	return graph.WrapError(graph.CodeModel, err, "%s, nothing was written: %s (%s, %d calls)", what, reason(kind), kind, calls)
}

// failureKind gives the kind of a failed question.
func failureKind(err error) Kind {
	if me, ok := errors.AsType[*ModelError](err); ok {
		return me.Kind
	}
	if ae, ok := errors.AsType[*AnswerError](err); ok {
		return ae.Kind
	}
	return KindProtocol
}

// chats gives the batch's messages as the model is shown them.
func (j *job) chats() []Chat {
	loc := j.space.Location()
	out := make([]Chat, len(j.sources))
	for i, s := range j.sources {
		id := s.SourceID
		if j.shortIDs {
			id = int64(i + 1)
		}
		out[i] = Chat{
			ID: &id, Date: relations.FormatDate(s.Date, loc), Role: s.Role, Speaker: s.Speaker,
			Content: s.Content, ToolCalls: s.ToolCalls, ToolCallID: s.ToolCallID,
		}
	}
	return out
}

// restoreIDs puts the messages' ids in place of 1, 2, 3.
func (j *job) restoreIDs() {
	restore := func(path string, m *relations.MemoryItem) {
		if m.MsgIDs == nil {
			return
		}
		ids := []int64{}
		for _, id := range m.MsgIDs {
			if id < 1 || id > int64(len(j.sources)) {
				j.report.note(path, "msg_ids that no message of the batch has were ignored")
				continue
			}
			ids = append(ids, j.sources[id-1].SourceID)
		}
		m.MsgIDs = ids
	}
	for i := range j.proposal.Memories.Increments {
		restore(itemPath(rootMemories, secIncrements, i), &j.proposal.Memories.Increments[i])
	}
	for i := range j.proposal.Memories.Replaces {
		restore(itemPath(rootMemories, secReplaces, i), &j.proposal.Memories.Replaces[i].Target)
	}
}
