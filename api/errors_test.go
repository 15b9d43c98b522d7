package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/api"
	"relata/graph"
)

func TestEveryCodeHasItsStatus(t *testing.T) {
	const secret = "MATCH (m:Memory) at 10.0.0.1"
	tests := []struct {
		code   graph.Code
		status int
		detail string
	}{
		{graph.CodeInvalid, 400, "said to callers"},
		{graph.CodeUnauthorized, 401, "said to callers"},
		{graph.CodeForbidden, 403, "said to callers"},
		{graph.CodeNotFound, 404, "said to callers"},
		{graph.CodeConflict, 409, "said to callers"},
		{graph.CodeTooLarge, 413, "said to callers"},
		{graph.CodeVocabularyFull, 422, "said to callers"},
		{graph.CodeModel, 502, "said to callers"},
		{graph.CodeUnavailable, 503, "said to callers"},
		{graph.CodeTimeout, 504, "said to callers"},
		{graph.CodeInternal, 500, "the server failed; its log tells more under the id in the header X-Request-Id"},
		{graph.Code("unheard of"), 500, "said to callers"},
	}
	for _, tt := range tests {
		t.Run(string(tt.code), func(t *testing.T) {
			failure := graph.WrapError(tt.code, errors.New(secret), "said to callers")
			failure.Fields = []graph.Field{{Name: "queries[2].limit", Message: "must be from 10 to 50"}}
			s := serve(t, &fake{memory: func(graph.MemoryID) (graph.Memory, error) {
				return graph.Memory{}, fmt.Errorf("read a memory: %w", failure)
			}})
			w := call(t, s, request("GET", "/v1/spaces/cafe/memories/1", ""))
			wantStatus(t, w, tt.status)
			if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
				t.Errorf("Content-Type is %q", got)
			}
			if strings.Contains(w.Body.String(), secret) {
				t.Errorf("the inner cause got out: %s", w.Body)
			}
			var p api.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
				t.Fatal(err)
			}
			if p.Status != tt.status || p.Detail != tt.detail || p.Title == "" || !strings.HasPrefix(p.Type, "urn:relata:problem:") {
				t.Errorf("problem %+v", p)
			}
			if tt.code != graph.CodeInternal && len(p.Errors) != 1 {
				t.Errorf("errors %+v, want the one field", p.Errors)
			}
			if (w.Header().Get("WWW-Authenticate") != "") != (tt.status == 401) {
				t.Errorf("WWW-Authenticate is %q at %d", w.Header().Get("WWW-Authenticate"), tt.status)
			}
		})
	}
}

func TestAProblemIsByteForByteWhatIsDocumented(t *testing.T) {
	w := call(t, serve(t, &fake{}), request("GET", "/v1/spaces/nowhere/memories", ""))
	wantStatus(t, w, 404)
	wantBody(t, w, `{"type":"urn:relata:problem:not_found","title":"Not found","status":404,"detail":"the space \"nowhere\" does not exist","errors":[]}`)
}

func TestFailuresOfTheRouterAreProblemsToo(t *testing.T) {
	tests := map[string]struct {
		request *http.Request
		status  int
		name    string
		allow   string
	}{
		"no such route":     {request("GET", "/v2/anything", ""), 404, "not_found", ""},
		"a wrong method":    {request("DELETE", "/v1/spaces", ""), 405, "method_not_allowed", "OPTIONS, GET"},
		"a kind of body":    {request("POST", "/v1/spaces/cafe/search", "a=b", "Content-Type: application/x-www-form-urlencoded"), 415, "unsupported_media_type", ""},
		"XML to JSON only":  {request("POST", "/v1/spaces/cafe/search", "<a/>", "Content-Type: application/xml"), 415, "unsupported_media_type", ""},
		"JSON to XML only":  {request("POST", "/v1/diff", "{}"), 415, "unsupported_media_type", ""},
		"a charset":         {request("POST", "/v1/spaces/cafe/search", "{}", "Content-Type: application/json; charset=gbk"), 415, "unsupported_media_type", ""},
		"a compressed body": {request("POST", "/v1/spaces/cafe/search", "{}", "Content-Encoding: gzip"), 415, "unsupported_media_type", ""},
		"an id of letters":  {request("GET", "/v1/spaces/cafe/memories/abc", ""), 400, "invalid", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := call(t, serve(t, &fake{}), tt.request)
			wantStatus(t, w, tt.status)
			var p api.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
				t.Fatal(err)
			}
			if p.Type != "urn:relata:problem:"+tt.name || p.Status != tt.status || p.Detail == "" {
				t.Errorf("problem %+v", p)
			}
			if got := w.Header().Get("Allow"); got != tt.allow {
				t.Errorf("Allow is %q, want %q", got, tt.allow)
			}
		})
	}
}

