package extractor

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"

	"relata/extractor/document"
	"relata/graph"
)

const (
	// chunkTokens is what one question to the document reader holds, chunkOverlap
	// what it repeats of the one before.
	chunkTokens, chunkOverlap = 1500, 120
	// chunksADiff is how many chunks are read into one diff: a document of more is
	// read in parts, each applied and in the ledger by itself.
	chunksADiff = 6
)

// Material is a document, a text or an image that memories are read from.
type Material struct {
	Space   string
	Session string // stands for the material in recorded answers and lists; "" takes it from the title
	Title   string // "" takes the document's own
	Date    string // when it was written or given; "" for now
	GivenBy string // who gave it
	// VisibleTo are the personas and people that know what it says; nil for every
	// persona of the space.
	VisibleTo []string
	Tags      []string

	Name string // of the file
	Data []byte // the file; nil for Text
	Text string // free text in place of a file

	Image   bool   // Data is an image
	Context string // what is known of an image
	URL     string // where an image can be looked at; without Data it is fetched, where that is allowed
}

// Part is a piece of material that becomes one diff.
type Part struct {
	Material Material // without Data and Text
	Key      string   // idempotency key, the same for the same material
	Number   int      // from 1
	Parts    int
	Title    string
	Kind     graph.SourceKind
	Free     bool     // text in place of a document
	Chunks   []string // text of each
	First    int      // number of the first chunk, from 1
	Total    int      // chunks of the whole
	Picture  *document.Image
}

// Parts reads a file and cuts it. The same material gives the same parts. Errors:
// CodeInvalid, CodeTooLarge and CodeUnsupported for what cannot be read.
func (e *Extractor) Parts(ctx context.Context, m Material, key string) ([]Part, error) {
	if m.Image && len(m.Data) == 0 && m.URL != "" {
		var err error
		if m.Data, m.Name, err = e.get(ctx, m.URL); err != nil {
			return nil, err
		}
	}
	if isBlank(m.Text) && len(m.Data) == 0 {
		return nil, &graph.Error{Code: graph.CodeInvalid, Message: "there is nothing to read", Fields: []graph.Field{{Name: "text", Message: "is blank, and there is no file"}}}
	}
	if m.Image {
		return e.picture(m, key)
	}
	data, name := m.Data, m.Name
	if len(data) == 0 {
		data, name = []byte(m.Text), cmp.Or(m.Title, "text")+".txt"
	}
	doc, err := e.documents.Read(ctx, name, data, document.Limits{})
	if err != nil {
		return nil, fileError(ctx, err)
	}
	title := cmp.Or(strings.TrimSpace(m.Title), doc.Title, path.Base(name))
	chunks := document.Chunks(doc, chunkTokens, chunkOverlap, EstimateTokens)
	if key == "" {
		key = materialKey(m, title, doc.Text())
	}
	parts := (len(chunks) + chunksADiff - 1) / chunksADiff
	free := len(m.Data) == 0
	m.Data, m.Text = nil, ""
	m.Session = cmp.Or(m.Session, title)
	var out []Part
	for i := 0; i < len(chunks); i += chunksADiff {
		p := Part{
			Material: m, Number: len(out) + 1, Parts: parts, Title: title, Kind: graph.SourceChunk,
			Free: free, First: i + 1, Total: len(chunks),
		}
		p.Key = fmt.Sprintf("%s#%d/%d", key, p.Number, parts)
		for _, c := range chunks[i:min(i+chunksADiff, len(chunks))] {
			p.Chunks = append(p.Chunks, c.Text)
		}
		out = append(out, p)
	}
	return out, nil
}

// get fetches an image that is named by its URL, where that is allowed.
func (e *Extractor) get(ctx context.Context, address string) (data []byte, name string, err error) {
	if e.fetcher == nil {
		return nil, "", &graph.Error{Code: graph.CodeInvalid, Message: "there is no file", Fields: []graph.Field{{
			Name: "url", Message: "this server fetches no URLs: send the file, or start it with --fetch-images",
		}}}
	}
	return e.fetcher.Fetch(ctx, address)
}

func (e *Extractor) picture(m Material, key string) ([]Part, error) {
	image, err := document.ReadImage(m.Data, document.ImageLimits{})
	if err != nil {
		return nil, fileError(context.Background(), err)
	}
	title := cmp.Or(strings.TrimSpace(m.Title), path.Base(m.Name), "image")
	if key == "" {
		key = materialKey(m, title, image.SHA256+m.Context)
	}
	m.Data = nil
	m.Session = cmp.Or(m.Session, title)
	return []Part{{
		Material: m, Key: key + "#1/1", Number: 1, Parts: 1, Title: title, Kind: graph.SourceImage, First: 1, Total: 1, Picture: &image,
	}}, nil
}

// materialKey stands for the same material in the same place.
func materialKey(m Material, title, text string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{"material", m.Session, title, m.Date, text}, "\x00")))
	return "material:" + hex.EncodeToString(sum[:16])
}

// fileError gives a refusal of a file its code.
func fileError(ctx context.Context, err error) error {
	refused, ok := errors.AsType[*document.Error](err)
	if !ok {
		if ctx.Err() != nil {
			return contextError(ctx.Err())
		}
		return graph.WrapError(graph.CodeInternal, err, "the file could not be read")
	}
	code := graph.CodeInvalid
	switch refused.Code {
	case document.Unsupported:
		code = graph.CodeUnsupported
	case document.TooLarge, document.Bomb:
		code = graph.CodeTooLarge
	}
	return &graph.Error{Code: code, Message: refused.Message, Fields: []graph.Field{{Name: "file", Message: string(refused.Code)}}, Err: refused.Err}
}
