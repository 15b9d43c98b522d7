package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

var (
	metaNext       = cypher.Load("meta_next")
	metaSwitch     = cypher.Load("meta_switch")
	metaMoved      = cypher.Load("meta_moved")
	reembedCount   = cypher.Load("reembed_count")
	reembedPage    = cypher.Load("reembed_page")
	reembedSet     = cypher.Load("reembed_set")
	reembedCopy    = cypher.Load("reembed_copy")
	reembedClean   = cypher.Load("reembed_clean")
	relationForget = cypher.Load("relation_forget")
)

// Embedder turns texts into vectors of length 1, nil for a text that has none.
// Implemented by graph.Store, which embeds as it does for memories it writes.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Reembedding moves a database to another embedding model, in two phases. The new
// vectors are computed beside those in use, which takes nearly all of the time and
// disturbs no server. Then they take their place and the vector indexes are made
// anew; meanwhile no server may run, and none starts. A move that was cut off
// anywhere goes on where it was when it is run again.
type Reembedding struct {
	DB       Database
	To       Model
	Embedder Embedder // of that model
	Prepare  bool     // only the first phase
	// Progress receives how many of all memories are done in a phase; nil for
	// nobody.
	Progress func(phase string, done, total int)
}

// reembedBatch is how many memories go into one transaction: at 4,096 dimensions
// some 4 MB.
const reembedBatch = 256

// ErrSameModel says that there is nothing to move.
var ErrSameModel = errors.New("the vectors come from this model already")

// Run moves the database, and says from which model. Errors: [ErrSameModel], and
// a move to a third model that was cut off while it put its vectors in place.
func (r Reembedding) Run(ctx context.Context) (from Model, err error) {
	if err := r.To.check(); err != nil {
		return Model{}, err
	}
	release, err := lock(ctx, r.DB)
	if err != nil {
		return Model{}, err
	}
	defer release()
	is, err := stateOf(ctx, r.DB)
	switch {
	case err != nil:
		return Model{}, err
	case is.model == Model{}:
		return Model{}, errors.New("the database records no embedding model yet: a server makes it ready when it starts")
	case is.switching && is.next != r.To:
		return is.model, fmt.Errorf("a move to %s was cut off while it put its vectors in place: run `relata reembed` with that model first", is.next)
	case is.model == r.To && !is.switching:
		// What a move left that was given up, or cut off at its very end.
		if err := r.note(ctx, metaNext, map[string]any{"model": nil, "dimensions": nil}); err != nil {
			return is.model, err
		}
		if err := r.pages(ctx, "clear", reembedClean); err != nil {
			return is.model, err
		}
		return is.model, ErrSameModel
	}
	if is.next != r.To {
		// Vectors of a move that was given up, to whatever model.
		if err := r.pages(ctx, "clear", reembedClean); err != nil {
			return is.model, err
		}
		if err := r.note(ctx, metaNext, map[string]any{"model": r.To.Name, "dimensions": r.To.Dimensions}); err != nil {
			return is.model, err
		}
	}
	if err := r.fill(ctx); err != nil || r.Prepare {
		return is.model, err
	}
	return is.model, r.place(ctx)
}

// fill computes the vectors that are missing, until a whole pass finds none:
// servers may write meanwhile.
func (r Reembedding) fill(ctx context.Context) error {
	for {
		wrote, err := r.pass(ctx)
		if err != nil || wrote == 0 {
			return err
		}
	}
}

// pass looks at all memories once and gives how many vectors it wrote.
func (r Reembedding) pass(ctx context.Context) (wrote int, err error) {
	total, err := r.total(ctx)
	if err != nil {
		return 0, err
	}
	after := int64(-1)
	for done := 0; ; {
		page, err := r.DB.query(ctx, reembedPage, map[string]any{"after": after, "limit": reembedBatch})
		if err != nil {
			return wrote, fmt.Errorf("read memories to embed: %w", err)
		}
		if len(page.Records) == 0 {
			return wrote, nil
		}
		var ids []int64
		var texts []string
		for _, rec := range page.Records {
			if after, _, err = neo4j.GetRecordValue[int64](rec, "id"); err != nil {
				return wrote, fmt.Errorf("read memories to embed: %w", err)
			}
			if content, null, _ := neo4j.GetRecordValue[string](rec, "content"); !null && content != "" {
				ids, texts = append(ids, after), append(texts, content)
			}
		}
		n, err := r.write(ctx, ids, texts)
		if err != nil {
			return wrote, err
		}
		wrote += n
		done += len(page.Records)
		r.progress("embed", done, total)
	}
}