// lines gives what a logger wrote.
type lines struct{ bytes.Buffer }

func (l *lines) option(o *api.Options) {
	o.Logger = slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func TestAPanicIsA500AndIsLogged(t *testing.T) {
	var log lines
	s := serve(t, &fake{memory: func(graph.MemoryID) (graph.Memory, error) { panic("out of range") }}, log.option)
	w := call(t, s, request("GET", "/v1/spaces/cafe/memories/1", "", "X-Request-Id: abc-1"))
	wantStatus(t, w, 500)
	if strings.Contains(w.Body.String(), "out of range") || strings.Contains(w.Body.String(), ".go") {
		t.Errorf("the panic got out: %s", w.Body)
	}
	for _, want := range []string{`"level":"ERROR"`, "out of range", "errors_test.go", `"request_id":"abc-1"`, `"status":500`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, log.String())
		}
	}
}

func TestNoLogLineHoldsWhatACallerSent(t *testing.T) {
	var log lines
	s := serve(t, &fake{}, log.option)
	call(t, s, request("GET", "/v1/spaces/cafe/memories?subject=阿岩", ""))
	call(t, s, request("POST", "/v1/spaces/cafe/search", `{"queries":[{"index0":"event","memory":"阿岩"}],"阿岩":1}`))
	call(t, s, request("GET", "/v1/spaces/阿岩", ""))
	if strings.Contains(log.String(), "阿岩") || strings.Contains(log.String(), "%E9") {
		t.Errorf("the log tells: %s", log.String())
	}
	if got := strings.Count(log.String(), "http request"); got != 3 {
		t.Errorf("%d lines for 3 requests: %s", got, log.String())
	}
}

func TestAClientThatHangsUpIsNoError(t *testing.T) {
	var log lines
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, &fake{search: func(ctx context.Context, _ graph.SearchRequest) ([]graph.Result, error) {
		cancel()
		<-ctx.Done()
		return nil, graph.WrapError(graph.CodeTimeout, ctx.Err(), "the request was cancelled")
	}}, log.option)
	r := request("POST", "/v1/spaces/cafe/search", `{"queries":[{"index0":"event","memory":"x"}]}`).WithContext(ctx)
	wantStatus(t, call(t, s, r), 499)
	if strings.Contains(log.String(), `"level":"ERROR"`) || !strings.Contains(log.String(), `"status":499`) {
		t.Errorf("log: %s", log.String())
	}
}

