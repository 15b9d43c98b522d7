package document_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"relata/extractor/document"
)

// reader is shared: the PDF engine takes seconds to compile.
var reader document.Reader

func TestMain(m *testing.M) {
	if dir, err := os.UserCacheDir(); err == nil {
		reader.CacheDir = filepath.Join(dir, "relata", "pdf")
	}
	code := m.Run()
	reader.Close()
	os.Exit(code)
}

func read(t *testing.T, name string, data []byte) document.Document {
	t.Helper()
	doc, err := reader.Read(t.Context(), name, data, document.Limits{})
	if err != nil {
		t.Fatalf("Read %s: %v (%v)", name, err, errors.Unwrap(err))
	}
	return doc
}

func codeOf(err error) document.Code {
	var refused *document.Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}
