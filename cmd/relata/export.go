package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"relata/graph"
)

type exportCmd struct {
	Space string `required:"" help:"The space to take out."`
	File  string `arg:"" optional:"" type:"path" help:"File to write; the terminal if left out."`
}

// Run writes a space as JSON Lines. A file is there whole or not at all.
func (e *exportCmd) Run(ctx context.Context, c *Config, std streams) error {
	a, err := c.open(ctx, std.err, c.logger(std.err), nil)
	if err != nil {
		return err
	}
	return errors.Join(e.export(ctx, a.store, std), a.close(context.WithoutCancel(ctx)))
}

func (e *exportCmd) export(ctx context.Context, store *graph.Store, std streams) error {
	if e.File == "" {
		_, err := exportLines(ctx, store, e.Space, std.out)
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(e.File), ".relata-export-*")
	if err != nil {
		return err
	}
	// Once it has its name there is nothing to remove.
	defer func() { _ = os.Remove(f.Name()) }()
	n, err := exportLines(ctx, store, e.Space, f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), e.File); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.err, "%s: %d lines of the space %s\n", e.File, n, e.Space)
	return err
}

// exportLines writes the lines and gives how many.
func exportLines(ctx context.Context, store *graph.Store, space string, w io.Writer) (int, error) {
	out := bufio.NewWriterSize(w, 64<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	n := 0
	err := store.Export(ctx, space, func(line any) error {
		n++
		return enc.Encode(line)
	})
	if err != nil {
		return n, err
	}
	return n, out.Flush()
}
