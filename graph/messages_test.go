package graph_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

func TestATimelineIsInTimeOrder(t *testing.T) {
	w := newWorld(t)
	w.persona("小满", "")
	at := func(minute int) time.Time { return time.Date(2026, 3, 3, 20, minute, 0, 0, time.UTC) }
	sources := []graph.Source{
		{SourceID: 1 << 50, Date: at(1)}, // without an id of the client's, and yet the first
		{SourceID: 7, Date: at(2), Present: []string{"小满"}},
		{SourceID: 5, Date: at(3), Present: []string{"小满"}},
		{SourceID: 6, Date: at(3)},
		{SourceID: 9, Date: at(4)},
		{SourceID: 8, Date: at(5), Kind: graph.SourceChunk}, // no message
	}
	for i := range sources {
		sources[i].Session, sources[i].Role, sources[i].Content = "s", "user", "x"
	}
	sources = append(sources, graph.Source{SourceID: 4, Session: "other", Role: "user", Content: "x", Date: at(2)})
	err := w.store.Write(t.Context(), w.space, func(ctx context.Context, tx *graph.Tx) error {
		return tx.Apply(ctx, &graph.ChangeSet{Sources: sources})
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		query graph.MessageQuery
		want  []int64
	}{
		"the whole session":           {graph.MessageQuery{Session: "s"}, []int64{1 << 50, 7, 5, 6, 9}},
		"the newest":                  {graph.MessageQuery{Session: "s", Limit: 2}, []int64{6, 9}},
		"those before one":            {graph.MessageQuery{Session: "s", Before: 6, Limit: 2}, []int64{7, 5}},
		"those after one":             {graph.MessageQuery{Session: "s", After: 1 << 50, Limit: 2}, []int64{7, 5}},
		"between two":                 {graph.MessageQuery{Session: "s", After: 7, Before: 9}, []int64{5, 6}},
		"as a persona that was there": {graph.MessageQuery{Session: "s", AsPersona: "小满"}, []int64{7, 5}},
		"by id, once each":            {graph.MessageQuery{IDs: []int64{9, 5, 7, 5, 1 << 50, 77}}, []int64{1 << 50, 7, 5, 9}},
		"by id, as a persona":         {graph.MessageQuery{IDs: []int64{9, 5, 7}, AsPersona: "小满"}, []int64{7, 5}},
		"a session that is not there": {graph.MessageQuery{Session: "nowhere"}, nil},
		"before what is not there":    {graph.MessageQuery{Session: "s", Before: 77}, []int64{7, 5, 6, 9}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := w.store.Messages(t.Context(), w.space, tt.query)
			if err != nil {
				t.Fatal(err)
			}
			var ids []int64
			for _, m := range got {
				ids = append(ids, m.SourceID)
			}
			if diff := cmp.Diff(tt.want, ids); diff != "" {
				t.Errorf("messages (-want +got)\n%s", diff)
			}
		})
	}
	_, err = w.store.Messages(t.Context(), w.space, graph.MessageQuery{Session: "s", AsPersona: "谁"})
	wantCode(t, err, graph.CodeNotFound)
}
