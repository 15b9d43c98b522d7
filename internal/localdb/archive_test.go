package localdb_test

import (
	"os"
	"path/filepath"
	"testing"

	"relata/internal/localdb"
)

func TestArchiveOfClasses(t *testing.T) {
	tests := map[string]struct {
		content string
		server  string
		kept    bool
	}{
		"whole, is kept":                        {"\xa8\xba\x0b\xf0 classes", endsAtOnce, true},
		"cut short, is removed":                 {"\x00\x00\x00\x00 classes", endsAtOnce, false},
		"empty, is removed":                     {"", endsAtOnce, false},
		"written by a failed start, is removed": {"\xa8\xba\x0b\xf0", `/bin/sleep 0.05; for a; do case "$a" in -XX:SharedArchiveFile=*) echo classes > "${a#*=}" ;; esac; done; exit 1`, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := installWorld(t)
			w.failToStart(localdb.CodeStart)
			archive := filepath.Join(w.options.CacheDir, "neo4j-2026.05.0", "classes.jsa")
			if err := os.WriteFile(archive, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			w.program("java", javaScript("25.0.3", test.server))
			w.failToStart(localdb.CodeStart)
			if _, err := os.Stat(archive); (err == nil) != test.kept {
				t.Errorf("kept: %v, want %v", err == nil, test.kept)
			}
		})
	}
}
