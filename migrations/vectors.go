package migrations

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

var (
	metaGet = cypher.Load("meta_get")
	metaPut = cypher.Load("meta_put")
)

// Model is what vectors come from: one per database.
type Model struct {
	Name       string
	Dimensions int
}

// ErrOtherModel says that the database's vectors come from another model.
var ErrOtherModel = errors.New("another embedding model")

// vectorIndexes are made from :Meta. Space and category are inside the index, so
// that a search within a space needs no filter after it.
var vectorIndexes = []string{
	"CREATE VECTOR INDEX memory_vector IF NOT EXISTS FOR (n:Memory) ON n.embedding WITH [n.space, n.index0, n.index1] OPTIONS $options",
	"CREATE VECTOR INDEX retired_vector IF NOT EXISTS FOR (n:Retired) ON n.embedding WITH [n.space, n.index0, n.index1] OPTIONS $options",
}

// String names the model with its size.
func (m Model) String() string { return fmt.Sprintf("%s (%d dimensions)", m.Name, m.Dimensions) }

func (m Model) check() error {
	if m.Dimensions < 1 || m.Dimensions > 4096 {
		return fmt.Errorf("the embedding model %s has %d dimensions; Neo4j indexes 1 to 4096", m.Name, m.Dimensions)
	}
	return nil
}

// EnsureVectors records the model in a new database and makes the vector
// indexes for it, or checks that the database has that model. Errors:
// ErrOtherModel, with both models named, and a move to another one that was cut
// off while it put its vectors in place.
func EnsureVectors(ctx context.Context, db Database, m Model) error {
	if err := m.check(); err != nil {
		return err
	}
	if _, err := db.query(ctx, metaPut, map[string]any{"model": m.Name, "dimensions": m.Dimensions, "now": time.Now().UTC()}); err != nil {
		return fmt.Errorf("record the embedding model: %w", err)
	}
	is, err := stateOf(ctx, db)
	switch {
	case err != nil:
		return err
	case is.switching:
		return fmt.Errorf("the vectors in this database are being moved to %s, by another process or by one that was cut off: when none runs, end it with `relata reembed` and that model configured", is.next)
	case is.model != m:
		return fmt.Errorf("%w: the vectors in this database come from %s, the configured one is %s: configure that one, or run `relata reembed` to move to the new one",
			ErrOtherModel, is.model, m)
	}
	return makeVectorIndexes(ctx, db, m)
}

// makeVectorIndexes makes those that are missing, and waits until they are ready.
func makeVectorIndexes(ctx context.Context, db Database, m Model) error {
	options := map[string]any{"indexConfig": map[string]any{
		"vector.dimensions": m.Dimensions, "vector.similarity_function": "cosine",
	}}
	for _, statement := range vectorIndexes {
		if err := db.schema(ctx, statement, map[string]any{"options": options}); err != nil {
			return fmt.Errorf("make the vector indexes: %w", err)
		}
	}
	return db.awaitIndexes(ctx)
}

// StoredModel gives the model that a database records, the zero Model where it
// records none.
func StoredModel(ctx context.Context, db Database) (Model, error) {
	is, err := stateOf(ctx, db)
	return is.model, err
}

// vectorState is what a database records of its vectors.
type vectorState struct {
	model     Model // of those in use
	next      Model // of those that are computed beside them, if any
	switching bool  // these take the place of those in use
}

func stateOf(ctx context.Context, db Database) (vectorState, error) {
	result, err := db.query(ctx, metaGet, nil)
	if err != nil {
		return vectorState{}, fmt.Errorf("read the embedding model: %w", err)
	}
	if len(result.Records) == 0 {
		return vectorState{}, nil
	}
	rec := result.Records[0]
	text := func(name string) string { v, _, _ := neo4j.GetRecordValue[string](rec, name); return v }
	number := func(name string) int { v, _, _ := neo4j.GetRecordValue[int64](rec, name); return int(v) }
	switching, _, _ := neo4j.GetRecordValue[bool](rec, "switching")
	return vectorState{
		model: Model{text("model"), number("dimensions")}, next: Model{text("next_model"), number("next_dimensions")}, switching: switching,
	}, nil
}
