package telemetry

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"relata/extractor"
)

// model is a model whose calls are counted.
type model struct {
	extractor.Model
	t *Telemetry
}

// Model gives a model whose calls are counted and traced; nil for nil.
func (t *Telemetry) Model(m extractor.Model) extractor.Model {
	if m == nil {
		return nil
	}
	return model{m, t}
}

// Answer implements extractor.Model.
func (m model) Answer(ctx context.Context, req extractor.Request) (extractor.Answer, error) {
	name, start := m.Name(), time.Now()
	ctx, span := m.t.tracer.Start(ctx, "model "+req.Step, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", req.Step), attribute.String("gen_ai.request.model", name),
	))
	defer span.End()
	answer, err := m.Model.Answer(ctx, req)
	outcome, in, out := "ok", answer.InputTokens, answer.OutputTokens
	if answer.Truncated {
		outcome = "truncated"
	}
	if err != nil {
		outcome = "failed"
		if me, ok := errors.AsType[*extractor.ModelError](err); ok {
			outcome, in, out = string(me.Kind), me.InputTokens, me.OutputTokens
		}
		span.SetStatus(codes.Error, outcome)
	}
	span.SetAttributes(attribute.Int("gen_ai.usage.input_tokens", in), attribute.Int("gen_ai.usage.output_tokens", out))
	c := &m.t.metrics
	c.modelCalls.WithLabelValues(name, req.Step, outcome).Inc()
	c.modelTokens.WithLabelValues(name, req.Step, "input").Add(float64(in))
	c.modelTokens.WithLabelValues(name, req.Step, "output").Add(float64(out))
	c.modelDuration.WithLabelValues(name, req.Step).Observe(time.Since(start).Seconds())
	return answer, err
}
