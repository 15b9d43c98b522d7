package crash_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"relata/internal/localdb"
	"relata/internal/localdb/dbtest"
)

// sizes of the test: three pages of memories, and vectors unlike those of the
// local embedder.
const (
	moved          = 700
	otherDimension = 32
)

// A move to another embedding model that is killed in each of its phases goes on
// where it was, and no server starts on half a move.
func TestAMoveToAnotherModelIsCutOffAndGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Neo4j, left out with -short")
	}
	cache, err := dbtest.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	db := database(t, localdb.Options{CacheDir: cache, DataDir: t.TempDir(), HeapMB: 512})
	binary := build(ctx, t)
	server := startServer(ctx, t, binary, db)
	server.put(ctx, t, "/v1/spaces/"+spaceName, `{"vocabulary":"empty"}`)
	importMemories(ctx, t, binary, db)
	server.kill(t)
	s := openStore(ctx, t, db)

	other := startEmbeddings(t)
	reembed := func(more ...string) *exec.Cmd {
		return relata(ctx, binary, db, append([]string{"reembed", "--embedder", "openai:other@" + other.URL + "/v1"}, more...)...)
	}

	// Killed in the second page.
	other.hangAfter(9)
	first := reembed()
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-other.hangs:
	case <-ctx.Done():
		t.Fatal("the move never came to its second page")
	}
	kill(t, first)
	free := func() { s.rows("MATCH (l:MigrationLock) DELETE l", nil) } // else its lease lasts two minutes
	free()
	asked := other.goOn()
	if !slices.Contains(asked, sentence(0)) || slices.Contains(asked, sentence(moved-1)) {
		t.Fatalf("%d texts were embedded before the kill: the first and not the last of %d are wanted", len(asked), moved)
	}
	server = startServer(ctx, t, binary, db) // with the old model, which is still in use
	server.kill(t)
	if out, err := reembed("--prepare").CombinedOutput(); err != nil || !strings.Contains(string(out), "ready") {
		t.Fatalf("prepare: %v\n%s", err, out)
	}
	asked = other.goOn()
	if slices.Contains(asked, sentence(0)) || !slices.Contains(asked, sentence(moved-1)) {
		t.Error("what was embedded before the kill was embedded again, or the rest was not")
	}

	// Killed while the vectors change places.
	second := reembed()
	killAt(t, second, "place: 256 of")
	free()
	if out, err := serveCommand(ctx, binary, db).CombinedOutput(); err == nil || !strings.Contains(string(out), "are being moved to openai:other (32 dimensions)") {
		t.Errorf("a server started on half a move: %v\n%s", err, out)
	}
	if out, err := reembed().CombinedOutput(); err != nil || !strings.Contains(string(out), "to openai:other (32 dimensions)") {
		t.Fatalf("the move goes on: %v\n%s", err, out)
	}
	if asked := other.goOn(); slices.Contains(asked, sentence(0)) {
		t.Error("putting the vectors in place embedded memories again")
	}
	// Cut off at the very end: what relations mean has no vectors yet.
	s.rows("MATCH (r:Relation) REMOVE r.key_embedding, r.gloss_embedding", nil)
	if out, err := reembed().CombinedOutput(); err != nil || !strings.Contains(string(out), "already") {
		t.Errorf("once more: %v\n%s", err, out)
	}

	s.none("memory without a vector of the new model, or with one beside it",
		"MATCH (m:Memory|Retired) WHERE coalesce(size(m.embedding), 0) <> 32 OR m.embedding_next IS NOT NULL RETURN m.id AS id")
	s.none("relation without a vector of the new model", "MATCH (r:Relation) WHERE coalesce(size(r.gloss_embedding), 0) <> 32 RETURN r.key AS id")
	for label, n := range map[string]int{"memory_vector": 333, "retired_vector": 7} {
		found := s.rows("CALL db.index.vector.queryNodes($index, 1, $vector) YIELD node RETURN node.content AS content",
			map[string]any{"index": label, "vector": vectorOf(sentence(n))})
		if len(found) != 1 || found[0].Values[0] != sentence(n) {
			t.Errorf("%s finds %v", label, found)
		}
	}
	if out, err := serveCommand(ctx, binary, db).CombinedOutput(); err == nil || !strings.Contains(string(out), "relata reembed") {
		t.Errorf("a server with the old model started: %v\n%s", err, out)
	}
	server = startServer(ctx, t, binary, db, "--embedder", "openai:other@"+other.URL+"/v1")
	server.kill(t)
}

