package main

import (
	"context"
	"errors"

	"relata/api/mcp"
)

type mcpCmd struct {
	Space string `help:"The space that calls mean which name none."`
	As    string `help:"Be this persona: read with its eyes and write in its name. With --space nothing else can be reached."`
}

// Run speaks to one client on stdin and stdout until it closes its side. All
// else that there is to say goes to stderr.
func (m *mcpCmd) Run(ctx context.Context, c *Config, std streams) error {
	a, err := c.open(ctx, std.err, c.logger(std.err), nil)
	if err != nil {
		return err
	}
	return errors.Join(m.serve(ctx, a, std), a.close(context.WithoutCancel(ctx)))
}

func (m *mcpCmd) serve(ctx context.Context, a *app, std streams) error {
	options := a.agents()
	options.Space, options.Persona = m.Space, m.As
	server, err := mcp.New(options)
	if err != nil {
		return err
	}
	err = server.RunStdio(ctx, std.in, std.out)
	if ctx.Err() != nil {
		return nil // stopped, as asked
	}
	return err
}

// agents wires the tools of the Model Context Protocol.
func (a *app) agents() mcp.Options {
	o := mcp.Options{Store: a.store, Submitter: a.observed(), Logger: a.log, Version: version}
	if a.extractor != nil {
		o.Ingester = a.extractor
	}
	return o
}
