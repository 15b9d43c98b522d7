package localdb

import (
	"context"
	"fmt"
	"time"
)

// StopOptions say how hard to stop.
type StopOptions struct {
	// Timeout bounds the wait for a clean end; zero means DefaultStopTimeout.
	Timeout time.Duration
	// Force kills a server that has not ended within Timeout. The next start
	// then has to recover.
	Force bool
}

// Stop asks the server on o.DataDir to end and waits until it has. It is no
// error if none runs. A server that is still starting is stopped too.
func Stop(ctx context.Context, o Options, stop StopOptions) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	if stop.Timeout == 0 {
		stop.Timeout = DefaultStopTimeout
	}
	d := data{o.DataDir}
	s, err := readServer(d)
	if err != nil || s == nil {
		return err
	}
	if s.alive() {
		if err := end(ctx, o, s, stop); err != nil {
			return err
		}
	}
	unlock, err := acquire(ctx, d.lock(), func() {})
	if err != nil {
		return err
	}
	defer unlock()
	if s.crashed(d) {
		return nil // the record stays, so that the next start knows
	}
	return s.forget(d)
}

// end asks s to end, waits, and kills it if that is wanted.
func end(ctx context.Context, o Options, s *server, stop StopOptions) error {
	d := data{o.DataDir}
	s.Stopping = true
	if err := writeJSON(d.server(), s); err != nil {
		return err
	}
	o.Progress("stopping Neo4j")
	if err := terminate(s.PID); err != nil {
		return newError(CodeNotRunning, err, "the server (process %d) could not be asked to end", s.PID)
	}
	began, reported := time.Now(), time.Now()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for s.alive() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
		waited := time.Since(began)
		if waited > stop.Timeout {
			if stop.Force {
				o.Progress("killing Neo4j, which did not end in time")
				return killServer(s)
			}
			return &Error{
				Code: CodeTimeout, LogFile: d.console(),
				Message: fmt.Sprintf("the server (process %d) has not ended within %s: wait and try again, or stop it by force", s.PID, stop.Timeout),
			}
		}
		if time.Since(reported) > 10*time.Second {
			reported = time.Now()
			o.Progress(fmt.Sprintf("still stopping (%d s)", int(waited.Seconds())))
		}
	}
	return nil
}

// KillHard ends the server on o.DataDir at once, as a power cut would, for
// tests of what a crash leaves behind. It returns when the process is gone;
// Status then says crashed.
func KillHard(o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	s, err := readServer(data{o.DataDir})
	if err != nil {
		return err
	}
	if !s.alive() {
		return newError(CodeNotRunning, nil, "no server runs on %s", o.DataDir)
	}
	return killServer(s)
}

func killServer(s *server) error {
	if err := kill(s.PID); err != nil {
		return newError(CodeNotRunning, err, "the server (process %d) could not be killed", s.PID)
	}
	if !s.waitGone(30 * time.Second) {
		return newError(CodeTimeout, nil, "the server (process %d) was killed and is still there", s.PID)
	}
	return nil
}

// waitUntilGone waits for a server that somebody is stopping.
func waitUntilGone(ctx context.Context, s *server) error {
	for end := time.Now().Add(DefaultStopTimeout); time.Now().Before(end); {
		if s.waitGone(100 * time.Millisecond) {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return newError(CodeTimeout, nil, "the server (process %d) has been stopping for %s: stop it by force", s.PID, DefaultStopTimeout)
}
