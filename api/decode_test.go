package api_test

import (
	"encoding/json"
	"testing"

	"relata/api"
	"relata/graph"
)

// FuzzDecodeJSON holds that a body is either read or refused as the caller's
// fault, and that what is read survives being written.
func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{
		`{"queries":[{"index0":"event","memory":"x","limit":10}]}`, `{"queries":null}`, `{"queries":[null,7,{"limit":0}]}`,
		`{"queries":[],"queries":[]}`, `{"a":{"queries":[]}}`, `[]`, `"x"`, ``, `{`, "{\"queries\":[\"\xff\"]}", `{"queries":[{"memory":"\ud83d"}]}`,
		`{"queries":[]}{}`, `{"explain":1e400}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var body api.SearchRequest
		if err := api.DecodeJSON(data, &body); err != nil {
			if graph.ErrorCode(err) != graph.CodeInvalid {
				t.Errorf("%q: %v is not the caller's fault", data, err)
			}
			return
		}
		out, err := json.Marshal(body)
		if err != nil {
			t.Fatalf("%q cannot be written again: %v", data, err)
		}
		if !json.Valid(out) {
			t.Errorf("%q is written as %s", data, out)
		}
	})
}
