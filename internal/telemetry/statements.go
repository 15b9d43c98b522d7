package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"relata/graph"
)

var _ graph.Observer = (*Telemetry)(nil)

// Statement counts a Cypher statement: it implements graph.Observer. What failed
// is not told, for the database's words may quote what is stored.
func (t *Telemetry) Statement(ctx context.Context, name string, took time.Duration, err error) {
	t.metrics.statementDuration.WithLabelValues(name).Observe(took.Seconds())
	if err != nil {
		t.metrics.statementErrors.WithLabelValues(name).Inc()
	}
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return // nobody asked for it: a probe, or no traces at all
	}
	end := time.Now()
	_, span := t.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(end.Add(-took)),
		trace.WithAttributes(attribute.String("db.system.name", "neo4j"), attribute.String("db.operation.name", name)))
	if err != nil {
		span.SetStatus(codes.Error, "")
	}
	span.End(trace.WithTimestamp(end))
}

// Session counts sessions with the database: it implements graph.Observer.
func (t *Telemetry) Session(change int) { t.metrics.sessions.Add(float64(change)) }
