package embed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout || e.Status >= 500
}

// retryTransport sends a request again while the provider is busy or out of
// reach, and puts in the API key, which so appears in no request that the SDK
// or an error knows of. It returns answers of status 2xx only, wholly read;
// any other is a *StatusError.
type retryTransport struct {
	base    http.RoundTripper
	key     string
	timeout time.Duration // for one attempt, its body included
	budget  time.Duration // for all pauses of a request together
	wait    func(ctx context.Context, d time.Duration) error
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
	if once.URL.RawQuery != "" {
		once.URL.RawQuery += "&"
	}
	once.URL.RawQuery += "key=" + url.QueryEscape(t.key)

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
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, nil
}

// statusError reads a refusal. Google's APIs say how long to wait in the body,
// others in a header.
func (t *retryTransport) statusError(answer *http.Response, body []byte) *StatusError {
	var refusal struct {
		Error struct {
			Message string `json:"message"`
			Details []struct {
				RetryDelay string `json:"retryDelay"`
			} `json:"details"`
		} `json:"error"`
	}
	e := &StatusError{Status: answer.StatusCode, Wait: retryAfter(answer.Header.Get("Retry-After"))}
	if json.Unmarshal(body, &refusal) == nil {
		e.Message = redact(refusal.Error.Message, t.key)
		for _, detail := range refusal.Error.Details {
			if d, err := time.ParseDuration(detail.RetryDelay); err == nil && d > 0 && e.Wait == 0 {
				e.Wait = d
			}
		}
	}
	return e
}

// retryAfter reads a Retry-After header: seconds, or a date.
func retryAfter(value string) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(time.Until(date), 0)
	}
	return 0
}

// redact shortens a foreign text for an error and takes the API key out of it.
func redact(text, key string) string {
	for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key)} {
		text = strings.ReplaceAll(text, form, "[API key]")
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
