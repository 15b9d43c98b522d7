package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"relata/graph"
)

// document is what the tests read of openapi.yaml.
type document struct {
	Tags []struct {
		Name string `yaml:"name"`
	} `yaml:"tags"`
	Paths      map[string]map[string]yaml.Node `yaml:"paths"`
	Components struct {
		Parameters map[string]parameter         `yaml:"parameters"`
		Responses  map[string]yaml.Node         `yaml:"responses"`
		Schemas    map[string]map[string]any    `yaml:"schemas"`
		Security   map[string]map[string]string `yaml:"securitySchemes"`
	} `yaml:"components"`
}

type parameter struct {
	Ref         string `yaml:"$ref"`
	Name        string `yaml:"name"`
	In          string `yaml:"in"`
	Required    bool   `yaml:"required"`
	Description string `yaml:"description"`
	Example     any    `yaml:"example"`
}

type operation struct {
	OperationID string      `yaml:"operationId"`
	Tags        []string    `yaml:"tags"`
	Summary     string      `yaml:"summary"`
	Parameters  []parameter `yaml:"parameters"`
	RequestBody struct {
		Content map[string]struct {
			Example any `yaml:"example"`
		} `yaml:"content"`
	} `yaml:"requestBody"`
	Responses map[string]yaml.Node `yaml:"responses"`
}

func readDocument(t *testing.T) document {
	t.Helper()
	data, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := yaml.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// operations gives every operation as "GET /path".
func (d document) operations(t *testing.T) map[string]operation {
	t.Helper()
	out := make(map[string]operation)
	for path, item := range d.Paths {
		for method, node := range item {
			if method == "parameters" {
				continue
			}
			var op operation
			if err := node.Decode(&op); err != nil {
				t.Fatalf("%s %s: %v", method, path, err)
			}
			if shared, ok := item["parameters"]; ok {
				var more []parameter
				if err := shared.Decode(&more); err != nil {
					t.Fatal(err)
				}
				op.Parameters = append(more, op.Parameters...)
			}
			for i, p := range op.Parameters {
				if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
					op.Parameters[i] = d.Components.Parameters[name]
				}
			}
			out[strings.ToUpper(method)+" "+path] = op
		}
	}
	return out
}

func TestEveryRouteIsInTheDocumentAndEveryOperationIsARoute(t *testing.T) {
	var routes, documented []string
	for _, r := range serve(t, &fake{}).Routes() {
		parts := strings.Split(r.Path, "/")
		for i, p := range parts {
			if name, ok := strings.CutPrefix(p, ":"); ok {
				parts[i] = "{" + name + "}"
			}
		}
		routes = append(routes, r.Method+" "+strings.Join(parts, "/"))
	}
	for op := range readDocument(t).operations(t) {
		documented = append(documented, op)
	}
	slices.Sort(routes)
	slices.Sort(documented)
	if diff := cmp.Diff(documented, routes); diff != "" {
		t.Errorf("routes (-documented +registered)\n%s", diff)
	}
}

func TestTheDocumentIsComplete(t *testing.T) {
	d := readDocument(t)
	seen := make(map[string]string)
	for route, op := range d.operations(t) {
		if op.OperationID == "" || op.Summary == "" || len(op.Tags) != 1 {
			t.Errorf("%s lacks operationId, summary or its one tag", route)
		}
		if other := seen[op.OperationID]; other != "" {
			t.Errorf("%s and %s share the operationId %s", route, other, op.OperationID)
		}
		seen[op.OperationID] = route
		if !slices.ContainsFunc(d.Tags, func(tag struct {
			Name string `yaml:"name"`
		},
		) bool {
			return slices.Contains(op.Tags, tag.Name)
		}) {
			t.Errorf("%s has an unknown tag %v", route, op.Tags)
		}
		for _, p := range op.Parameters {
			if p.Name == "" || p.Description == "" {
				t.Errorf("%s: parameter %+v lacks a name or a description", route, p)
			}
			if p.In == "path" && (!p.Required || p.Example == nil) {
				t.Errorf("%s: path parameter %s must be required and have an example", route, p.Name)
			}
		}
		for kind, media := range op.RequestBody.Content {
			if media.Example == nil {
				t.Errorf("%s: the body of kind %s has no example", route, kind)
			}
		}
	}
}

