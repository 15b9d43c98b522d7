package localdb

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// Java keeps the classes of the first run in an archive that loads faster, and
// checks by itself that it fits. These two keep a bad one from staying.

// dropCutArchive removes an archive whose writing was cut short. Java writes
// its header last, and does not replace one that has none.
func dropCutArchive(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return folderError(path, err)
	}
	defer func() { _ = file.Close() }()
	var magic [4]byte
	if _, err := io.ReadFull(file, magic[:]); err == nil && magic != [4]byte{} {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return folderError(path, err)
	}
	return nil
}

// dropArchiveSince removes an archive that a server wrote which failed to
// start: it holds too few classes to be worth keeping.
func dropArchiveSince(path string, began time.Time) {
	if info, err := os.Stat(path); err == nil && info.ModTime().After(began) {
		_ = os.Remove(path) // a poor archive is no reason to fail
	}
}
