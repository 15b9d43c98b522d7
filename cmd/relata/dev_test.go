package main

import (
	"os"
	"testing"
	"time"
	"context"
	"fmt"

	"relata/extractor"
	"relata/graph"
	"relata/internal/testkit"
	"relata/relations"
)

func TestDev(t *testing.T) {
	if os.Getenv("DEV") == "" {
		t.Skip()
	}
	a := &app{store: testkit.Store(t)}
	a.relations = relations.NewService(relations.ServiceOptions{Store: a.store})
	a.extractor = newExtractor(t, a, answers(t))
	space := "dev-sample2"
	if _, err := a.store.Space(t.Context(), space); err != nil {
		w, _ := readWorld()
		if err := w.settle(t.Context(), a.store, space); err != nil {
			t.Fatal(err)
		}
		batches, _ := sampleSessions(space)
		for _, b := range batches {
			s := time.Now()
			if _, err := a.extractor.Ingest(t.Context(), b, extractor.IngestOptions{}); err != nil {
				t.Fatal(err)
			}
			fmt.Println(b.Session, time.Since(s))
		}
	}
	for i := 0; i < 5; i++ {
		s := time.Now()
		ask(context.Background(), t, a, space, "小满", graph.Query{Memory: "阿岩现在上班的公司在哪座城市", All: true, Limit: 10})
		fmt.Println("search", time.Since(s))
	}
	checkSearches(t, a, space)
}