func TestWorkOverItsLimitIsA504(t *testing.T) {
	s := serve(t, &fake{search: func(ctx context.Context, _ graph.SearchRequest) ([]graph.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}, func(o *api.Options) { o.Timeout = time.Millisecond })
	wantStatus(t, call(t, s, request("POST", "/v1/spaces/cafe/search", `{"queries":[{"index0":"event","memory":"x"}]}`)), 504)
}

func TestABodyOverTheLimitIsA413(t *testing.T) {
	s := serve(t, &fake{}, func(o *api.Options) { o.BodyLimit = 100 })
	body := `{"queries":[{"index0":"event","memory":"` + strings.Repeat("长", 100) + `"}]}`
	t.Run("by its announced length", func(t *testing.T) {
		wantStatus(t, call(t, s, request("POST", "/v1/spaces/cafe/search", body)), 413)
	})
	t.Run("while it is read", func(t *testing.T) {
		r := request("POST", "/v1/spaces/cafe/search", body)
		r.ContentLength = -1
		wantStatus(t, call(t, s, r), 413)
	})
	t.Run("XML too", func(t *testing.T) {
		r := request("POST", "/v1/spaces/cafe/diffs", "<relations></relations><memories></memories>"+strings.Repeat(" ", 100), "Content-Type: application/xml")
		r.ContentLength = -1
		wantStatus(t, call(t, s, r), 413)
	})
}

func TestBodiesThatCannotBeReadSayWhere(t *testing.T) {
	tests := map[string]struct {
		body   string
		detail string
		fields []api.FieldError
	}{
		"nothing":          {" ", "the body is empty: a JSON object is needed", nil},
		"no object":        {"[]", "the body must be a JSON object", nil},
		"broken off":       {"{\n  \"queries\": [", "the body is not valid JSON: unexpected end of JSON input (line 2, column 14)", nil},
		"a stray sign":     {`{"queries": ？}`, "the body is not valid JSON: invalid character 'ï' looking for beginning of value (line 1, column 13)", nil},
		"something behind": {`{"queries":[]} {}`, "the body is not valid JSON: invalid character '{' after top-level value (line 1, column 16)", nil},
		"not UTF-8":        {"{\"queries\":[\"\xc4\xe3\"]}", "the body is not UTF-8 (line 1, column 13)", nil},
		"a misspelt field": {
			`{"querys":[]}`, "querys is not a field of this body: it has queries, as_persona, beliefs, as_of, include_retired, include_pending, explain",
			[]api.FieldError{{Field: "querys", Message: "is not a field of this body: it has queries, as_persona, beliefs, as_of, include_retired, include_pending, explain"}},
		},
		"another case": {
			`{"Queries":[]}`, "Queries is not a field of this body: it has queries, as_persona, beliefs, as_of, include_retired, include_pending, explain",
			[]api.FieldError{{Field: "Queries", Message: "is not a field of this body: it has queries, as_persona, beliefs, as_of, include_retired, include_pending, explain"}},
		},
		"a field twice": {
			`{"queries":[],"queries":[]}`, "queries is given twice",
			[]api.FieldError{{Field: "queries", Message: "is given twice"}},
		},
		"another type": {
			`{"queries":[],"explain":"yes"}`, "explain must be true or false, not string (line 1, column 29)",
			[]api.FieldError{{Field: "explain", Message: "must be true or false, not string (line 1, column 29)"}},
		},
		"a missing field": {
			`{"explain":true}`, "queries is missing",
			[]api.FieldError{{Field: "queries", Message: "is missing"}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := call(t, serve(t, &fake{}), request("POST", "/v1/spaces/cafe/search", tt.body))
			wantStatus(t, w, 400)
			var p api.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
				t.Fatal(err)
			}
			if p.Detail != tt.detail {
				t.Errorf("detail\n got %s\nwant %s", p.Detail, tt.detail)
			}
			if tt.fields == nil {
				tt.fields = []api.FieldError{}
			}
			if diff := cmp.Diff(tt.fields, p.Errors); diff != "" {
				t.Errorf("errors (-want +got)\n%s", diff)
			}
		})
	}
}

