package relations

import (
	"context"
	"log/slog"
	"time"

	"relata/graph"
)

// Store is what a [Service] needs of the graph.
type Store interface {
	// Embed gives one vector for each text, nil for a text that has none.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// NewIDs gives the first of n consecutive ids.
	NewIDs(ctx context.Context, n int) (int64, error)
	// Write runs fn in one transaction under the space's write lock; fn may run
	// again. Read is the same without lock and writes.
	Write(ctx context.Context, space string, fn func(context.Context, *graph.Tx) error) error
	Read(ctx context.Context, space string, fn func(context.Context, *graph.Tx) error) error
	// DiffByKey gives the diff that stands for an idempotency key.
	DiffByKey(ctx context.Context, space, key string) (graph.Diff, bool, error)
	// Receipt rebuilds the receipt of a diff in the ledger.
	Receipt(ctx context.Context, space string, d graph.Diff, asPersona string) (graph.Receipt, error)
	// Awareness gives a memory, current or retired, with those aware of it.
	Awareness(ctx context.Context, space string, id graph.MemoryID, asPersona string) (graph.Known, error)
}

var _ Store = (*graph.Store)(nil)

// ServiceOptions configure a [Service].
type ServiceOptions struct {
	Store  Store
	Logger *slog.Logger     // nil: no log
	Clock  func() time.Time // nil: time.Now
}

// Service keeps the vocabularies and applies diffs. It is safe for concurrent
// use.
type Service struct {
	store Store
	log   *slog.Logger
	clock func() time.Time
}

// NewService makes a service.
func NewService(o ServiceOptions) *Service {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = func() time.Time { return time.Now().UTC() }
	}
	return &Service{store: o.Store, log: o.Logger, clock: o.Clock}
}

// Submit plans a proposal over the state of its space and applies it in one
// transaction: all items that were accepted, with the ledger and the batch's
// sources, or nothing. A standing diff with the same idempotency key is not
// repeated: its receipt comes back with Repeated set. With DryRun nothing is
// stored and the receipt's DiffID is 0.
// Errors: those of [Plan], CodeNotFound for the space, CodeModel where
// embedding fails, CodeUnavailable, CodeTimeout.
func (s *Service) Submit(ctx context.Context, sub Submission) (graph.Receipt, error) {
	if sub.Key != "" && !sub.DryRun {
		if d, ok, err := s.store.DiffByKey(ctx, sub.Space, sub.Key); err != nil {
			return graph.Receipt{}, err
		} else if ok {
			return s.repeated(ctx, sub.Space, d)
		}
	}
	job := submission{sub: sub, clock: s.clock}
	var err error
	if job.vectors, err = s.embed(ctx, sub); err != nil {
		return graph.Receipt{}, err
	}
	if !sub.DryRun {
		if job.firstID, err = s.store.NewIDs(ctx, idsNeeded(&sub)); err != nil {
			return graph.Receipt{}, err
		}
	}
	run, during := s.store.Write, job.write
	if sub.DryRun {
		run, during = s.store.Read, job.read
	}
	err = run(ctx, sub.Space, func(ctx context.Context, tx *graph.Tx) error { return during(ctx, tx) })
	if err != nil {
		return graph.Receipt{}, err
	}
	if job.standing != nil {
		return s.repeated(ctx, sub.Space, *job.standing)
	}
	receipt := job.planned.Receipt()
	s.log.InfoContext(ctx, "diff judged", "space", sub.Space, "diff", int64(receipt.DiffID),
		"status", string(receipt.Status), "items", len(receipt.Verdicts), "dry_run", sub.DryRun)
	return receipt, nil
}

func (s *Service) repeated(ctx context.Context, space string, d graph.Diff) (graph.Receipt, error) {
	r, err := s.store.Receipt(ctx, space, d, "")
	r.Repeated = true
	return r, err
}

// embed gives the vectors of all contents that may be stored. A dry run stores
// none and needs none.
func (s *Service) embed(ctx context.Context, sub Submission) (map[string][]float32, error) {
	if sub.DryRun {
		return nil, nil
	}
	texts := Texts(&sub)
	vectors, err := s.store.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	byText := make(map[string][]float32, len(texts))
	for i, t := range texts {
		byText[t] = vectors[i]
	}
	return byText, nil
}

// transaction is the part of [graph.Tx] that planning needs.
type transaction interface {
	Ground(context.Context, graph.GroundQuery) (*graph.Ground, error)
	Memories(context.Context, graph.Lookup) ([]graph.Stored, error)
	Sources(context.Context, []int64) (map[int64]graph.Source, error)
	DiffByKey(context.Context, string) (graph.Diff, bool, error)
	Apply(context.Context, *graph.ChangeSet) error
}

// submission is one call of Submit. Its methods may run again, each time from
// the beginning.
type submission struct {
	sub     Submission
	clock   func() time.Time
	vectors map[string][]float32
	firstID int64

	planned  *Planned
	standing *graph.Diff // another call with the same key came first
}

func (j *submission) write(ctx context.Context, tx transaction) error {
	j.planned, j.standing = nil, nil
	if j.sub.Key != "" {
		d, ok, err := tx.DiffByKey(ctx, j.sub.Key)
		if err != nil {
			return err
		}
		if ok {
			j.standing = &d
			return nil
		}
	}
	if err := j.read(ctx, tx); err != nil {
		return err
	}
	return tx.Apply(ctx, j.planned.Changes)
}

// read plans over what the transaction sees.
func (j *submission) read(ctx context.Context, tx transaction) error {
	ground, err := tx.Ground(ctx, GroundQuery(&j.sub))
	if err != nil {
		return err
	}
	look, ids, err := Reads(&j.sub, ground)
	if err != nil {
		return err
	}
	in := Input{Submission: j.sub, Ground: ground, Vectors: j.vectors, Now: j.clock()}
	if in.Stored, err = tx.Memories(ctx, look); err != nil {
		return err
	}
	if in.Sources, err = tx.Sources(ctx, ids); err != nil {
		return err
	}
	next := j.firstID
	take := func() int64 {
		if j.sub.DryRun {
			return 0
		}
		next++
		return next - 1
	}
	in.DiffID = graph.DiffID(take())
	in.NewID = func() graph.MemoryID { return graph.MemoryID(take()) }
	if j.planned, err = Plan(in); err != nil {
		return err
	}
	j.planned.Changes.NewEntityID = func() graph.EntityID { return graph.EntityID(take()) }
	return nil
}

// idsNeeded counts the ids that a submission may use up: the diff, a memory and
// two entities for each new statement, and an entity for everybody who was there.
func idsNeeded(sub *Submission) int {
	mem := sub.Proposal.Memories
	return 1 + 3*(len(mem.Replaces)+len(mem.Increments)) +
		len(sub.Persona) + len(sub.Present) + len(sub.KnownBy) + len(sub.Sources)
}
