package localdb

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Code classifies what went wrong, for callers that act on it.
type Code string

// The codes of Error.
const (
	CodeFolder      Code = "folder_unusable" // the cache or data folder cannot be made, read or written
	CodeDiskFull    Code = "disk_full"       // no space left on the device of the cache or data folder
	CodeNoJava      Code = "no_java"         // no Java 21 or newer, and none could be fetched
	CodeNoMaven     Code = "no_maven"        // Neo4j is not in the cache and there is no Maven to fetch it
	CodeInstall     Code = "install_failed"  // Maven ran and did not deliver
	CodePassword    Code = "password"        // the password file is missing, or the server refuses what it holds
	CodePortTaken   Code = "port_taken"      // another program listens where the server should
	CodeMemory      Code = "not_enough_memory"
	CodeStoreLocked Code = "store_locked" // another server has the store open
	CodeConfig      Code = "bad_config"   // Neo4j refused a setting
	CodeStart       Code = "start_failed" // the server ended while starting, for a reason not among these
	CodeTimeout     Code = "timeout"      // the server neither answered nor ended in time
	CodeNotRunning  Code = "not_running"  // there is no server to act on
	CodeUnsupported Code = "unsupported"  // this operating system has no managed database
)

// Error is every error that this package returns, apart from those of a
// context that ended. Its text is one sentence for a person: what was wrong,
// where, and what to do.
type Error struct {
	Code    Code
	Message string
	LogFile string // the log that tells more; empty where there is none
	Err     error  // the cause; may be nil
}

// Error returns the message, the cause and the log file.
func (e *Error) Error() string {
	text := "local database: " + e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.LogFile != "" {
		text += " (see " + e.LogFile + ")"
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns the code of the first Error in err's tree, or "".
func ErrorCode(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func newError(code Code, err error, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Err: err}
}

// Space that has to be free on a disk before it is written to, in MiB.
const (
	installMB = 400 // the jars, as downloaded and as copied
	storeMB   = 64  // an empty database; Neo4j does not end but hangs on a full disk
)

// checkSpace refuses a folder on a disk that is as good as full.
func checkSpace(folder string, needMB uint64) error {
	free, known := freeBytes(folder)
	if !known || free>>20 >= needMB {
		return nil
	}
	return newError(CodeDiskFull, nil, "only %d MB are free on the disk that holds %s and %d are needed: free some space or choose another folder",
		free>>20, folder, needMB)
}

// folderError explains a failed access to path, a file or folder below one of
// the two that the caller chose.
func folderError(path string, err error) *Error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return newError(CodeDiskFull, err, "the disk that holds %s is full: free some space or choose another folder", path)
	case errors.Is(err, fs.ErrPermission):
		return newError(CodeFolder, err, "no right to use %s: change its owner or mode, or choose another folder", path)
	case errors.Is(err, syscall.EROFS):
		return newError(CodeFolder, err, "%s is on a read-only file system: choose another folder", path)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return newError(CodeFolder, err, "%s lies under something that is not a folder: choose another folder", path)
	default:
		return newError(CodeFolder, err, "cannot use %s", path)
	}
}
