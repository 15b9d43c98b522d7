package document

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"
)

// Limits bound what one document may cost. A field that is 0 has the default
// named beside it.
type Limits struct {
	Bytes    int64         // of the file: 20 MB
	Text     int           // bytes of text in it, UTF-8: 5 MB
	Pages    int           // of a PDF: 2000
	Expanded int64         // bytes of a Word file once unpacked: 100 MB
	Time     time.Duration // for PDF and Markdown, besides what the context allows: 1 minute
}

func (l Limits) filled() Limits {
	if l.Bytes == 0 {
		l.Bytes = 20 << 20
	}
	if l.Text == 0 {
		l.Text = 5 << 20
	}
	if l.Pages == 0 {
		l.Pages = 2000
	}
	if l.Expanded == 0 {
		l.Expanded = 100 << 20
	}
	if l.Time == 0 {
		l.Time = time.Minute
	}
	return l
}

// Reader reads documents. The zero value is ready; it may be used by several
// goroutines, and is to be closed when no longer needed. The first PDF compiles
// the PDF engine, which takes some seconds and is kept.
type Reader struct {
	// CacheDir is a folder that keeps the compiled PDF engine between runs, about
	// 22 MB; "" compiles it anew in each. To be set before the first Read.
	CacheDir string

	pdf pdfEngine
}

// Close frees the PDF engine, if one was made. Reading PDFs fails from then on.
func (r *Reader) Close() error { return r.pdf.close() }

// Read gives the text and structure of a file. What it is, is told by its
// content; its name only tells Markdown from plain text where the content leaves
// that open, and is the last choice for a title. The error is an [*Error] when
// the file is at fault, and the context's when that ended.
func (r *Reader) Read(ctx context.Context, name string, data []byte, limits Limits) (_ Document, err error) {
	limits = limits.filled()
	shown := "the file"
	if base := baseName(name); base != "" {
		shown = `"` + base + `"`
	}
	defer guard(shown, &err)
	if err := ctx.Err(); err != nil {
		return Document{}, err
	}
	doc, err := r.read(ctx, name, data, limits)
	var refused *Error
	switch {
	case errors.As(err, &refused):
		return Document{}, &Error{Code: refused.Code, Message: shown + " " + refused.Message, Err: refused.Err}
	case err != nil:
		return Document{}, err
	}
	return doc, nil
}

func (r *Reader) read(ctx context.Context, name string, data []byte, limits Limits) (Document, error) {
	switch {
	case len(data) == 0:
		return Document{}, refuse(Empty, "is empty: it has no bytes")
	case int64(len(data)) > limits.Bytes:
		return Document{}, refuse(TooLarge, "has %s, more than the limit of %s; split it and send the parts", bytesText(int64(len(data))), bytesText(limits.Bytes))
	}
	kind, text, err := detect(name, data)
	if err != nil {
		return Document{}, err
	}
	doc := Document{Kind: kind}
	b := &builder{limit: limits.Text}
	switch kind {
	case Text:
		err = readPlain(b, text)
	case Markdown:
		doc.Title, err = readMarkdown(ctx, b, text, limits)
	case HTML:
		doc.Title, err = readHTML(b, text)
	case Word:
		doc.Title, err = readWord(b, data, limits)
	case PDF:
		doc.Title, doc.Pages, err = r.pdf.read(ctx, b, data, limits, r.CacheDir)
	}
	if err != nil {
		return Document{}, err
	}
	if len(b.blocks) == 0 {
		return Document{}, refuse(Empty, "has no text that a person would see")
	}
	doc.Blocks = b.blocks
	if doc.Title = short(oneLine(doc.Title), 200); doc.Title == "" {
		doc.Title = short(b.firstHeading(), 200)
	}
	if doc.Title == "" {
		base := baseName(name)
		doc.Title = strings.TrimSuffix(base, path.Ext(base))
	}
	return doc, nil
}

// baseName gives the last part of a file's name as it may be shown.
func baseName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	return short(oneLine(name), 200)
}
