package extractor

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Sizes of what is read from a provider.
const (
	mostErrorBytes  = 64 << 10
	mostAnswerBytes = 32 << 20
)

// geminiTransport sends the API key in a header, where no error, log or proxy
// prints it with the address; the SDK alone would put it into the URL. It turns
// every failure status into an error at once, because the SDK would otherwise
// repeat calls by its own rules, past our budget.
type geminiTransport struct {
	key  string
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *geminiTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	q := req.URL.Query()
	q.Del("key")
	req.URL.RawQuery = q.Encode()
	req.Header.Set("X-Goog-Api-Key", t.key)
	res, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode < 300 {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, mostAnswerBytes), res.Body}
		return res, nil
	}
	defer res.Body.Close()
	// A body that breaks off still has a status to report.
	body, _ := io.ReadAll(io.LimitReader(res.Body, mostErrorBytes))
	return nil, &statusError{code: res.StatusCode, header: res.Header, body: body}
}

// statusError is an HTTP answer that is no success.
type statusError struct {
	code   int
	header http.Header
	body   []byte
}

// googleFault is the body of Google's errors.
type googleFault struct {
	Error struct {
		Message string `json:"message"`
		Status  string `json:"status"`
		Details []struct {
			Reason     string `json:"reason"`
			RetryDelay string `json:"retryDelay"`
		} `json:"details"`
	} `json:"error"`
}

func (e *statusError) fault() googleFault {
	var f googleFault
	_ = json.Unmarshal(e.body, &f) // a body of another kind has nothing to tell
	return f
}

// Error gives status and message, never the whole body.
func (e *statusError) Error() string {
	if m := e.fault().Error.Message; m != "" {
		return fmt.Sprintf("HTTP %d: %s", e.code, m)
	}
	return fmt.Sprintf("HTTP %d", e.code)
}

func (e *statusError) kind() Kind {
	switch {
	case e.code == http.StatusTooManyRequests:
		return KindRateLimited
	case e.code == http.StatusUnauthorized, e.code == http.StatusForbidden:
		return KindAuth
	case e.code == http.StatusRequestTimeout, e.code == http.StatusGatewayTimeout:
		return KindTimeout
	case e.code >= 500:
		return KindUnavailable
	}
	for _, d := range e.fault().Error.Details {
		if strings.HasPrefix(d.Reason, "API_KEY_") {
			return KindAuth // Google answers 400 to a key that it does not know
		}
	}
	return KindProtocol
}

// retryAfter gives how long the provider asks to wait: the header in seconds or
// as a date, else the delay in Google's error details; 0 for none.
func (e *statusError) retryAfter() time.Duration {
	if v := strings.TrimSpace(e.header.Get("Retry-After")); v != "" {
		if s, err := strconv.Atoi(v); err == nil && s >= 0 {
			return time.Duration(s) * time.Second
		}
		if at, err := http.ParseTime(v); err == nil {
			return max(0, time.Until(at))
		}
	}
	for _, d := range e.fault().Error.Details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
			return wait
		}
	}
	return 0
}
