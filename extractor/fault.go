package extractor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// statusError is an HTTP answer that is no success.
type statusError struct {
	code   int
	header http.Header
	body   []byte
}

// refusal is what the body of such an answer says, in Google's form, in OpenAI's
// or in that of a server that speaks like it.
type refusal struct {
	Message string `json:"message"`
	Code    any    `json:"code"` // a name at OpenAI, the status at others
	Details []struct {
		Reason     string `json:"reason"`
		RetryDelay string `json:"retryDelay"`
	} `json:"details"`
}

// refusal reads the body. One of another kind has nothing to tell.
func (e *statusError) refusal() refusal {
	var body struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	_ = json.Unmarshal(e.body, &body)
	var r refusal
	if json.Unmarshal(body.Error, &r) != nil && r.Message == "" {
		_ = json.Unmarshal(body.Error, &r.Message) // {"error":"text"}
	}
	if r.Message == "" {
		r.Message = body.Message
	}
	return r
}

// Error gives status and message, never the whole body.
func (e *statusError) Error() string {
	if m := e.refusal().Message; m != "" {
		return fmt.Sprintf("HTTP %d: %s", e.code, m)
	}
	return fmt.Sprintf("HTTP %d", e.code)
}

func (e *statusError) kind() Kind {
	r := e.refusal()
	switch r.Code {
	case "insufficient_quota":
		return KindAuth // a 429 that no waiting helps
	case "content_filter", "content_policy_violation":
		return KindBlocked
	}
	switch {
	case e.code == http.StatusTooManyRequests:
		return KindRateLimited
	case e.code == http.StatusUnauthorized, e.code == http.StatusForbidden, e.code == http.StatusPaymentRequired:
		return KindAuth
	case e.code == http.StatusRequestTimeout, e.code == http.StatusGatewayTimeout:
		return KindTimeout
	case e.code >= 500:
		return KindUnavailable
	}
	for _, d := range r.Details {
		if strings.HasPrefix(d.Reason, "API_KEY_") {
			return KindAuth // Google answers 400 to a key that it does not know
		}
	}
	return KindProtocol
}

// retryAfter gives how long the provider asks to wait: a header in milliseconds,
// in seconds or as a date, else the delay in Google's error details; 0 for none.
func (e *statusError) retryAfter() time.Duration {
	if d, ok := waitOf(e.header.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	after := e.header.Get("Retry-After")
	if d, ok := waitOf(after, time.Second); ok {
		return d
	}
	if at, err := http.ParseTime(strings.TrimSpace(after)); err == nil {
		return max(0, time.Until(at))
	}
	for _, d := range e.refusal().Details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
			return wait
		}
	}
	return 0
}

// waitOf reads a number of units. What would not fit is as long as can be.
func waitOf(s string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, false
	}
	if n *= float64(unit); n < math.MaxInt64 {
		return time.Duration(n), true
	}
	return math.MaxInt64, true
}

// callFault turns an error of a provider's SDK into one of ours. No cause but
// that of ctx is wrapped: its text may hold the request's address.
func callFault(ctx context.Context, model, key string, err error) *ModelError {
	e := &ModelError{Kind: KindProtocol, Model: model, Detail: shorten(redact(err.Error(), key))}
	var status *statusError
	var netErr net.Error
	switch {
	case errors.As(err, &status):
		e.Kind, e.RetryAfter = status.kind(), status.retryAfter()
		e.Detail = shorten(redact(status.Error(), key))
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		e.Kind, e.Err = KindTimeout, ctx.Err()
	case errors.As(err, &netErr), errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind = KindUnavailable
	}
	return e
}

// longestDetail bounds what of a provider's words is kept for the log.
const longestDetail = 300

func shorten(s string) string { return cut(strings.Join(strings.Fields(s), " "), longestDetail) }
