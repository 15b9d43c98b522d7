package telemetry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"relata/extractor"
	"relata/graph"
	"relata/internal/telemetry"
)

// speaker is a model and an embedder that answers or fails.
type speaker struct{ err error }

func (speaker) Name() string { return "fake:m" }

func (s speaker) Answer(context.Context, extractor.Request) (extractor.Answer, error) {
	return extractor.Answer{Text: "secret answer", InputTokens: 10, OutputTokens: 5}, s.err
}

func (s speaker) Embed(_ context.Context, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), s.err
}

// work does one of everything.
func work(t *testing.T, tel *telemetry.Telemetry) {
	t.Helper()
	header := http.Header{"Traceparent": {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}
	ctx, done := tel.Request(t.Context(), "POST", "/v1/spaces/:space/search", header)
	tel.Session(1)
	tel.Statement(ctx, "search_near", 3*time.Millisecond, nil)
	tel.Statement(ctx, "search_walk", 3*time.Millisecond, errors.New("secret words"))
	tel.Search(5*time.Millisecond, 3, 1)
	tel.Hits("vector", 4)
	req := extractor.Request{Step: extractor.StepDiff, System: "secret prompt", User: "secret talk"}
	if _, err := tel.Model(speaker{}).Answer(ctx, req); err != nil {
		t.Fatal(err)
	}
	fail := speaker{&extractor.ModelError{Kind: extractor.KindRateLimited, Detail: "secret detail", InputTokens: 1}}
	if _, err := tel.Model(fail).Answer(ctx, req); err == nil {
		t.Fatal("the failure is lost")
	}
	if _, err := tel.Embedder(speaker{}, "query").Embed(ctx, []string{"secret", "text"}); err != nil {
		t.Fatal(err)
	}
	if _, err := tel.Embedder(speaker{errors.New("secret")}, "stored").Embed(ctx, []string{"x"}); err == nil {
		t.Fatal("the failure is lost")
	}
	tel.Diff(graph.Receipt{DiffID: 7, Status: graph.DiffApplied, Verdicts: []graph.Verdict{{Outcome: graph.OutcomeApplied}, {Outcome: graph.OutcomeRejected}}})
	tel.Diff(graph.Receipt{Status: graph.DiffApplied})                            // a dry run
	tel.Diff(graph.Receipt{DiffID: 7, Status: graph.DiffApplied, Repeated: true}) // counted before
	done(502)
	_, done = tel.Request(t.Context(), "BREW", "", nil)
	done(405)
	_, done = tel.Request(t.Context(), "GET", "/readyz", nil)
	done(200)
}

func TestWhatWasDoneIsInTheMetrics(t *testing.T) {
	tel, err := telemetry.New(telemetry.Options{Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	work(t, tel)
	var b bytes.Buffer
	if err := tel.WriteMetrics(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`relata_build_info{version="v1"} 1`,
		`relata_http_requests_total{method="POST",route="/v1/spaces/:space/search",status="502"} 1`,
		`relata_http_requests_total{method="other",route="",status="405"} 1`,
		`relata_http_request_duration_seconds_count{method="POST",route="/v1/spaces/:space/search"} 1`,
		`relata_http_requests_in_flight 0`,
		`relata_search_duration_seconds_count 1`,
		`relata_search_queries_total{outcome="answered"} 2`,
		`relata_search_queries_total{outcome="failed"} 1`,
		`relata_search_hits_total{leg="vector"} 4`,
		`relata_statement_duration_seconds_bucket{statement="search_near",le="0.005"} 1`,
		`relata_statement_errors_total{statement="search_walk"} 1`,
		`relata_database_sessions 1`,
		`relata_model_calls_total{model="fake:m",outcome="ok",step="diff"} 1`,
		`relata_model_calls_total{model="fake:m",outcome="rate_limited",step="diff"} 1`,
		`relata_model_tokens_total{direction="input",model="fake:m",step="diff"} 11`,
		`relata_model_tokens_total{direction="output",model="fake:m",step="diff"} 5`,
		`relata_diffs_total{status="applied"} 1`,
		`relata_diff_items_total{outcome="rejected"} 1`,
		`relata_embedded_texts_total{outcome="ok",use="query"} 2`,
		`relata_embedded_texts_total{outcome="failed",use="stored"} 1`,
		`go_goroutines `,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if strings.Contains(b.String(), "secret") {
		t.Error("the metrics tell what was said")
	}
}

func TestWhatWasDoneIsInTheTraces(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	tel, err := telemetry.New(telemetry.Options{Version: "v1", Spans: kept{spans}})
	if err != nil {
		t.Fatal(err)
	}
	work(t, tel)
	if err := tel.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	var server string
	for _, s := range spans.GetSpans() {
		got = append(got, s.Name+" "+s.Status.Code.String())
		if s.Name == "POST /v1/spaces/:space/search" {
			server = s.SpanContext.SpanID().String()
			if s.SpanContext.TraceID().String() != "0af7651916cd43dd8448eb211c80319c" {
				t.Error("the caller's trace is not continued")
			}
		}
		if text := fmt.Sprintf("%+v", s); strings.Contains(text, "secret") {
			t.Errorf("a span tells what was said: %s", text)
		}
	}
	for _, s := range spans.GetSpans() {
		if s.Name == "search_near" && (s.Parent.SpanID().String() != server || s.EndTime.Sub(s.StartTime) != 3*time.Millisecond) {
			t.Errorf("the statement is not within its request, or took %v", s.EndTime.Sub(s.StartTime))
		}
	}
	slices.Sort(got)
	want := []string{
		"POST /v1/spaces/:space/search Error", "embed query Unset", "embed stored Error", "model diff Error", "model diff Unset",
		"other  Unset", "search_near Unset", "search_walk Error",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spans (-want +got)\n%s", diff)
	}
}

// kept keeps its spans over a shutdown.
type kept struct{ *tracetest.InMemoryExporter }

func (kept) Shutdown(context.Context) error { return nil }

func TestTracesReachACollector(t *testing.T) {
	asked := make(chan string, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	defer collector.Close()
	exporter, err := telemetry.NewExporter(t.Context(), collector.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	tel, err := telemetry.New(telemetry.Options{Spans: exporter})
	if err != nil {
		t.Fatal(err)
	}
	_, done := tel.Request(t.Context(), "GET", "/v1/spaces", nil)
	done(200)
	if err := tel.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if path := <-asked; path != "/v1/traces" {
		t.Errorf("the collector was asked at %s", path)
	}
}
