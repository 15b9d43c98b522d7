package main

import (
	"errors"
	"io"
	"strings"
)

// statementsOf gives the arguments, or the statements of the input: each ends
// with a semicolon at the end of a line.
func statementsOf(args []string, in io.Reader) ([]string, error) {
	if len(args) > 0 {
		return args, nil
	}
	raw, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var out []string
	for part := range strings.SplitSeq(string(raw)+"\n", ";\n") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no statement: give one as an argument or on standard input")
	}
	return out, nil
}
