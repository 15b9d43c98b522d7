// Package dbtest gives tests a real Neo4j.
//
// All test packages of a run, which are processes of their own, share one
// server, and so do later runs while it lives; tests keep apart by the name of
// their space. It is the one that RELATA_TEST_NEO4J_URI names, if set (with
// RELATA_TEST_NEO4J_USER and RELATA_TEST_NEO4J_PASSWORD), else a managed one
// in the folder test-db of the cache (RELATA_CACHE_DIR, or relata in the
// user's cache folder), which whoever comes first starts, with an empty store.
package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"relata/internal/localdb"
)

// startTimeout leaves room for a first download on a slow line.
const startTimeout = 8 * time.Minute

// Start returns the address and account of the server, having started it if
// need be. It fails the test if that cannot be done, and skips it under -short.
func Start(tb testing.TB) (uri, user, password string) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs Neo4j, left out with -short")
	}
	if uri := os.Getenv("RELATA_TEST_NEO4J_URI"); uri != "" {
		user := os.Getenv("RELATA_TEST_NEO4J_USER")
		if user == "" {
			user = localdb.User
		}
		return uri, user, os.Getenv("RELATA_TEST_NEO4J_PASSWORD")
	}
	options, err := Options()
	if err != nil {
		tb.Fatal(err)
	}
	options.Progress = func(line string) { tb.Log(line) }
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	instance, err := localdb.Start(ctx, options)
	if err != nil {
		tb.Fatalf("start the test database: %v", err)
	}
	password, err = instance.Password()
	if err != nil {
		tb.Fatal(err)
	}
	return instance.BoltURI, instance.User, password
}

// Stop ends the managed test server, if one runs. Its store is made anew at the
// next Start, so it is not asked to end cleanly, which would take ten seconds.
func Stop() error {
	options, err := Options()
	if err != nil {
		return err
	}
	if err := localdb.KillHard(options); localdb.ErrorCode(err) != localdb.CodeNotRunning {
		return err
	}
	return nil
}

// Options are those of the managed test server.
func Options() (localdb.Options, error) {
	cache, err := CacheDir()
	if err != nil {
		return localdb.Options{}, err
	}
	return localdb.Options{
		CacheDir: cache,
		DataDir:  filepath.Join(cache, "test-db"),
		HeapMB:   1024,
		Empty:    true,
		Env:      os.Getenv,
	}, nil
}

// CacheDir is the folder of downloads that all tests share with the program.
func CacheDir() (string, error) {
	if dir := os.Getenv("RELATA_CACHE_DIR"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "relata"), nil
}
