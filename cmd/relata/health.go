package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// healthTimeout is shorter than health checks usually wait, so that they get the
// reason.
const healthTimeout = 3 * time.Second

type healthCmd struct {
	Listen string `name:"listen" var:"RELATA_LISTEN" default:"127.0.0.1:8420" help:"Address that the server listens on. ($RELATA_LISTEN)"`
	Ready  bool   `help:"Also ask whether its database answers."`
}

// Run asks the server on this machine: for images that hold no shell and no
// other client.
func (h *healthCmd) Run(ctx context.Context, std streams) error {
	address, err := dialable(h.Listen)
	if err != nil {
		return err
	}
	route := "/healthz"
	if h.Ready {
		route = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+route, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("no server answers: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", route, res.Status)
	}
	_, err = fmt.Fprintln(std.out, "ok")
	return err
}

// dialable gives the address by which this machine reaches what listens on
// another: one that stands for all interfaces becomes loopback.
func dialable(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("the address %q is none: give HOST:PORT: %w", listen, err)
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "", err == nil && ip == netip.IPv4Unspecified():
		host = "127.0.0.1"
	case err == nil && ip == netip.IPv6Unspecified():
		host = "::1"
	}
	return net.JoinHostPort(host, port), nil
}
