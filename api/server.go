package api

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// Defaults of [Options].
const (
	// DefaultBodyLimit holds a batch of 1,000 messages of a page each.
	DefaultBodyLimit = 4 << 20
	// DefaultFileLimit holds the largest file that is read, with its form.
	DefaultFileLimit = 21 << 20
	// DefaultTimeout is longer than any read takes, the store's own limit of
	// 30 seconds included, so that the store can name what took so long.
	DefaultTimeout = 35 * time.Second
	// DefaultLongTimeout leaves room for a slow model and its retries.
	DefaultLongTimeout = 10 * time.Minute
)

// Options configure a [Server].
type Options struct {
	Store      Store
	Submitter  Submitter
	Vocabulary Vocabulary
	Editor     Editor
	Ingester   Ingester
	Reader     Reader
	Jobs       Jobs
	Differ     Differ
	Importer   Importer
	Readiness  Readiness

	MCP http.Handler // the Model Context Protocol at /mcp; nil for none

	Observer Observer      // nil for none
	Metrics  MetricsWriter // what /metrics gives; nil for nothing

	// APIKey is what clients have to show. It may be "" only with Loopback.
	APIKey string
	// Loopback says that the server listens on the loopback interface only.
	Loopback bool

	Logger  *slog.Logger // nil for none
	Version string       // told by /healthz
	// BodyLimit is the most bytes of a request's body. Default
	// DefaultBodyLimit.
	BodyLimit int64
	// FileLimit is the same for a form with a file. Default DefaultFileLimit.
	FileLimit int64
	// Timeout bounds the work on a request. Default DefaultTimeout.
	Timeout time.Duration
	// LongTimeout bounds the calls that ask a model, write a diff or delete a
	// space. Default DefaultLongTimeout.
	LongTimeout time.Duration
	// Now is the clock, for tests. Default time.Now.
	Now func() time.Time
}

// Server is the HTTP surface. It is an http.Handler; [Server.Serve] runs it.
type Server struct {
	Options
	echo   *echo.Echo
	keySum [sha256.Size]byte
	docs   docsResponse
}

var _ StrictServerInterface = (*Server)(nil)

// New wires the surface. It refuses to be reachable from other machines
// without a key.
func New(o Options) (*Server, error) {
	if o.Store == nil || o.Submitter == nil || o.Vocabulary == nil || o.Editor == nil ||
		o.Ingester == nil || o.Differ == nil || o.Importer == nil || o.Readiness == nil {
		return nil, errors.New("api: Store, Submitter, Vocabulary, Editor, Ingester, Differ, Importer and Readiness are needed")
	}
	if o.APIKey == "" && !o.Loopback {
		return nil, errors.New("the server would be open to other machines without a key: set RELATA_API_KEY, or listen on 127.0.0.1")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.BodyLimit == 0 {
		o.BodyLimit = DefaultBodyLimit
	}
	if o.FileLimit == 0 {
		o.FileLimit = DefaultFileLimit
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.LongTimeout == 0 {
		o.LongTimeout = DefaultLongTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	docs, err := docsPage()
	if err != nil {
		return nil, err
	}

	s := &Server{
		Options: o, echo: echo.New(), keySum: sha256.Sum256([]byte(o.APIKey)),
		docs: docs,
	}
	check, err := newValidator()
	if err != nil {
		return nil, err
	}
	s.echo.HTTPErrorHandler = s.answerError
	s.echo.Binder = strictBinder{}
	// From the outside in: a request has its id before anything is logged of it,
	// and a panic is an error by the time the log line is written.
	s.echo.Use(requestID, s.observe, s.logRequests(), recoverPanics(), s.guard, secureHeaders, s.limitBody, checkMediaType)
	// The last of these is the outermost.
	if o.MCP != nil {
		s.echo.POST(mcpRoute, echo.WrapHandler(o.MCP))
	}
	RegisterHandlers(s.echo, NewStrictHandler(s, []StrictMiddlewareFunc{check.middleware, s.deadline}))
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// longOperations may take as long as a model does, or wait for their turn to
// write, or delete in many transactions.
var longOperations = map[string]bool{
	"Ingest": true, "ReadDocument": true, "ReadImage": true, "Diff": true, "SubmitDiff": true, "EditMemory": true, "DeleteMemory": true, "DeleteSpace": true,
}

// deadline bounds the work on a request by the kind of operation.
func (s *Server) deadline(next StrictHandlerFunc, operation string) StrictHandlerFunc {
	if streamOperations[operation] {
		return next
	}
	limit := s.Timeout
	if longOperations[operation] {
		limit = s.LongTimeout
	}
	return func(c echo.Context, request any) (any, error) {
		r := c.Request()
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		c.SetRequest(r.WithContext(ctx))
		// The error handler tells by the caller's own context whether it hung up.
		defer c.SetRequest(r)
		return next(c, request)
	}
}
