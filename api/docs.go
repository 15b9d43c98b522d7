package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

var (
	//go:embed docs/page.html
	pageHTML string
	//go:embed docs/page.css
	pageCSS string
	//go:embed docs/page.js
	pageJS string
)

// GetDocs answers GET /docs.
func (s *Server) GetDocs(context.Context, GetDocsRequestObject) (GetDocsResponseObject, error) {
	return s.docs, nil
}

// docsResponse is the page with a policy under which a browser runs nothing
// that is not in it and lets nobody frame it.
type docsResponse struct {
	page   []byte
	policy string
}

// VisitGetDocsResponse writes the page.
func (d docsResponse) VisitGetDocsResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Security-Policy", d.policy)
	return GetDocs200TexthtmlResponse{Body: d.page}.VisitGetDocsResponse(w)
}

// docsPage makes the reference page: the specification, the script that renders
// it and the style in one file, which loads nothing from anywhere. It is made
// once, when the first server is.
var docsPage = sync.OnceValues(func() (docsResponse, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(specification, &root); err != nil {
		return docsResponse{}, fmt.Errorf("read openapi.yaml: %w", err)
	}
	var spec bytes.Buffer
	if err := writeNode(&spec, &root); err != nil {
		return docsResponse{}, fmt.Errorf("turn openapi.yaml into JSON: %w", err)
	}
	html := strings.NewReplacer(
		"{{css}}", pageCSS,
		"{{js}}", pageJS,
		// Nothing within a script element may look like its end.
		"{{spec}}", strings.ReplaceAll(spec.String(), "</", `<\/`),
	).Replace(pageHTML)
	policy := "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" +
		"; script-src 'sha256-" + sum(pageJS) + "'; style-src 'sha256-" + sum(pageCSS) + "'"
	return docsResponse{page: []byte(html), policy: policy}, nil
})

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(h[:])
}

// writeNode writes YAML as JSON with the fields in the order of the document,
// which is the order to read them in.
func writeNode(b *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.DocumentNode:
		return writeNode(b, n.Content[0])
	case yaml.AliasNode:
		return writeNode(b, n.Alias)
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			b.WriteByte("{,"[min(i, 1)])
			if err := writeValue(b, n.Content[i].Value); err != nil {
				return err
			}
			b.WriteByte(':')
			if err := writeNode(b, n.Content[i+1]); err != nil {
				return err
			}
		}
		if len(n.Content) == 0 {
			b.WriteByte('{')
		}
		b.WriteByte('}')
		return nil
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeNode(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	var value any
	if err := n.Decode(&value); err != nil {
		return err
	}
	return writeValue(b, value)
}

func writeValue(b *bytes.Buffer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	b.Write(text)
	return nil
}