// write keeps the vectors of texts and gives how many have one.
func (r Reembedding) write(ctx context.Context, ids []int64, texts []string) (int, error) {
	if len(texts) == 0 {
		return 0, nil
	}
	vectors, err := r.Embedder.Embed(ctx, texts)
	if err != nil {
		return 0, err
	}
	rows := make([]map[string]any, 0, len(vectors))
	for i, v := range vectors {
		if v == nil {
			continue
		}
		if len(v) != r.To.Dimensions {
			return 0, fmt.Errorf("the embedder gave a vector of %d dimensions for memory %d, not of %d", len(v), ids[i], r.To.Dimensions)
		}
		row := make([]float64, len(v))
		for k, x := range v {
			row[k] = float64(x)
		}
		rows = append(rows, map[string]any{"id": ids[i], "vector": row})
	}
	if len(rows) == 0 {
		return 0, nil
	}
	return len(rows), r.note(ctx, reembedSet, map[string]any{"rows": rows})
}

// place puts the new vectors in place of the old ones. Each step can be done
// again; the database counts as moved when the indexes stand.
func (r Reembedding) place(ctx context.Context) error {
	if err := r.note(ctx, metaSwitch, nil); err != nil {
		return err
	}
	// What a server wrote between the last pass and its end.
	if err := r.fill(ctx); err != nil {
		return err
	}
	for _, name := range []string{"memory_vector", "retired_vector"} {
		if err := r.DB.schema(ctx, "DROP INDEX "+name+" IF EXISTS", nil); err != nil {
			return fmt.Errorf("drop the vector index %s: %w", name, err)
		}
	}
	if err := r.pages(ctx, "place", reembedCopy); err != nil {
		return err
	}
	for {
		n, err := r.count(ctx, relationForget, map[string]any{"limit": 5000})
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
	}
	if err := makeVectorIndexes(ctx, r.DB, r.To); err != nil {
		return err
	}
	if err := r.note(ctx, metaMoved, nil); err != nil {
		return err
	}
	return r.pages(ctx, "clear", reembedClean)
}

// pages runs a statement over all memories, a page at a time.
func (r Reembedding) pages(ctx context.Context, phase string, st cypher.Statement) error {
	total, err := r.total(ctx)
	if err != nil {
		return err
	}
	after, done := int64(-1), 0
	for {
		result, err := r.DB.query(ctx, st, map[string]any{"after": after, "limit": reembedBatch})
		if err != nil {
			return fmt.Errorf("%s vectors of memories: %w", phase, err)
		}
		last, null, err := neo4j.GetRecordValue[int64](result.Records[0], "last")
		if err != nil || null {
			return err
		}
		n, _, _ := neo4j.GetRecordValue[int64](result.Records[0], "count")
		after, done = last, done+int(n)
		r.progress(phase, done, total)
	}
}

func (r Reembedding) total(ctx context.Context) (int, error) { return r.count(ctx, reembedCount, nil) }

func (r Reembedding) count(ctx context.Context, st cypher.Statement, params map[string]any) (int, error) {
	result, err := r.DB.query(ctx, st, params)
	if err != nil {
		return 0, fmt.Errorf("count what is to be embedded: %w", err)
	}
	n, _, err := neo4j.GetRecordValue[int64](result.Records[0], "count")
	return int(n), err
}

func (r Reembedding) note(ctx context.Context, st cypher.Statement, params map[string]any) error {
	if _, err := r.DB.query(ctx, st, params); err != nil {
		return fmt.Errorf("write the state of the move to %s: %w", r.To, err)
	}
	return nil
}

func (r Reembedding) progress(phase string, done, total int) {
	if r.Progress != nil {
		r.Progress(phase, done, total)
	}
}
