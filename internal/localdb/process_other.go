//go:build !linux && !darwin

package localdb

import (
	"errors"
	"os/exec"
)

var errUnsupported error = newError(CodeUnsupported, errors.ErrUnsupported,
	"a managed database needs Linux or macOS: set RELATA_NEO4J_URI to an existing one")

func detach(*exec.Cmd) {}

func processStart(int) (string, bool) { return "", false }

func terminate(int) error { return errUnsupported }

func kill(int) error { return errUnsupported }

func processOn(string) int { return 0 }

func freeBytes(string) (uint64, bool) { return 0, false }
