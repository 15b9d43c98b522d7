package localdb

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockPoll is how often a waiting process tries again.
const lockPoll = 100 * time.Millisecond

// acquire takes the lock at path and returns the function that gives it back.
// The operating system drops a lock with the process that held it, so there
// are no stale ones. Where another holds it, waiting is called once.
func acquire(ctx context.Context, path string, waiting func()) (func(), error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, folderError(filepath.Dir(path), err)
	}
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err == nil && !locked {
		waiting()
		locked, err = lock.TryLockContext(ctx, lockPoll)
	}
	if ctx.Err() != nil && !locked {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, folderError(path, err)
	}
	return func() { _ = lock.Unlock() }, nil
}
