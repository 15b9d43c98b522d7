package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// Store reads what is remembered. Implemented by *graph.Store. asPersona is ""
// for a reader that sees everything; otherwise only what that persona is aware
// of shows.
type Store interface {
	// Space gives one space. Errors: graph.CodeNotFound.
	Space(ctx context.Context, name string) (graph.Space, error)
	// Personas gives the personas of a space. Errors: graph.CodeNotFound.
	Personas(ctx context.Context, space, asPersona string) ([]graph.Persona, error)
	// Relations gives the vocabulary of a space, uses counted.
	Relations(ctx context.Context, space, asPersona string) ([]graph.Relation, error)
	// Search answers each query in turn; a bad query has its error in its own
	// result.
	Search(ctx context.Context, r graph.SearchRequest) ([]graph.Result, error)
	// Memories gives a page of current memories.
	Memories(ctx context.Context, space string, f graph.MemoryFilter) (graph.Page[graph.Memory], error)
	// WhoKnows gives memories with those aware of them.
	WhoKnows(ctx context.Context, space string, q graph.WhoKnowsQuery) ([]graph.Known, error)
	// Messages gives original messages whole and in time order.
	Messages(ctx context.Context, space string, q graph.MessageQuery) ([]graph.Source, error)
}

// Submitter judges and applies a diff. Implemented by *relations.Service.
type Submitter interface {
	Submit(ctx context.Context, s relations.Submission) (graph.Receipt, error)
}

// Ingester has a model make a diff of messages and applies it. Implemented by
// *extractor.Extractor.
type Ingester interface {
	Ingest(ctx context.Context, b extractor.Batch, o extractor.IngestOptions) (graph.Receipt, error)
}

var (
	_ Store     = (*graph.Store)(nil)
	_ Submitter = (*relations.Service)(nil)
	_ Ingester  = (*extractor.Extractor)(nil)
)

// Options configure a [Server].
type Options struct {
	Store     Store
	Submitter Submitter
	Ingester  Ingester // nil where no model is configured: agents then bring diffs

	// Space is the one that calls mean that name none. "": each call names its own.
	Space string
	// Persona binds the server: every read is as that persona, and what is written
	// is written by it. With a Space it is bound to that space, too. "": a call may
	// ask as anybody, and sees everything where it does not.
	Persona string

	Logger  *slog.Logger // nil for none
	Version string       // told to clients
}

// Limits on a call.
const (
	maxArguments = 1 << 20 // bytes of one call's arguments
	// maxFrame bounds what a transport reads before a tool can say that it is too
	// much. It leaves room for the envelope, and for arguments a little too large.
	maxFrame = 2 << 20

	// readTime is longer than the store's own limit, so that the store can name
	// what took so long; writeTime leaves room for a slow model and its retries.
	readTime  = 35 * time.Second
	writeTime = 10 * time.Minute
)

// Server holds the tools. It is safe for concurrent use and keeps no state
// between calls.
type Server struct {
	Options
	sdk *sdk.Server
}

// New makes a server. It fails where the store or the submitter is missing.
func New(o Options) (*Server, error) {
	if o.Store == nil || o.Submitter == nil {
		return nil, errors.New("mcp: a store and a submitter are needed")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{Options: o}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "relata", Title: "Relata", Version: o.Version}, &sdk.ServerOptions{
		Instructions: s.instructions(),
		// No log messages to clients: ours go to our own log.
		Capabilities: &sdk.ServerCapabilities{},
	})
	return s, s.addTools()
}

// Handler answers over streamable HTTP. It keeps no sessions, so that any of
// several servers can answer any call, and asks for no key: whoever mounts it
// lets in only those who may call, and keeps foreign pages and foreign host
// names out.
func (s *Server) Handler() http.Handler {
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxFrame,
		PropagateRequestCancellation: true,
		// The SDK would refuse every name but localhost behind a proxy on the same
		// machine. Which hosts may call is the mounting server's to say.
		DisableLocalhostProtection: true,
	})
}

// RunStdio speaks to one client over a pair of streams, normally stdin and
// stdout, until the client closes its side (nil) or ctx ends (its error).
// Nothing else may write to out.
func (s *Server) RunStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.sdk.Run(ctx, &sdk.IOTransport{
		Reader: io.NopCloser(in), Writer: unclosed{out}, MaxLineLength: maxFrame,
	})
}

// unclosed keeps a stream open that belongs to somebody else.
type unclosed struct{ io.Writer }

// Close does nothing.
func (unclosed) Close() error { return nil }
