package bench_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/internal/bench"
)

func sampleReport() bench.Report {
	return bench.Report{
		Command: "relata bench search",
		Machine: bench.Machine{
			Date: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), OS: "linux/amd64", CPU: "a CPU", Cores: 2, MemoryMB: 8000,
			Go: "go1.26", Neo4j: "2026.05.0 community", Java: "a VM 25", HeapMB: 1024,
		},
		Data: bench.Data{Memories: 1000, Spaces: 5, Largest: 500, Smallest: 10, Seed: 1, Dimensions: 512, InDatabase: 1000, Entities: 200, Relationships: 4860},
		Tables: []bench.Table{{
			Title: "search, space of 500",
			Rows: []bench.Row{
				{Name: "bare vector query", Count: 100, P50: 2, P95: 4},
				{Name: "search, one question", Count: 100, P50: 9, P95: 12.345, Ratio: 4.5, Of: "bare vector query"},
				{Name: "search_words", Part: true, Count: 100, P50: 1.5, P95: 2},
			},
			Notes: []string{"a note"},
		}},
	}
}

const sampleText = `relata bench search, 2026-11-30 12:00 UTC
  machine   linux/amd64, 2 cores, 8000 MB, a CPU
  software  Neo4j 2026.05.0 community on a VM 25 (heap 1024 MB), go1.26
  data      1000 memories in 5 spaces of 500 to 10, seed 1, 512 dimensions; in the database 1000 memories, 200 entities, 4860 relationships

search, space of 500
                          n  p50 ms  p95 ms  ratio
  bare vector query     100    2.00    4.00
  search, one question  100    9.00   12.35  4.50 × bare vector query
    search_words        100    1.50    2.00
  a note
`

func TestReportAsText(t *testing.T) {
	var b strings.Builder
	if err := sampleReport().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sampleText, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReportAsJSONReadsBack(t *testing.T) {
	var b strings.Builder
	if err := sampleReport().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got bench.Report
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sampleReport(), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
