package graph_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"relata/graph"
	"relata/internal/testkit"
)

// listener is an observer that keeps what it hears.
type listener struct {
	mu         sync.Mutex
	statements map[string]int
	failed     map[string]int
	sessions   int
	most       int
}

func (l *listener) Statement(_ context.Context, name string, took time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statements[name]++
	if err != nil || took <= 0 {
		l.failed[name]++
	}
}

func (l *listener) Session(change int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sessions += change
	l.most = max(l.most, l.sessions)
}

func TestAnObserverHearsOfStatementsAndSessions(t *testing.T) {
	space := testkit.Space(t, testkit.Store(t), graph.Space{})
	l := &listener{statements: make(map[string]int), failed: make(map[string]int)}
	store := open(t, func(o *graph.Options) { o.Observer = l })
	if _, err := store.Relations(t.Context(), space, ""); err != nil {
		t.Fatal(err)
	}
	err := store.Write(t.Context(), space, func(ctx context.Context, tx *graph.Tx) error {
		return tx.Apply(ctx, &graph.ChangeSet{AddRelations: []graph.Relation{{Key: "own", Content: "own"}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Query(t.Context(), "THIS IS NO CYPHER")
	if err == nil {
		t.Fatal("it was understood")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range []string{"space_get", "relation_list", "space_lock", "relation_add"} {
		if l.statements[name] == 0 || l.failed[name] != 0 {
			t.Errorf("%s: heard %d times, failed %d times", name, l.statements[name], l.failed[name])
		}
	}
	if l.failed["shell"] == 0 {
		t.Error("the failure was not heard")
	}
	if l.sessions != 0 || l.most == 0 {
		t.Errorf("%d sessions are left, at most there were %d", l.sessions, l.most)
	}
}
