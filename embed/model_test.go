package embed

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// models keeps the real model for all tests, loaded once for each kernel.
var models struct {
	mu     sync.Mutex
	dir    string
	loaded map[string]*Local
}

// ModelDir returns the folder of the model's files, fetched if need be.
func ModelDir(t testing.TB) string {
	t.Helper()
	models.mu.Lock()
	defer models.mu.Unlock()
	if models.dir != "" {
		return models.dir
	}
	cache := os.Getenv("RELATA_CACHE_DIR")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			t.Fatalf("no cache folder, set RELATA_CACHE_DIR: %v", err)
		}
		cache = filepath.Join(dir, "relata")
	}
	dir, err := EnsureModel(t.Context(), cache, func(line string) { t.Log(line) })
	if err != nil {
		t.Fatalf("the tests of this package need the model's files: %v", err)
	}
	models.dir = dir
	return dir
}

func readModelFile(t testing.TB, f modelFile) []byte {
	t.Helper()
	data, err := readChecked(filepath.Join(ModelDir(t), f.name), f)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// loadedModel returns the model, loaded, on the given kernel.
func loadedModel(t testing.TB, kern kernel) *Local {
	t.Helper()
	dir := ModelDir(t)
	models.mu.Lock()
	defer models.mu.Unlock()
	if models.loaded[kern.name] == nil {
		l := newLocal(LocalOptions{Dir: dir}, kern)
		if err := l.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if models.loaded == nil {
			models.loaded = map[string]*Local{}
		}
		models.loaded[kern.name] = l
	}
	return models.loaded[kern.name]
}

// SharedLocal returns a Local that needs no loading, for it shares the weights
// of the other tests. All options have to be set, but for Dir and Logger.
func SharedLocal(t testing.TB, opts LocalOptions) *Local {
	t.Helper()
	from := loadedModel(t, kernels()[0])
	encoder, err := newEncoder(from.encoder.net, opts.CacheRows)
	if err != nil {
		t.Fatal(err)
	}
	return &Local{
		maxRunes: opts.MaxRunes,
		slots:    make(chan struct{}, opts.Parallel),
		loaded:   from.loaded,
		tokens:   from.tokens,
		encoder:  encoder,
	}
}

// golden is what the reference implementation makes of a text.
type golden struct {
	Text   string    `json:"text"`
	IDs    []int32   `json:"ids"`
	Vector []float32 `json:"vector"`
}

func readGolden(t testing.TB) []golden {
	t.Helper()
	file, err := os.Open("testdata/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []golden
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// short is a text as the name of a subtest.
func short(i int, text string) string { return fmt.Sprintf("%d %.20q", i, text) }

// distance is the largest difference of two vectors' components.
func distance(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range a {
		worst = max(worst, math.Abs(float64(a[i])-float64(b[i])))
	}
	return worst
}
