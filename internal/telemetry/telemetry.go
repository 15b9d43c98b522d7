package telemetry

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Options configure a [Telemetry].
type Options struct {
	Version string // of the program
	// Spans is where traces go, see [NewExporter]; nil for nowhere.
	Spans  sdktrace.SpanExporter
	Logger *slog.Logger // hears of traces that could not be sent; nil discards
}

// Telemetry holds a registry of its own and a tracer. It is safe for concurrent
// use.
type Telemetry struct {
	registry *prometheus.Registry
	metrics  metrics
	provider *sdktrace.TracerProvider // nil without traces
	tracer   trace.Tracer
	header   propagation.TextMapPropagator
}

// New makes a Telemetry. Errors: the description of the program for traces
// cannot be made.
func New(o Options) (*Telemetry, error) {
	t := &Telemetry{
		registry: prometheus.NewRegistry(), metrics: newMetrics(),
		tracer: noop.NewTracerProvider().Tracer(""), header: propagation.TraceContext{},
	}
	t.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	t.registry.MustRegister(t.metrics.all()...)
	t.metrics.build.WithLabelValues(o.Version).Set(1)
	if o.Spans != nil {
		if o.Logger == nil {
			o.Logger = slog.New(slog.DiscardHandler)
		}
		var err error
		if t.provider, err = newProvider(o); err != nil {
			return nil, err
		}
		t.tracer = t.provider.Tracer("relata")
	}
	return t, nil
}

// Close sends the traces that still wait, within the time that ctx gives.
func (t *Telemetry) Close(ctx context.Context) error {
	if t.provider == nil {
		return nil
	}
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", err)
	}
	return nil
}

// WriteMetrics writes all metrics in Prometheus' text format.
func (t *Telemetry) WriteMetrics(w io.Writer) error {
	families, err := t.registry.Gather()
	if err != nil {
		return fmt.Errorf("gather the metrics: %w", err)
	}
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(w, f); err != nil {
			return fmt.Errorf("write the metrics: %w", err)
		}
	}
	return nil
}
