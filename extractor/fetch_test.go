package extractor

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"relata/graph"
)

func TestOnlyPublicAddressesAreReached(t *testing.T) {
	for address, public := range map[string]bool{
		"93.184.216.34:443": true, "[2606:2800:220:1::1]:443": true,
		"127.0.0.1:80": false, "[::1]:80": false, "10.0.0.1:80": false, "172.16.0.1:80": false, "192.168.1.1:80": false,
		"169.254.169.254:80": false, "100.64.0.1:80": false, "0.0.0.0:80": false, "[fe80::1]:80": false, "[fc00::1]:80": false,
		"[::ffff:127.0.0.1]:80": false, "[64:ff9b::7f00:1]:80": false, "224.0.0.1:80": false, "nonsense": false,
	} {
		if got := publicOnly("tcp", address, nil) == nil; got != public {
			t.Errorf("%s: reached %v, want %v", address, got, public)
		}
	}
}

func TestWhatCannotBeFetchedSaysWhy(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("inside")) }))
	defer server.Close()
	f := NewFetcher()
	for address, why := range map[string]string{
		server.URL + "/a.png": "not public", "ftp://example.org/a.png": "https://", "https://user:pw@example.org/": "no password", "::": "no URL", "http:///a": "https://",
	} {
		_, _, err := f.Fetch(t.Context(), address)
		e, ok := err.(*graph.Error)
		if !ok || e.Code != graph.CodeInvalid || !strings.Contains(e.Fields[0].Message, why) {
			t.Errorf("%s: %v, want a word on %q", address, err, why)
		}
	}
}

func TestAFileIsFetchedWithItsName(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cake.png":
			_, _ = w.Write([]byte("picture"))
		case "/moved":
			http.Redirect(w, r, "/cake.png", http.StatusFound)
		case "/large":
			_, _ = w.Write(make([]byte, fetchBytes+1))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	f := &Fetcher{client: server.Client()} // the address of the test is not public
	for path, want := range map[string]struct {
		data, name string
		code       graph.Code
	}{
		"/cake.png": {"picture", "cake.png", ""}, "/moved": {"picture", "moved", ""}, "/large": {"", "", graph.CodeTooLarge}, "/none": {"", "", graph.CodeInvalid},
	} {
		data, name, err := f.Fetch(t.Context(), server.URL+path)
		if graph.ErrorCode(err) != want.code && (err != nil || want.code != "") {
			t.Errorf("%s: %v", path, err)
		}
		if string(data) != want.data || name != want.name {
			t.Errorf("%s: %q as %q", path, data, name)
		}
	}
}
