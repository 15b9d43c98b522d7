package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/sample"
)

// client speaks to a served app as any REST client does.
type client struct {
	t    *testing.T
	base string
}

// serveSample serves the whole program, wired as `relata serve` wires it, on the
// test database.
func serveSample(t *testing.T) client {
	t.Helper()
	return serveApp(t, sampleApp(t, answers(t)))
}

func serveApp(t *testing.T, a *app) client {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.serve(ctx, listener, serveCmd{}, streams{out: io.Discard, err: io.Discard}) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return client{t, "http://" + listener.Addr().String()}
}

// call sends a request and checks the status; it gives the decoded body.
func (c client) call(want int, method, path, kind string, body []byte) map[string]any {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if res.StatusCode != want {
		c.t.Fatalf("%s %s: %d, want %d: %s", method, path, res.StatusCode, want, raw)
	}
	var out map[string]any
	if strings.Contains(res.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(raw, &out); err != nil {
			c.t.Fatalf("%s %s: %v: %s", method, path, err, raw)
		}
	}
	return out
}

func (c client) json(want int, method, path string, body any) map[string]any {
	c.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.call(want, method, path, "application/json", raw)
}

func (c client) get(want int, path string) map[string]any {
	c.t.Helper()
	return c.call(want, http.MethodGet, path, "", nil)
}

// list gives a list of maps in a body.
func list(body map[string]any, name string) []map[string]any {
	var out []map[string]any
	items, _ := body[name].([]any)
	for _, x := range items {
		m, _ := x.(map[string]any)
		out = append(out, m)
	}
	return out
}

// settleOverHTTP makes the world's space and personas by the API.
func (c client) settleOverHTTP(space string) {
	c.t.Helper()
	c.json(201, "PUT", "/v1/spaces/"+space, map[string]any{"timezone": "Asia/Shanghai", "vocabulary": "empty", "governance": "open"})
	c.t.Cleanup(func() {
		req, err := http.NewRequest(http.MethodDelete, c.base+"/v1/spaces/"+space+"?confirm="+space, nil)
		if err == nil {
			if res, err := http.DefaultClient.Do(req); err == nil {
				res.Body.Close()
			}
		}
	})
	w, err := readWorld()
	if err != nil {
		c.t.Fatal(err)
	}
	for _, p := range w.Personas {
		got := c.json(200, "PUT", "/v1/spaces/"+space+"/personas/"+p.Name, map[string]any{
			"aliases": p.Aliases, "owner": p.Owner, "owner_aliases": p.OwnerAliases, "voice": p.Character,
		})
		if got["name"] != p.Name || got["owner"] != p.Owner {
			c.t.Errorf("the persona %s came back as %v", p.Name, got)
		}
	}
}

