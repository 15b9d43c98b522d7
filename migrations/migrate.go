package migrations

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

var (
	migrationList    = cypher.Load("migration_list")
	migrationAdd     = cypher.Load("migration_add")
	migrationLock    = cypher.Load("migration_lock")
	migrationUnlock  = cypher.Load("migration_unlock")
	migrationIndexes = cypher.Load("index_list")
)

// Database is where migrations run.
type Database struct {
	Driver neo4j.DriverWithContext
	Name   string // "" for the server's default
}

// PartialError says how far a run came before it failed.
type PartialError struct {
	Applied []Migration // done in this run
	Failed  Migration
	Err     error
}

// Error names the migration that failed.
func (e *PartialError) Error() string {
	return fmt.Sprintf("migration %s failed after %d others: %v", e.Failed.Name(), len(e.Applied), e.Err)
}

// Unwrap gives the cause.
func (e *PartialError) Unwrap() error { return e.Err }

// Pending gives the migrations that the database lacks, in order. Errors: one
// whose file changed after it was applied, and a database that is newer than
// this build.
func Pending(ctx context.Context, db Database) ([]Migration, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	return pending(ctx, db, all)
}

func pending(ctx context.Context, db Database, all []Migration) ([]Migration, error) {
	result, err := db.query(ctx, migrationList, nil)
	if err != nil {
		return nil, fmt.Errorf("read the ledger of migrations: %w", err)
	}
	applied := make(map[int]string)
	for _, rec := range result.Records {
		version, _, err := neo4j.GetRecordValue[int64](rec, "version")
		if err != nil {
			return nil, fmt.Errorf("read the ledger of migrations: %w", err)
		}
		sum, _, err := neo4j.GetRecordValue[string](rec, "checksum")
		if err != nil {
			return nil, fmt.Errorf("read the ledger of migrations: %w", err)
		}
		applied[int(version)] = sum
	}
	var out []Migration
	for _, m := range all {
		sum, ok := applied[m.Version]
		switch {
		case !ok:
			out = append(out, m)
		case sum != m.Checksum:
			return nil, fmt.Errorf("migration %s was changed after it was applied (checksum %s, now %s): restore the file and add a new migration", m.Name(), sum, m.Checksum)
		}
		delete(applied, m.Version)
	}
	if len(applied) > 0 {
		return nil, fmt.Errorf("the database is newer than this build: it has %d migrations that this build does not know; use the newer relata", len(applied))
	}
	return out, nil
}

// Migrate applies what is missing and waits until all indexes are online. It
// gives the migrations that it applied. Two processes may call it at once: one
// waits for the other. Errors: see [Pending], and *[PartialError].
func Migrate(ctx context.Context, db Database) ([]Migration, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	todo, err := pending(ctx, db, all)
	if err != nil || len(todo) == 0 {
		return nil, err
	}
	release, err := lock(ctx, db)
	if err != nil {
		return nil, err
	}
	defer release()
	// Another process may have applied some while this one waited.
	todo, err = pending(ctx, db, all)
	if err != nil {
		return nil, err
	}
	var done []Migration
	for _, m := range todo {
		started := time.Now()
		for _, statement := range m.Statements {
			if err := db.schema(ctx, statement, nil); err != nil {
				return done, &PartialError{Applied: done, Failed: m, Err: err}
			}
		}
		_, err := db.query(ctx, migrationAdd, map[string]any{
			"version": m.Version, "description": m.Description, "checksum": m.Checksum,
			"now": time.Now().UTC(), "milliseconds": time.Since(started).Milliseconds(),
		})
		if err != nil {
			return done, &PartialError{Applied: done, Failed: m, Err: err}
		}
		done = append(done, m)
	}
	return done, db.awaitIndexes(ctx)
}

// query runs one of our statements in a managed transaction.
func (db Database) query(ctx context.Context, st cypher.Statement, params map[string]any) (*neo4j.EagerResult, error) {
	return neo4j.ExecuteQuery(ctx, db.Driver, st.Text, params, neo4j.EagerResultTransformer,
		neo4j.ExecuteQueryWithDatabase(db.Name))
}

// schema runs one schema statement in a transaction of its own, as Neo4j asks.
func (db Database) schema(ctx context.Context, statement string, params map[string]any) error {
	_, err := neo4j.ExecuteQuery(ctx, db.Driver, "CYPHER 25 "+statement, params, neo4j.EagerResultTransformer,
		neo4j.ExecuteQueryWithDatabase(db.Name))
	n, ok := errors.AsType[*neo4j.Neo4jError](err)
	switch {
	case !ok:
	case strings.HasPrefix(n.Code, "Neo.ClientError.Schema.") && strings.HasSuffix(n.Code, "AlreadyExists"):
		// IF NOT EXISTS looks before it makes: another process was faster.
		return nil
	case strings.HasSuffix(n.Code, "Schema.ConstraintCreationFailed"):
		return fmt.Errorf("the data breaks a rule of the schema, most likely a thing stored twice: merge or delete the one that the next lines name, then migrate again: %w", err)
	}
	return err
}

// awaitIndexes waits until every index is online.
func (db Database) awaitIndexes(ctx context.Context) error {
	for {
		result, err := db.query(ctx, migrationIndexes, nil)
		if err != nil {
			return fmt.Errorf("read the state of the indexes: %w", err)
		}
		building := 0
		for _, rec := range result.Records {
			name, _, _ := neo4j.GetRecordValue[string](rec, "name")
			state, _, _ := neo4j.GetRecordValue[string](rec, "state")
			switch state {
			case "ONLINE":
			case "FAILED":
				return fmt.Errorf("the index %s failed to build: see the database's log, drop the index and migrate again", name)
			default:
				building++
			}
		}
		if building == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// leaseTime is how long a process may hold the lock without renewing it: one
// that dies blocks others no longer than this.
const leaseTime = 2 * time.Minute

// lock takes the lease, waiting for another holder, and keeps it until release.
func lock(ctx context.Context, db Database) (release func(), err error) {
	err = db.schema(ctx, "CREATE CONSTRAINT migration_lock IF NOT EXISTS FOR (n:MigrationLock) REQUIRE n.name IS UNIQUE", nil)
	if err != nil {
		return nil, fmt.Errorf("make the lock of migrations: %w", err)
	}
	err = db.schema(ctx, "CREATE CONSTRAINT migration_version IF NOT EXISTS FOR (n:Migration) REQUIRE n.version IS UNIQUE", nil)
	if err != nil {
		return nil, fmt.Errorf("make the ledger of migrations: %w", err)
	}
	owner := rand.Text()
	take := func() (bool, error) {
		now := time.Now().UTC()
		result, err := db.query(ctx, migrationLock, map[string]any{"owner": owner, "now": now, "until": now.Add(leaseTime)})
		if err != nil {
			return false, fmt.Errorf("take the lock of migrations: %w", err)
		}
		return len(result.Records) > 0, nil
	}
	for {
		ok, err := take()
		if err != nil {
			return nil, err
		}
		if ok {
			break
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another process is migrating: %w", ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
	stop := make(chan struct{})
	go func() {
		tick := time.NewTicker(leaseTime / 4)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				// A renewal that fails is tried again at the next tick; the lease
				// outlasts three of them.
				_, _ = take()
			}
		}
	}()
	return func() {
		close(stop)
		// The caller's context may be over; the lock must go all the same. If
		// this fails the lease ends by itself.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, _ = db.query(ctx, migrationUnlock, map[string]any{"owner": owner})
	}, nil
}
