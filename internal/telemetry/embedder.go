package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"relata/graph"
)

// embedder is an embedder whose texts are counted.
type embedder struct {
	graph.Embedder
	use string
	t   *Telemetry
}

// Embedder gives an embedder whose texts are counted and traced. use says what
// they are: "stored" or "query".
func (t *Telemetry) Embedder(e graph.Embedder, use string) graph.Embedder {
	return embedder{e, use, t}
}

// Embed implements graph.Embedder.
func (e embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	start := time.Now()
	ctx, span := e.t.tracer.Start(ctx, "embed "+e.use, trace.WithAttributes(attribute.Int("relata.texts", len(texts))))
	defer span.End()
	vectors, err := e.Embedder.Embed(ctx, texts)
	outcome := "ok"
	if err != nil {
		outcome = "failed"
		span.SetStatus(codes.Error, "")
	}
	e.t.metrics.embedTexts.WithLabelValues(e.use, outcome).Add(float64(len(texts)))
	e.t.metrics.embedDuration.WithLabelValues(e.use).Observe(time.Since(start).Seconds())
	return vectors, err
}
