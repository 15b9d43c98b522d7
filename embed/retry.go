package embed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	firstPause = time.Second
	longPause  = 20 * time.Second
	maxAnswer  = 64 << 20 // bytes; 100 vectors of 4,096 dimensions take 8 MB of JSON
	maxMessage = 300      // code points of a provider's message in an error
)

// StatusError says that a provider refused to embed, in the end.
type StatusError struct {
	// Status is the HTTP status: 400 for a bad request, 401 or 403 for a bad
	// key, 404 for an unknown model, 429 for a used-up quota, 5xx for trouble
	// at the provider.
	Status int
	// Message is what the provider said, shortened, without the API key.
	Message string
	// Wait is how long the provider asked to wait, 0 if it did not say.
	Wait time.Duration

	final bool // although its status is that of trouble that passes
}

func (e *StatusError) Error() string {
	s := fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		s += ": " + e.Message
	}
	if e.Wait > 0 {
		s += fmt.Sprintf(" (asks to wait %v)", e.Wait)
	}
	return s
}

// temporary reports whether asking again may help.
func (e *StatusError) temporary() bool {
	return !e.final && (e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout || e.Status >= 500)
}

// retryTransport sends a request again while the provider is busy or out of
// reach, and puts in the API key, which so appears in no request that the SDK
// or an error knows of. It returns answers of status 2xx only, wholly read;
// any other is a *StatusError.
type retryTransport struct {
	base    http.RoundTripper
	key     string                // to be kept out of errors
	sign    func(r *http.Request) // puts the key into the header; nil for none
	timeout time.Duration         // for one attempt, its body included
	budget  time.Duration         // for all pauses of a request together
	wait    func(ctx context.Context, d time.Duration) error
}

// newRetryTransport fills in the defaults of [GeminiOptions] and
// [OpenAIOptions].
func newRetryTransport(key string, timeout, budget time.Duration, wait func(context.Context, time.Duration) error) *retryTransport {
	t := &retryTransport{base: http.DefaultTransport, key: key, timeout: timeout, budget: budget, wait: wait}
	if t.timeout <= 0 {
		t.timeout = remoteTimeout
	}
	if t.budget == 0 {
		t.budget = remoteBudget
	}
	if t.wait == nil {
		t.wait = sleep
	}
	return t
}

// RoundTrip implements http.RoundTripper.
func (t *retryTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	var waited time.Duration
	pause := firstPause
	for {
		answer, err := t.attempt(req)
		if err == nil {
			return answer, nil
		}
		if req.Context().Err() != nil {
			return nil, req.Context().Err()
		}
		next := pause + rand.N(pause/4)
		if status, ok := errors.AsType[*StatusError](err); ok {
			if !status.temporary() {
				return nil, err
			}
			next = cmp.Or(status.Wait, next)
		}
		if waited+next > t.budget {
			return nil, err
		}
		if err := t.wait(req.Context(), next); err != nil {
			return nil, err
		}
		waited += next
		pause = min(2*pause, longPause)
	}
}

// attempt sends the request once.
func (t *retryTransport) attempt(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), t.timeout)
	defer cancel()
	once := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		once.Body = body
	}
	if t.sign != nil {
		t.sign(once)
	}

	answer, err := t.base.RoundTrip(once)
	var body []byte
	if err == nil {
		defer answer.Body.Close()
		body, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	}
	switch {
	case err != nil && ctx.Err() != nil && req.Context().Err() == nil:
		return nil, fmt.Errorf("no answer within %v", t.timeout)
	case err != nil:
		return nil, err
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("answer of more than %d bytes", maxAnswer)
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		return nil, t.statusError(answer, body)
	}
	// Both protocols are JSON. A server that forgets to say so is understood; a
	// page with this status fails where it is read.
	answer.Header.Set("Content-Type", "application/json")
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, nil
}

// statusError reads a refusal. Google's APIs say how long to wait in the body,
// others in a header.
func (t *retryTransport) statusError(answer *http.Response, body []byte) *StatusError {
	said := readRefusal(body)
	e := &StatusError{
		Status: answer.StatusCode, Message: redact(said.Message, t.key),
		Wait: retryAfter(answer.Header), final: said.Code == "insufficient_quota",
	}
	for _, detail := range said.Details {
		if d, err := time.ParseDuration(detail.RetryDelay); err == nil && d > 0 && e.Wait == 0 {
			e.Wait = d
		}
	}
	return e
}

// refusal is what the body of an error says, in Google's form, in OpenAI's or in
// that of a server that speaks like it.
type refusal struct {
	Message string `json:"message"`
	Code    any    `json:"code"` // a name at OpenAI, the status at others
	Details []struct {
		RetryDelay string `json:"retryDelay"`
	} `json:"details"`
}

// readRefusal reads a body. One of another kind has nothing to tell.
func readRefusal(body []byte) refusal {
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	_ = json.Unmarshal(body, &outer)
	var r refusal
	if json.Unmarshal(outer.Error, &r) != nil && r.Message == "" {
		_ = json.Unmarshal(outer.Error, &r.Message) // {"error":"text"}
	}
	r.Message = cmp.Or(r.Message, outer.Message)
	return r
}

// retryAfter reads how long a header asks to wait: milliseconds, seconds, or a
// date.
func retryAfter(header http.Header) time.Duration {
	if d, ok := waitOf(header.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	after := header.Get("Retry-After")
	if d, ok := waitOf(after, time.Second); ok {
		return d
	}
	if date, err := http.ParseTime(after); err == nil {
		return min(max(time.Until(date), 0), longestWait)
	}
	return 0
}

// longestWait is what a header can ask for; any budget is smaller, and the sum of
// two does not overflow.
const longestWait = 1 << 61

// waitOf reads a number of units that is not below zero.
func waitOf(value string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, false
	}
	return time.Duration(min(n*float64(unit), longestWait)), true
}

// redact shortens a foreign text for an error and takes the API key out of it.
func redact(text, key string) string {
	if key != "" {
		for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key)} {
			text = strings.ReplaceAll(text, form, "[API key]")
		}
	}
	return cut(strings.ToValidUTF8(text, "\uFFFD"), maxMessage)
}

// sleep waits for d, or until ctx is done.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
