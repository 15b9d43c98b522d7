package localdb_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/internal/localdb"
)

// serverWorld is a machine on which everything is in place and the server is
// the given script.
func serverWorld(t *testing.T, server string) *world {
	w := newWorld(t)
	w.program("java", javaScript("25.0.3", server))
	w.program("mvn", mavenScript)
	return w
}

// begun is what every server prints that came as far as its store.
const begun = `echo '2026-11-30 13:38:18.096+0000 INFO  ======== Neo4j 2026.05.0 ========'` + "\n"

func TestServerThatEndsWhileStarting(t *testing.T) {
	tests := []struct {
		name   string
		log    string // as the real one prints it
		code   localdb.Code
		words  []string
		starts int
		state  localdb.State
	}{
		{
			"port taken", begun + `echo 'Caused by: org.neo4j.configuration.helpers.PortBindException: Address 127.0.0.1:17002 is already in use, cannot bind to it.'
echo '2026-11-30 13:38:39.385+0000 INFO  Stopped.'`,
			localdb.CodePortTaken,
			[]string{"port is in use"},
			3, localdb.StateStopped,
		},
		{
			"heap larger than the machine", `echo '2026-11-30 13:38:44.135+0000 ERROR Invalid memory configuration - exceeds physical memory. Check the configured values for server.memory.pagecache.size and server.memory.heap.max_size'`,
			localdb.CodeMemory,
			[]string{"lower them"},
			1, localdb.StateStopped,
		},
		{
			"heap too small", `echo 'Error occurred during initialization of VM'; echo 'Too small maximum heap'`,
			localdb.CodeMemory,
			[]string{"raise it"},
			1, localdb.StateStopped,
		},
		{
			"out of memory", begun + `echo 'Terminating due to java.lang.OutOfMemoryError: Java heap space'`,
			localdb.CodeMemory,
			[]string{"raise the heap"},
			1, localdb.StateCrashed,
		},
		{
			"store in use", `echo 'Caused by: org.neo4j.io.locker.FileLockException: Lock file has been locked by another process: /x/data/databases/store_lock.'`,
			localdb.CodeStoreLocked,
			[]string{"another server"},
			1, localdb.StateStopped,
		},
		{
			"setting unknown", `echo 'Exception in thread "main" java.lang.IllegalArgumentException: Unrecognized setting. No declared setting with name: foo.bar.'`,
			localdb.CodeConfig,
			[]string{"setting"},
			1, localdb.StateStopped,
		},
		{
			"no right to the folder", `echo 'Caused by: java.nio.file.AccessDeniedException: /x/data/server_id'`,
			localdb.CodeFolder,
			[]string{"owner or mode"},
			1, localdb.StateStopped,
		},
		{
			"something else", `echo 'Caused by: java.lang.IllegalStateException: a riddle'; echo '	... 6 more'`,
			localdb.CodeStart,
			[]string{"a riddle"},
			1, localdb.StateStopped,
		},
		{"in silence", ``, localdb.CodeStart, []string{"it left no message"}, 1, localdb.StateStopped},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := serverWorld(t, `echo >> starts`+"\n"+test.log+"\nexit 1")
			err := w.failToStart(test.code, append(test.words, "logs/console.log")...)
			var failure *localdb.Error
			if !errors.As(err, &failure) || failure.LogFile == "" {
				t.Errorf("error %v names no log file", err)
			}
			if starts, _ := os.ReadFile(filepath.Join(w.options.DataDir, "starts")); len(starts) != test.starts {
				t.Errorf("started %d times, want %d", len(starts), test.starts)
			}
			if got := w.state(); got != test.state {
				t.Errorf("state %s, want %s", got, test.state)
			}
		})
	}
}

func TestServerThatHangsOnAFullDisk(t *testing.T) {
	w := serverWorld(t, begun+`echo 'java.io.IOException: No space left on device'; exec /bin/sleep 60`)
	w.failToStart(localdb.CodeDiskFull, "free some space")
	if got := w.state(); got != localdb.StateCrashed {
		t.Errorf("state %s, want crashed", got)
	}
}

