package mcp_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"relata/api/mcp"
)

func TestErrorsSayWhatToDo(t *testing.T) {
	w := newWorld(t)
	free, homeless := w.free(), connect(t, w.server(mcp.Options{}))
	queries := []object{{"all": true, "memory": "x"}}
	cases := []struct {
		name string
		c    client
		tool string
		in   object
		want string
	}{
		{"no space", homeless, "search_long_term_memory", object{"queries": queries}, "space is missing"},
		{"a space that is not there", homeless, "list_relations", object{"space": "nowhere"}, "nowhere"},
		{"a persona that is not there", free, "search_long_term_memory", object{"queries": queries, "as_persona": "Nobody"}, "Nobody"},
		{"no queries", free, "search_long_term_memory", object{"queries": []object{}}, "1 to 50"},
		{"queries that are no list", free, "search_long_term_memory", object{"queries": "x"}, "queries"},
		{"a field that is none", free, "search_long_term_memory", object{"queries": queries, "persona": "Lumen"}, "persona"},
		{"beliefs of nobody", free, "search_long_term_memory", object{"queries": queries, "beliefs": true}, "as_persona"},
		{"a time that is none", free, "search_long_term_memory", object{"queries": queries, "as_of": "soon"}, "as_of"},
		{"neither a text nor a number", free, "who_knows", object{}, "about"},
		{"a limit out of range", free, "who_knows", object{"about": "x", "limit": 51}, "1 and 50"},
		{"a memory that is not there", free, "who_knows", object{"memory_id": 1}, "no memory 1"},
		{"neither ids nor a session", free, "get_messages", object{}, "session_id"},
		{"more than fits", free, "propose_diff", object{"xml": strings.Repeat("x", 1<<20+1)}, "at most 1048576"},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) { client{t, x.c.session}.fail(x.tool, x.in, x.want) })
	}
	var got struct{ Relations []object }
	if homeless.call("list_relations", object{"space": w.space}, &got); len(got.Relations) == 0 {
		t.Error("a call that names its space is not answered")
	}
}

func TestFailuresOfOurOwnAreLoggedAndNotSent(t *testing.T) {
	w := newWorld(t)
	for name, panics := range map[string]bool{"an error": false, "a panic": true} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			c := connect(t, w.server(mcp.Options{
				Store: broken{w.store, panics}, Space: w.space, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			}))
			text := c.fail("search_long_term_memory", object{"queries": []object{{"all": true, "memory": "x"}}}, "reference")
			reference := text[strings.LastIndexByte(text, ' ')+1:]
			if strings.Contains(text, "inner thoughts") || !strings.Contains(log.String(), "inner thoughts") || !strings.Contains(log.String(), reference) {
				t.Errorf("told: %s\nlogged: %s", text, log.String())
			}
			c.call("list_relations", object{}, nil) // goes on
		})
	}
}
