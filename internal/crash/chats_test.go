package crash_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/internal/localdb"
	"relata/internal/localdb/dbtest"
)

// TestAKillAmongJobsChangesNothing sends conversations as jobs, batch by batch,
// in fast and in fine mode, to a server that is killed among them, and compares
// the graph with that of one that was left alone. RELATA_CHATS names a folder of
// conversations, a JSON body on each line of a file, in place of the test's own.
func TestAKillAmongJobsChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Neo4j, left out with -short")
	}
	cache, err := dbtest.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	step := stopwatch(t)
	ctx, cancel := context.WithTimeout(t.Context(), 4*limit)
	defer cancel()
	db := database(t, localdb.Options{CacheDir: cache, DataDir: t.TempDir(), HeapMB: 512})
	binary := build(ctx, t)
	model := startModel(t, 20*time.Millisecond)
	t.Setenv("OPENAI_API_KEY", "none")
	talks := conversations(t)
	start := func() *server {
		return startServer(ctx, t, binary, db, "--llm", "openai:scripted@"+model.URL+"/v1", "--job-lease", "3s")
	}
	server := start()
	step("start")
	for _, mode := range []string{"fast", "fine"} {
		calm, killed := "calm-"+mode, "killed-"+mode
		jobs := server.sendAll(ctx, t, calm, mode, talks)
		server.await(ctx, t, calm, len(jobs))
		step(mode + " undisturbed")
		jobs = server.sendAll(ctx, t, killed, mode, talks)
		server.await(ctx, t, killed, len(jobs)/3)
		server.kill(t)
		server = start()
		server.await(ctx, t, killed, len(jobs))
		step(mode + " with a kill")
		want, got := server.graphOf(ctx, t, calm, talks), server.graphOf(ctx, t, killed, talks)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the graph (-undisturbed +killed): %s", mode, diff)
		}
		if len(want) < len(talks) {
			t.Fatalf("%s: only %d lines of a graph", mode, len(want))
		}
	}
	t.Logf("%d conversations, %d calls of the model", len(talks), model.calls.Load())
}

// talk is a conversation, one body of a batch after the other.
type talk struct {
	session string
	bodies  [][]byte
	ids     []int64 // of its messages, in order
}

// conversations gives those of RELATA_CHATS, else some of the test's own.
func conversations(t *testing.T) []talk {
	t.Helper()
	dir := os.Getenv("RELATA_CHATS")
	if dir == "" {
		return ownConversations(t)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations in %s: %v", dir, err)
	}
	var out []talk
	for n, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := talk{session: strings.TrimSuffix(filepath.Base(file), ".jsonl")}
		for line := range bytes.Lines(raw) {
			var body struct {
				Chats []map[string]any `json:"chats"`
			}
			if err := json.Unmarshal(line, &body); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			// Numbers of two files may be the same; a conversation is one session.
			for i := range body.Chats {
				id := int64(n+1)*100_000 + int64(len(c.ids)) + 1
				body.Chats[i]["id"] = id
				c.ids = append(c.ids, id)
			}
			c.add(t, body.Chats)
		}
		out = append(out, c)
	}
	return out
}

func (c *talk) add(t *testing.T, chats any) {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"session_id": c.session, "chats": chats})
	if err != nil {
		t.Fatal(err)
	}
	c.bodies = append(c.bodies, raw)
}

func ownConversations(t *testing.T) []talk {
	t.Helper()
	begin := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var out []talk
	for n := range 2 {
		c := talk{session: fmt.Sprintf("talk-%d", n)}
		for batch := range 4 {
			var chats []any
			for k := range 3 {
				id := int64(n+1)*100_000 + int64(len(c.ids)) + 1
				c.ids = append(c.ids, id)
				text := fmt.Sprintf("第%d段对话的第%d句话，说的是第%d件事。", n, len(c.ids), batch*3+k)
				if n%2 == 1 {
					text = fmt.Sprintf("Sentence %d of talk %d is about thing %d.", len(c.ids), n, batch*3+k)
				}
				chats = append(chats, map[string]any{
					"id": id, "role": "user", "speaker": "阿岩", "content": text,
					"date": begin.Add(time.Duration(len(c.ids)) * time.Minute).Format(time.DateTime),
				})
			}
			c.add(t, chats)
		}
		out = append(out, c)
	}
	return out
}

