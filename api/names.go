package api

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// names is a name or a list of names.
type names []string

// UnmarshalJSON takes either form; null is no names.
func (n *names) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	var list []string
	switch {
	case bytes.HasPrefix(data, []byte(`"`)):
		list = make([]string, 1)
		if err := json.Unmarshal(data, &list[0]); err != nil {
			return err
		}
	case json.Unmarshal(data, &list) != nil:
		return &json.UnmarshalTypeError{Value: "something else", Type: reflect.TypeFor[names]()}
	}
	*n = list
	return nil
}

// splitNames takes a query parameter of names apart, which commas join.
func splitNames(s string) []string {
	var out []string
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}
