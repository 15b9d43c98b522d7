package api_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"relata/api"
	"relata/graph"
	"relata/relations"
)

var _ api.Importer = (*relations.Importer)(nil)

// Export gives two lines.
func (f *fake) Export(_ context.Context, _ string, emit func(any) error) error {
	if f.export != nil {
		return f.export(emit)
	}
	if err := emit(graph.SpaceLine{Type: graph.LineSpace, Name: "cafe"}); err != nil {
		return err
	}
	return emit(graph.EntityLine{Type: graph.LineEntity, Name: "R&D <x>"})
}

// Import counts lines as memories.
func (f *fake) Import(_ context.Context, r relations.ImportRequest) (relations.ImportReport, error) {
	if err := f.space404(r.Space); err != nil && f.space == nil {
		return relations.ImportReport{}, err
	}
	if f.importErr != nil {
		return relations.ImportReport{}, f.importErr
	}
	var report relations.ImportReport
	lines := bufio.NewScanner(r.Lines)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		report.Memories++
	}
	report.Errors = f.lineErrors
	return report, lines.Err()
}

func TestAnExportIsAStreamOfLines(t *testing.T) {
	w := call(t, serve(t, &fake{}), request("GET", "/v1/spaces/cafe/export", ""))
	wantStatus(t, w, 200)
	if got := w.Header().Get("Content-Type"); got != "application/x-ndjson; charset=utf-8" {
		t.Error(got)
	}
	wantBody(t, w, `{"type":"space","name":"cafe"}`+"\n"+`{"type":"entity","name":"R&D <x>"}`)
	wantStatus(t, call(t, serve(t, &fake{}), request("GET", "/v1/spaces/nowhere/export", "")), 404)
}

func TestAnExportThatFailsIsToldByStatusOrCut(t *testing.T) {
	f := &fake{export: func(func(any) error) error { return graph.Errorf(graph.CodeUnavailable, "busy") }}
	wantStatus(t, call(t, serve(t, f), request("GET", "/v1/spaces/cafe/export", "")), 503)

	f.export = func(emit func(any) error) error {
		for range 10 {
			if err := emit(graph.EntityLine{Name: strings.Repeat("x", 50_000)}); err != nil {
				return err
			}
		}
		return errors.New("the database went away")
	}
	srv := httptest.NewServer(serve(t, f))
	t.Cleanup(srv.Close)
	resp, err := http.Get(srv.URL + "/v1/spaces/cafe/export")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadAll(resp.Body); err == nil {
		t.Error("an export that broke off looks whole")
	}
}

func TestAnImportMayBeLongerThanOtherBodies(t *testing.T) {
	body := strings.Repeat(`{"subject":"s"}`+"\n", 2000)
	s := serve(t, &fake{lineErrors: []relations.LineError{{Line: 3, Message: "object missing"}}}, func(o *api.Options) { o.BodyLimit = 100 })
	w := call(t, s, request("POST", "/v1/spaces/cafe/import", body, "Content-Type: application/x-ndjson; charset=utf-8"))
	wantStatus(t, w, 200)
	wantBody(t, w, `{"spaces":0,"personas":0,"relations":0,"entities":0,"sources":0,"memories":2000,"diffs":0,"duplicates":0,"failed":0,"missing_sources":0,"errors":[{"line":3,"message":"object missing"}]}`)
	wantStatus(t, call(t, s, request("POST", "/v1/spaces/cafe/import", body, "Content-Type: application/jsonl")), 200)
	wantStatus(t, call(t, s, request("POST", "/v1/spaces/cafe/import", body, "Content-Type: application/json")), 415)
	wantStatus(t, call(t, s, request("POST", "/v1/spaces/nowhere/import", body, "Content-Type: application/x-ndjson")), 404)
}