func TestServerThatNeverAnswers(t *testing.T) {
	w := serverWorld(t, `exec /bin/sleep 60`)
	w.options.StartTimeout = 300 * time.Millisecond
	w.failToStart(localdb.CodeTimeout, "has not answered for 300ms", "still lives")
	if got := w.state(); got != localdb.StateStarting {
		t.Errorf("state %s, want starting", got)
	}
}

func TestUnusableFolders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		change func(*localdb.Options)
		words  []string
	}{
		"data folder under a file":  {func(o *localdb.Options) { o.DataDir = filepath.Join(file, "x") }, []string{file, "not a folder", "choose another"}},
		"cache folder under a file": {func(o *localdb.Options) { o.CacheDir = filepath.Join(file, "x") }, []string{file, "not a folder", "choose another"}},
		"data folder is a file":     {func(o *localdb.Options) { o.DataDir = file }, []string{file, "not a folder"}},
		"no data folder":            {func(o *localdb.Options) { o.DataDir = "" }, []string{"no data folder given"}},
		"no cache folder":           {func(o *localdb.Options) { o.CacheDir = "" }, []string{"no cache folder given"}},
		"a colon in the name":       {func(o *localdb.Options) { o.CacheDir += ":x" }, []string{"class path"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := serverWorld(t, endsAtOnce)
			test.change(&w.options)
			w.failToStart(localdb.CodeFolder, test.words...)
		})
	}
	t.Run("not enough space", func(t *testing.T) {
		err := localdb.CheckSpace(t.TempDir(), 1<<40)
		if localdb.ErrorCode(err) != localdb.CodeDiskFull || !strings.Contains(err.Error(), "free some space") {
			t.Errorf("CheckSpace = %v", err)
		}
	})
}

