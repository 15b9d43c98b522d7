package localdb

import (
	"context"
	"fmt"
	"time"
)

// How often a server that starts is asked, and how often somebody who waits is
// told, which is also how often the log is read.
const (
	readyPoll  = 100 * time.Millisecond
	readyTell  = 15 * time.Second
	readyWatch = 2 * time.Second
)

// waitReady waits until s answers and takes the password. It gives up when the
// process ends, when its log says that it never will, when o.StartTimeout is
// over, or with ctx. The channel ended may be nil for a process that is not a
// child of this one.
func waitReady(ctx context.Context, o Options, s *server, ended <-chan struct{}) error {
	d := data{o.DataDir}
	password, err := readPassword(d.password())
	if err != nil {
		return err
	}
	ticker := time.NewTicker(readyPoll)
	defer ticker.Stop()
	began := time.Now()
	told, watched, refusals := began, began, 0
	for {
		if boltAnswers(ctx, s.Bolt) {
			ready, refused := authenticates(ctx, s.ports, password)
			if ready {
				return nil
			}
			// Once may be the server's beginning; more would lock the account.
			if refused {
				if refusals++; refusals > 1 {
					return newError(CodePassword, nil, "the server at %s refuses the password in %s: write the password of user %s into that file",
						s.boltURI(), d.password(), User)
				}
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return startFailure(o, s)
		case <-ticker.C:
		}
		if !s.alive() {
			return startFailure(o, s)
		}
		waited := time.Since(began)
		if waited > o.StartTimeout {
			return &Error{
				Code: CodeTimeout, LogFile: d.console(),
				Message: fmt.Sprintf("the server (process %d) has not answered for %s and still lives: wait and try again, or stop it by force", s.PID, o.StartTimeout),
			}
		}
		if time.Since(watched) > readyWatch {
			watched = time.Now()
			if failure := hopeless(o); failure != nil {
				_ = killServer(s) // the failure is what matters
				return failure
			}
		}
		if time.Since(told) > readyTell {
			told = time.Now()
			o.Progress(waitingLine(waited, s.Unclean))
		}
	}
}

func waitingLine(waited time.Duration, unclean bool) string {
	if unclean {
		return fmt.Sprintf("still recovering (%d s)", int(waited.Seconds()))
	}
	return fmt.Sprintf("still starting (%d s)", int(waited.Seconds()))
}
