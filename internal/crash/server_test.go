package crash_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"relata/internal/localdb"
)

const spaceName = "crash"

// build makes the program that is going to be killed.
func build(ctx context.Context, t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "relata")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "relata/cmd/relata").CombinedOutput()
	if err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return binary
}

// database sees to it that the database of the test ends with the test.
func database(t *testing.T, o localdb.Options) localdb.Options {
	t.Helper()
	o.Env = os.Getenv
	o.Progress = func(line string) { t.Log(line) }
	t.Cleanup(func() {
		if err := localdb.KillHard(o); err != nil && localdb.ErrorCode(err) != localdb.CodeNotRunning {
			t.Errorf("end the database of the test: %v", err)
		}
	})
	return o
}

func startDatabase(ctx context.Context, t *testing.T, o localdb.Options) *localdb.Instance {
	t.Helper()
	db, err := localdb.Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func killDatabase(t *testing.T, o localdb.Options) {
	t.Helper()
	if err := localdb.KillHard(o); err != nil {
		t.Fatal(err)
	}
}

// server is the program at work.
type server struct {
	cmd *exec.Cmd
	url string
}

var listens = regexp.MustCompile(`listens on (http://\S+)`)

// serveCommand is the program as a server on the database of the test.
func serveCommand(ctx context.Context, binary string, db localdb.Options, more ...string) *exec.Cmd {
	return relata(ctx, binary, db, append([]string{"serve", "--listen", "127.0.0.1:0"}, more...)...)
}

// relata is the program on the database of the test, with the local embedder and
// no model where the arguments name no others.
func relata(ctx context.Context, binary string, db localdb.Options, args ...string) *exec.Cmd {
	args = append([]string{
		args[0], "--data-dir", db.DataDir, "--cache-dir", db.CacheDir, "--neo4j-heap-mb", fmt.Sprint(db.HeapMB),
		"--embedder", "local", "--llm", "none", "--log-level", "error",
	}, args[1:]...)
	cmd := exec.CommandContext(ctx, binary, args...)
	for _, v := range os.Environ() { // the machine's own settings stay out of it
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "RELATA_") && !strings.HasPrefix(name, "OTEL_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	return cmd
}

// startServer starts the program, which starts the database where none runs,
// and returns when it says where it listens.
func startServer(ctx context.Context, t *testing.T, binary string, db localdb.Options, more ...string) *server {
	t.Helper()
	s := &server{cmd: serveCommand(context.Background(), binary, db, more...)}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1)
	var lines bytes.Buffer
	go func() {
		defer close(said)
		for scan := bufio.NewScanner(stderr); scan.Scan(); {
			if m := listens.FindStringSubmatch(scan.Text()); m != nil {
				said <- m[1]
				break
			}
			lines.WriteString(scan.Text() + "\n")
		}
		// Nobody reads what comes later; the pipe must not fill up.
		_, _ = io.Copy(io.Discard, stderr)
	}()
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	select {
	case url, ok := <-said:
		if !ok {
			t.Fatalf("the server ended before it listened:\n%s", lines.String())
		}
		s.url = url
	case <-ctx.Done():
		_ = s.cmd.Process.Kill()
		t.Fatal("the server did not come up in time")
	}
	return s
}

// kill ends the server at once and returns when it is gone.
func (s *server) kill(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait() // says that it was killed
}

// do sends a request and gives the body of an answer of status 2xx.
func do(ctx context.Context, method, url, key, body string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode/100 != 2 {
		err = &refused{res.StatusCode, string(answer)}
	}
	return answer, err
}

// refused is an answer other than 2xx.
type refused struct {
	status int
	body   string
}

func (r *refused) Error() string { return fmt.Sprintf("status %d: %s", r.status, r.body) }

func (s *server) put(ctx context.Context, t *testing.T, path, body string) {
	t.Helper()
	if _, err := do(ctx, http.MethodPut, s.url+path, "", body); err != nil {
		t.Fatalf("PUT %s: %v", path, err)
	}
}

// ready waits until every check of the server holds: on a busy machine a single
// look may take longer than a probe may wait.
func (s *server) ready(ctx context.Context, t *testing.T) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		_, err := do(ctx, http.MethodGet, s.url+"/readyz", "", "")
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("GET /readyz: %v", err)
		}
	}
}

// finds wants a search to give a memory of a diff.
func (s *server) finds(ctx context.Context, t *testing.T, d written) {
	t.Helper()
	want := d.contents[len(d.contents)-1]
	query, err := json.Marshal(map[string]any{"queries": []any{map[string]any{"memory": want, "all": true}}})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := do(ctx, http.MethodPost, s.url+"/v1/spaces/"+spaceName+"/search", "", string(query))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), want) {
		t.Errorf("a search does not find %q", want)
	}
}
