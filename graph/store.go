package graph

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"golang.org/x/sync/semaphore"

	"relata/cypher"
)

// Options configure a [Store].
type Options struct {
	URI      string // neo4j://, neo4j+s:// or bolt://
	User     string
	Password string
	Database string   // "" for the server's default
	Embedder Embedder // of what is stored; nil for none: search then goes by words and graph
	Queries  Embedder // of questions; nil for Embedder
	// Dimensions is the length of the embedder's vectors, for [Store.Ready]; 0
	// where it is not known.
	Dimensions int
	Logger     *slog.Logger
	Observer   Observer // nil for none
	// Timeout bounds each transaction on the server too, so that a query whose
	// caller is gone does not hinder others. Default 30 s.
	Timeout time.Duration
}

// Store is Relata's graph in Neo4j. It is safe for concurrent use.
type Store struct {
	driver   neo4j.DriverWithContext
	database string
	embedder Embedder
	queries  Embedder
	log      *slog.Logger
	observer Observer
	timeout  time.Duration

	dimensions int

	ids blocks
	// connected says that a first connection was made. The driver's first one
	// must be alone: it learns things of the server that it does not guard.
	connected  atomic.Bool
	connecting sync.Mutex
	// glosses holds what the relations of the spaces searched last mean.
	glosses *lru.Cache[string, glossary]
	// searches admits few at a time: each takes several connections at once, and
	// more than there are cores for only wait inside.
	searches *semaphore.Weighted
	// locks holds one mutex per space: writers of a space wait here, in process,
	// rather than with an open transaction on the server.
	locks keyedMutex
}

// Open makes a store. It does not connect yet: see [Store.Ready].
func Open(o Options) (*Store, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	auth := neo4j.NoAuth()
	if o.User != "" {
		auth = neo4j.BasicAuth(o.User, o.Password, "")
	}
	driver, err := neo4j.NewDriverWithContext(o.URI, auth, func(c *config.Config) {
		c.MaxConnectionPoolSize = 50
		c.ConnectionAcquisitionTimeout = 10 * time.Second
		c.MaxTransactionRetryTime = 15 * time.Second
		c.TelemetryDisabled = true
		c.UserAgent = "relata"
	})
	if err != nil {
		return nil, WrapError(CodeInvalid, err, "the database address %q cannot be used", o.URI)
	}
	glosses, err := lru.New[string, glossary](glossaries)
	if err != nil {
		return nil, WrapError(CodeInternal, err, "no cache of vocabularies")
	}
	return &Store{
		driver: driver, glosses: glosses, database: o.Database, embedder: o.Embedder, queries: cmp.Or(o.Queries, o.Embedder),
		log: o.Logger, observer: o.Observer, timeout: o.Timeout, dimensions: o.Dimensions,
		searches: semaphore.NewWeighted(maxSearches),
	}, nil
}

// maxSearches run at a time: with six statements each they leave a pool of 50 to
// writers.
const maxSearches = 8

// Close gives back all connections.
func (s *Store) Close(ctx context.Context) error { return s.driver.Close(ctx) }

// Driver and Database let cmd run migrations over the same connections.
func (s *Store) Driver() neo4j.DriverWithContext { return s.driver }

// Database is the name of the database in use, "" for the server's default.
func (s *Store) Database() string { return s.database }

// Embed gives one vector of length 1 for each text, nil for a text that has
// none. Without an embedder every text has none.
func (s *Store) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return vectors(ctx, s.embedder, texts)
}

func vectors(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	if e == nil || len(texts) == 0 {
		return make([][]float32, len(texts)), nil
	}
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, WrapError(CodeModel, err, "the texts could not be embedded")
	}
	if len(vectors) != len(texts) {
		return nil, Errorf(CodeModel, "the embedder gave %d vectors for %d texts", len(vectors), len(texts))
	}
	return vectors, nil
}

// connect makes the first connection, once. A failure is told by the statement
// that comes after it.
func (s *Store) connect(ctx context.Context) {
	if s.connected.Load() {
		return
	}
	s.connecting.Lock()
	defer s.connecting.Unlock()
	if !s.connected.Load() {
		s.connected.Store(s.driver.VerifyConnectivity(ctx) == nil)
	}
}

// session opens a session that sees every earlier write of this store.
func (s *Store) session(ctx context.Context, mode neo4j.AccessMode) neo4j.SessionWithContext {
	s.connect(ctx)
	session := s.driver.NewSession(ctx, neo4j.SessionConfig{
		DatabaseName:    s.database,
		AccessMode:      mode,
		BookmarkManager: s.driver.ExecuteQueryBookmarkManager(),
	})
	if s.observer == nil {
		return session
	}
	s.observer.Session(1)
	return observedSession{session, s.observer}
}

// read runs one statement on a reader and maps its rows.
func read[T any](ctx context.Context, s *Store, st cypher.Statement, params map[string]any, row func(record) (T, error)) ([]T, error) {
	session := s.session(ctx, neo4j.AccessModeRead)
	defer session.Close(ctx)
	out, err := neo4j.ExecuteRead(ctx, session, func(tx neo4j.ManagedTransaction) ([]T, error) {
		return run(ctx, s.observed(tx), st, params, row)
	}, s.txConfig(st.Name))
	return out, translate(st.Name, err)
}

// write runs one statement in a transaction of its own and maps its rows.
func write[T any](ctx context.Context, s *Store, st cypher.Statement, params map[string]any, row func(record) (T, error)) ([]T, error) {
	session := s.session(ctx, neo4j.AccessModeWrite)
	defer session.Close(ctx)
	out, err := neo4j.ExecuteWrite(ctx, session, func(tx neo4j.ManagedTransaction) ([]T, error) {
		return run(ctx, s.observed(tx), st, params, row)
	}, s.txConfig(st.Name))
	return out, translate(st.Name, err)
}

