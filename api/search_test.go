package api_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

const searchPath = "/v1/spaces/cafe/search"

func TestASearchIsAnsweredAsDocumented(t *testing.T) {
	hints := []graph.Hint{
		{
			ID: 17, Memory: "阿岩在<海港>的R&D部门", CreatedAt: at("2026-03-03 20:14:30").UTC(), MsgIDs: []int64{1, 2},
			Explain: &graph.Explain{
				Score: 0.9, Vector: 0.5, Graph: 1, Subject: "阿岩", Relation: "work_at", Object: "海港咖啡",
				Path: []graph.PathEdge{{Subject: "小满", Relation: "own_by", Object: "阿岩", MemoryID: 3}},
			},
		},
		{ID: 18, Memory: "阿岩周四轮休"},
	}
	tests := map[string]struct{ body, want string }{
		"plainly": {
			`{"queries":[{"index0":"人物画像","index1":"owner","memory":"阿岩","limit":10}]}`,
			`{"results":[{"query":{"index0":"人物画像","index1":"owner","memory":"阿岩","limit":10},"hints":[` +
				`{"id":17,"memory":"阿岩在<海港>的R&D部门","createdAt":"2026-03-03 20:14:30","msg_ids":[1,2]},` +
				`{"id":18,"memory":"阿岩周四轮休","createdAt":"","msg_ids":[]}]}]}`,
		},
		"the query comes back as it was sent": {
			`{"queries":[{ "memory": "C++ & <R>", "index1": "", "index0": "profile", "limit": null, "note": 1.50 }]}`,
			`{"results":[{"query":{"memory":"C++ & <R>","index1":"","index0":"profile","limit":null,"note":1.50},"hints":[` +
				`{"id":17,"memory":"阿岩在<海港>的R&D部门","createdAt":"2026-03-03 20:14:30","msg_ids":[1,2]},` +
				`{"id":18,"memory":"阿岩周四轮休","createdAt":"","msg_ids":[]}]}]}`,
		},
		"with an explanation when asked": {
			`{"queries":[{"index0":"profile","memory":"x"}],"explain":true}`,
			`{"results":[{"query":{"index0":"profile","memory":"x"},"hints":[` +
				`{"id":17,"memory":"阿岩在<海港>的R&D部门","createdAt":"2026-03-03 20:14:30","msg_ids":[1,2],` +
				`"explain":{"score":0.9,"confidence":0,"legs":{"vector":0.5,"text":0,"graph":1},` +
				`"path":[{"relation":"own_by","memory_id":3,"subject":"小满","object":"阿岩"}],` +
				`"relation":"work_at","subject":"阿岩","object":"海港咖啡"}},` +
				`{"id":18,"memory":"阿岩周四轮休","createdAt":"","msg_ids":[]}]}]}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, &fake{search: func(context.Context, graph.SearchRequest) ([]graph.Result, error) {
				return []graph.Result{{Hints: hints}}, nil
			}})
			w := call(t, s, request("POST", searchPath, tt.body))
			wantStatus(t, w, 200)
			wantBody(t, w, tt.want)
			if got := w.Header().Get("Content-Type"); got != "application/json" {
				t.Errorf("Content-Type is %q", got)
			}
		})
	}
}

func TestABadQueryDoesNotTakeTheOthersDown(t *testing.T) {
	s := serve(t, &fake{search: func(_ context.Context, r graph.SearchRequest) ([]graph.Result, error) {
		results := make([]graph.Result, len(r.Queries))
		for i, q := range r.Queries {
			if q.Memory == "　" {
				results[i].Err = graph.Errorf(graph.CodeInvalid, "memory is blank")
				continue
			}
			if q.Memory == "broken" {
				results[i].Err = graph.Errorf(graph.CodeInternal, "secret")
				continue
			}
			results[i].Hints = []graph.Hint{{ID: graph.MemoryID(i), Memory: q.Memory, CreatedAt: at("2026-03-03 20:14:30")}}
		}
		return results, nil
	}})
	w := call(t, s, request("POST", searchPath, `{"queries":[`+
		`{"index0":"event","memory":"真的吗!"},`+
		`{"index0":"event","memory":"　"},`+
		`{"index0":"event","memory":"a","limit":"ten"},`+
		`{"index0":"event","memory":"a","limit":0},`+
		`7,`+
		`{"index0":"event","memory":"broken"},`+
		`{"index0":"event","memory":"好\ud83d"}]}`))
	wantStatus(t, w, 200)
	problem := func(detail, errors string) string {
		return `"hints":[],"error":{"type":"urn:relata:problem:invalid","title":"Invalid request","status":400,"detail":"` + detail + `","errors":[` + errors + `]}`
	}
	wantBody(t, w, `{"results":[`+
		`{"query":{"index0":"event","memory":"真的吗!"},"hints":[{"id":0,"memory":"真的吗!","createdAt":"2026-03-03 20:14:30","msg_ids":[]}]},`+
		`{"query":{"index0":"event","memory":"　"},`+problem("memory is blank", "")+`},`+
		`{"query":{"index0":"event","memory":"a","limit":"ten"},`+problem("limit must be an integer, not string", `{"field":"limit","message":"must be an integer, not string"}`)+`},`+
		`{"query":{"index0":"event","memory":"a","limit":0},`+problem("limit must be from 10 to 50", `{"field":"limit","message":"must be from 10 to 50"}`)+`},`+
		`{"query":7,`+problem("the query must be an object", "")+`},`+
		`{"query":{"index0":"event","memory":"broken"},"hints":[],"error":{"type":"urn:relata:problem:internal","title":"Internal error","status":500,`+
		`"detail":"the server failed; its log tells more under the id in the header X-Request-Id","errors":[]}},`+
		`{"query":{"index0":"event","memory":"好\ud83d"},"hints":[{"id":3,"memory":"好�","createdAt":"2026-03-03 20:14:30","msg_ids":[]}]}]}`)
}

func TestASearchReachesTheStoreWhole(t *testing.T) {
	var got graph.SearchRequest
	s := serve(t, &fake{search: func(_ context.Context, r graph.SearchRequest) ([]graph.Result, error) {
		got = r
		return make([]graph.Result, len(r.Queries)), nil
	}})
	wantStatus(t, call(t, s, request("POST", searchPath, `{"queries":[{"index0":"event","index1":"self","memory":"a","limit":5},{"memory":"b","all":true}],`+
		`"as_persona":"小满","include_retired":true,"explain":true}`)), 200)
	want := graph.SearchRequest{
		Space: "cafe", AsPersona: "小满", IncludeRetired: true, Explain: true,
		Queries: []graph.Query{{Index0: "event", Index1: "self", Memory: "a", Limit: 5}, {Memory: "b", All: true}},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })); diff != "" {
		t.Errorf("request (-want +got)\n%s", diff)
	}
}

func TestAnExplanationIsOnlyGivenWhenAsked(t *testing.T) {
	s := serve(t, &fake{search: func(context.Context, graph.SearchRequest) ([]graph.Result, error) {
		return []graph.Result{{Hints: []graph.Hint{{ID: 1, Memory: "m", Outdated: true, Explain: &graph.Explain{Score: 1}}}}}, nil
	}})
	w := call(t, s, request("POST", searchPath, `{"queries":[{"index0":"event","memory":"x"}],"include_retired":true}`))
	wantStatus(t, w, 200)
	wantBody(t, w, `{"results":[{"query":{"index0":"event","memory":"x"},"hints":[{"id":1,"memory":"m","createdAt":"","msg_ids":[],"outdated":true}]}]}`)
}

func TestTurnsThatWaitAreFoundWhereAskedFor(t *testing.T) {
	h := serve(t, &fake{})
	for body, want := range map[string]string{
		`{"queries":[{"memory":"轮休","all":true}],"include_pending":true}`: `"pending":[{"id":0,"session_id":"s"`,
		`{"queries":[{"memory":"轮休","all":true}]}`:                        `"hints":[]}`,
	} {
		w := call(t, h, request("POST", "/v1/spaces/cafe/search", body))
		wantStatus(t, w, 200)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %s", body, w.Body)
		}
	}
}
