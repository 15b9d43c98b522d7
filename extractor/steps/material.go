package steps

import (
	"fmt"
	"strconv"
	"strings"
)

// material is what a prompt shows, part by part.
type material []part

// part is a named list, a named object by index, or one named value.
type part struct {
	name  string
	frame string // "[]" or "{}"; "" for one value
	lines []line
}

type line struct {
	key   string // of an object's member
	value any
}

func one(name string, v any) part { return part{name: name, lines: []line{{value: v}}} }

func several[T any](name string, all []T) part {
	p := part{name: name, frame: "[]"}
	for _, v := range all {
		p.lines = append(p.lines, line{value: v})
	}
	return p
}

// shownItem is an item as checks see it.
type shownItem struct {
	Key    string  `json:"key,omitempty"`
	Value  string  `json:"value"`
	MsgIDs []int64 `json:"msg_ids,omitempty"`
}

func indexed(name string, items []Item) part {
	p := part{name: name, frame: "{}"}
	for i, it := range items {
		p.lines = append(p.lines, line{strconv.Itoa(i), shownItem{it.Key, it.Value, it.MsgIDs}})
	}
	return p
}

// render writes the material between its marks, as JSON with a line for each
// message or memory.
func (m material) render() (string, error) {
	var b strings.Builder
	b.WriteString("<data>\n{")
	for i, p := range m {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "%q: ", p.name)
		if p.frame != "" {
			b.WriteString(p.frame[:1])
		}
		for j, l := range p.lines {
			if j > 0 {
				b.WriteString(",")
			}
			if p.frame != "" {
				b.WriteString("\n")
			}
			if l.key != "" {
				fmt.Fprintf(&b, "%q: ", l.key)
			}
			s, err := encode(l.value)
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		}
		if p.frame != "" {
			b.WriteString(p.frame[1:])
		}
	}
	b.WriteString("}\n</data>\n")
	return b.String(), nil
}
