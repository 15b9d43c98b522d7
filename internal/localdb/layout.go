package localdb

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// install and data name the files of the two folders; see doc.go.
type (
	install struct{ cache string }
	data    struct{ dir string }
)

func (i install) root() string     { return filepath.Join(i.cache, "neo4j-"+Version) }
func (i install) lib() string      { return filepath.Join(i.root(), "lib") }
func (i install) plugins() string  { return filepath.Join(i.root(), "plugins") }
func (i install) manifest() string { return filepath.Join(i.root(), "manifest.json") }
func (i install) classes() string  { return filepath.Join(i.root(), "classes.jsa") }
func (i install) lock() string     { return filepath.Join(i.cache, "install.lock") }
func (i install) runtime() string  { return filepath.Join(i.cache, wheelName+"-"+wheelVersion) }

func (d data) lock() string     { return filepath.Join(d.dir, "lock") }
func (d data) password() string { return filepath.Join(d.dir, "password") }
func (d data) ports() string    { return filepath.Join(d.dir, "ports.json") }
func (d data) server() string   { return filepath.Join(d.dir, "server.json") }
func (d data) conf() string     { return filepath.Join(d.dir, "conf") }
func (d data) console() string  { return filepath.Join(d.dir, "logs", "console.log") }
func (d data) system() string   { return filepath.Join(d.dir, "data", "databases", "system") }
func (d data) auth() string     { return filepath.Join(d.dir, "data", "dbms", "auth.ini") }

// makeFolders creates the data folder and what Neo4j expects in it.
func (d data) makeFolders() error {
	for _, name := range []string{"", "conf", "data", "logs", "import", "run"} {
		path := filepath.Join(d.dir, name)
		if err := os.MkdirAll(path, 0o700); err != nil {
			return folderError(path, err)
		}
	}
	return nil
}

// empty removes everything but the lock, which the caller holds.
func (d data) empty() error {
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return folderError(d.dir, err)
	}
	for _, entry := range entries {
		path := filepath.Join(d.dir, entry.Name())
		if path == d.lock() {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			return folderError(path, err)
		}
	}
	return nil
}

// writeFile replaces path in one step, so that a reader, or a crash, meets the
// old content or the new.
func writeFile(path string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // mode 0600
	if err != nil {
		return folderError(path, err)
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return folderError(path, err)
	}
	return nil
}

// writeJSON replaces path with value.
func writeJSON(path string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return newError(CodeFolder, err, "cannot encode %s", path)
	}
	return writeFile(path, append(content, '\n'))
}

// readJSON fills value from path and reports whether it could. A file that is
// missing or holds something else counts as not written yet.
func readJSON(path string, value any) (bool, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, folderError(path, err)
	}
	return json.Unmarshal(content, value) == nil, nil
}
