package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"relata/sample"
)

// TestWorkOverHTTP lets the served program do what takes longer than a request:
// a batch as a job, a document, and turns as a bot sends them.
func TestWorkOverHTTP(t *testing.T) {
	c := serveSample(t)
	space := fmt.Sprintf("t-work-%d", time.Now().UnixNano())
	c.settleOverHTTP(space)
	base := "/v1/spaces/" + space

	t.Run("a batch as a job, followed to its end", func(t *testing.T) {
		c := client{t, c.base}
		body, err := sample.FS.ReadFile("chats/01-first-hello.json")
		if err != nil {
			t.Fatal(err)
		}
		res := c.send(http.MethodPost, base+"/ingest", "application/json", body, "Prefer", "respond-async")
		defer res.Body.Close()
		var job struct {
			ID int64 `json:"id"`
		}
		if err := json.NewDecoder(res.Body).Decode(&job); err != nil || res.StatusCode != 202 || res.Header.Get("Location") != fmt.Sprintf("/v1/jobs/%d", job.ID) {
			t.Fatalf("status %d, Location %q, %v", res.StatusCode, res.Header.Get("Location"), err)
		}
		last := c.follow(job.ID)
		receipt, _ := last["receipt"].(map[string]any)
		if last["state"] != "done" || receipt["status"] != "applied" {
			t.Fatalf("the job ended as %v", last)
		}
		if found := list(c.get(200, base+"/jobs?state=done"), "jobs"); len(found) != 1 || found[0]["session_id"] != "01-first-hello" {
			t.Errorf("jobs that are done: %v", found)
		}
		c.get(404, "/v1/jobs/1")
		mine := fmt.Sprintf("/v1/jobs/%d?as_persona=", job.ID)
		if got := c.get(200, mine+"小满"); got["session_id"] != "01-first-hello" {
			t.Errorf("小满 was there and sees %v", got)
		}
		c.get(404, mine+"墨鱼")
		if found := list(c.get(200, base+"/jobs?as_persona=墨鱼"), "jobs"); len(found) != 0 {
			t.Errorf("墨鱼 was not there and sees %v", found)
		}
		c.json(409, "POST", fmt.Sprintf("/v1/jobs/%d/retry", job.ID), map[string]any{})
	})

	t.Run("a document", func(t *testing.T) {
		c := client{t, c.base}
		file, err := sample.FS.ReadFile("documents/03-tide-cafe-faq.md")
		if err != nil {
			t.Fatal(err)
		}
		// The answer was recorded for the whole world; here only some of it fits.
		kind, body := formOf(t, file, map[string]string{"session_id": "doc-03-tide-cafe-faq", "title": "FAQ", "given_by": "舟舟", "visible_to": "墨鱼", "date": "2026-06-10"})
		receipt := c.call(200, http.MethodPost, base+"/documents", kind, body)
		memories, _ := receipt["memories"].(map[string]any)
		added := list(memories, "added")
		if len(added) == 0 {
			t.Fatalf("nothing was added: %v", receipt["verdicts"])
		}
		for _, m := range added {
			if fmt.Sprint(m["sources"]) != "[FAQ]" || fmt.Sprint(m["known_by"]) != "[墨鱼]" {
				t.Errorf("sources %v, known by %v", m["sources"], m["known_by"])
			}
		}
		c.call(415, http.MethodPost, base+"/images", kind, body)
	})

	t.Run("turns as they come", func(t *testing.T) {
		c := client{t, c.base}
		raw, err := sample.FS.ReadFile("chats/02-new-city-new-coffee.json")
		if err != nil {
			t.Fatal(err)
		}
		var chat struct {
			SessionID string            `json:"session_id"`
			Persona   string            `json:"persona"`
			Chats     []json.RawMessage `json:"chats"`
		}
		if err := json.Unmarshal(raw, &chat); err != nil {
			t.Fatal(err)
		}
		for i, turn := range chat.Chats {
			got := c.json(200, "POST", base+"/messages", map[string]any{"session_id": chat.SessionID, "persona": chat.Persona, "chats": []any{turn}})
			if got["pending"] != float64(i+1) {
				t.Fatalf("after turn %d there wait %v", i+1, got["pending"])
			}
		}
		ask := map[string]any{"queries": []any{map[string]any{"memory": "oat flat white", "all": true}}, "include_pending": true, "as_persona": "Lumen"}
		if waiting := list(list(c.json(200, "POST", base+"/search", ask), "results")[0], "pending"); len(waiting) == 0 {
			t.Error("what waits is not found")
		}
		ask["as_persona"] = "墨鱼"
		if waiting := list(list(c.json(200, "POST", base+"/search", ask), "results")[0], "pending"); len(waiting) != 0 {
			t.Errorf("墨鱼 was not there and finds %v", waiting)
		}
		flushed := c.json(200, "POST", base+"/messages", map[string]any{"session_id": chat.SessionID, "chats": []any{}, "flush": true})
		last := c.follow(int64(flushed["job"].(float64)))
		if last["state"] != "done" {
			t.Fatalf("the job ended as %v", last)
		}
		block := c.json(200, "POST", base+"/context", map[string]any{
			"as_persona": "Lumen", "max_tokens": 200, "sources": true,
			"messages": []any{map[string]any{"role": "user", "speaker": "Maya", "content": "What do I usually drink?"}},
		})
		if text, _ := block["text"].(string); !strings.Contains(text, "oat") || block["tokens"].(float64) > 200 {
			t.Errorf("the block is %v", block)
		}
	})

	t.Run("agents", func(t *testing.T) {
		c := client{t, c.base}
		res := c.send(http.MethodPost, "/mcp", "application/json", []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), "Accept", "application/json, text/event-stream")
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != 200 || !bytes.Contains(text, []byte("search_long_term_memory")) {
			t.Errorf("status %d, %v: %s", res.StatusCode, err, text)
		}
		skill := c.send(http.MethodGet, "/skills/search-long-term-memory?lang=zh", "", nil)
		defer skill.Body.Close()
		text, err = io.ReadAll(skill.Body)
		if err != nil || skill.StatusCode != 200 || !bytes.Contains(text, []byte("人物画像")) {
			t.Errorf("status %d, %v: %.200s", skill.StatusCode, err, text)
		}
	})
}

// send sends a request with headers in pairs.
func (c client) send(method, path, kind string, body []byte, headers ...string) *http.Response {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	return res
}

// follow reads a job's events to their end and gives the last.
func (c client) follow(id int64) map[string]any {
	c.t.Helper()
	res := c.send(http.MethodGet, fmt.Sprintf("/v1/jobs/%d/events", id), "", nil)
	defer res.Body.Close()
	var last map[string]any
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			last = nil
			if err := json.Unmarshal([]byte(data), &last); err != nil {
				c.t.Fatalf("%v: %s", err, data)
			}
		}
	}
	if err := lines.Err(); err != nil {
		c.t.Fatal(err)
	}
	return last
}

// formOf gives a form with a file and fields.
func formOf(t *testing.T, file []byte, fields map[string]string) (kind string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("file", "faq.md")
	if err == nil {
		_, err = part.Write(file)
	}
	for name, value := range fields {
		if err == nil {
			err = form.WriteField(name, value)
		}
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return form.FormDataContentType(), b.Bytes()
}
