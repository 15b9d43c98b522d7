package document

import (
	"fmt"
	"strings"
)

// Code says why a file was refused. Each one is the sender's to mend.
type Code string

const (
	Unsupported Code = "unsupported" // a format or an encoding that is not read here
	Empty       Code = "empty"       // nothing in it, or nothing that a person would read
	Encrypted   Code = "encrypted"   // opens only with a password
	NoText      Code = "no_text"     // pages without a text layer, such as scans
	TooLarge    Code = "too_large"   // more bytes, pages, text, pixels or time than the limits allow
	Damaged     Code = "damaged"     // breaks the rules of its own format
	Bomb        Code = "bomb"        // small as a file, huge or endless once unpacked
)

// Error is a refusal of a file. Message is for people: what is wrong, where, and
// what to do. Err, where there is one, is what a library said: for logs, not for
// people.
type Error struct {
	Code    Code
	Message string
	Err     error
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

func refuse(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

func (e *Error) because(err error) *Error {
	e.Err = err
	return e
}

// guard turns a panic of a library into a refusal of the file. To be deferred.
func guard(what string, err *error) {
	if p := recover(); p != nil {
		*err = refuse(Damaged, "%s is damaged: it could not be read to its end; save it anew and send that", what).
			because(fmt.Errorf("panic: %v", p))
	}
}

// bytesText gives a number of bytes as people write it.
func bytesText(n int64) string {
	const unit = 1 << 10
	if n < unit {
		return fmt.Sprintf("%d bytes", n)
	}
	value, exp := float64(n)/unit, 0
	for value >= unit && exp < 3 {
		value /= unit
		exp++
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", value), ".0") + " " + string("KMGT"[exp]) + "B"
}
