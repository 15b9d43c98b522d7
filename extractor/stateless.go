package extractor

import (
	"context"
	"fmt"
	"slices"

	"relata/graph"
	"relata/relations"
)

// Limits on what a client may show beside its chats; they are those that a
// prompt of our own keeps, with room for clients with larger models.
const (
	MaxShownRelations = 500
	MaxShownMemories  = 2000
	MaxShownBytes     = 1 << 20
)

// DiffOptions say how [Extractor.Diff] is to ask.
type DiffOptions struct {
	// Session is what recorded answers are found by, and logs name; "" for none.
	Session string
	// Profile is the form of formats §1 that is spoken with the model and
	// answered; "" for ProfilePlain, which is exactly that format.
	Profile Profile
	// Timezone is that of the dates in the input, for the prompt; "" for UTC.
	Timezone string
}

// Proposed is the answer of [Extractor.Diff].
type Proposed struct {
	Proposal relations.Proposal
	Report   Report // what was repaired, dropped or cut off on the way
	Usage    graph.Usage
}

// Diff asks the model for a diff of a memory that the client keeps itself:
// everything it is to know stands in the input, nothing is read or stored. The
// proposal is what the model said, in good form and not judged: the client
// applies it by the rules of formats §1.
//
// Errors: CodeInvalid and CodeTooLarge for the input or where no model is
// configured, CodeModel where the model failed.
func (e *Extractor) Diff(ctx context.Context, in Input, o DiffOptions) (Proposed, error) {
	if o.Profile == "" {
		o.Profile = ProfilePlain
	}
	space := graph.Space{Name: "stateless", Timezone: o.Timezone}
	if err := checkInput(in, o, space); err != nil {
		return Proposed{}, err
	}
	if e.asker == nil {
		return Proposed{}, graph.Errorf(graph.CodeInvalid, "no model is configured: start with --llm gemini:MODEL or --llm replay:DIR")
	}
	if o.Profile == ProfileExtended {
		in.Chats = numbered(in.Chats)
	}
	spoken := chatScript(in.Chats)
	lang := spoken.dominant()
	system, err := e.prompts.system(lang, newPromptData(o.Profile, lang, space, people{}, nil))
	if err != nil {
		return Proposed{}, err
	}
	s := diffStage{e}
	var usage graph.Usage
	req := Request{Step: StepDiff, Session: o.Session, System: system, User: EncodeInput(in, o.Profile)}
	got, err := s.ask(ctx, req, &usage)
	if err != nil {
		return Proposed{}, modelFailure(ctx, err, "the model gave no usable diff", usage.Calls)
	}
	got = s.inLanguage(ctx, req, got, spoken.clear(), &usage)
	e.log.InfoContext(ctx, "model answered", "step", req.Step, "session", req.Session,
		"model", usage.Model, "calls", usage.Calls, "input_tokens", usage.InputTokens,
		"output_tokens", usage.OutputTokens, "milliseconds", usage.Milliseconds, "truncated", got.report.Truncated)
	if o.Profile == ProfilePlain {
		plain(&got.proposal)
	}
	return Proposed{Proposal: got.proposal, Report: got.report, Usage: usage}, nil
}

// checkInput checks what a client sent as it would be checked on its way into a
// space.
func checkInput(in Input, o DiffOptions, space graph.Space) error {
	session := o.Session
	if session == "" {
		session = "-"
	}
	if err := (Batch{Session: session, Chats: in.Chats}).Validate(); err != nil {
		return err
	}
	c := &checker{}
	if o.Profile != ProfilePlain && o.Profile != ProfileExtended {
		c.wrong("profile", "must be %s or %s", ProfilePlain, ProfileExtended)
	}
	if err := space.Validate(); err != nil {
		c.wrong("timezone", "must be an IANA time zone such as Asia/Shanghai")
	}
	if len(in.Relations) > MaxShownRelations {
		c.large("relations", "at most %d are allowed, got %d", MaxShownRelations, len(in.Relations))
	}
	if len(in.Memories) > MaxShownMemories {
		c.large("memories", "at most %d are allowed, got %d: show those that the chats may touch", MaxShownMemories, len(in.Memories))
	}
	size := 0
	for i, r := range in.Relations {
		size += len(r.Date) + len(r.Key) + len(r.Content)
		if isBlank(r.Key) {
			c.wrong(fmt.Sprintf("relations[%d].key", i), "is required")
		}
	}
	for i, m := range in.Memories {
		size += len(m.Date) + len(m.Subject) + len(m.Object) + len(m.Relation) + len(m.Content)
		for _, f := range []struct{ name, text string }{
			{"subject", m.Subject},
			{"object", m.Object},
			{"relation", m.Relation},
			{"content", m.Content},
		} {
			if isBlank(f.text) {
				c.wrong(fmt.Sprintf("memories[%d].%s", i, f.name), "is required")
			}
		}
	}
	if size > MaxShownBytes {
		c.large("memories", "hold %d bytes together with the relations, at most %d are allowed", size, MaxShownBytes)
	}
	return c.err("the input is not valid")
}

// numbered gives messages numbers from 1 where none has one, for msg_ids to name.
func numbered(chats []Chat) []Chat {
	if slices.ContainsFunc(chats, func(c Chat) bool { return c.ID != nil }) {
		return chats
	}
	out := slices.Clone(chats)
	for i := range out {
		id := int64(i + 1)
		out[i].ID = &id
	}
	return out
}

// plain takes off what the plain format does not have.
func plain(p *relations.Proposal) {
	strip := func(m *relations.MemoryItem) {
		*m = relations.MemoryItem{Date: m.Date, Subject: m.Subject, Object: m.Object, Relation: m.Relation, Content: m.Content}
	}
	for i := range p.Memories.Replaces {
		strip(&p.Memories.Replaces[i].Source)
		strip(&p.Memories.Replaces[i].Target)
	}
	for i := range p.Memories.Increments {
		strip(&p.Memories.Increments[i])
	}
	for i := range p.Memories.Removes {
		strip(&p.Memories.Removes[i])
	}
}
