package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/api"
	"relata/graph"
)

// listener keeps what an observer hears.
type listener struct {
	mu    sync.Mutex
	heard []string
	fail  error
}

type heardKey struct{}

func (l *listener) note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, fmt.Sprintf(format, args...))
}

func (l *listener) Request(ctx context.Context, method, route string, header http.Header) (context.Context, func(int)) {
	return context.WithValue(ctx, heardKey{}, header.Get("Traceparent")), func(status int) { l.note("%s %s %d", method, route, status) }
}

func (l *listener) Search(_ time.Duration, queries, failed int) {
	l.note("search %d %d", queries, failed)
}

func (l *listener) Hits(leg string, n int) { l.note("%s %d", leg, n) }

func (l *listener) WriteMetrics(w io.Writer) error {
	if l.fail != nil {
		return l.fail
	}
	_, err := io.WriteString(w, "relata_up 1\n")
	return err
}

func TestAnObserverHearsOfEachRequestByItsRoute(t *testing.T) {
	l := &listener{}
	f := &fake{search: func(ctx context.Context, r graph.SearchRequest) ([]graph.Result, error) {
		if ctx.Value(heardKey{}) != "00-ab" || !r.Explain {
			t.Errorf("the context is lost, or the legs are: %+v", r)
		}
		return []graph.Result{
			{Hints: []graph.Hint{{ID: 1, Explain: &graph.Explain{Vector: 0.5, Text: 1}}, {ID: 2, Explain: &graph.Explain{Vector: 0.1, Graph: 0.2}}}},
			{Err: graph.Errorf(graph.CodeInvalid, "no")},
		}, nil
	}}
	s := serve(t, f, func(o *api.Options) { o.Observer = l })
	w := call(t, s, request("POST", "/v1/spaces/cafe/search", `{"queries":[{"index0":"event","memory":"x"},{"index0":"event","memory":""}]}`, "Traceparent: 00-ab"))
	wantStatus(t, w, 200)
	if strings.Contains(w.Body.String(), "explain") {
		t.Errorf("the caller sees what it did not ask for: %s", w.Body)
	}
	call(t, s, request("GET", "/v1/spaces/nowhere/entities/7", ""))
	call(t, s, request("GET", "/v1/阿岩", ""))
	call(t, s, request("GET", "/v1/spaces/cafe/memories/abc", ""))
	want := []string{
		"search 2 1", "vector 2", "text 1", "graph 1", "POST /v1/spaces/:space/search 200",
		"GET /v1/spaces/:space/entities/:id 404", "GET  404", "GET /v1/spaces/:space/memories/:id 400",
	}
	if diff := cmp.Diff(want, l.heard); diff != "" {
		t.Errorf("heard (-want +got)\n%s", diff)
	}
}

func TestMetricsAreGivenInTheirFormat(t *testing.T) {
	l := &listener{}
	s := serve(t, &fake{}, func(o *api.Options) { o.Metrics = l })
	w := call(t, s, request("GET", "/metrics", ""))
	wantStatus(t, w, 200)
	if w.Body.String() != "relata_up 1\n" || w.Header().Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("%s: %q", w.Header().Get("Content-Type"), w.Body)
	}
	l.fail = errors.New("no")
	wantStatus(t, call(t, s, request("GET", "/metrics", "")), 500)
	wantStatus(t, call(t, serve(t, &fake{}), request("GET", "/metrics", "")), 200)
}