func TestPassword(t *testing.T) {
	t.Run("is long, random and private", func(t *testing.T) {
		w := serverWorld(t, endsAtOnce)
		var seen []string
		for range 2 { // the store was never made, so the second is another
			w.failToStart(localdb.CodeStart)
			path := filepath.Join(w.options.DataDir, "password")
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, want 0600", info.Mode())
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(strings.TrimSpace(string(content))) < 24 {
				t.Errorf("password of %d characters", len(content))
			}
			seen = append(seen, string(content))
		}
		if seen[0] == seen[1] {
			t.Error("the same password twice")
		}
	})
	t.Run("is never an argument", func(t *testing.T) {
		w := newWorld(t)
		w.program("java", strings.Replace(javaScript("25", endsAtOnce), "*AdminTool*)", `*AdminTool*) echo "$*" > arguments; /bin/cp "${6#@}" handed;`, 1))
		w.program("mvn", mavenScript)
		t.Chdir(t.TempDir())
		w.failToStart(localdb.CodeStart)
		arguments, err := os.ReadFile("arguments")
		if err != nil {
			t.Fatal(err)
		}
		password, err := os.ReadFile(filepath.Join(w.options.DataDir, "password"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(arguments), strings.TrimSpace(string(password))) {
			t.Errorf("the password is among the arguments: %s", arguments)
		}
		handed, _ := os.ReadFile("handed")
		if want := "dbms\nset-initial-password\n" + string(password); string(handed) != want {
			t.Errorf("handed over %q, want %q", handed, want)
		}
		if _, err := os.Stat(filepath.Join(w.options.DataDir, "run/initial-password")); !os.IsNotExist(err) {
			t.Errorf("the file of arguments is still there: %v", err)
		}
	})
	t.Run("lost, is told with what to do", func(t *testing.T) {
		w := serverWorld(t, endsAtOnce)
		w.dataFile("data/databases/system/x", "")
		w.failToStart(localdb.CodePassword, "password is missing", "put it back")
	})
	t.Run("empty, is told with what to do", func(t *testing.T) {
		w := serverWorld(t, endsAtOnce)
		w.dataFile("data/databases/system/x", "")
		w.dataFile("password", "\n")
		w.failToStart(localdb.CodePassword, "is empty")
	})
}

func TestPorts(t *testing.T) {
	conf := func(w *world) string {
		content, err := os.ReadFile(filepath.Join(w.options.DataDir, "conf/neo4j.conf"))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	t.Run("remembered ones are kept", func(t *testing.T) {
		w := serverWorld(t, endsAtOnce)
		free, err := localdb.ChoosePorts()
		if err != nil {
			t.Fatal(err)
		}
		w.dataFile("ports.json", fmt.Sprintf(`{"bolt":%d,"http":%d}`, free.Bolt, free.HTTP))
		w.failToStart(localdb.CodeStart)
		if !strings.Contains(conf(w), fmt.Sprintf("server.bolt.listen_address=127.0.0.1:%d\n", free.Bolt)) {
			t.Errorf("port %d is not in\n%s", free.Bolt, conf(w))
		}
	})
	t.Run("one that is taken is replaced, and that is said", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		taken := listener.Addr().(*net.TCPAddr).Port
		w := serverWorld(t, endsAtOnce)
		w.dataFile("ports.json", fmt.Sprintf(`{"bolt":%d,"http":%d}`, taken, 1))
		w.failToStart(localdb.CodeStart)
		if strings.Contains(conf(w), fmt.Sprint(taken)) {
			t.Errorf("port %d is in\n%s", taken, conf(w))
		}
		if !w.said(fmt.Sprint(taken), "choosing new ports") {
			t.Errorf("progress said %q", w.lines)
		}
	})
	t.Run("a damaged memory of them is no obstacle", func(t *testing.T) {
		w := serverWorld(t, endsAtOnce)
		w.dataFile("ports.json", `{"bolt`)
		w.failToStart(localdb.CodeStart)
	})
}

func TestRecordedProcess(t *testing.T) {
	const farewell = "2026-11-30 13:42:34.714+0000 INFO  Stopped.\n"
	dead := 1 << 22 // above the largest number that Linux gives out
	tests := []struct {
		name, record, log string
		want              localdb.State
	}{
		{"none", "", "", localdb.StateStopped},
		{"gone without a farewell", fmt.Sprintf(`{"pid":%d,"started":"x"}`, dead), "INFO  Started.\n", localdb.StateCrashed},
		{"gone with a farewell", fmt.Sprintf(`{"pid":%d,"started":"x"}`, dead), farewell, localdb.StateStopped},
		{"gone before it had recovered", fmt.Sprintf(`{"pid":%d,"started":"x","unclean":true}`, dead), farewell, localdb.StateCrashed},
		{"its number belongs to another now", fmt.Sprintf(`{"pid":%d,"started":"x"}`, os.Getpid()), "", localdb.StateCrashed},
		{"unreadable", `{"pid`, "", localdb.StateStopped},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := serverWorld(t, endsAtOnce)
			if test.record != "" {
				w.dataFile("server.json", test.record)
			}
			w.dataFile("logs/console.log", test.log)
			if got := w.state(); got != test.want {
				t.Errorf("state %s, want %s", got, test.want)
			}
			// Stopping what is not there is fine and signals nobody.
			if err := localdb.Stop(t.Context(), w.options, localdb.StopOptions{}); err != nil {
				t.Errorf("Stop: %v", err)
			}
			if err := localdb.KillHard(w.options); localdb.ErrorCode(err) != localdb.CodeNotRunning {
				t.Errorf("KillHard: %v", err)
			}
			if got := w.state(); got != test.want {
				t.Errorf("state after Stop %s, want %s", got, test.want)
			}
			w.failToStart(localdb.CodeStart)
			if got, want := w.said("recovering after an unclean stop"), test.want == localdb.StateCrashed; got != want {
				t.Errorf("said that it recovers: %v, want %v", got, want)
			}
		})
	}
}

