// Command stop ends the test database after a run of all tests.
package main

import (
	"fmt"
	"os"

	"relata/internal/localdb/dbtest"
)

func main() {
	if err := dbtest.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stop the test database:", err)
		os.Exit(1)
	}
}
