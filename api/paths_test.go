package api_test

import (
	"net/url"
	"testing"

	"relata/graph"
)

func TestNamesInPathsAreDecodedOnce(t *testing.T) {
	tests := map[string]struct{ path, space, name string }{
		"upper-case hex":           {"/v1/spaces/%E5%B2%A9/personas/%E5%B2%A9", "岩", "岩"},
		"lower-case hex":           {"/v1/spaces/%e5%b2%a9/personas/%e5%b2%a9", "岩", "岩"},
		"plain UTF-8":              {"/v1/spaces/岩/personas/岩", "岩", "岩"},
		"mixed":                    {"/v1/spaces/%e5%B2%a9/personas/a%e5%b2%a9b", "岩", "a岩b"},
		"a slash within a name":    {"/v1/spaces/cafe/personas/a%2Fb", "cafe", "a/b"},
		"a slash in lower case":    {"/v1/spaces/cafe/personas/a%2fb", "cafe", "a/b"},
		"only a slash":             {"/v1/spaces/cafe/personas/%2F", "cafe", "/"},
		"a per cent sign":          {"/v1/spaces/cafe/personas/100%25", "cafe", "100%"},
		"what looks encoded":       {"/v1/spaces/cafe/personas/%25E5%25B2%25A9", "cafe", "%E5%B2%A9"},
		"both":                     {"/v1/spaces/cafe/personas/100%25%2F%e5%b2%a9", "cafe", "100%/岩"},
		"a plus is a plus":         {"/v1/spaces/cafe/personas/C++", "cafe", "C++"},
		"a blank":                  {"/v1/spaces/cafe/personas/Maya%20F", "cafe", "Maya F"},
		"a comma and a semicolon":  {"/v1/spaces/cafe/personas/a,b;c", "cafe", "a,b;c"},
		"dots":                     {"/v1/spaces/cafe/personas/..", "cafe", ".."},
		"a question mark":          {"/v1/spaces/cafe/personas/who%3F", "cafe", "who?"},
		"the name of another part": {"/v1/spaces/personas/personas/personas", "personas", "personas"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var gotSpace, gotName string
			f := &fake{
				space: func(name string) (graph.Space, error) { return graph.Space{Name: name}, nil },
				putPersona: func(space string, p graph.Persona) (graph.Persona, error) {
					gotSpace, gotName = space, p.Name
					return p, nil
				},
			}
			r := request("PUT", "/", "")
			u, err := url.ParseRequestURI(tt.path)
			if err != nil {
				t.Fatal(err)
			}
			r.URL = u
			wantStatus(t, call(t, serve(t, f), r), 200)
			if gotSpace != tt.space || gotName != tt.name {
				t.Errorf("space %q, name %q, want %q, %q", gotSpace, gotName, tt.space, tt.name)
			}
		})
	}
}

func TestASpaceThatDoesNotExistIs404Everywhere(t *testing.T) {
	tests := []struct{ method, path, body string }{
		{"GET", "", ""},
		{"GET", "/personas", ""},
		{"GET", "/personas/x", ""},
		{"PUT", "/personas/x", ""},
		{"POST", "/ingest", `{"session_id":"s","chats":[{"date":"2026-03-03","role":"user","content":"x"}]}`},
		{"POST", "/ingest?dry_run=true", `{"session_id":"s","chats":[{"date":"2026-03-03","role":"user","content":"x"}]}`},
		{"POST", "/diffs", `{"memories":{}}`},
		{"GET", "/diffs", ""},
		{"GET", "/diffs/1", ""},
		{"POST", "/search", `{"queries":[{"index0":"event","memory":"x"}]}`},
		{"POST", "/search", `{"queries":[{"index0":"event","memory":"x","limit":0}]}`},
		{"GET", "/memories", ""},
		{"GET", "/memories/1", ""},
		{"GET", "/memories/1/history", ""},
		{"PATCH", "/memories/1", `{"content":"x"}`},
		{"DELETE", "/memories/1", ""},
		{"GET", "/entities", ""},
		{"GET", "/entities/1", ""},
		{"GET", "/entities/1/neighbourhood", ""},
		{"POST", "/entities/1/aliases", `{"aliases":["x"]}`},
		{"GET", "/paths?from=a&to=b", ""},
		{"GET", "/relations", ""},
		{"PUT", "/relations/own", `{"content":"拥有"}`},
		{"GET", "/messages?ids=1", ""},
		{"GET", "/messages?session=s", ""},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			w := call(t, serve(t, &fake{}), request(tt.method, "/v1/spaces/nowhere"+tt.path, tt.body))
			wantStatus(t, w, 404)
			wantBody(t, w, `{"type":"urn:relata:problem:not_found","title":"Not found","status":404,"detail":"the space \"nowhere\" does not exist","errors":[]}`)
		})
	}
}
