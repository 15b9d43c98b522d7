package extractor

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"relata/extractor/document"
	"relata/graph"
	"relata/relations"
)

// Store is what the extractor reads. Implemented by graph.Store.
type Store interface {
	// Space gives a space, CodeNotFound where there is none of that name.
	Space(ctx context.Context, name string) (graph.Space, error)
	Personas(ctx context.Context, space, asPersona string) ([]graph.Persona, error)
	Relations(ctx context.Context, space, asPersona string) ([]graph.Relation, error)
	// Context gives the current memories that a batch may touch, nearest first.
	Context(ctx context.Context, space string, q graph.ContextQuery) ([]graph.Memory, error)
	// NewSourceIDs gives the first of n consecutive message ids.
	NewSourceIDs(ctx context.Context, n int) (int64, error)
	// DiffByKey gives the diff that stands for an idempotency key, Receipt its
	// receipt.
	DiffByKey(ctx context.Context, space, key string) (graph.Diff, bool, error)
	Receipt(ctx context.Context, space string, d graph.Diff, asPersona string) (graph.Receipt, error)
}

// Submitter judges and applies proposals. Implemented by relations.Service.
type Submitter interface {
	Submit(ctx context.Context, s relations.Submission) (graph.Receipt, error)
}

// Options make an [Extractor].
type Options struct {
	Store     Store
	Relations Submitter
	Model     Model // nil: clients bring diffs, and ingesting is refused
	Retry     Retry
	Profile   Profile // "" for ProfileExtended
	// ContextTokens is what relations and memories may take in a prompt; 0 for
	// [DefaultContextTokens].
	ContextTokens int
	// Concurrency bounds the model calls that run at a time; 0 for 8.
	Concurrency int
	// Documents reads files; nil reads them without a cache of the PDF engine.
	Documents *document.Reader
	Fetcher   *Fetcher     // of images that are named by their URL; nil for none
	Logger    *slog.Logger // nil discards
}

// Extractor turns batches into applied diffs. It is safe for concurrent use.
type Extractor struct {
	store   Store
	submit  Submitter
	asker   *asker
	profile Profile
	prompts prompts
	budget  int
	log     *slog.Logger
	modes   map[string][]stage
	line    queue

	documents *document.Reader
	fetcher   *Fetcher
}

