package api_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

var embeddedSpec = regexp.MustCompile(`(?s)<script type="application/json" id="spec">(.*?)</script>`)

func TestTheReferencePageCarriesTheWholeDocument(t *testing.T) {
	s := serve(t, &fake{})
	page := call(t, s, request("GET", "/docs", ""))
	wantStatus(t, page, 200)
	found := embeddedSpec.FindStringSubmatch(page.Body.String())
	if found == nil {
		t.Fatal("the page holds no document")
	}
	var got, want any
	if err := json.Unmarshal([]byte(found[1]), &got); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(call(t, s, request("GET", "/openapi.yaml", "")).Body.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	// Through JSON, so that numbers have one type.
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the page's document (-openapi.yaml +page)\n%s", diff)
	}
	if strings.Index(found[1], `"put"`) < strings.Index(found[1], `"/v1/spaces"`) {
		t.Error("the order of the document is lost")
	}
}

func TestTheReferencePageLoadsNothingFromElsewhere(t *testing.T) {
	page := call(t, serve(t, &fake{}), request("GET", "/docs", ""))
	body := embeddedSpec.ReplaceAllString(page.Body.String(), "")
	for _, bad := range []string{"http://", "https://", "src=", "@import", "url("} {
		if strings.Contains(body, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
	policy := page.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "script-src 'sha256-", "style-src 'sha256-"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy %q allows what is not in the page", policy)
	}
}
