package localdb_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/internal/localdb"
	"relata/internal/localdb/dbtest"
)

// TestServer takes one real database through its life. It boots three times.
func TestServer(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Neo4j, left out with -short")
	}
	cache, err := dbtest.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	options := localdb.Options{
		CacheDir: cache, DataDir: filepath.Join(t.TempDir(), "my data"), HeapMB: 512, PageCacheMB: 64,
		Env: os.Getenv, Progress: func(line string) { t.Log(line) },
	}
	t.Cleanup(func() { _ = localdb.KillHard(options) })

	// Two that come together get the same server.
	var instances [2]*localdb.Instance
	var both sync.WaitGroup
	for i := range instances {
		both.Go(func() { instances[i] = mustStart(t, options) })
	}
	both.Wait()
	if t.Failed() {
		t.FailNow()
	}
	first, second := instances[0], instances[1]
	if first.PID != second.PID || first.BoltURI != second.BoltURI {
		t.Errorf("two servers: %+v and %+v", first, second)
	}
	if first.Reused == second.Reused {
		t.Errorf("one should have started and one reused: %+v and %+v", first, second)
	}
	if first.Version != localdb.Version || first.DataDir != options.DataDir || first.User != "neo4j" {
		t.Errorf("instance %+v", first)
	}
	wantState(t, options, localdb.StateRunning, first.PID)

	t.Run("answers with Cypher 25 as default, at the pinned version", func(t *testing.T) {
		if got := query(t, first, "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0]"); got != localdb.Version {
			t.Errorf("version %v", got)
		}
		// A syntax that Cypher 5 does not know.
		if got := query(t, first, "WHEN true THEN RETURN 25 AS x ELSE RETURN 5 AS x"); got != int64(25) {
			t.Errorf("Cypher %v", got)
		}
	})
	t.Run("serves Browser, and nothing without the password", func(t *testing.T) {
		response, err := http.Get(first.BrowserURL)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", first.BrowserURL, response.Status)
		}
		driver, err := neo4j.NewDriverWithContext(first.BoltURI, neo4j.BasicAuth("neo4j", "neo4j", ""))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = driver.Close(context.Background()) }()
		if err := driver.VerifyAuthentication(t.Context(), nil); err == nil {
			t.Error("the default password is accepted")
		}
	})
	query(t, first, "CREATE (:Kept {n: 1}) RETURN 1")

	t.Run("refuses a second server on its store, and names the first", func(t *testing.T) {
		record := filepath.Join(options.DataDir, "server.json")
		kept, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(record); err != nil {
			t.Fatal(err)
		}
		_, err = localdb.Start(t.Context(), options)
		if localdb.ErrorCode(err) != localdb.CodeStoreLocked || !strings.Contains(err.Error(), fmt.Sprint("process ", first.PID)) {
			t.Errorf("Start = %v", err)
		}
		if err := os.WriteFile(record, kept, 0o600); err != nil {
			t.Fatal(err)
		}
	})

	var again *localdb.Instance
	t.Run("keeps its data through kill -9", func(t *testing.T) {
		if err := localdb.KillHard(options); err != nil {
			t.Fatal(err)
		}
		wantState(t, options, localdb.StateCrashed, 0)
		again = mustStart(t, options)
		if again.Reused || again.PID == first.PID {
			t.Errorf("after the kill: %+v", again)
		}
		if got := query(t, again, "MATCH (k:Kept) RETURN count(k)"); got != int64(1) {
			t.Errorf("found %v nodes, want 1", got)
		}
	})
	t.Run("stops, and starts again", func(t *testing.T) {
		if err := localdb.Stop(t.Context(), options, localdb.StopOptions{}); err != nil {
			t.Fatal(err)
		}
		wantState(t, options, localdb.StateStopped, 0)
		if err := localdb.Stop(t.Context(), options, localdb.StopOptions{}); err != nil {
			t.Errorf("second Stop: %v", err)
		}
		last := mustStart(t, options)
		if got := query(t, last, "MATCH (k:Kept) RETURN count(k)"); got != int64(1) {
			t.Errorf("found %v nodes, want 1", got)
		}
	})
	t.Run("tells a wrong password file", func(t *testing.T) {
		if err := os.WriteFile(first.PasswordFile, []byte("wrong\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := localdb.Start(t.Context(), options); localdb.ErrorCode(err) != localdb.CodePassword {
			t.Errorf("Start = %v", err)
		}
	})
}

func mustStart(t *testing.T, options localdb.Options) *localdb.Instance {
	t.Helper()
	instance, err := localdb.Start(t.Context(), options)
	if err != nil {
		t.Errorf("Start: %v", err)
		return &localdb.Instance{}
	}
	return instance
}

func wantState(t *testing.T, options localdb.Options, state localdb.State, pid int) {
	t.Helper()
	status, err := localdb.Status(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if status.State != state || status.PID != pid {
		t.Errorf("status %+v, want %s with process %d", status, state, pid)
	}
}

// query returns the first column of the first row.
func query(t *testing.T, instance *localdb.Instance, text string) any {
	t.Helper()
	password, err := instance.Password()
	if err != nil {
		t.Fatal(err)
	}
	driver, err := neo4j.NewDriverWithContext(instance.BoltURI, neo4j.BasicAuth(instance.User, password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = driver.Close(context.Background()) }()
	result, err := neo4j.ExecuteQuery(t.Context(), driver, text, nil, neo4j.EagerResultTransformer)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if len(result.Records) == 0 {
		return nil
	}
	return result.Records[0].Values[0]
}
