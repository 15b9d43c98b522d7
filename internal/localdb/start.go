package localdb

import (
	"context"
	"time"
)

// Instance is a server that answered.
type Instance struct {
	BoltURI      string // bolt://127.0.0.1:PORT
	HTTPURL      string // http://127.0.0.1:PORT
	BrowserURL   string // HTTPURL/browser/
	User         string
	PasswordFile string
	DataDir      string // absolute
	PID          int
	Version      string // of Neo4j
	Reused       bool   // it ran already
}

// Password reads the password file.
func (i *Instance) Password() (string, error) { return readPassword(i.PasswordFile) }

// Start returns a server on o.DataDir that answers Bolt and takes the password.
// One that runs is used again; else Java and Neo4j are put in place where they
// are missing and a server is started. Calls at the same time, of any number of
// processes, lead to one server. If ctx ends while a server is starting, it
// goes on starting and the next call uses it. Errors are of type Error, or
// that of ctx.
func Start(ctx context.Context, o Options) (*Instance, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	d := data{o.DataDir}
	unlock, err := acquire(ctx, d.lock(), func() {
		o.Progress("waiting for another process that is starting the database")
	})
	if err != nil {
		return nil, err
	}
	defer unlock()

	last, err := readServer(d)
	if err != nil {
		return nil, err
	}
	if last.alive() && last.Stopping {
		o.Progress("waiting for the database to finish stopping")
		if err := waitUntilGone(ctx, last); err != nil {
			return nil, err
		}
	}
	if last.alive() {
		if err := reuse(ctx, o, last); err != nil {
			return nil, err
		}
		return instance(o, last, true), nil
	}
	s, err := startNew(ctx, o, last.crashed(d))
	if err != nil {
		return nil, err
	}
	return instance(o, s, false), nil
}

func instance(o Options, s *server, reused bool) *Instance {
	return &Instance{
		BoltURI: s.boltURI(), HTTPURL: s.httpURL(), BrowserURL: s.browserURL(),
		User: User, PasswordFile: data{o.DataDir}.password(), DataDir: o.DataDir,
		PID: s.PID, Version: s.Version, Reused: reused,
	}
}

// reuse waits for a server that runs, or that an interrupted Start left
// starting. The caller holds the lock.
func reuse(ctx context.Context, o Options, s *server) error {
	if err := waitReady(ctx, o, s, nil); err != nil {
		return err
	}
	return s.recovered(data{o.DataDir})
}

// startNew starts a server on a folder that has none. The caller holds the lock.
func startNew(ctx context.Context, o Options, unclean bool) (*server, error) {
	d := data{o.DataDir}
	// Somebody may have removed the record of a server that lives. Neo4j would
	// refuse too, but only after it has booted and taken the other's log.
	if pid := processOn(d.dir); pid != 0 {
		return nil, newError(CodeStoreLocked, nil, "process %d is a server on %s that has no record there: end that process first", pid, d.dir)
	}
	if o.Empty {
		if err := d.empty(); err != nil {
			return nil, err
		}
		unclean = false
	}
	if err := d.makeFolders(); err != nil {
		return nil, err
	}
	if err := checkSpace(d.dir, storeMB); err != nil {
		return nil, err
	}
	java, err := ensureJava(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := ensureInstalled(ctx, o, java); err != nil {
		return nil, err
	}
	if err := settlePassword(ctx, o, java); err != nil {
		return nil, err
	}

	if unclean {
		o.Progress("recovering after an unclean stop, this can take two minutes")
	} else {
		o.Progress("starting Neo4j " + Version)
	}
	// A port that was free a moment ago can be taken when Neo4j comes to it.
	const attempts = 3
	for attempt := 1; ; attempt++ {
		s, err := startOnce(ctx, o, java, unclean)
		if err == nil || ErrorCode(err) != CodePortTaken || attempt == attempts {
			return s, err
		}
	}
}

// startOnce launches a server and waits for it. One that fails is not left
// behind; one that is merely slow is.
func startOnce(ctx context.Context, o Options, java Java, unclean bool) (*server, error) {
	d := data{o.DataDir}
	p, err := settlePorts(o)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	s, ended, err := launch(ctx, o, java, p, unclean)
	if err != nil {
		return nil, err
	}
	if err := waitReady(ctx, o, s, ended); err != nil {
		if !s.alive() {
			dropArchiveSince(install{o.CacheDir}.classes(), began)
			return nil, s.failed(d, err)
		}
		return nil, err
	}
	o.Logger.InfoContext(ctx, "local database started", "pid", s.PID, "bolt", s.boltURI(),
		"java", java.Path, "data_dir", o.DataDir, "duration", time.Since(began).Round(time.Millisecond))
	return s, s.recovered(d)
}

// recovered notes that the store of s is in order again.
func (s *server) recovered(d data) error {
	if !s.Unclean {
		return nil
	}
	s.Unclean = false
	return writeJSON(d.server(), s)
}

// failed notes what a server that ended while starting left behind, and
// returns err.
func (s *server) failed(d data, err error) error {
	log := tail(d.console())
	s.Unclean = s.Unclean || touchedStore(log) && !saidFarewell(log)
	if !s.Unclean {
		_ = s.forget(d) // err tells more than a second error would
		return err
	}
	_ = writeJSON(d.server(), s)
	return err
}