// New makes an extractor. Errors: CodeInvalid for options that make no sense.
func New(o Options) (*Extractor, error) {
	if o.Store == nil || o.Relations == nil {
		return nil, errors.New("extractor: a store and a submitter are required")
	}
	if o.Profile == "" {
		o.Profile = ProfileExtended
	}
	if o.Profile != ProfileExtended && o.Profile != ProfilePlain {
		return nil, graph.Errorf(graph.CodeInvalid, "the profile %q is unknown: use extended or plain", o.Profile)
	}
	if o.ContextTokens <= 0 {
		o.ContextTokens = DefaultContextTokens
	}
	if o.Concurrency <= 0 {
		o.Concurrency = 8
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	p, err := loadPrompts()
	if err != nil {
		return nil, err
	}
	if o.Documents == nil {
		o.Documents = &document.Reader{}
	}
	e := &Extractor{
		documents: o.Documents, fetcher: o.Fetcher,
		store: o.Store, submit: o.Relations, profile: o.Profile, prompts: p, budget: o.ContextTokens, log: o.Logger,
	}
	if o.Model != nil {
		e.asker = &asker{model: o.Model, retry: o.Retry.withDefaults(), slots: make(chan struct{}, o.Concurrency), log: o.Logger}
	}
	e.modes = map[string][]stage{
		ModeFast: {contextStage{e}, diffStage{e}},
		ModeFine: {
			readChatStage{e}, rewriteStage{e, false}, filterStage{e}, contextStage{e}, knownStage{e}, diffStage{e}, mergeStage{e},
		},
		ModeFineUser: {
			readChatStage{e}, rewriteStage{e, true}, filterStage{e}, contextStage{e}, knownStage{e}, diffStage{e}, mergeStage{e},
		},
	}
	return e, nil
}

// IngestOptions say how a batch is to be taken.
type IngestOptions struct {
	Mode   string // "" for ModeFast
	DryRun bool   // ask the model and plan, but store nothing
	Review bool   // store the diff as proposed
	Key    string // the client's idempotency key; "" takes one from the content
	By     string // the caller's key name
}

// Ingest reads a batch of messages into the memory of its space: it asks the
// model for a diff and applies it. Batches of one session go one after the
// other, in the order of arrival; those of other sessions run beside them. The
// same idempotency key, or without one the same content in the same session, is
// done once: a repetition costs no model call and gives the first receipt, marked
// as repeated. A cut-off answer releases the key, so that the batch can be sent
// again.
//
// Errors: CodeInvalid and CodeTooLarge for the batch, CodeNotFound for the space,
// CodeModel where the model failed (nothing is written then), and those of the
// store.
func (e *Extractor) Ingest(ctx context.Context, b Batch, o IngestOptions) (graph.Receipt, error) {
	if err := b.Validate(); err != nil {
		return graph.Receipt{}, err
	}
	stages, err := e.stages(o.Mode)
	if err != nil {
		return graph.Receipt{}, err
	}
	if e.asker == nil {
		return graph.Receipt{}, noModel()
	}
	j, err := e.open(ctx, b)
	if err != nil {
		return graph.Receipt{}, err
	}
	key := o.Key
	if key == "" {
		key = b.contentKey()
	}
	return e.process(ctx, j, stages, key, o)
}

// process runs a job through its stages, once for each key, and hands over what
// they propose.
func (e *Extractor) process(ctx context.Context, j *job, stages []stage, key string, o IngestOptions) (graph.Receipt, error) {
	leave, err := e.line.enter(ctx, j.batch.Space+"\x00"+j.batch.Session)
	if err != nil {
		return graph.Receipt{}, contextError(err)
	}
	defer leave()
	if !o.DryRun {
		if d, ok, err := e.store.DiffByKey(ctx, j.batch.Space, key); err != nil {
			return graph.Receipt{}, err
		} else if ok {
			receipt, err := e.store.Receipt(ctx, j.batch.Space, d, "")
			receipt.Repeated = true
			return receipt, err
		}
	}
	if err := e.number(ctx, j); err != nil {
		return graph.Receipt{}, err
	}
	for _, s := range stages {
		if err := s.run(ctx, j); err != nil {
			return graph.Receipt{}, err
		}
	}
	return e.hand(ctx, j, key, o)
}

// CheckModel gives CodeInvalid where no model is configured.
func (e *Extractor) CheckModel() error {
	if e.asker == nil {
		return noModel()
	}
	return nil
}

func noModel() error {
	return graph.Errorf(graph.CodeInvalid, "no model is configured: send diffs to /diffs, or start with --llm, such as gemini:MODEL or openai:MODEL@URL")
}

// stages gives the stages of a mode.
func (e *Extractor) stages(mode string) ([]stage, error) {
	if mode == "" {
		mode = ModeFast
	}
	s, ok := e.modes[mode]
	if !ok {
		return nil, &graph.Error{Code: graph.CodeInvalid, Message: "the mode is unknown", Fields: []graph.Field{{
			Name: "mode", Message: "must be " + strings.Join(slices.Sorted(maps.Keys(e.modes)), " or "),
		}}}
	}
	return s, nil
}

// open reads what a batch refers to and checks it against the space.
func (e *Extractor) open(ctx context.Context, b Batch) (*job, error) {
	space, err := e.store.Space(ctx, b.Space)
	if err != nil {
		return nil, err
	}
	personas, err := e.store.Personas(ctx, b.Space, "")
	if err != nil {
		return nil, err
	}
	p, err := resolvePeople(b, personas)
	if err != nil {
		return nil, err
	}
	sources, err := b.Sources(space.Location(), p.personaNames())
	if err != nil {
		return nil, err
	}
	j := &job{batch: b, space: space, people: p, sources: sources, date: e.now()}
	for _, s := range sources {
		if !s.Date.IsZero() {
			j.date = s.Date // the last one that has a date
		}
	}
	// Ids that we hand out are large: where no message has one of the client's,
	// the model is shown 1, 2, 3 instead.
	j.shortIDs = j.nameless() == len(sources)
	return j, nil
}

// number gives ids to the messages that came without.
func (e *Extractor) number(ctx context.Context, j *job) error {
	missing := j.nameless()
	if missing == 0 {
		return nil
	}
	next, err := e.store.NewSourceIDs(ctx, missing)
	if err != nil {
		return err
	}
	for i := range j.sources {
		if j.sources[i].SourceID == 0 {
			j.sources[i].SourceID = next
			next++
		}
	}
	return nil
}

// hand submits what the stages proposed.
func (e *Extractor) hand(ctx context.Context, j *job, key string, o IngestOptions) (graph.Receipt, error) {
	receipt, err := e.submit.Submit(ctx, relations.Submission{
		Space: j.space.Name, Proposal: j.proposal, Date: j.date, Session: j.batch.Session,
		Persona: names(j.people.speaking), Present: append(names(j.people.present), j.people.others...),
		KnownBy: j.visible, How: j.how, Sources: j.sources, Shown: j.context.shown(),
		Key: key, By: o.By, PromptVersion: PromptVersion, Usage: j.usage, Stages: j.trace, Summary: j.summary, Truncated: j.report.Truncated,
		Raw: j.raw, Notes: j.report.Notes, Dropped: j.report.Dropped, DryRun: o.DryRun, Review: o.Review,
	})
	if err != nil {
		return graph.Receipt{}, err
	}
	if n := j.report.Notes[AnswerNote]; n != "" {
		e.log.InfoContext(ctx, "model answer repaired", "space", j.space.Name, "session", j.batch.Session, "repairs", n)
	}
	return receipt, nil
}

func (e *Extractor) now() time.Time {
	if e.asker != nil {
		return e.asker.retry.Now()
	}
	return time.Now()
}

func names(ps []graph.Persona) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.Name
	}
	return out
}

// contextError gives the end of a context a code; one that the caller ended
// itself stays as it is.
func contextError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return graph.WrapError(graph.CodeTimeout, err, "the batch took longer than its limit")
	}
	return err
}
