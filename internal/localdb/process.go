package localdb

import (
	"errors"
	"os"
	"strings"
	"time"
)

// server is the content of server.json: the process that runs on a data folder,
// or the last one that did. Started tells it from a later process that was
// given the same number.
type server struct {
	PID      int    `json:"pid"`
	Started  string `json:"started"` // opaque, of processStart
	Version  string `json:"version"`
	Stopping bool   `json:"stopping,omitempty"`
	Unclean  bool   `json:"unclean,omitempty"` // the store needs to recover, and has not yet
	ports
}

// readServer returns the recorded server, or nil if there is none.
func readServer(d data) (*server, error) {
	var s server
	ok, err := readJSON(d.server(), &s)
	if err != nil || !ok || s.PID <= 1 {
		return nil, err
	}
	return &s, nil
}

// alive reports whether the recorded process, and not another of its number,
// still runs.
func (s *server) alive() bool {
	if s == nil {
		return false
	}
	started, ok := processStart(s.PID)
	return ok && started == s.Started
}

// waitGone waits until the process has ended and reports whether it did.
func (s *server) waitGone(limit time.Duration) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if !s.alive() {
			return true
		}
	}
	return !s.alive()
}

// forget removes the record if it is still that of s. The caller holds the lock.
func (s *server) forget(d data) error {
	current, err := readServer(d)
	if err != nil || current == nil || current.PID != s.PID || current.Started != s.Started {
		return err
	}
	if err := os.Remove(d.server()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return folderError(d.server(), err)
	}
	return nil
}

// crashed reports whether s, which is gone, left a store that has to recover.
// One that somebody ended by a signal, without asking this package, said
// farewell in its log.
func (s *server) crashed(d data) bool {
	return s != nil && (s.Unclean || !saidFarewell(tail(d.console())))
}

// The lines by which a log tells how far a server came.
func saidFarewell(log string) bool { return strings.Contains(log, " INFO  Stopped.") }
func touchedStore(log string) bool { return strings.Contains(log, "======== Neo4j") }
