package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"relata/api"
	"relata/extractor"
	"relata/relations"
)

type serveCmd struct {
	Listen string `name:"listen" var:"RELATA_LISTEN" default:"127.0.0.1:8420" help:"Address to listen on. ($RELATA_LISTEN)"`
	APIKey secret `name:"api-key" var:"RELATA_API_KEY" placeholder:"KEY" help:"Key that clients must show; required unless only this machine can connect. ($RELATA_API_KEY)"`
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
	return errors.Join(a.serve(ctx, listener, s.APIKey, std), a.close(context.WithoutCancel(ctx)))
}

// serve runs the HTTP surface on a listener.
func (a *app) serve(ctx context.Context, listener net.Listener, key secret, std streams) error {
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
	server, err := api.New(api.Options{
		Store: a.store, Submitter: a.observed(), Vocabulary: a.relations, Editor: a.observed(),
		Ingester: ingester, Differ: ingester, Readiness: ready,
		Importer: relations.NewImporter(relations.ImporterOptions{Store: a.store, Logger: a.log}), Observer: a.telemetry, Metrics: a.telemetry,
		APIKey: string(key), Loopback: loopback(listener.Addr()), Logger: a.log, Version: version,
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(std.err, "Relata listens on http://%s (reference: /docs)\n", listener.Addr())
	return server.Serve(ctx, listener, drainTime)
}

// loopback says whether only this machine can reach an address.
func loopback(addr net.Addr) bool {
	ap, err := netip.ParseAddrPort(addr.String())
	return err == nil && ap.Addr().IsLoopback()
}
