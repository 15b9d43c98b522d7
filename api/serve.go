package api

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	headerTimeout = 10 * time.Second
	// readTimeout is for a whole body: 4 MiB over a slow line.
	readTimeout = 2 * time.Minute
	idleTimeout = 2 * time.Minute
	headerLimit = 64 << 10
)

// Serve answers requests on l until ctx ends, then takes no new ones and waits
// for those in work, at most drain. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener, drain time.Duration) error {
	srv := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerLimit,
		ErrorLog:          slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug),
	}
	stopped := make(chan error, 1)
	go func() { stopped <- srv.Serve(l) }()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	err := srv.Shutdown(ctx)
	if err != nil {
		// Those that are still in work are cut off rather than kept for ever.
		err = errors.Join(err, srv.Close())
	}
	if served := <-stopped; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
