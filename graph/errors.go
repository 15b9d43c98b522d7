package graph

import (
	"errors"
	"fmt"
)

// Code says what kind of failure an [Error] is; the API maps each to one HTTP
// status.
type Code string

const (
	// CodeInvalid: the request itself is wrong. Status 400.
	CodeInvalid Code = "invalid"
	// CodeNotFound: the thing named does not exist, or not for this caller. Status 404.
	CodeNotFound Code = "not_found"
	// CodeConflict: the request contradicts what is stored, such as a message
	// id that exists with other content. Status 409.
	CodeConflict Code = "conflict"
	// CodeTooLarge: a value or a body is over its limit. Status 413.
	CodeTooLarge Code = "too_large"
	// CodeUnauthorized: no key, or a wrong one. Status 401.
	CodeUnauthorized Code = "unauthorized"
	// CodeForbidden: the key may not do this. Status 403.
	CodeForbidden Code = "forbidden"
	// CodeUnsupported: a body or file of a kind that is not read. Status 415.
	CodeUnsupported Code = "unsupported"
	// CodeVocabularyFull: a limit on relation keys is reached. Status 422.
	CodeVocabularyFull Code = "vocabulary_full"
	// CodeModel: a model answered wrongly or not at all. Status 502.
	CodeModel Code = "model"
	// CodeUnavailable: the database cannot be reached now. Status 503.
	CodeUnavailable Code = "unavailable"
	// CodeTimeout: the work took longer than its limit. Status 504.
	CodeTimeout Code = "timeout"
	// CodeInternal: everything else; its text is logged, never sent. Status 500.
	CodeInternal Code = "internal"
)

// Field names one wrong part of a request.
type Field struct {
	Name    string // path in the request, such as "queries[2].limit"
	Message string // what is wrong and what would be right
}

// Error is the one error type that crosses package borders. Message is written
// for the caller and safe to send (except with CodeInternal); Err is the inner
// cause, for the log only.
type Error struct {
	Code    Code
	Message string
	Fields  []Field
	Err     error
}

// Error gives the message and, where there is one, the inner cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap gives the inner cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an [Error] without a cause. The text is sent to callers.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WrapError gives err a code and a message for callers.
func WrapError(code Code, err error, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Err: err}
}

// ErrorCode gives the code of the first [Error] in err's chain, CodeInternal
// for any other error, and "" for nil.
func ErrorCode(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}
