// Command relata is Relata's command line: it reads the configuration, wires the
// packages together and runs them. Nothing else lives here; each command has a
// file of its own, and run.go says what they are.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// version is set at build time.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.Getenv)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "relata:", err)
		os.Exit(1)
	}
}