func TestInterruptedStartLeavesTheServerStarting(t *testing.T) {
	w := serverWorld(t, `trap '' TERM; while :; do /bin/sleep 0.05; done`)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := localdb.Start(ctx, w.options)
		done <- err
	}()
	eventually(t, "starting", func() bool { return w.state() == localdb.StateStarting })

	// A second one waits for the first, and can be interrupted too.
	second, cancelSecond := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancelSecond()
	if _, err := localdb.Start(second, w.options); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("second Start = %v", err)
	}
	if !w.said("waiting for another process") {
		t.Errorf("progress said %q", w.lines)
	}

	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Start = %v", err)
	}
	if got := w.state(); got != localdb.StateStarting {
		t.Errorf("state %s, want starting", got)
	}

	// It does not end when asked: that is told, and it is killed if wanted.
	stop := localdb.StopOptions{Timeout: 200 * time.Millisecond}
	err := localdb.Stop(t.Context(), w.options, stop)
	if localdb.ErrorCode(err) != localdb.CodeTimeout || !strings.Contains(err.Error(), "by force") {
		t.Errorf("Stop = %v", err)
	}
	if got := w.state(); got != localdb.StateStopping {
		t.Errorf("state %s, want stopping", got)
	}
	stop.Force = true
	if err := localdb.Stop(t.Context(), w.options, stop); err != nil {
		t.Errorf("Stop by force = %v", err)
	}
	if got := w.state(); got != localdb.StateCrashed {
		t.Errorf("state %s, want crashed", got)
	}
}

func TestStoppedWhileStarting(t *testing.T) {
	w := serverWorld(t, `exec /bin/sleep 60`)
	done := make(chan error)
	go func() {
		_, err := localdb.Start(t.Context(), w.options)
		done <- err
	}()
	eventually(t, "starting", func() bool { return w.state() == localdb.StateStarting })
	if err := localdb.Stop(t.Context(), w.options, localdb.StopOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; localdb.ErrorCode(err) != localdb.CodeStart || !strings.Contains(err.Error(), "stopped by another process") {
		t.Errorf("Start = %v", err)
	}
}

func TestEmptyBeginsAnew(t *testing.T) {
	w := serverWorld(t, endsAtOnce)
	w.dataFile("data/databases/system/x", "")
	w.dataFile("server.json", `{"pid":4194304,"started":"x"}`)
	w.options.Empty = true
	w.failToStart(localdb.CodeStart)
	if _, err := os.Stat(filepath.Join(w.options.DataDir, "data/databases")); !os.IsNotExist(err) {
		t.Errorf("the old store is still there: %v", err)
	}
	if w.said("recovering") {
		t.Error("said that it recovers an empty store")
	}
}

func TestStatusFields(t *testing.T) {
	w := newWorld(t)
	status, err := localdb.Status(t.Context(), w.options)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(status)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(encoded, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"state": "stopped", "version": "2026.05.0", "pid": 0.0, "bolt": "", "http": "", "browser": "", "user": "neo4j",
		"password_file": filepath.Join(w.options.DataDir, "password"), "data_dir": w.options.DataDir,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(w.options.DataDir); !os.IsNotExist(err) {
		t.Errorf("Status made the data folder: %v", err)
	}
}

func TestConfiguration(t *testing.T) {
	keys := localdb.SettingKeys(localdb.Options{})
	slices.Sort(keys)
	if unique := slices.Compact(slices.Clone(keys)); len(unique) != len(keys) {
		t.Errorf("a setting is given twice, which Neo4j refuses: %v", keys)
	}
	options := localdb.Options{CacheDir: "/c", DataDir: "/d", HeapMB: 512}
	line := func(major int, vector bool) string {
		return strings.Join(localdb.Arguments(options, localdb.Java{Major: major}, vector), " ")
	}
	if got := line(25, true); !strings.Contains(got, "-Xmx512m ") || !strings.Contains(got, "--add-modules=jdk.incubator.vector") ||
		!strings.Contains(got, "--sun-misc-unsafe-memory-access=allow") {
		t.Errorf("Java 25: %s", got)
	}
	if got := line(21, false); strings.Contains(got, "vector") || strings.Contains(got, "sun-misc") {
		t.Errorf("Java 21 without the vector module is given what it does not know: %s", got)
	}
}