func (s *Store) txConfig(name string) func(*neo4j.TransactionConfig) {
	return func(c *neo4j.TransactionConfig) {
		c.Timeout = s.timeout
		c.Metadata = map[string]any{"statement": name}
	}
}

// run runs one statement within a transaction and maps its rows.
func run[T any](ctx context.Context, tx neo4j.ManagedTransaction, st cypher.Statement, params map[string]any, row func(record) (T, error)) (_ []T, err error) {
	defer trace(ctx, st, params)()
	defer observe(ctx, tx, st)(&err)
	res, err := tx.Run(ctx, st.Text, params)
	if err != nil {
		return nil, err
	}
	var out []T
	for res.Next(ctx) {
		v, err := row(record{res.Record()})
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, res.Err()
}

// exec runs one statement within a transaction and drops its rows.
func exec(ctx context.Context, tx neo4j.ManagedTransaction, st cypher.Statement, params map[string]any) (err error) {
	defer trace(ctx, st, params)()
	defer observe(ctx, tx, st)(&err)
	res, err := tx.Run(ctx, st.Text, params)
	if err != nil {
		return err
	}
	_, err = res.Consume(ctx)
	return err
}

// translate turns a driver's error into an [Error] once, at the border of this
// package. Errors that are an [Error] already pass unchanged.
func translate(statement string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if limit, ok := errors.AsType[*neo4j.TransactionExecutionLimit](err); ok && len(limit.Errors) > 0 {
		err = limit.Errors[len(limit.Errors)-1] // the type does not unwrap
	}
	if lost, ok := errors.AsType[*neo4j.ConnectivityError](err); ok && isDone(lost.Inner) {
		err = lost.Inner // nor does this one; a statement that took too long ends like this
	}
	switch {
	case errors.Is(err, context.Canceled):
		return WrapError(CodeTimeout, err, "the request was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		return WrapError(CodeTimeout, err, "the database did not answer in time")
	}
	if n, ok := errors.AsType[*neo4j.Neo4jError](err); ok {
		switch {
		case strings.HasPrefix(n.Code, "Neo.ClientError.Transaction.TransactionTimedOut"),
			strings.HasPrefix(n.Code, "Neo.TransientError.Transaction.LockClientStopped"):
			return WrapError(CodeTimeout, err, "the database did not finish in time")
		case strings.HasPrefix(n.Code, "Neo.ClientError.Security."):
			return WrapError(CodeUnavailable, err, "the database refused the credentials")
		case strings.HasPrefix(n.Code, "Neo.TransientError."):
			return WrapError(CodeUnavailable, err, "the database is busy, try again")
		}
		return WrapError(CodeInternal, err, "statement %s failed", statement)
	}
	if _, ok := errors.AsType[*neo4j.ConnectivityError](err); ok {
		return WrapError(CodeUnavailable, err, "the database cannot be reached")
	}
	return WrapError(CodeInternal, err, "statement %s failed", statement)
}

func isDone(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// blocks hands out numbers from blocks that it fetches from the database.
type blocks struct {
	mu          sync.Mutex
	next, limit int64
}

// blockSize is how many numbers one fetch brings: at 100 writes a second of 20
// items each a fetch every half second.
const blockSize = 1000

var idBlock = cypher.Load("id_block")

// NewIDs gives the first of n consecutive numbers, which nobody else will get.
// Memories, entities and diffs share one sequence.
func (s *Store) NewIDs(ctx context.Context, n int) (int64, error) {
	if n <= 0 {
		return 0, nil
	}
	s.ids.mu.Lock()
	defer s.ids.mu.Unlock()
	if s.ids.next+int64(n) > s.ids.limit {
		size := int64(max(n, blockSize))
		first, err := write(ctx, s, idBlock, map[string]any{"name": "id", "size": size}, func(r record) (int64, error) {
			return r.int("first"), nil
		})
		if err != nil {
			return 0, err
		}
		s.ids.next, s.ids.limit = first[0], first[0]+size
	}
	first := s.ids.next
	s.ids.next += int64(n)
	return first, nil
}

// sourceIDBase keeps message ids that Relata assigns away from those that
// clients number themselves, and below 2^53.
const sourceIDBase = 1 << 50

// NewSourceIDs gives the first of n consecutive message ids for messages that
// come without one. They are far above what clients number by hand.
func (s *Store) NewSourceIDs(ctx context.Context, n int) (int64, error) {
	first, err := s.NewIDs(ctx, n)
	return sourceIDBase + first, err
}

// keyedMutex is a set of mutexes by name; unused ones are forgotten.
type keyedMutex struct {
	mu   sync.Mutex
	held map[string]*keyedLock
}

type keyedLock struct {
	free    chan struct{} // holds one token while nobody has the lock
	waiters int
}

// lock waits for the name's lock and gives its release, or ctx's error.
func (k *keyedMutex) lock(ctx context.Context, name string) (func(), error) {
	k.mu.Lock()
	if k.held == nil {
		k.held = make(map[string]*keyedLock)
	}
	l := k.held[name]
	if l == nil {
		l = &keyedLock{free: make(chan struct{}, 1)}
		l.free <- struct{}{}
		k.held[name] = l
	}
	l.waiters++
	k.mu.Unlock()
	leave := func() {
		k.mu.Lock()
		if l.waiters--; l.waiters == 0 {
			delete(k.held, name)
		}
		k.mu.Unlock()
	}
	select {
	case <-l.free:
		return func() { l.free <- struct{}{}; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
