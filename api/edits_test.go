package api_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/api"
	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

func TestAnEditSaysWhatIsLeftAsItIs(t *testing.T) {
	text := func(s string) *string { return &s }
	tests := map[string]struct {
		target, body string
		want         relations.Edit
	}{
		"one field":               {"", `{"content":"阿岩周四轮休"}`, relations.Edit{Content: text("阿岩周四轮休")}},
		"null is left out":        {"", `{"content":"x","subject":null,"tags":null,"known_by":null}`, relations.Edit{Content: text("x")}},
		"empty is not left out":   {"", `{"event_date":"","tags":[],"known_by":[]}`, relations.Edit{EventDate: text(""), Tags: []string{}, KnownBy: []string{}}},
		"nothing":                 {"", `{}`, relations.Edit{}},
		"everything, as a trial":  {"?dry_run=true", `{"content":"a","subject":"b","relation":"c","object":"d","index0":"e","index1":"f","tags":["g"],"event_date":"h","known_by":["i"]}`, relations.Edit{Content: text("a"), Subject: text("b"), Relation: text("c"), Object: text("d"), Index0: text("e"), Index1: text("f"), Tags: []string{"g"}, EventDate: text("h"), KnownBy: []string{"i"}, DryRun: true}},
		"a blank one is judged":   {"", `{"object":" "}`, relations.Edit{Object: text(" ")}},
		"in another writing, too": {"", `{"index0":"event"}`, relations.Edit{Index0: text("event")}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got relations.Edit
			f := &fake{edit: func(e relations.Edit) (graph.Receipt, error) {
				got = e
				return receipt(), nil
			}}
			w := call(t, serve(t, f), request("PATCH", "/v1/spaces/cafe/memories/17"+tt.target, tt.body))
			wantStatus(t, w, 200)
			wantBody(t, w, receiptBody)
			tt.want.Space, tt.want.Memory = "cafe", 17
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("edit (-want +got)\n%s", diff)
			}
		})
	}
}

func TestAMemoryIsDeletedWithAReceipt(t *testing.T) {
	var id graph.MemoryID
	var dry bool
	f := &fake{remove: func(m graph.MemoryID, d bool) (graph.Receipt, error) {
		id, dry = m, d
		return receipt(), nil
	}}
	w := call(t, serve(t, f), request("DELETE", "/v1/spaces/cafe/memories/17?dry_run=true", ""))
	wantStatus(t, w, 200)
	wantBody(t, w, receiptBody)
	if id != 17 || !dry {
		t.Errorf("memory %d, dry run %v", id, dry)
	}
}

const diffInput = `<relations><relation><date>2026-03-01</date><key>own</key><content>拥有</content></relation></relations><memories/>` +
	`<chats><chat><date>2026-03-03</date><role>user</role><content>R&amp;D</content></chat></chats>`

func TestADiffIsMadeWithoutASpace(t *testing.T) {
	var in extractor.Input
	var options extractor.DiffOptions
	f := &fake{differ: func(i extractor.Input, o extractor.DiffOptions) (extractor.Proposed, error) {
		in, options = i, o
		return extractor.Proposed{
			Proposal: relations.Proposal{Memories: relations.MemoryProposals{Increments: []relations.MemoryItem{
				{Subject: "R&D", Object: "<x>", Relation: "own", Content: "R&D owns <x>"},
			}}},
			Report: extractor.Report{Truncated: true},
		}, nil
	}}
	w := call(t, serve(t, f), request("POST", "/v1/diff?profile=extended&timezone=Asia/Shanghai&session_id=s", "\ufeff"+diffInput, "Content-Type: text/xml; charset=utf-8"))
	wantStatus(t, w, 200)
	if got := w.Header().Get("Content-Type"); got != "application/xml; charset=utf-8" {
		t.Errorf("Content-Type is %q", got)
	}
	if w.Header().Get("Relata-Truncated") != "true" {
		t.Error("it does not say that it is not whole")
	}
	for _, want := range []string{"<relations>", "<content>R&amp;D owns &lt;x&gt;</content>", "</memories>"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the diff lacks %s: %s", want, w.Body)
		}
	}
	if options != (extractor.DiffOptions{Session: "s", Profile: "extended", Timezone: "Asia/Shanghai"}) {
		t.Errorf("options %+v", options)
	}
	if len(in.Relations) != 1 || len(in.Chats) != 1 || in.Chats[0].Content != "R&D" {
		t.Errorf("input %+v", in)
	}
}

func TestADiffOfNothingIsTwoEmptyElements(t *testing.T) {
	w := call(t, serve(t, &fake{}), request("POST", "/v1/diff", diffInput, "Content-Type: application/xml"))
	wantStatus(t, w, 200)
	p, _, err := extractor.ParseAnswer(w.Body.String())
	if err != nil || !p.Empty() || w.Header().Get("Relata-Truncated") != "" {
		t.Errorf("%s: %v", w.Body, err)
	}
}

func TestInputThatCannotBeReadSaysWhere(t *testing.T) {
	tests := map[string]struct {
		request *http.Request
		status  int
		detail  string
	}{
		"nothing":    {request("POST", "/v1/diff", " ", "Content-Type: application/xml"), 400, "the XML holds no <chats>"},
		"no chats":   {request("POST", "/v1/diff", "<relations/>", "Content-Type: application/xml"), 400, "the XML holds no <chats>"},
		"broken XML": {request("POST", "/v1/diff", "<chats>\n<chat>", "Content-Type: application/xml"), 400, "line 2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := call(t, serve(t, &fake{}), tt.request)
			wantStatus(t, w, tt.status)
			if !strings.Contains(w.Body.String(), tt.detail) {
				t.Errorf("it does not say %q: %s", tt.detail, w.Body)
			}
		})
	}
	for _, path := range []string{"/v1/diff", "/v1/spaces/cafe/ingest?session_id=s"} {
		t.Run("too much for "+path, func(t *testing.T) {
			r := request("POST", path, diffInput+strings.Repeat(" ", 1000), "Content-Type: application/xml")
			r.ContentLength = -1
			s := serve(t, &fake{}, func(o *api.Options) { o.BodyLimit = 500 })
			wantStatus(t, call(t, s, r), 413)
		})
	}
	t.Run("a model that fails", func(t *testing.T) {
		f := &fake{differ: func(extractor.Input, extractor.DiffOptions) (extractor.Proposed, error) {
			return extractor.Proposed{}, graph.WrapError(graph.CodeModel, errors.New("secret"), "the model gave no usable diff")
		}}
		w := call(t, serve(t, f), request("POST", "/v1/diff", diffInput, "Content-Type: application/xml"))
		wantStatus(t, w, 502)
		if strings.Contains(w.Body.String(), "secret") {
			t.Errorf("the cause got out: %s", w.Body)
		}
	})
}
