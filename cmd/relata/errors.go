package main

import (
	"errors"
	"fmt"
	"strings"

	"relata/graph"
)

// withFields adds to an error which fields are wrong, which the API gives apart.
func withFields(err error) error {
	e, ok := errors.AsType[*graph.Error](err)
	if !ok || len(e.Fields) == 0 {
		return err
	}
	fields := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		fields[i] = f.Name + " " + f.Message
	}
	return fmt.Errorf("%w: %s", err, strings.Join(fields, "; "))
}