func TestWrongFieldsAreAllNamed(t *testing.T) {
	tests := map[string]struct {
		request *http.Request
		fields  []string
	}{
		"no query":              {request("POST", "/v1/spaces/cafe/search", `{"queries":[]}`), []string{"queries"}},
		"51 queries":            {request("POST", "/v1/spaces/cafe/search", `{"queries":[`+strings.Repeat("1,", 50)+`1]}`), []string{"queries"}},
		"a page's limit":        {request("GET", "/v1/spaces/cafe/memories?limit=201", ""), []string{"limit"}},
		"a limit of nothing":    {request("GET", "/v1/spaces/cafe/diffs?limit=0", ""), []string{"limit"}},
		"a limit of letters":    {request("GET", "/v1/spaces/cafe/diffs?limit=ten", ""), []string{"limit"}},
		"a flag":                {request("GET", "/v1/spaces/cafe/memories?retired=perhaps", ""), []string{"retired"}},
		"index1 alone":          {request("GET", "/v1/spaces/cafe/memories?index1=owner", ""), []string{"index1"}},
		"which messages":        {request("GET", "/v1/spaces/cafe/messages", ""), []string{"ids"}},
		"ids of letters":        {request("GET", "/v1/spaces/cafe/messages?ids=1,b", ""), []string{"ids"}},
		"no confirmation":       {request("DELETE", "/v1/spaces/cafe", ""), []string{"confirm"}},
		"another confirmation":  {request("DELETE", "/v1/spaces/cafe?confirm=caf", ""), []string{"confirm"}},
		"blank aliases":         {request("PUT", "/v1/spaces/cafe/personas/x", `{"aliases":["a","　"],"owner_aliases":["\u200b"]}`), []string{"aliases[1]", "owner_aliases[0]"}},
		"a blank meaning":       {request("PUT", "/v1/spaces/cafe/relations/own", `{"content":" "}`), []string{"content"}},
		"a space's settings":    {request("PUT", "/v1/spaces/cafe", `{"timezone":"Mars","governance":"none"}`), []string{"timezone", "governance"}},
		"a space's name":        {request("PUT", "/v1/spaces/a%20b", ""), []string{"space"}},
		"a batch":               {request("POST", "/v1/spaces/cafe/ingest", `{"session_id":"","chats":[{"date":"","role":"king","content":"x"}]}`), []string{"session_id", "chats[0].role"}},
		"an unknown mode":       {request("POST", "/v1/spaces/cafe/ingest?mode=deep", `{"session_id":"s","chats":[]}`), []string{"mode"}},
		"a diff's date":         {request("POST", "/v1/spaces/cafe/diffs", `{"memories":{},"date":"someday"}`), []string{"date"}},
		"chats without session": {request("POST", "/v1/spaces/cafe/diffs", `{"memories":{},"chats":[{"date":"2026-03-03","role":"user","content":"x"}]}`), []string{"session_id"}},
		"a depth":               {request("GET", "/v1/spaces/cafe/entities/1/neighbourhood?depth=4&limit=0", ""), []string{"depth", "limit"}},
		"ends of a path":        {request("GET", "/v1/spaces/cafe/paths?from=%20&to=b&max_hops=7", ""), []string{"from", "max_hops"}},
		"a missing end":         {request("GET", "/v1/spaces/cafe/paths?from=a", ""), []string{"to"}},
		"a blank entity":        {request("GET", "/v1/spaces/cafe/entities?name=%E3%80%80", ""), []string{"name"}},
		"no aliases":            {request("POST", "/v1/spaces/cafe/entities/1/aliases", `{"aliases":[]}`), []string{"aliases"}},
		"a blank alias":         {request("POST", "/v1/spaces/cafe/entities/1/aliases", `{"aliases":["a"," "]}`), []string{"aliases[1]"}},
		"an edit's names":       {request("PATCH", "/v1/spaces/cafe/memories/1", `{"tags":[" "],"known_by":["a",""]}`), []string{"tags[0]", "known_by[1]"}},
		"an edit's misspelling": {request("PATCH", "/v1/spaces/cafe/memories/1", `{"text":"x"}`), []string{"text"}},
		"a profile":             {request("POST", "/v1/diff?profile=grand", "<chats/>", "Content-Type: application/xml"), []string{"profile"}},
		"persona of a number":   {request("POST", "/v1/spaces/cafe/ingest", `{"session_id":"s","persona":7,"chats":[]}`), []string{"persona"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := call(t, serve(t, &fake{}), tt.request)
			wantStatus(t, w, 400)
			var p api.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range p.Errors {
				got = append(got, f.Field)
				if f.Message == "" {
					t.Errorf("%s has no message", f.Field)
				}
			}
			if diff := cmp.Diff(tt.fields, got); diff != "" {
				t.Errorf("fields (-want +got)\n%s\nbody: %s", diff, w.Body)
			}
		})
	}
}
