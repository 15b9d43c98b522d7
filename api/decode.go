package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"relata/graph"
)

// strictBinder decodes JSON bodies. It stands in for Echo's own, which would
// also fill a body from query parameters and would let misspelt fields pass.
type strictBinder struct{}

// Bind decodes the body into i. An empty body is an error that wraps io.EOF, by
// which the generated code knows that an optional one was left out.
func (strictBinder) Bind(i any, c echo.Context) error {
	data, err := readBody(c.Request().Body)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return graph.WrapError(graph.CodeInvalid, io.EOF, "the body is empty: a JSON object is needed")
	}
	if c.Request().Header.Get(echo.HeaderContentType) != "application/json" {
		return echo.NewHTTPError(http.StatusUnsupportedMediaType, "the body must be JSON: send Content-Type: application/json")
	}
	return decodeJSON(data, i)
}

// readBody reads a body to its end. Errors: *http.MaxBytesError over the limit,
// graph.CodeInvalid for one that broke off.
func readBody(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(r)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, graph.WrapError(graph.CodeInvalid, err, "the body broke off after %d bytes", len(data))
	case err != nil:
		return nil, err
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// decodeJSON decodes one JSON object and refuses what would be lost silently:
// bytes that are no UTF-8, fields that the body does not have, fields that come
// twice, and anything after the object. The check for unknown fields is for the
// outermost object only: messages and items may hold more than is read.
func decodeJSON(data []byte, into any) error {
	if at := invalidUTF8(data); at >= 0 {
		return graph.Errorf(graph.CodeInvalid, "the body is not UTF-8 (%s)", position(data, int64(at)))
	}
	if !json.Valid(data) {
		return jsonError(data, json.Unmarshal(data, new(any)))
	}
	if err := checkFields(data, reflect.TypeOf(into).Elem()); err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return jsonError(data, err)
	}
	return nil
}

func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// checkFields holds the names of an object's fields against those of t.
func checkFields(data []byte, t reflect.Type) error {
	known := make(map[string]bool, t.NumField())
	names := make([]string, 0, t.NumField())
	for f := range fields(t) {
		known[f] = true
		names = append(names, f)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return graph.Errorf(graph.CodeInvalid, "the body must be a JSON object")
	}
	seen := make(map[string]bool)
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return jsonError(data, err)
		}
		name, _ := token.(string)
		switch {
		case !known[name]:
			return invalidField(name, "is not a field of this body: it has %s", strings.Join(names, ", "))
		case seen[name]:
			return invalidField(name, "is given twice")
		}
		seen[name] = true
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			return jsonError(data, err)
		}
	}
	return nil
}

// fields gives the JSON names of a struct's fields.
func fields(t reflect.Type) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for f := range t.Fields() {
			if name := jsonName(f); name != "" && !yield(name) {
				return
			}
		}
	}
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}

// jsonError says in words what is wrong with a JSON text, and where.
func jsonError(data []byte, err error) error {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		must := "must be " + describe(e.Type)
		if e.Field == "" {
			return graph.Errorf(graph.CodeInvalid, "the body %s, not %s", must, e.Value)
		}
		return invalidField(e.Field, "%s, not %s (%s)", must, e.Value, position(data, e.Offset))
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return graph.Errorf(graph.CodeInvalid, "the body is not valid JSON: %s (%s)", e.Error(), position(data, e.Offset))
	}
	return graph.Errorf(graph.CodeInvalid, "the body is not valid JSON: %s", err)
}

// position says where in a text an offset is.
func position(data []byte, offset int64) string {
	offset = max(0, min(offset, int64(len(data))))
	before := data[:offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Sprintf("line %d, column %d", line, max(column, 1))
}

// describe names the JSON type that a Go type is read from.
func describe(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return describe(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		if t == reflect.TypeFor[names]() {
			return "a name or a list of names"
		}
		return "a list"
	}
	return "an object"
}
