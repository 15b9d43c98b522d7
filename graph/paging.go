package graph

import (
	"encoding/base64"
	"strconv"
)

const (
	defaultPage = 50
	maxPage     = 200
)

// pageSize checks a limit: 1–200, 0 for the default of 50.
func pageSize(limit int) (int, error) {
	switch {
	case limit == 0:
		return defaultPage, nil
	case limit < 0 || limit > maxPage:
		return 0, &Error{
			Code: CodeInvalid, Message: "the limit is out of range",
			Fields: []Field{{"limit", "must be between 1 and 200"}},
		}
	}
	return limit, nil
}

// readCursor gives the id that a cursor stands for, start for "".
func readCursor(cursor string, start int64) (int64, error) {
	if cursor == "" {
		return start, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		if id, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return id, nil
		}
	}
	return 0, wrongCursor()
}

func wrongCursor() *Error {
	return &Error{
		Code: CodeInvalid, Message: "the cursor is not one that a list gave",
		Fields: []Field{{"cursor", "leave it out to begin at the first page"}},
	}
}

// page cuts rows, read one more than wanted, to a page with its cursor.
func page[T any](rows []T, limit int, id func(T) int64) Page[T] {
	if rows == nil {
		rows = []T{}
	}
	if len(rows) <= limit {
		return Page[T]{Items: rows}
	}
	rows = rows[:limit]
	last := strconv.FormatInt(id(rows[limit-1]), 10)
	return Page[T]{Items: rows, Cursor: base64.RawURLEncoding.EncodeToString([]byte(last))}
}