// TestTheOrderOfFieldsIsThatOfTheDocument holds the numbers by which the
// generator orders fields, and so the JSON that clients see, against the
// document.
func TestTheOrderOfFieldsIsThatOfTheDocument(t *testing.T) {
	data, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	schemas := child(child(root.Content[0], "components"), "schemas")
	for i := 0; i < len(schemas.Content); i += 2 {
		if child(schemas.Content[i+1], "x-go-type") == nil {
			checkOrder(t, schemas.Content[i].Value, schemas.Content[i+1])
		}
	}
}

func checkOrder(t *testing.T, path string, schema *yaml.Node) {
	t.Helper()
	properties := child(schema, "properties")
	if properties == nil {
		return
	}
	for i := 0; i < len(properties.Content); i += 2 {
		name, property := properties.Content[i].Value, properties.Content[i+1]
		order := child(property, "x-order")
		if want := fmt.Sprint(i/2 + 1); order == nil || order.Value != want {
			t.Errorf("%s.%s needs x-order: %s", path, name, want)
		}
		checkOrder(t, path+"."+name, property)
	}
}

// child gives the value of a key of a mapping, nil where it has none.
func child(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// exampleText gives an example as it is sent.
func exampleText(t *testing.T, example any) string {
	t.Helper()
	if text, ok := example.(string); ok {
		return text
	}
	data, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// exampleBody gives an example as a body of a kind: a form of its fields where it
// is one.
func exampleBody(t *testing.T, kind string, example any) (contentType, body string) {
	t.Helper()
	if kind != "multipart/form-data" {
		return kind, exampleText(t, example)
	}
	var b strings.Builder
	form := multipart.NewWriter(&b)
	for name, value := range example.(map[string]any) {
		var part io.Writer
		var err error
		if name == "file" {
			part, err = form.CreateFormFile(name, "a.md")
		} else {
			part, err = form.CreateFormField(name)
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(part, value)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return form.FormDataContentType(), b.String()
}

func TestTheExamplesOfTheDocumentWork(t *testing.T) {
	f := &fake{
		space:    func(name string) (graph.Space, error) { return graph.Space{Name: name}, nil },
		personas: []graph.Persona{{Name: "小满"}},
	}
	for route, op := range readDocument(t).operations(t) {
		for kind, media := range op.RequestBody.Content {
			t.Run(route+" "+kind, func(t *testing.T) {
				kind, body := exampleBody(t, kind, media.Example)
				method, path, _ := strings.Cut(route, " ")
				for _, p := range op.Parameters {
					if p.In == "path" {
						path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(fmt.Sprint(p.Example)))
					}
				}
				if kind == "application/xml" {
					path += "?session_id=s"
				}
				wantStatus(t, call(t, serve(t, f), request(method, path, body, "Content-Type: "+kind)), 200)
			})
		}
	}
}

func TestTheGeneratedCodeIsThatOfTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the generator")
	}
	out := filepath.Join(t.TempDir(), "api.gen.go")
	generate := exec.CommandContext(t.Context(), "go", "tool", "oapi-codegen", "-config", "oapi-codegen.yaml", "-o", out, "openapi.yaml")
	if text, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("api.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Error("api.gen.go is not that of openapi.yaml: run go generate ./api")
	}
}

func TestTheDocumentIsServed(t *testing.T) {
	w := call(t, serve(t, &fake{}), request("GET", "/openapi.yaml", ""))
	wantStatus(t, w, 200)
	want, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, w.Body.Bytes()) || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/yaml") {
		t.Errorf("%s of %d bytes, want openapi.yaml", w.Header().Get("Content-Type"), w.Body.Len())
	}
}
