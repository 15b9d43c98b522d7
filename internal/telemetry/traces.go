package telemetry

import (
	"context"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// NewExporter makes what sends traces to a collector over OTLP and HTTP.
// endpoint is the collector's address, such as http://localhost:4318; the path
// of traces is added. Nothing is sent yet. The exporter reads the other
// variables of OpenTelemetry (OTEL_EXPORTER_OTLP_HEADERS and so on) itself.
func NewExporter(ctx context.Context, endpoint string) (sdktrace.SpanExporter, error) {
	e, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(strings.TrimSuffix(endpoint, "/")+"/v1/traces"))
	if err != nil {
		return nil, fmt.Errorf("the collector %q cannot be used for traces: %w", endpoint, err)
	}
	return e, nil
}

func newProvider(o Options) (*sdktrace.TracerProvider, error) {
	about, err := resource.New(
		context.Background(),
		resource.WithAttributes(attribute.String("service.name", "relata"), attribute.String("service.version", o.Version)),
		resource.WithFromEnv(), // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win
		resource.WithTelemetrySDK(),
	)
	if err != nil {
		return nil, fmt.Errorf("describe the program for traces: %w", err)
	}
	// The library knows only one place for failures of its background work.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Logger.Warn("traces not sent", "error", err) }))
	return sdktrace.NewTracerProvider(sdktrace.WithBatcher(o.Spans), sdktrace.WithResource(about)), nil
}
