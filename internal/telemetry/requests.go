package telemetry

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// untraced routes are asked all the time and tell nothing.
var untraced = map[string]bool{"/healthz": true, "/readyz": true, "/metrics": true}

// Request begins a request: it implements api.Observer.
func (t *Telemetry) Request(ctx context.Context, method, route string, header http.Header) (context.Context, func(status int)) {
	method = knownMethod(method)
	start := time.Now()
	t.metrics.inFlight.Inc()
	span := trace.SpanFromContext(context.Background())
	if !untraced[route] {
		ctx = t.header.Extract(ctx, propagation.HeaderCarrier(header))
		ctx, span = t.tracer.Start(ctx, method+" "+route, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
			attribute.String("http.request.method", method), attribute.String("http.route", route),
		))
	}
	return ctx, func(status int) {
		t.metrics.inFlight.Dec()
		t.metrics.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
		t.metrics.requestDuration.WithLabelValues(method, route).Observe(time.Since(start).Seconds())
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// knownMethod keeps invented methods from becoming labels.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}

// Search counts the queries of one search: it implements api.Observer.
func (t *Telemetry) Search(took time.Duration, queries, failed int) {
	t.metrics.searchDuration.Observe(took.Seconds())
	t.metrics.searchQueries.WithLabelValues("answered").Add(float64(queries - failed))
	t.metrics.searchQueries.WithLabelValues("failed").Add(float64(failed))
}

// Hits counts the hints that a leg found: it implements api.Observer.
func (t *Telemetry) Hits(leg string, n int) {
	t.metrics.searchHits.WithLabelValues(leg).Add(float64(n))
}
