package extractor

import (
	"io"
	"net/http"
)

// Sizes of what is read from a provider.
const (
	mostErrorBytes  = 64 << 10
	mostAnswerBytes = 32 << 20
)

// transport puts the API key into each request's header itself, where no error,
// log or proxy prints it with the address, and where the SDK that made the
// request does not know of it. It turns every failure status into a
// *[statusError] at once: the SDKs would repeat calls by their own rules, past
// our budget, or follow a redirect to another host with the key.
type transport struct {
	sign func(*http.Request) // adds the key
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	t.sign(req)
	res, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= 300 {
		defer res.Body.Close()
		// A body that breaks off still has a status to report.
		body, _ := io.ReadAll(io.LimitReader(res.Body, mostErrorBytes))
		return nil, &statusError{code: res.StatusCode, header: res.Header, body: body}
	}
	// Both protocols are JSON. A server that forgets to say so is understood; a
	// page with this status fails where it is read.
	res.Header.Set("Content-Type", "application/json")
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, mostAnswerBytes), res.Body}
	return res, nil
}

// httpClient gives a client that signs requests.
func httpClient(sign func(*http.Request)) *http.Client {
	return &http.Client{
		Transport:     &transport{sign: sign, next: http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
