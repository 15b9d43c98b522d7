package mcp_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"relata/api/mcp"
)

// pipe runs a server over streams, as `relata mcp` runs it over stdin and
// stdout, and gives the other ends.
func pipe(t *testing.T, s *mcp.Server) sdk.Transport {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.RunStdio(context.Background(), in, out) }()
	t.Cleanup(func() {
		_ = toServer.Close()
		_ = out.Close()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v when its client left", err)
		}
	})
	return &sdk.IOTransport{Reader: fromServer, Writer: toServer}
}

func TestEveryTransportServesTheSameTools(t *testing.T) {
	w := newWorld(t)
	s := w.server(mcp.Options{Space: w.space, Version: "test"})
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	transports := map[string]sdk.Transport{
		"stdio":           pipe(t, s),
		"streamable HTTP": &sdk.StreamableClientTransport{Endpoint: web.URL},
	}
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			c := over(t, transport)
			if got := c.session.InitializeResult(); got.ServerInfo.Version != "test" || !strings.Contains(got.Instructions, w.space) {
				t.Errorf("the server says of itself %+v: %s", got.ServerInfo, got.Instructions)
			}
			tools, err := c.session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range tools.Tools {
				names = append(names, tool.Name)
				if tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil {
					t.Errorf("%s is not described", tool.Name)
				}
			}
			slices.Sort(names)
			if want := "get_messages list_relations propose_diff remember search_long_term_memory who_knows"; strings.Join(names, " ") != want {
				t.Errorf("tools %v, want %s", names, want)
			}
			var got searched
			c.call("search_long_term_memory", object{"queries": []object{{"index0": "profile", "memory": "Where does Maya live?"}}}, &got)
			if len(got.Results) != 1 || len(got.Results[0].Hints) == 0 || got.Results[0].Hints[0].Memory != porto {
				t.Errorf("results %+v", got.Results)
			}
		})
	}
}

func TestABodyOverTheLimitIsRefusedOverHTTP(t *testing.T) {
	w := newWorld(t)
	web := httptest.NewServer(w.server(mcp.Options{Space: w.space}).Handler())
	t.Cleanup(web.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL, strings.NewReader(strings.Repeat(" ", 3<<20)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d, want 413", res.StatusCode)
	}
}
