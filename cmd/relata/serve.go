package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"golang.org/x/sync/errgroup"

	"relata/api"
	"relata/api/mcp"
	"relata/extractor"
	"relata/jobs"
	"relata/relations"
)

type serveCmd struct {
	Listen     string        `name:"listen" var:"RELATA_LISTEN" default:"127.0.0.1:8420" help:"Address to listen on. ($RELATA_LISTEN)"`
	JobLease   time.Duration `name:"job-lease" var:"RELATA_JOB_LEASE" default:"1m" help:"How long a job stays with a process that died before another takes it. ($RELATA_JOB_LEASE)"`
	BufferIdle time.Duration `name:"buffer-idle" var:"RELATA_BUFFER_IDLE" default:"3m" help:"How long a conversation pauses before turns that were sent singly are remembered. ($RELATA_BUFFER_IDLE)"`
	APIKey     secret        `name:"api-key" var:"RELATA_API_KEY" placeholder:"KEY" help:"Key that clients must show; required unless only this machine can connect. ($RELATA_API_KEY)"`
}

// drainTime is how long requests in work may take after a signal to stop.
const drainTime = 20 * time.Second

// Run serves until the context ends.
func (s *serveCmd) Run(ctx context.Context, c *Config, std streams) error {
	listener, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w: choose another address with --listen", s.Listen, err)
	}
	if s.APIKey == "" && !loopback(listener.Addr()) {
		return errors.Join(fmt.Errorf("other machines could use %s without a key: set RELATA_API_KEY, or listen on 127.0.0.1", s.Listen), listener.Close())
	}
	log := c.logger(std.err)
	a, err := c.open(ctx, std.err, log, nil)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	return errors.Join(a.serve(ctx, listener, *s, std), a.close(context.WithoutCancel(ctx)))
}

// serve runs the HTTP surface on a listener.
func (a *app) serve(ctx context.Context, listener net.Listener, o serveCmd, std streams) error {
	ingester := a.extractor
	if ingester == nil {
		// One without a model tells clients that there is none, and what to do.
		var err error
		ingester, err = extractor.New(extractor.Options{Store: a.store, Relations: a.observed(), Logger: a.log})
		if err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	ready := readiness{a.store, a.database()}
	if err := ready.check(ctx); err != nil {
		return errors.Join(fmt.Errorf("the database cannot be served: %w", err), listener.Close())
	}
	desk, err := a.desk(o)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	inOrder := jobs.InOrder{Extractor: ingester, Desk: desk}
	tools := a.agents()
	if tools.Ingester != nil {
		tools.Ingester = inOrder
	}
	agents, err := mcp.New(tools)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server, err := api.New(api.Options{
		Store: a.store, Submitter: a.observed(), Vocabulary: a.relations, Editor: a.observed(),
		Ingester: inOrder, Reader: ingester, Jobs: desk, Differ: ingester, Readiness: ready, MCP: agents.Handler(),
		Importer: relations.NewImporter(relations.ImporterOptions{Store: a.store, Logger: a.log}), Observer: a.telemetry, Metrics: a.telemetry,
		APIKey: string(o.APIKey), Loopback: loopback(listener.Addr()), Logger: a.log, Version: version,
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(std.err, "Relata listens on http://%s (reference: /docs)\n", listener.Addr())
	// Jobs go on until the last request is answered, then those that run are
	// given back.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	group := new(errgroup.Group)
	group.Go(func() error { return desk.Runner.Run(working) })
	group.Go(func() error { return desk.Buffer.Run(working) })
	err = server.Serve(ctx, listener, drainTime)
	stop()
	return errors.Join(err, group.Wait())
}

// desk takes jobs in and runs them; without a model it has nobody to do them.
func (a *app) desk(o serveCmd) (jobs.Desk, error) {
	handlers := map[string]jobs.Handler{}
	if a.extractor != nil {
		handlers[jobs.KindIngest] = jobs.Ingest{Ingester: a.extractor}
		handlers[jobs.KindRead] = jobs.Read{Reader: a.extractor}
	}
	runner, err := jobs.New(jobs.Options{Store: a.store, Handlers: handlers, Lease: o.JobLease, Logger: a.log})
	if err != nil {
		return jobs.Desk{}, err
	}
	buffer, err := jobs.NewBuffer(jobs.BufferOptions{Store: a.store, Runner: runner, Idle: o.BufferIdle, Logger: a.log})
	return jobs.Desk{Runner: runner, Buffer: buffer}, err
}

// loopback says whether only this machine can reach an address.
func loopback(addr net.Addr) bool {
	ap, err := netip.ParseAddrPort(addr.String())
	return err == nil && ap.Addr().IsLoopback()
}
