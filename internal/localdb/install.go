package localdb

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed pom.xml
var pom []byte

// manifest tells what an install consists of. One whose pom differs, or whose
// files are not all there in their full size, is made anew.
type manifest struct {
	Version string           `json:"version"`
	POM     string           `json:"pom_sha256"`
	Files   map[string]int64 `json:"files"` // path below the install → bytes
}

func pomHash() string {
	sum := sha256.Sum256(pom)
	return hex.EncodeToString(sum[:])
}

// complete reports whether the install is there as its manifest says.
func (i install) complete() bool {
	var m manifest
	ok, err := readJSON(i.manifest(), &m)
	if err != nil || !ok || m.POM != pomHash() || len(m.Files) == 0 {
		return false
	}
	for name, size := range m.Files {
		info, err := os.Stat(filepath.Join(i.root(), filepath.FromSlash(name)))
		if err != nil || info.Size() != size {
			return false
		}
	}
	return true
}

// ensureInstalled puts Neo4j into the cache if it is not there. Processes that
// come at the same time do it once.
func ensureInstalled(ctx context.Context, o Options, java Java) error {
	target := install{o.CacheDir}
	if target.complete() {
		return nil
	}
	unlock, err := acquire(ctx, target.lock(), func() {
		o.Progress("waiting for another process that is downloading")
	})
	if err != nil {
		return err
	}
	defer unlock()
	if target.complete() {
		return nil
	}

	if err := checkSpace(o.CacheDir, installMB); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(o.CacheDir, ".install-*")
	if err != nil {
		return folderError(o.CacheDir, err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	root := filepath.Join(temp, "neo4j")
	lib, plugins := filepath.Join(root, "lib"), filepath.Join(root, "plugins")
	for _, folder := range []string{lib, plugins} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return folderError(folder, err)
		}
	}
	pomFile := filepath.Join(root, "pom.xml")
	if err := writeFile(pomFile, pom); err != nil {
		return err
	}
	if err := copyJars(ctx, o, java, pomFile, lib); err != nil {
		return err
	}
	if err := sortJars(lib, plugins); err != nil {
		return err
	}
	if err := writeManifest(root); err != nil {
		return err
	}
	return replaceFolder(root, target.root())
}

// sortJars moves Browser out of lib, and checks that the two that matter came.
func sortJars(lib, plugins string) error {
	for pattern, folder := range map[string]string{"neo4j-browser-*.jar": plugins, "neo4j-server-" + Version + ".jar": lib} {
		found, err := filepath.Glob(filepath.Join(lib, pattern))
		if err != nil || len(found) != 1 {
			return newError(CodeInstall, err, "Maven reported success but delivered no %s: try again", pattern)
		}
		if path := filepath.Join(folder, filepath.Base(found[0])); path != found[0] {
			if err := os.Rename(found[0], path); err != nil {
				return folderError(path, err)
			}
		}
	}
	return nil
}

func writeManifest(root string) error {
	m := manifest{Version: Version, POM: pomHash(), Files: map[string]int64{}}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".jar") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		m.Files[filepath.ToSlash(name)] = info.Size()
		return err
	})
	if err != nil {
		return folderError(root, err)
	}
	return writeJSON(filepath.Join(root, "manifest.json"), m)
}

// replaceFolder puts folder in target's place. Whatever was there is moved
// aside first, so that no moment shows a mixture.
func replaceFolder(folder, target string) error {
	old := folder + ".old" // below the caller's temporary folder, removed with it
	if err := os.Rename(target, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return folderError(target, err)
	}
	if err := os.Rename(folder, target); err != nil {
		return folderError(target, err)
	}
	return nil
}
