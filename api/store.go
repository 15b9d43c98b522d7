package api

import (
	"context"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// Spaces makes, shows and deletes spaces.
type Spaces interface {
	// PutSpace makes a space or changes its settings; created says which.
	PutSpace(ctx context.Context, s graph.Space) (out graph.Space, created bool, err error)
	// Space gives one space. Errors: graph.CodeNotFound.
	Space(ctx context.Context, name string) (graph.Space, error)
	// Spaces gives all spaces by name.
	Spaces(ctx context.Context) ([]graph.Space, error)
	// DeleteSpace deletes a space with all it holds and counts what is left.
	// Errors: graph.CodeNotFound.
	DeleteSpace(ctx context.Context, name string) (graph.Deletion, error)
}

// Personas declares and lists the bots of a space.
type Personas interface {
	// PutPersona declares a persona or changes it. Errors: graph.CodeConflict
	// where an alias belongs to somebody else.
	PutPersona(ctx context.Context, space string, p graph.Persona) (graph.Persona, error)
	// Personas gives the personas of a space in the order of their making.
	Personas(ctx context.Context, space, asPersona string) ([]graph.Persona, error)
}

// Memories reads what is remembered. As a persona, only what it knows shows.
type Memories interface {
	// Search answers each query in turn; a bad query has its error in its own
	// result.
	Search(ctx context.Context, r graph.SearchRequest) ([]graph.Result, error)
	// SearchPending finds turns that wait to be ingested by their words, for each
	// question in its place.
	SearchPending(ctx context.Context, space string, questions []string, asPersona string, limit int) ([][]graph.FoundTurn, error)
	// Memories gives a page of memories.
	Memories(ctx context.Context, space string, f graph.MemoryFilter) (graph.Page[graph.Memory], error)
	// Memory gives one memory, current or retired. Errors: graph.CodeNotFound.
	Memory(ctx context.Context, space string, id graph.MemoryID, asPersona string) (graph.Memory, error)
	// History gives all versions of a memory, oldest first. Errors:
	// graph.CodeNotFound.
	History(ctx context.Context, space string, id graph.MemoryID, asPersona string) ([]graph.Memory, error)
	// WhoKnows gives memories with those aware of them.
	WhoKnows(ctx context.Context, space string, q graph.WhoKnowsQuery) ([]graph.Known, error)
	// Awareness gives one memory with those aware of it. Errors:
	// graph.CodeNotFound.
	Awareness(ctx context.Context, space string, id graph.MemoryID, asPersona string) (graph.Known, error)
	// Messages gives original messages whole and in time order.
	Messages(ctx context.Context, space string, q graph.MessageQuery) ([]graph.Source, error)
	// NewSourceIDs gives the first of n consecutive ids for messages that come
	// without one.
	NewSourceIDs(ctx context.Context, n int) (int64, error)
}

// Entities reads entities and how they hang together. As a persona, only what
// it knows shows.
type Entities interface {
	// Entities gives a page of entities, by name or all.
	Entities(ctx context.Context, space string, f graph.EntityFilter) (graph.Page[graph.Entity], error)
	// Entity gives one entity. Errors: graph.CodeNotFound.
	Entity(ctx context.Context, space string, id graph.EntityID, asPersona string) (graph.Entity, error)
	// AddAliases gives an entity other names. Errors: graph.CodeNotFound,
	// graph.CodeConflict where a name belongs to another entity.
	AddAliases(ctx context.Context, space string, id graph.EntityID, aliases []string) (graph.Entity, error)
	// Neighbourhood gives what is around an entity. Errors: graph.CodeNotFound.
	Neighbourhood(ctx context.Context, space string, q graph.NeighbourhoodQuery) (graph.Subgraph, error)
	// Paths gives ways between two entities, shortest first. Errors:
	// graph.CodeNotFound for an end that does not exist.
	Paths(ctx context.Context, space string, q graph.PathQuery) ([]graph.Path, error)
}

// Ledger reads the diffs of a space. As a persona, only what it knows shows.
type Ledger interface {
	// Diff gives one diff. Errors: graph.CodeNotFound.
	Diff(ctx context.Context, space string, id graph.DiffID, asPersona string) (graph.Diff, error)
	// DiffsByID gives those of some diffs that there are and the asker may see.
	DiffsByID(ctx context.Context, space string, ids []graph.DiffID, asPersona string) (map[graph.DiffID]graph.Diff, error)
	// Diffs gives a page of diffs, newest first.
	Diffs(ctx context.Context, space, cursor string, limit int, asPersona string) (graph.Page[graph.Diff], error)
	// Receipt gives the receipt that a diff was answered with.
	Receipt(ctx context.Context, space string, d graph.Diff, asPersona string) (graph.Receipt, error)
}

// JobBook reads jobs.
type JobBook interface {
	// Job gives one job. Errors: graph.CodeNotFound.
	Job(ctx context.Context, id graph.JobID) (graph.Job, error)
	// Jobs gives a page of the jobs of a space, newest first.
	Jobs(ctx context.Context, space string, f graph.JobFilter) (graph.Page[graph.Job], error)
}

// Store is what the surface needs of the graph. Implemented by *graph.Store.
type Store interface {
	Spaces
	Personas
	Memories
	Entities
	Ledger
	JobBook
	Exporter
	// Relations gives the vocabulary of a space by key, uses counted.
	Relations(ctx context.Context, space, asPersona string) ([]graph.Relation, error)
}

// Readiness looks at what serving needs.
type Readiness interface {
	// Ready gives each check by name, with why it failed. A *graph.Error's message
	// is told to everybody who asks.
	Ready(ctx context.Context) []graph.Check
}

// Vocabulary changes the relations of a space. Implemented by
// *relations.Service.
type Vocabulary interface {
	// Put adds a relation or sets content and semantics of one; created says
	// which. by is the name of the caller's key. Errors: graph.CodeInvalid,
	// graph.CodeConflict where an alias or inverse is taken,
	// graph.CodeVocabularyFull.
	Put(ctx context.Context, space string, r graph.Relation, by string) (put graph.Relation, created bool, err error)
	// Seed adds the relations of the core vocabulary that are missing.
	Seed(ctx context.Context, space string) error
}

// Submitter judges and applies a diff. Implemented by *relations.Service.
type Submitter interface {
	Submit(ctx context.Context, s relations.Submission) (graph.Receipt, error)
}

// Editor changes single memories by hand. Implemented by *relations.Service.
type Editor interface {
	// EditMemory changes a current memory. Errors: graph.CodeNotFound for one
	// that is not there or retired, graph.CodeInvalid, graph.CodeConflict.
	EditMemory(ctx context.Context, e relations.Edit) (graph.Receipt, error)
	// RemoveMemory retires a current memory. Errors: graph.CodeNotFound.
	RemoveMemory(ctx context.Context, space string, id graph.MemoryID, by string, dryRun bool) (graph.Receipt, error)
	// Grant lets somebody know a current memory; Revoke takes that knowledge from
	// somebody. Errors: graph.CodeNotFound, graph.CodeInvalid for unknown names.
	Grant(ctx context.Context, g relations.Grant) (graph.Known, error)
	Revoke(ctx context.Context, g relations.Grant) (graph.Known, error)
}

// Differ asks a model for a diff of a memory that the client keeps itself.
// Implemented by *extractor.Extractor.
type Differ interface {
	// Diff proposes a diff; nothing is read or stored. Errors: graph.CodeInvalid
	// for the input or where no model is configured, graph.CodeModel.
	Diff(ctx context.Context, in extractor.Input, o extractor.DiffOptions) (extractor.Proposed, error)
}

// Ingester turns messages into an applied diff. Implemented by
// *extractor.Extractor.
type Ingester interface {
	// Ingest reads a batch. Errors: graph.CodeInvalid for a batch that cannot be
	// read or where no model is configured, graph.CodeModel where it failed.
	Ingest(ctx context.Context, b extractor.Batch, o extractor.IngestOptions) (graph.Receipt, error)
	// CheckModel gives an error where no model is configured, so that nothing is
	// queued that nobody can do.
	CheckModel() error
}

// Reader reads documents, texts and images. Implemented by *extractor.Extractor.
type Reader interface {
	// Parts reads a file and cuts it into the parts that become one diff each.
	// Errors: graph.CodeInvalid, graph.CodeTooLarge and graph.CodeUnsupported for
	// what cannot be read.
	Parts(ctx context.Context, m extractor.Material, key string) ([]extractor.Part, error)
	// Read reads a part. Errors: as for Ingest.
	Read(ctx context.Context, p extractor.Part, o extractor.IngestOptions) (graph.Receipt, error)
}

// Jobs has work done later, and through a restart. Implemented by *jobs.Desk.
type Jobs interface {
	// AddBatch queues a batch of messages, AddParts the parts of some material.
	// The same key gives the job that is there.
	AddBatch(ctx context.Context, b extractor.Batch, o extractor.IngestOptions) (graph.Job, error)
	AddParts(ctx context.Context, parts []extractor.Part, o extractor.IngestOptions) (graph.Job, error)
	// Append keeps single turns until their session is due, and with flush makes
	// it due. pending is how many wait; job is the one that takes them, 0 for none.
	Append(ctx context.Context, b extractor.Batch, flush bool) (pending int, job graph.JobID, err error)
	// Cancel and Retry change a job. Errors: graph.CodeNotFound,
	// graph.CodeConflict where its state does not allow it.
	Cancel(ctx context.Context, id graph.JobID) (graph.Job, error)
	Retry(ctx context.Context, id graph.JobID) (graph.Job, error)
	// Watch gives a job now and at each change until it has ended.
	Watch(ctx context.Context, id graph.JobID) (<-chan graph.Job, error)
}
