// Package testkit gives tests the real parts: a store on the shared test
// database, migrated, with the local embedder, and spaces of their own in it.
package testkit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"relata/embed"
	"relata/graph"
	"relata/internal/localdb/dbtest"
	"relata/migrations"
)

// Store gives a migrated store on the test database, closed at the end of the
// test. All tests share the database: see [Space].
func Store(tb testing.TB) *graph.Store {
	tb.Helper()
	uri, user, password := dbtest.Start(tb)
	embedder := Embedder(tb)
	store, err := graph.Open(graph.Options{URI: uri, User: user, Password: password, Embedder: embedder})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close(context.Background()) })
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	db := migrations.Database{Driver: store.Driver(), Name: store.Database()}
	if _, err := migrations.Migrate(ctx, db); err != nil {
		tb.Fatalf("migrate the test database: %v", err)
	}
	model := embedder.Model()
	if err := migrations.EnsureVectors(ctx, db, migrations.Model{Name: model.Name, Dimensions: model.Dimensions}); err != nil {
		tb.Fatal(err)
	}
	return store
}

// Space makes a space of the test's own, deleted at its end: with an empty
// vocabulary, in UTC, unless settings say otherwise.
func Space(tb testing.TB, store *graph.Store, settings graph.Space) string {
	tb.Helper()
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == ' ' || r == '#' {
			return '-'
		}
		return r
	}, strings.ToLower(tb.Name()))
	if len(name) > 60 {
		name = name[:60]
	}
	settings.Name = fmt.Sprintf("t-%s-%08x", strings.ToValidUTF8(name, ""), rand.Uint32())
	if settings.Vocabulary == "" {
		settings.Vocabulary = "empty"
	}
	if _, _, err := store.PutSpace(tb.Context(), settings); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if _, err := store.DeleteSpace(context.Background(), settings.Name); err != nil && graph.ErrorCode(err) != graph.CodeNotFound {
			tb.Errorf("delete the space of the test: %v", err)
		}
	})
	return settings.Name
}

// Embedder gives the local embedder, loaded once for the test binary.
func Embedder(tb testing.TB) embed.Embedder {
	tb.Helper()
	e, err := local()
	if err != nil {
		tb.Fatalf("the local embedder: %v", err)
	}
	return e
}

var local = sync.OnceValues(func() (embed.Embedder, error) {
	cache, err := dbtest.CacheDir()
	if err != nil {
		return nil, err
	}
	dir, err := embed.EnsureModel(context.Background(), cache, nil)
	if err != nil {
		return nil, err
	}
	return embed.NewCached(embed.NewLocal(embed.LocalOptions{Dir: dir}), 1<<14)
})
