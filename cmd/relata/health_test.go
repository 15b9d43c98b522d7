package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealthAsksTheServerOnThisMachine(t *testing.T) {
	ready := true
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" && !ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	listen := strings.TrimPrefix(srv.URL, "http://")
	ask := func(args ...string) error {
		std := streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}
		return run(t.Context(), append([]string{"health"}, args...), std, func(name string) string {
			return map[string]string{"RELATA_LISTEN": listen, "RELATA_CACHE_DIR": "/c", "RELATA_DATA_DIR": "/d"}[name]
		})
	}
	if err := ask(); err != nil {
		t.Errorf("a server that is alive: %v", err)
	}
	if err := ask("--ready"); err != nil {
		t.Errorf("a server that is ready: %v", err)
	}
	ready = false
	if err := ask("--ready"); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("a server that is not ready: %v, want an error with the status", err)
	}
	if err := ask(); err != nil {
		t.Errorf("a server that is alive and not ready: %v", err)
	}
	srv.Close()
	if err := ask(); err == nil {
		t.Error("no error without a server")
	}
	if err := ask("--listen", "8420"); err == nil || !strings.Contains(err.Error(), "HOST:PORT") {
		t.Errorf("an address without a host: %v, want what would be right", err)
	}
}

func TestDialable(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:8420": "127.0.0.1:8420",
		"0.0.0.0:8420":   "127.0.0.1:8420",
		":8420":          "127.0.0.1:8420",
		"[::]:8420":      "[::1]:8420",
		"relata:8420":    "relata:8420",
	} {
		if got, err := dialable(listen); err != nil || got != want {
			t.Errorf("dialable(%q) = %q, %v, want %q", listen, got, err, want)
		}
	}
}