func TestOverHTTP(t *testing.T) {
	c := serveSample(t)
	space := fmt.Sprintf("t-http-%d", time.Now().UnixNano())
	c.settleOverHTTP(space)
	base := "/v1/spaces/" + space
	first, err := sample.FS.ReadFile("chats/01-first-hello.json")
	if err != nil {
		t.Fatal(err)
	}

	t.Run("a dry run stores nothing", func(t *testing.T) {
		c := client{t, c.base}
		r := c.call(200, "POST", base+"/ingest?dry_run=true", "application/json", first)
		if got := list(r, "verdicts"); len(got) != 33 {
			t.Errorf("%d verdicts, want 33", len(got))
		}
		if got := list(c.get(200, base+"/memories"), "memories"); len(got) != 0 {
			t.Errorf("a dry run stored %d memories", len(got))
		}
	})
	receipt := c.call(200, "POST", base+"/ingest", "application/json", first)
	t.Run("the receipt tells what was done", func(t *testing.T) {
		memories, _ := receipt["memories"].(map[string]any)
		if got := len(list(memories, "added")); receipt["status"] != "applied" || got != 18 {
			t.Errorf("status %v with %d memories, want applied with 18", receipt["status"], got)
		}
		want := map[string]any{
			"subject": "阿岩", "relation": "live_in", "createdAt": "2026-03-03 20:26:45", "index0": "人物画像", "index1": "owner", "persona": "小满",
		}
		for _, m := range list(memories, "added") {
			if m["relation"] != "live_in" {
				continue
			}
			for field, value := range want {
				if diff := gocmp.Diff(value, m[field]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", field, diff)
				}
			}
		}
	})
	t.Run("the same batch is done once", func(t *testing.T) {
		c := client{t, c.base}
		again := c.call(200, "POST", base+"/ingest", "application/json", first)
		if again["repeated"] != true || again["diff_id"] != receipt["diff_id"] {
			t.Errorf("repeated %v, diff %v; want true and diff %v", again["repeated"], again["diff_id"], receipt["diff_id"])
		}
	})
	t.Run("the ledger has it", func(t *testing.T) {
		c := client{t, c.base}
		diffs := list(c.get(200, base+"/diffs"), "diffs")
		if len(diffs) != 1 {
			t.Fatalf("%d diffs, want 1", len(diffs))
		}
		one := c.get(200, fmt.Sprintf("%s/diffs/%.0f", base, diffs[0]["id"]))
		if got := list(one, "items"); len(got) != 33 {
			t.Errorf("%d items, want 33", len(got))
		}
	})
	t.Run("a diff of the client's own", func(t *testing.T) {
		c := client{t, c.base}
		r := c.json(200, "POST", base+"/diffs", map[string]any{
			"relations": map[string]any{"increments": []any{map[string]any{"key": "Play Chess-With", "content": "表示主体和客体下棋"}}},
			"memories": map[string]any{"increments": []any{
				map[string]any{"subject": "林栀", "relation": "play_chess_with", "object": "李明", "content": "林栀每周和李明下棋。"},
				map[string]any{"subject": "林栀", "relation": "undefined_thing", "object": "李明", "content": "林栀和李明没有定义的关系。"},
			}},
			"date": "2026-03-04 10:00:00", "known_by": []string{"小满"},
		})
		outcomes := make(map[any]int)
		for _, v := range list(r, "verdicts") {
			outcomes[v["outcome"]]++
		}
		if outcomes["applied"] != 2 || outcomes["rejected"] != 1 {
			t.Errorf("outcomes %v, want 2 applied and 1 rejected", outcomes)
		}
		x := `<relations></relations><memories><increments><increment><subject>林栀</subject><object>围棋</object><relation>play_chess_with</relation><content>林栀下 R&D 围棋。</content></increment></increments></memories>`
		r = c.call(200, "POST", base+"/diffs?known_by=小满&date=2026-03-04%2011:00:00", "application/xml", []byte(x))
		if r["status"] != "applied" {
			t.Errorf("the XML diff is %v, want applied", r["status"])
		}
	})
	t.Run("search answers each query in its turn", func(t *testing.T) {
		c := client{t, c.base}
		r := c.json(200, "POST", base+"/search", map[string]any{
			"queries": []any{
				map[string]any{"index0": "profile", "index1": "owner", "memory": "阿岩住在哪里", "limit": 10},
				map[string]any{"index0": "人物画像", "memory": "　", "limit": 10},
				map[string]any{"index0": "nonsense", "memory": "x"},
				map[string]any{"index0": "人物画像", "memory": "x", "limit": 9},
				map[string]any{"memory": "螺丝是什么猫", "all": true, "limit": 10},
			},
			"as_persona": "小满", "explain": true,
		})
		results := list(r, "results")
		if len(results) != 5 {
			t.Fatalf("%d results, want 5", len(results))
		}
		q, _ := results[0]["query"].(map[string]any)
		if q["index0"] != "profile" {
			t.Errorf("the query came back as %v, want it as sent", q)
		}
		for i, wrong := range []bool{false, true, true, true, false} {
			if _, got := results[i]["error"]; got != wrong {
				t.Errorf("result %d: error is %t, want %t: %v", i, got, wrong, results[i]["error"])
			}
			hints := list(results[i], "hints")
			if !wrong && len(hints) == 0 {
				t.Errorf("result %d is empty", i)
			}
			for _, h := range hints {
				if _, ok := h["msg_ids"].([]any); !ok || h["id"] == nil || h["memory"] == "" || len(h["createdAt"].(string)) != len("2026-03-03 20:26:45") {
					t.Errorf("result %d: a hint is %v", i, h)
				}
			}
		}
	})
	t.Run("memories, history, relations, messages", func(t *testing.T) {
		c := client{t, c.base}
		found := list(c.get(200, base+"/memories?subject=林岩&limit=200"), "memories") // an alias of 阿岩
		if len(found) == 0 {
			t.Fatal("no memory of 林岩")
		}
		id := fmt.Sprintf("%.0f", found[0]["id"])
		if got := c.get(200, base+"/memories/"+id); got["content"] != found[0]["content"] {
			t.Errorf("memory %s is %v", id, got)
		}
		if got := list(c.get(200, base+"/memories/"+id+"/history"), "memories"); len(got) != 1 {
			t.Errorf("a history of %d, want 1", len(got))
		}
		if got := list(c.get(200, base+"/relations"), "relations"); len(got) != 16 {
			t.Errorf("%d relations, want 16", len(got))
		}
		c.json(201, "PUT", base+"/relations/wrote_with", map[string]any{"content": "表示主体用客体写成", "functional": true})
		if got := list(c.get(200, base+"/messages?ids=101,107"), "messages"); len(got) != 2 || got[0]["id"] != 101.0 {
			t.Errorf("messages by id: %v", got)
		}
		timeline := list(c.get(200, base+"/messages?session=01-first-hello&limit=5"), "messages")
		if len(timeline) != 5 || timeline[4]["id"] != 120.0 {
			t.Errorf("the newest five of the session: %v", timeline)
		}
	})
	t.Run("what is wrong gets a 4xx that says what", func(t *testing.T) {
		c := client{t, c.base}
		for _, tt := range []struct {
			status             int
			method, path, body string
		}{
			{404, "GET", "/v1/spaces/no-such-space/memories", ""},
			{404, "POST", "/v1/spaces/no-such-space/search", `{"queries":[{"memory":"x","all":true}]}`},
			{404, "POST", base + "/search", `{"queries":[{"memory":"x","all":true}],"as_persona":"nobody"}`},
			{400, "POST", base + "/search", `{"queries":[]}`},
			{400, "POST", base + "/search", `{"queries":`},
			{400, "POST", base + "/ingest", `{"session_id":"s","chats":[{"role":"king","content":"x","date":"2026-01-01 00:00:00"}]}`},
			{400, "POST", base + "/ingest?mode=wild", `{"session_id":"s","chats":[{"role":"user","content":"x","date":"2026-01-01 00:00:00"}]}`},
			{404, "GET", base + "/memories/999999999999", ""},
			{404, "GET", base + "/nothing", ""},
			{409, "POST", base + "/ingest", `{"session_id":"01-first-hello","persona":"小满","chats":[{"id":101,"role":"user","speaker":"阿岩","content":"别的话","date":"2026-03-03 20:00:00"}]}`},
			{502, "POST", base + "/ingest", `{"session_id":"never-recorded","persona":"小满","chats":[{"role":"user","speaker":"阿岩","content":"你好","date":"2026-03-05 20:00:00"}]}`},
		} {
			kind := ""
			if tt.body != "" {
				kind = "application/json"
			}
			p := c.call(tt.status, tt.method, tt.path, kind, []byte(tt.body))
			if p["status"] != float64(tt.status) || p["title"] == nil || p["detail"] == nil {
				t.Errorf("%s %s: the problem is %v", tt.method, tt.path, p)
			}
		}
	})
	t.Run("deletion is whole", func(t *testing.T) {
		c := client{t, c.base}
		c.call(400, "DELETE", base, "", nil)
		got := c.call(200, "DELETE", base+"?confirm="+space, "", nil)
		if got["remaining"] != 0.0 {
			t.Errorf("remaining is %v, want 0", got["remaining"])
		}
		c.get(404, base)
	})
	t.Run("health, readiness, document, page", func(t *testing.T) {
		c := client{t, c.base}
		for _, path := range []string{"/healthz", "/readyz", "/openapi.yaml", "/docs"} {
			c.get(200, path)
		}
	})
}
