package localdb

import (
	"log/slog"
	"path/filepath"
	"strings"
	"time"
)

// Version is the release of Neo4j that pom.xml pins.
const Version = "2026.05.0"

// User is the one account of a managed database.
const User = "neo4j"

// Defaults of Options and StopOptions.
const (
	// DefaultHeapMB holds the index build over 100,000 memories (1.36 GB of
	// process size was measured with it).
	DefaultHeapMB = 1024
	// DefaultPageCacheMB holds the whole store of about 100,000 memories.
	DefaultPageCacheMB = 256
	// DefaultStartTimeout bounds a start. A recovery after a kill was measured
	// at 100 s; a download comes on top and is not counted.
	DefaultStartTimeout = 10 * time.Minute
	// DefaultStopTimeout bounds a clean stop; 2 s were measured, with one that writes
	// the archive of classes 8 s.
	DefaultStopTimeout = 2 * time.Minute
)

// Options say where a managed database lives and how large it may grow. Every
// function of the package takes the same ones; only CacheDir and DataDir must
// be set, and two calls mean the same database if their DataDir is the same.
type Options struct {
	// CacheDir holds what is downloaded. It may be shared by any number of
	// data folders and processes, and deleted whenever no server runs.
	CacheDir string
	// DataDir holds one database.
	DataDir string

	// HeapMB is the largest Java heap in MiB; zero means DefaultHeapMB. A server
	// that runs already keeps the sizes it was started with.
	HeapMB int
	// PageCacheMB is Neo4j's page cache in MiB, outside the heap; zero means
	// DefaultPageCacheMB.
	PageCacheMB int
	// StartTimeout bounds the wait for a server to answer; zero means
	// DefaultStartTimeout.
	StartTimeout time.Duration

	// Empty makes a start begin with an empty store: what an earlier server
	// left in DataDir is removed. A server that lives is used as it is. It is
	// for tests.
	Empty bool

	// Env looks up an environment variable. JAVA_HOME, MAVEN_HOME, M2_HOME,
	// PATH, HOME, TMPDIR, LANG, LC_ALL, TZ, JAVA_TOOL_OPTIONS and
	// JDK_JAVA_OPTIONS are asked for. Nil means an empty environment.
	Env func(string) string
	// JVMFolders are patterns of Java homes to try after JAVA_HOME and PATH;
	// nil means the usual places of this operating system.
	JVMFolders []string

	// Logger may be nil.
	Logger *slog.Logger
	// Progress receives short lines for a person who waits, without a newline.
	// It may be nil, and is called from one goroutine at a time.
	Progress func(string)
}

// withDefaults returns options that need no further nil or zero checks, with
// absolute folders, or an error that names the field that is wrong.
func (o Options) withDefaults() (Options, error) {
	for _, folder := range []struct {
		name string
		path *string
	}{{"cache folder", &o.CacheDir}, {"data folder", &o.DataDir}} {
		if *folder.path == "" {
			return o, newError(CodeFolder, nil, "no %s given", folder.name)
		}
		abs, err := filepath.Abs(*folder.path)
		if err != nil {
			return o, newError(CodeFolder, err, "%s %q cannot be made absolute", folder.name, *folder.path)
		}
		if strings.ContainsRune(abs, filepath.ListSeparator) {
			return o, newError(CodeFolder, nil, "%s %s contains %q, which Java cannot have in a class path: choose another folder",
				folder.name, abs, string(filepath.ListSeparator))
		}
		*folder.path = abs
	}
	if o.HeapMB == 0 {
		o.HeapMB = DefaultHeapMB
	}
	if o.PageCacheMB == 0 {
		o.PageCacheMB = DefaultPageCacheMB
	}
	if o.StartTimeout == 0 {
		o.StartTimeout = DefaultStartTimeout
	}
	if o.Env == nil {
		o.Env = func(string) string { return "" }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	return o, nil
}