// sendAll makes a space for each conversation, so that each has its own count,
// and queues all batches, the conversations by turns.
func (s *server) sendAll(ctx context.Context, t *testing.T, prefix, mode string, talks []talk) (jobs []int64) {
	t.Helper()
	for n := range talks {
		space := fmt.Sprintf("/v1/spaces/%s-%d", prefix, n)
		s.put(ctx, t, space, `{"vocabulary":"empty"}`)
		s.put(ctx, t, space+"/relations/mention", `{"content":"mentions"}`)
		s.put(ctx, t, space+"/relations/measure", `{"content":"has the size","functional":true}`)
	}
	for at := 0; ; at++ {
		sent := false
		for n, c := range talks {
			if at >= len(c.bodies) {
				continue
			}
			sent = true
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("%s/v1/spaces/%s-%d/ingest?mode=%s", s.url, prefix, n, mode), bytes.NewReader(c.bodies[at]))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Prefer", "respond-async")
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			var job struct {
				ID int64 `json:"id"`
			}
			err = json.NewDecoder(res.Body).Decode(&job)
			res.Body.Close()
			if err != nil || res.StatusCode != http.StatusAccepted {
				t.Fatalf("status %d, %v", res.StatusCode, err)
			}
			jobs = append(jobs, job.ID)
		}
		if !sent {
			return jobs
		}
	}
}

// await waits until some jobs of the spaces with a prefix are done; none may fail.
func (s *server) await(ctx context.Context, t *testing.T, prefix string, want int) {
	t.Helper()
	for {
		done := 0
		for n := 0; ; n++ {
			found, err := s.list(ctx, fmt.Sprintf("/v1/spaces/%s-%d/jobs?", prefix, n), "jobs")
			if no, ok := err.(*refused); ok && no.status == http.StatusNotFound {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range found {
				switch j["state"] {
				case "done":
					done++
				case "failed", "cancelled":
					t.Fatalf("job %v is %v: %v", j["id"], j["state"], j["error"])
				}
			}
		}
		if done >= want {
			return
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("%d of %d jobs were done in time", done, want)
		}
	}
}

// list reads all pages of a list.
func (s *server) list(ctx context.Context, path, name string) ([]map[string]any, error) {
	var out []map[string]any
	cursor := ""
	for {
		raw, err := do(ctx, http.MethodGet, s.url+path+"limit=200&cursor="+cursor, "", "")
		if err != nil {
			return nil, err
		}
		var page map[string]json.RawMessage
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, err
		}
		var items []map[string]any
		if err := json.Unmarshal(page[name], &items); err != nil {
			return nil, err
		}
		out = append(out, items...)
		if page["cursor"] == nil {
			return out, nil
		}
		if err := json.Unmarshal(page["cursor"], &cursor); err != nil {
			return nil, err
		}
	}
}

// graphOf gives what the spaces with a prefix hold, in words that do not hang on
// numbers and times of writing, and checks that no message was lost.
func (s *server) graphOf(ctx context.Context, t *testing.T, prefix string, talks []talk) []string {
	t.Helper()
	var lines []string
	for n, c := range talks {
		space := fmt.Sprintf("/v1/spaces/%s-%d", prefix, n)
		for _, retired := range []string{"false", "true"} {
			memories, err := s.list(ctx, space+"/memories?retired="+retired+"&", "memories")
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range memories {
				lines = append(lines, fmt.Sprintf("%d retired=%s %v %v %v: %v %v %v", n, retired, m["subject"], m["relation"], m["object"], m["content"], m["createdAt"], m["msg_ids"]))
			}
		}
		var there []int64
		for ids := range slices.Chunk(c.ids, 100) {
			messages, err := s.list(ctx, space+"/messages?ids="+strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ","), "[]")+"&", "messages")
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range messages {
				there = append(there, int64(m["id"].(float64)))
			}
		}
		if !slices.Equal(there, c.ids) {
			t.Errorf("%s of %s-%d: %d of %d messages are there, in order", c.session, prefix, n, len(there), len(c.ids))
		}
		lines = append(lines, fmt.Sprintf("%d has %d messages", n, len(there)))
	}
	slices.Sort(lines)
	return lines
}
