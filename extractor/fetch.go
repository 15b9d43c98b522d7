package extractor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"syscall"
	"time"

	"relata/graph"
)

const (
	fetchTime  = 20 * time.Second
	fetchBytes = 10 << 20 // as much as an image may have
	fetchHops  = 3        // redirects
)

// Fetcher gets the images that clients name by URL. It reaches public addresses
// only: what stands behind a name is looked at when the connection is made, so
// that neither a redirect nor a name that changes leads inside.
type Fetcher struct{ client *http.Client }

// NewFetcher makes a fetcher.
func NewFetcher() *Fetcher {
	dialer := &net.Dialer{Timeout: fetchTime, Control: publicOnly}
	return &Fetcher{client: &http.Client{
		Timeout:   fetchTime,
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: fetchTime, DisableKeepAlives: true},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) >= fetchHops {
				return errors.New("too many redirects")
			}
			return checkURL(r.URL)
		},
	}}
}

// errPrivate says that a name leads to an address that is not public.
var errPrivate = errors.New("the address is not a public one")

// publicOnly refuses connections to other addresses than public ones.
func publicOnly(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return errPrivate
	}
	ip := at.Addr().Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || inside(ip) {
		return errPrivate
	}
	return nil
}

// inner are address ranges that are global by form and are not public: shared by
// carriers, for documentation and tests, for translation to the addresses above.
var inner = func() []netip.Prefix {
	var out []netip.Prefix
	for _, p := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
	} {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}()

func inside(ip netip.Addr) bool {
	for _, p := range inner {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}

func checkURL(u *url.URL) error {
	if u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return errors.New("it must begin with https:// or http:// and hold no password")
	}
	return nil
}

// Fetch gets a file and the name that its address ends in. Errors: CodeInvalid
// for an address that cannot be fetched, with the reason, CodeTooLarge.
func (f *Fetcher) Fetch(ctx context.Context, address string) (data []byte, name string, err error) {
	wrong := func(format string, args ...any) error {
		return &graph.Error{Code: graph.CodeInvalid, Message: "the image cannot be fetched", Fields: []graph.Field{{Name: "url", Message: fmt.Sprintf(format, args...)}}}
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, "", wrong("is no URL")
	}
	if err := checkURL(u); err != nil {
		return nil, "", wrong("%s", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, "", wrong("is no URL")
	}
	res, err := f.client.Do(req)
	switch {
	case ctx.Err() != nil:
		return nil, "", contextError(ctx.Err())
	case errors.Is(err, errPrivate):
		return nil, "", wrong("leads to an address that is not public")
	case err != nil:
		return nil, "", wrong("does not answer")
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, "", wrong("answers with status %d", res.StatusCode)
	}
	data, err = io.ReadAll(io.LimitReader(res.Body, fetchBytes+1))
	switch {
	case err != nil:
		return nil, "", wrong("broke off")
	case len(data) > fetchBytes:
		return nil, "", &graph.Error{Code: graph.CodeTooLarge, Message: "the image is too large", Fields: []graph.Field{{Name: "url", Message: "holds more than 10 MB"}}}
	}
	return data, path.Base(u.Path), nil
}
