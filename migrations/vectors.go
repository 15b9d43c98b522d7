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

// EnsureVectors records the model in a new database and makes the vector
// indexes for it, or checks that the database has that model. Errors:
// ErrOtherModel, with both models named.
func EnsureVectors(ctx context.Context, db Database, m Model) error {
	if m.Dimensions < 1 || m.Dimensions > 4096 {
		return fmt.Errorf("the embedding model %s has %d dimensions; Neo4j indexes 1 to 4096", m.Name, m.Dimensions)
	}
	if _, err := db.query(ctx, metaPut, map[string]any{"model": m.Name, "dimensions": m.Dimensions, "now": time.Now().UTC()}); err != nil {
		return fmt.Errorf("record the embedding model: %w", err)
	}
	stored, err := StoredModel(ctx, db)
	if err != nil {
		return err
	}
	if stored != m {
		return fmt.Errorf("%w: the vectors in this database come from %s (%d dimensions), the configured one is %s (%d): configure that one, or run `relata reembed` to move to the new one",
			ErrOtherModel, stored.Name, stored.Dimensions, m.Name, m.Dimensions)
	}
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
	result, err := db.query(ctx, metaGet, nil)
	if err != nil {
		return Model{}, fmt.Errorf("read the embedding model: %w", err)
	}
	if len(result.Records) == 0 {
		return Model{}, nil
	}
	name, _, err := neo4j.GetRecordValue[string](result.Records[0], "model")
	if err != nil {
		return Model{}, fmt.Errorf("read the embedding model: %w", err)
	}
	dims, _, err := neo4j.GetRecordValue[int64](result.Records[0], "dimensions")
	if err != nil {
		return Model{}, fmt.Errorf("read the embedding model: %w", err)
	}
	return Model{Name: name, Dimensions: int(dims)}, nil
}
