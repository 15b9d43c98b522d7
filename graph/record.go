package graph

import (
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// record reads the columns of one row. A missing or null column gives the zero
// value: statements name what they return, and tests run each of them.
type record struct{ *neo4j.Record }

func (r record) get(name string) any {
	v, _ := r.Get(name)
	return v
}

func (r record) int(name string) int64      { return asInt(r.get(name)) }
func (r record) text(name string) string    { return asText(r.get(name)) }
func (r record) bool(name string) bool      { b, _ := r.get(name).(bool); return b }
func (r record) float(name string) float64  { return asFloat(r.get(name)) }
func (r record) node(name string) fields    { m, _ := r.get(name).(map[string]any); return m }
func (r record) list(name string) []any     { l, _ := r.get(name).([]any); return l }
func (r record) ints(name string) []int64   { return asInts(r.get(name)) }
func (r record) texts(name string) []string { return asTexts(r.get(name)) }
func (r record) nodes(name string) []fields { return asNodes(r.get(name)) }

// fields is a map that a statement returns.
type fields map[string]any

func (f fields) int(name string) int64      { return asInt(f[name]) }
func (f fields) text(name string) string    { return asText(f[name]) }
func (f fields) bool(name string) bool      { b, _ := f[name].(bool); return b }
func (f fields) ints(name string) []int64   { return asInts(f[name]) }
func (f fields) texts(name string) []string { return asTexts(f[name]) }
func (f fields) time(name string) time.Time { return asTime(f[name]) }

func asInt(v any) int64   { n, _ := v.(int64); return n }
func asText(v any) string { s, _ := v.(string); return s }
func asTime(v any) time.Time {
	t, _ := v.(time.Time)
	return t.UTC()
}

func asFloat(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int64:
		return float64(n)
	}
	return 0
}

func asInts(v any) []int64 {
	l, _ := v.([]any)
	out := make([]int64, 0, len(l))
	for _, x := range l {
		if n, ok := x.(int64); ok {
			out = append(out, n)
		}
	}
	return out
}

func asFloats(v any) []float64 {
	l, _ := v.([]any)
	out := make([]float64, len(l))
	for i, x := range l {
		out[i] = asFloat(x)
	}
	return out
}

func asTexts(v any) []string {
	l, _ := v.([]any)
	out := make([]string, 0, len(l))
	for _, x := range l {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func asNodes(v any) []fields {
	l, _ := v.([]any)
	out := make([]fields, 0, len(l))
	for _, x := range l {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// dateOrNull gives a time as the driver stores it: UTC, null for the zero time.
func dateOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC()
}

// textOrNull gives null for "": an absent property rather than an empty one.
func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// float64s gives a vector as the driver packs it fast: []float32 goes through
// reflection.
func float64s(v []float32) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}
