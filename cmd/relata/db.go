package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"relata/graph"
	"relata/internal/analyst"
	"relata/internal/localdb"
)

type dbCmd struct {
	Start   dbStartCmd   `cmd:"" help:"Start the private database, or find it running."`
	Stop    dbStopCmd    `cmd:"" help:"Stop it."`
	Status  dbStatusCmd  `cmd:"" help:"Say whether it runs, and where."`
	Shell   dbShellCmd   `cmd:"" help:"Run Cypher from arguments or standard input."`
	Browser dbBrowserCmd `cmd:"" help:"Say how to open Neo4j Browser, log in, and load the analyst's queries, style and guide."`
}

type dbStartCmd struct{}

// Run starts the database and prints where it is.
func (dbStartCmd) Run(ctx context.Context, c *Config, std streams) error {
	local, err := localdb.Start(ctx, c.local(std.err))
	if err != nil {
		return err
	}
	verb := "started"
	if local.Reused {
		verb = "runs already"
	}
	_, err = fmt.Fprintf(std.out, "Neo4j %s %s: %s, process %d, data in %s\n", local.Version, verb, local.BoltURI, local.PID, local.DataDir)
	return err
}

type dbStopCmd struct {
	Force bool `help:"Kill it if it does not end in time."`
}

// Run stops the database and waits for its end.
func (d *dbStopCmd) Run(ctx context.Context, c *Config, std streams) error {
	err := localdb.Stop(ctx, c.local(std.err), localdb.StopOptions{Force: d.Force})
	if localdb.ErrorCode(err) == localdb.CodeNotRunning {
		_, err = fmt.Fprintln(std.out, "it does not run")
	}
	return err
}

type dbStatusCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints the state.
func (d *dbStatusCmd) Run(ctx context.Context, c *Config, std streams) error {
	st, err := localdb.Status(ctx, c.local(std.err))
	if err != nil {
		return err
	}
	if d.JSON {
		return json.NewEncoder(std.out).Encode(st)
	}
	_, err = fmt.Fprintf(std.out, "%s\n  Neo4j    %s, process %d\n  Bolt     %s\n  Browser  %s\n  user     %s, password in %s\n  data     %s\n",
		st.State, st.Version, st.PID, st.Bolt, st.Browser, st.User, st.PasswordFile, st.DataDir)
	return err
}

type dbShellCmd struct {
	Statement []string `arg:"" optional:"" help:"Statements; standard input if left out."`
}

// Run runs statements one by one and prints each row as a line of JSON.
func (d *dbShellCmd) Run(ctx context.Context, c *Config, std streams) error {
	local, err := localdb.Start(ctx, c.local(std.err))
	if err != nil {
		return err
	}
	password, err := local.Password()
	if err != nil {
		return err
	}
	store, err := graph.Open(graph.Options{URI: local.BoltURI, User: local.User, Password: password})
	if err != nil {
		return err
	}
	return errors.Join(d.run(ctx, store, std), store.Close(context.WithoutCancel(ctx)))
}

func (d *dbShellCmd) run(ctx context.Context, store *graph.Store, std streams) error {
	statements, err := statementsOf(d.Statement, std.in)
	if err != nil {
		return err
	}
	out := json.NewEncoder(std.out)
	out.SetEscapeHTML(false)
	for _, st := range statements {
		rows, err := store.Query(ctx, st)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := out.Encode(row); err != nil {
				return err
			}
		}
	}
	return nil
}

type dbBrowserCmd struct {
	Guide bool `help:"Go on serving the guide to Browser until interrupted."`
}

// Run prints how to log in and how to load the analyst's files, which it writes
// into the data folder.
func (d *dbBrowserCmd) Run(ctx context.Context, c *Config, std streams) error {
	local, err := localdb.Start(ctx, c.local(std.err))
	if err != nil {
		return err
	}
	if err := printBrowser(local, std); err != nil {
		return err
	}
	dir := filepath.Join(local.DataDir, "browser")
	paths, err := analyst.Write(dir)
	if err != nil {
		return err
	}
	style, queries := paths[0], paths[1]
	fmt.Fprintf(std.out, `
Log in, then, once:
  1. Drag %s onto the page: names, colours and sizes.
  2. Drag %s onto the page: %d saved queries, in folders under the star.
  3. Click one, put your space and names into its WITH line, run it. None of them writes.
docs/analysts.md shows what they answer.
`, style, queries, len(analyst.Queries()))
	if !d.Guide {
		_, err = fmt.Fprintln(std.out, "\nThe guide beside your queries: relata db browser --guide")
		return err
	}
	return serveGuide(ctx, std.out)
}

// serveGuide serves the analyst's files until ctx ends. Browser takes guides from
// the host localhost without being configured, and not from 127.0.0.1.
func serveGuide(ctx context.Context, w io.Writer) error {
	handler, err := analyst.Handler()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for Browser: %w", err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nThe guide: type this into Browser's command line. Interrupt to end.\n  :guide http://localhost:%s/%s\n", port, analyst.GuideFile)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the guide: %w", err)
	}
	return nil
}

// printBrowser says how to log in; the password is printed only to whoever owns
// the file that it stands in.
func printBrowser(local *localdb.Instance, std streams) error {
	password, err := local.Password()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "Neo4j Browser  %s\n  connect to   %s\n  user         %s\n  password     %s\n               (kept in %s)\n",
		local.BrowserURL, local.BoltURI, local.User, password, local.PasswordFile)
	return err
}
