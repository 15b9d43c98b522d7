package api_test

import (
	"net/http"
	"testing"

	"relata/api"
)

func TestAServerThatOthersCanReachNeedsAKey(t *testing.T) {
	f := &fake{}
	o := api.Options{Store: f, Vocabulary: f, Submitter: f, Editor: f, Ingester: f, Differ: f.differ, Importer: f, Readiness: f}
	if _, err := api.New(o); err == nil {
		t.Error("it was made without a key")
	}
	o.APIKey = "k"
	if _, err := api.New(o); err != nil {
		t.Error(err)
	}
}

func TestTheKeyIsAskedFor(t *testing.T) {
	s := serve(t, &fake{}, func(o *api.Options) { o.APIKey = "correct horse"; o.Loopback = false })
	tests := map[string]struct {
		target, authorization string
		status                int
	}{
		"none":                      {"/v1/spaces", "", 401},
		"the key":                   {"/v1/spaces", "Bearer correct horse", 200},
		"the scheme in lower case":  {"/v1/spaces", "bearer correct horse", 200},
		"another":                   {"/v1/spaces", "Bearer battery staple", 401},
		"a beginning of it":         {"/v1/spaces", "Bearer correct", 401},
		"an empty one":              {"/v1/spaces", "Bearer ", 401},
		"another scheme":            {"/v1/spaces", "Basic correct horse", 401},
		"no route tells it exists":  {"/v1/nothing", "", 401},
		"health is open":            {"/healthz", "", 200},
		"readiness is open":         {"/readyz", "", 200},
		"the document is open":      {"/openapi.yaml", "", 200},
		"the reference is open":     {"/docs", "", 200},
		"metrics are not":           {"/metrics", "", 401},
		"metrics with the key":      {"/metrics", "Bearer correct horse", 200},
		"nothing below docs is":     {"/docs/../v1/spaces", "", 401},
		"a space without the key":   {"/v1/spaces/cafe", "", 401},
		"an unknown one without it": {"/v1/spaces/nowhere", "", 401},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := request("GET", tt.target, "")
			r.Host = "relata.example"
			if tt.authorization != "" {
				r.Header.Set("Authorization", tt.authorization)
			}
			wantStatus(t, call(t, s, r), tt.status)
		})
	}
}

func TestWithoutAKeyPagesFromElsewhereAreKeptOut(t *testing.T) {
	search := func(header ...string) *http.Request {
		return request("POST", "/v1/spaces/cafe/search", `{"queries":[7]}`, header...)
	}
	read := func(header ...string) *http.Request { return request("GET", "/v1/spaces/cafe", "", header...) }
	from := func(host string, r *http.Request) *http.Request { r.Host = host; return r }
	tests := map[string]struct {
		request *http.Request
		status  int
	}{
		"a program on this machine":               {search(), 200},
		"by address":                              {from("127.0.0.1:8080", search()), 200},
		"by any address of loopback":              {from("127.8.8.8", search()), 200},
		"by IPv6":                                 {from("[::1]:8080", search()), 200},
		"by IPv6 without a port":                  {from("[::1]", search()), 200},
		"by a name with a closing dot":            {from("LOCALHOST.:8080", search()), 200},
		"our own page":                            {search("Sec-Fetch-Site: same-origin", "Origin: http://localhost:8080"), 200},
		"an address typed in":                     {read("Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"), 200},
		"a link on another page":                  {request("GET", "/docs", "", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"), 200},
		"a foreign name that points here":         {from("evil.example:8080", read()), 403},
		"a name that begins like ours":            {from("localhost.evil.example", read()), 403},
		"an address that begins like ours":        {from("127.0.0.1.evil.example", read()), 403},
		"a private address":                       {from("192.168.1.4:8080", read()), 403},
		"no name":                                 {from("", read()), 403},
		"a foreign page that writes":              {search("Sec-Fetch-Site: cross-site", "Origin: https://evil.example"), 403},
		"a page on another port":                  {search("Sec-Fetch-Site: same-site", "Origin: http://localhost:3000"), 403},
		"an old browser":                          {search("Origin: https://evil.example"), 403},
		"a page without an origin":                {search("Origin: null"), 403},
		"a foreign page that deletes":             {request("DELETE", "/v1/spaces/cafe?confirm=cafe", "", "Sec-Fetch-Site: cross-site"), 403},
		"an image that times us":                  {read("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"), 403},
		"a form, which needs no leave to be sent": {request("POST", "/v1/spaces/cafe/search", `{"queries":[7]}`, "Content-Type: text/plain"), 415},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			wantStatus(t, call(t, serve(t, &fake{}), tt.request), tt.status)
		})
	}
}

func TestRequestIDs(t *testing.T) {
	s := serve(t, &fake{})
	t.Run("one is given", func(t *testing.T) {
		if id := call(t, s, request("GET", "/healthz", "")).Header().Get("X-Request-Id"); len(id) < 16 {
			t.Errorf("X-Request-Id is %q", id)
		}
	})
	t.Run("the caller's is kept", func(t *testing.T) {
		if id := call(t, s, request("GET", "/healthz", "", "X-Request-Id: trace-7.a_b")).Header().Get("X-Request-Id"); id != "trace-7.a_b" {
			t.Errorf("X-Request-Id is %q", id)
		}
	})
	t.Run("one that would spoil a log is not", func(t *testing.T) {
		if id := call(t, s, request("GET", "/healthz", "", "X-Request-Id: a b\"c")).Header().Get("X-Request-Id"); id == "a b\"c" {
			t.Errorf("X-Request-Id is %q", id)
		}
	})
}
