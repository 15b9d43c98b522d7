package main

import (
	"io"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestMCPOverStandardStreams(t *testing.T) {
	a := sampleApp(t, nil)
	space := sampleSpace(t, a)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- (&mcpCmd{Space: space}).serve(t.Context(), a, streams{in: in, out: out, err: io.Discard})
	}()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).
		Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "remember", Arguments: map[string]any{"text": "x"}})
	if err != nil || !r.IsError {
		t.Errorf("without a model: %+v, %v", r, err)
	}
	r, err = c.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_relations", Arguments: map[string]any{}})
	if err != nil || r.IsError {
		t.Errorf("list_relations: %+v, %v", r, err)
	}
	_ = c.Close()
	if err := <-done; err != nil {
		t.Errorf("the command ended with %v when its client left", err)
	}
}
