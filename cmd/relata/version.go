package main

import (
	"fmt"
	"runtime"

	"relata/embed"
	"relata/internal/localdb"
)

type versionCmd struct{}

// Run prints the version with what matters for a report of a fault.
func (versionCmd) Run(std streams) error {
	_, err := fmt.Fprintf(std.out, "relata %s (%s, %s/%s, embedder kernel %s, local Neo4j %s)\n",
		version, runtime.Version(), runtime.GOOS, runtime.GOARCH, embed.Kernel(), localdb.Version)
	return err
}
