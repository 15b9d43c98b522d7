package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"relata/graph"
)

// Observer hears of what the surface does, for metrics and traces. Its methods
// are called from many goroutines. Nothing that they are given, but for the
// headers, holds what a caller sent.
type Observer interface {
	// Request is called when a request comes in. route is its pattern, such as
	// "/v1/spaces/:space/search", "" where there is none. The context that it
	// gives is that of the request; done is called with the answer's status.
	Request(ctx context.Context, method, route string, header http.Header) (_ context.Context, done func(status int))
	// Search is called after the queries of one call were answered; failed counts
	// those that got an error.
	Search(took time.Duration, queries, failed int)
	// Hits is called with the number of hints that a leg of a search found:
	// vector, text or graph.
	Hits(leg string, n int)
}

// MetricsWriter gives what was measured so far.
type MetricsWriter interface {
	// WriteMetrics writes all metrics in Prometheus' text format.
	WriteMetrics(w io.Writer) error
}

// observe tells the observer of each request.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	if s.Observer == nil {
		return next
	}
	return func(c echo.Context) error {
		r := c.Request()
		ctx, done := s.Observer.Request(r.Context(), r.Method, c.Path(), r.Header)
		c.SetRequest(r.WithContext(ctx))
		// The line of the request has answered its failure by then.
		defer func() { done(c.Response().Status) }()
		return next(c)
	}
}

// observeSearch tells the observer of the answers to the queries of one call.
func (s *Server) observeSearch(took time.Duration, results []graph.Result) {
	if s.Observer == nil {
		return
	}
	failed := 0
	var vector, text, walk int
	for _, r := range results {
		if r.Err != nil {
			failed++
		}
		for _, h := range r.Hints {
			if h.Explain == nil {
				continue
			}
			vector += one(h.Explain.Vector > 0)
			text += one(h.Explain.Text > 0)
			walk += one(h.Explain.Graph > 0)
		}
	}
	s.Observer.Search(took, len(results), failed)
	s.Observer.Hits("vector", vector)
	s.Observer.Hits("text", text)
	s.Observer.Hits("graph", walk)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// GetMetrics answers GET /metrics.
func (s *Server) GetMetrics(context.Context, GetMetricsRequestObject) (GetMetricsResponseObject, error) {
	var body bytes.Buffer
	if s.Metrics != nil {
		if err := s.Metrics.WriteMetrics(&body); err != nil {
			return nil, graph.WrapError(graph.CodeInternal, err, "the metrics cannot be gathered")
		}
	}
	return metricsResponse(body.Bytes()), nil
}

// metricsResponse names the version of the format, by which scrapers know it.
type metricsResponse []byte

// VisitGetMetricsResponse writes the metrics.
func (m metricsResponse) VisitGetMetricsResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, err := w.Write(m)
	return err
}
