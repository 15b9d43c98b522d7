package localdb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"relata/internal/localdb"
)

// world is a machine made of stand-ins: its PATH is one folder, and no JVM is
// installed but what a test puts there.
type world struct {
	t       *testing.T
	bin     string
	env     map[string]string
	options localdb.Options

	mu    sync.Mutex
	lines []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root := t.TempDir()
	w := &world{t: t, bin: filepath.Join(root, "bin")}
	w.env = map[string]string{"PATH": w.bin, "HOME": filepath.Join(root, "home")}
	if err := os.Mkdir(w.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	w.options = localdb.Options{
		CacheDir:   filepath.Join(root, "cache"),
		DataDir:    filepath.Join(root, "data"),
		Env:        func(name string) string { return w.env[name] },
		JVMFolders: []string{},
		Progress: func(line string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.lines = append(w.lines, line)
		},
	}
	t.Cleanup(func() { _ = localdb.KillHard(w.options) })
	return w
}

// program puts a shell script into the PATH.
func (w *world) program(name, script string) {
	w.t.Helper()
	writeScript(w.t, filepath.Join(w.bin, name), script)
}

func writeScript(t *testing.T, path, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// javaScript answers what this package asks of a Java, and runs server for the
// server itself.
func javaScript(version, server string) string {
	return fmt.Sprintf(`case "$*" in
-version) echo 'openjdk version "%s"' >&2 ;;
--list-modules) echo java.base@%s ;;
*AdminTool*) exit 0 ;;
*Neo4jCommunity*)
%s
;;
esac`, version, version, server)
}

// mavenScript delivers two jars, and adds a line to the file "mvn.log" beside
// itself for every call.
const mavenScript = `echo run >> "${0%/*}/mvn.log"
for a; do case "$a" in -DoutputDirectory=*) out="${a#*=}" ;; esac; done
echo "Downloaded from central: x/neo4j-server-2026.05.0.jar (1 kB)"
echo jar > "$out/neo4j-server-2026.05.0.jar"
echo jar > "$out/neo4j-browser-5.24.0.jar"`

// mavenRuns counts the calls of mavenScript.
func (w *world) mavenRuns() int {
	content, err := os.ReadFile(filepath.Join(w.bin, "mvn.log"))
	if err != nil {
		return 0
	}
	return strings.Count(string(content), "run")
}

// said reports whether a progress line holds all the words.
func (w *world) said(words ...string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.lines, func(line string) bool {
		for _, word := range words {
			if !strings.Contains(line, word) {
				return false
			}
		}
		return true
	})
}

// start starts and expects it to fail with code, in an error that holds all
// the words.
func (w *world) failToStart(code localdb.Code, words ...string) error {
	w.t.Helper()
	_, err := localdb.Start(w.t.Context(), w.options)
	if got := localdb.ErrorCode(err); got != code {
		w.t.Fatalf("Start: code %q, want %q; error: %v", got, code, err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			w.t.Errorf("Start: error %q does not say %q", err, word)
		}
	}
	return err
}

func (w *world) state() localdb.State {
	w.t.Helper()
	status, err := localdb.Status(w.t.Context(), w.options)
	if err != nil {
		w.t.Fatal(err)
	}
	return status.State
}

// dataFile writes a file of the data folder.
func (w *world) dataFile(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.options.DataDir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if condition() {
			return
		}
	}
	t.Fatalf("not within 20 s: %s", what)
}
