package graph_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/internal/localdb/dbtest"
	"relata/internal/testkit"
)

func TestReadinessNamesEachCheck(t *testing.T) {
	w := newWorld(t)
	w.remember(fact{"阿岩", "own", "猫", nil})
	var checked []string
	for _, c := range w.store.Ready(t.Context()) {
		checked = append(checked, c.Name)
		if c.Err != nil {
			t.Errorf("%s: %v", c.Name, c.Err)
		}
	}
	if diff := cmp.Diff([]string{"database", "indexes", "analyzers", "dimensions", "words", "vectors"}, checked); diff != "" {
		t.Errorf("checks (-want +got)\n%s", diff)
	}
}

// open opens another store on the test database.
func open(t *testing.T, change func(*graph.Options)) *graph.Store {
	t.Helper()
	uri, user, password := dbtest.Start(t)
	o := graph.Options{URI: uri, User: user, Password: password}
	change(&o)
	store, err := graph.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	return store
}

func TestReadinessTellsOfAnotherLengthOfVectors(t *testing.T) {
	testkit.Store(t) // makes the schema
	store := open(t, func(o *graph.Options) { o.Dimensions = 7 })
	for _, c := range store.Ready(t.Context()) {
		if (c.Err != nil) != (c.Name == "dimensions") {
			t.Errorf("%s: %v", c.Name, c.Err)
		}
		if c.Err != nil && !strings.Contains(c.Err.Error(), "the embedder makes 7") {
			t.Errorf("it says %v", c.Err)
		}
	}
}

func TestReadinessWithoutADatabaseTellsThatAlone(t *testing.T) {
	store := open(t, func(o *graph.Options) { o.URI = "bolt://127.0.0.1:1" })
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	checks := store.Ready(ctx)
	var e *graph.Error
	if len(checks) != 1 || checks[0].Name != "database" || !errors.As(checks[0].Err, &e) || e.Code == graph.CodeInternal {
		t.Errorf("%+v", checks)
	}
}
