package api_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

// form gives a form of pairs of names and values; "file" is a file.
func form(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString("--x\r\nContent-Disposition: form-data; name=\"" + pairs[i] + "\"")
		if pairs[i] == "file" {
			b.WriteString("; filename=\"手册.md\"")
		}
		b.WriteString("\r\n\r\n" + pairs[i+1] + "\r\n")
	}
	return b.String() + "--x--\r\n"
}

const formKind = "Content-Type: multipart/form-data; boundary=x"

func TestAFileComesWithWhatIsSaidOfIt(t *testing.T) {
	f := &fake{}
	w := call(t, serve(t, f), request("POST", "/v1/spaces/cafe/documents",
		form("file", "# 手册", "title", " 员工手册 ", "date", "2026-06-08", "given_by", "阿岩", "visible_to", "小满, Lumen", "tags", "制度"), formKind, "Idempotency-Key: k1"))
	wantStatus(t, w, 200)
	want := []extractor.Material{{
		Space: "cafe", Title: "员工手册", Date: "2026-06-08", GivenBy: "阿岩", VisibleTo: []string{"小满", "Lumen"}, Tags: []string{"制度"},
		Name: "手册.md", Data: []byte("# 手册"),
	}}
	if diff := cmp.Diff(want, f.materials); diff != "" {
		t.Error(diff)
	}
}

func TestAFormThatCannotBeReadSaysWhere(t *testing.T) {
	for name, tt := range map[string]struct {
		path, body, field string
		status            int
	}{
		"without a file":           {"documents", form("title", "x"), "file", 400},
		"a field that is unknown":  {"documents", form("file", "x", "colour", "red"), "colour", 400},
		"a field that comes twice": {"documents", form("file", "x", "title", "a", "title", "b"), "title", 400},
		"an image's field":         {"documents", form("file", "x", "context", "a"), "context", 400},
		"cut off":                  {"images", strings.TrimSuffix(form("file", "x"), "--x--\r\n"), "", 400},
	} {
		t.Run(name, func(t *testing.T) {
			w := call(t, serve(t, &fake{}), request("POST", "/v1/spaces/cafe/"+tt.path, tt.body, formKind))
			wantStatus(t, w, tt.status)
			if tt.field != "" && !strings.Contains(w.Body.String(), `"field":"`+tt.field+`"`) {
				t.Errorf("the field %s is not named: %s", tt.field, w.Body)
			}
		})
	}
}

func TestLongWorkIsAJob(t *testing.T) {
	for name, tt := range map[string]struct {
		fake   *fake
		path   string
		body   string
		header []string
		queued []string
	}{
		"a batch where it is preferred": {&fake{}, "ingest", `{"session_id":"s","chats":[{"role":"user","content":"x"}]}`, []string{"Prefer: wait=5, respond-async", "Idempotency-Key: k"}, []string{"k"}},
		"a long document":               {&fake{parts: 3}, "documents", `{"title":"t","text":"x"}`, []string{"Idempotency-Key: k"}, []string{"k"}},
		"a document where it is wanted": {&fake{}, "documents", `{"title":"t","text":"x"}`, []string{"Prefer: respond-async", "Idempotency-Key: k"}, []string{"k"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := call(t, serve(t, tt.fake), request("POST", "/v1/spaces/cafe/"+tt.path, tt.body, tt.header...))
			wantStatus(t, w, 202)
			if at := w.Header().Get("Location"); at != "/v1/jobs/17" {
				t.Errorf("Location %q", at)
			}
			if diff := cmp.Diff(tt.queued, tt.fake.queued); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAJobIsFollowedToItsEnd(t *testing.T) {
	f := &fake{job: graph.Job{Total: 2, Done: 1}}
	w := call(t, serve(t, f), request("GET", "/v1/jobs/17/events", ""))
	wantStatus(t, w, 200)
	if kind := w.Header().Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("content type %q", kind)
	}
	events := strings.Split(strings.TrimSpace(w.Body.String()), "\n\n")
	if len(events) != 2 || !strings.HasPrefix(events[0], "event: job\ndata: {") || !strings.Contains(events[0], `"state":"running"`) || !strings.Contains(events[1], `"state":"done"`) {
		t.Errorf("events %q", events)
	}
}

func TestTurnsAreAppendedAndFlushed(t *testing.T) {
	f := &fake{}
	h := serve(t, f)
	w := call(t, h, request("POST", "/v1/spaces/cafe/messages", `{"session_id":"s","persona":"小满","chats":[{"id":1,"role":"user","content":"我今天轮休"}]}`))
	wantStatus(t, w, 200)
	wantBody(t, w, `{"pending":1}`)
	w = call(t, h, request("POST", "/v1/spaces/cafe/messages", `{"session_id":"s","chats":[],"flush":true}`))
	wantStatus(t, w, 200)
	wantBody(t, w, `{"pending":0,"job":17}`)
	w = call(t, h, request("POST", "/v1/spaces/cafe/messages", `{"session_id":"s","chats":[]}`))
	wantStatus(t, w, 400)
}