// sentence is what memory n says; the seventh holds no longer.
func sentence(n int) string { return fmt.Sprintf("阿岩 counted %d boats in the harbour", n) }

func importMemories(ctx context.Context, t *testing.T, binary string, db localdb.Options) {
	t.Helper()
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	for n := range moved {
		line := map[string]any{
			"subject": "阿岩", "relation": "count", "object": fmt.Sprintf("%d boats", n), "content": sentence(n),
			"date": "2026-03-01 10:00:00", "index0": "过往事件", "index1": "other",
		}
		if n == 7 {
			line["retired_at"] = "2026-03-02 10:00:00"
		}
		if err := out.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "memories.jsonl")
	if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := relata(ctx, binary, db, "import", "--space", spaceName, file).CombinedOutput(); err != nil {
		t.Fatalf("import: %v\n%s", err, out)
	}
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}

// killAt starts a command and kills it when it has said something.
func killAt(t *testing.T, cmd *exec.Cmd, said string) {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for scan := bufio.NewScanner(stderr); scan.Scan(); {
		all.WriteString(scan.Text() + "\n")
		if strings.Contains(scan.Text(), said) {
			kill(t, cmd)
			return
		}
	}
	_ = cmd.Wait()
	t.Fatalf("it ended without saying %q:\n%s", said, all.String())
}

// embeddings is a server of the OpenAI protocol whose vectors follow from the
// text alone.
type embeddings struct {
	*httptest.Server
	hangs chan struct{} // something comes when a request is held

	mu     sync.Mutex
	asked  []string
	answer int // requests to answer before one is held; below 0 for all
}

func startEmbeddings(t *testing.T) *embeddings {
	e := &embeddings{hangs: make(chan struct{}, 1), answer: -1}
	e.Server = httptest.NewServer(http.HandlerFunc(e.embed))
	t.Cleanup(e.Close)
	return e
}

// hangAfter holds each request after the next n.
func (e *embeddings) hangAfter(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer = n
}

// goOn answers all requests from now on, and gives the texts that were embedded
// since it was called last.
func (e *embeddings) goOn() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	asked := e.asked
	e.asked, e.answer = nil, -1
	return asked
}

func (e *embeddings) embed(w http.ResponseWriter, r *http.Request) {
	var req struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || r.URL.Path != "/v1/embeddings" {
		http.Error(w, "not a request for embeddings", http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	held := e.answer == 0
	if !held {
		e.answer--
		e.asked = append(e.asked, req.Input...)
	}
	e.mu.Unlock()
	if held {
		select {
		case e.hangs <- struct{}{}:
		default:
		}
		<-r.Context().Done()
		return
	}
	data := make([]any, len(req.Input))
	for i, text := range req.Input {
		data[i] = map[string]any{"object": "embedding", "index": i, "embedding": vectorOf(text)}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": "other", "data": data, "usage": map[string]any{"prompt_tokens": 1, "total_tokens": 1}})
}

// vectorOf spreads a text's pairs of bytes over the dimensions.
func vectorOf(text string) []float64 {
	v := make([]float64, otherDimension)
	for i := range len(text) - 1 {
		h := fnv.New32a()
		_, _ = h.Write([]byte(text[i : i+2]))
		v[h.Sum32()%otherDimension] += float64(i%7) + 1
	}
	return v
}
