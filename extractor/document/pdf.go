package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

const (
	pdfAtOnce = 2    // documents read at the same time; the others wait
	pdfMemory = 4096 // pages of 64 KB that one document may use: 256 MB
)

// pdfEngine makes the PDF engine at first use and keeps it compiled. Each
// document has an instance of its own with fresh memory, which ends with it.
type pdfEngine struct {
	mu     sync.Mutex
	pool   pdfium.Pool
	closed bool
}

var errClosed = errors.New("document: the reader is closed")

func (e *pdfEngine) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.pool == nil {
		return nil
	}
	pool := e.pool
	e.pool = nil
	return pool.Close()
}

func (e *pdfEngine) instance(ctx context.Context, cacheDir string) (pdfium.Pdfium, error) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil, errClosed
	}
	if e.pool == nil {
		cache, err := compiled(cacheDir)
		if err != nil {
			e.mu.Unlock()
			return nil, err
		}
		pool, err := webassembly.Init(webassembly.Config{
			MaxTotal: pdfAtOnce,
			// Without an FSConfig the engine could read the whole disk.
			FSConfig: wazero.NewFSConfig(),
			Stdout:   io.Discard,
			Stderr:   io.Discard,
			RuntimeConfig: wazero.NewRuntimeConfig().
				WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
				WithCompilationCache(cache).
				WithCloseOnContextDone(true).
				WithMemoryLimitPages(pdfMemory),
		})
		if err != nil {
			e.mu.Unlock()
			return nil, fmt.Errorf("start the PDF engine: %w", err)
		}
		e.pool = pool
	}
	pool := e.pool
	e.mu.Unlock()
	return pool.GetInstanceWithContext(ctx)
}

// compiled gives where the engine's machine code is kept.
func compiled(dir string) (wazero.CompilationCache, error) {
	if dir == "" {
		return wazero.NewCompilationCache(), nil
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil, fmt.Errorf("keep the compiled PDF engine in %s: %w", dir, err)
	}
	return cache, nil
}

// read gives the text of a PDF's pages in order, its title and how many pages it
// has.
func (e *pdfEngine) read(ctx context.Context, b *builder, data []byte, limits Limits, cacheDir string) (title string, pages int, err error) {
	engine, err := e.instance(ctx, cacheDir)
	if err != nil {
		return "", 0, err
	}
	// Neither compiling the engine nor waiting for others is the document's time.
	within, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	end := context.AfterFunc(within, func() { engine.Kill() })
	defer func() {
		if end() {
			engine.Close()
		}
	}()
	title, pages, err = readPages(engine, b, data, limits)
	return title, pages, stopped(ctx, within, limits.Time, err)
}

// stopped tells an error of the file from the end of the time it had.
func stopped(outer, inner context.Context, allowed time.Duration, err error) error {
	switch {
	case err == nil:
		return nil
	case outer.Err() != nil:
		return outer.Err()
	case inner.Err() != nil:
		return refuse(TooLarge, "took longer to read than the limit of %s; split it, or save it anew, and send that", allowed).because(err)
	}
	return err
}

func readPages(engine pdfium.Pdfium, b *builder, data []byte, limits Limits) (string, int, error) {
	opened, err := engine.OpenDocument(&requests.OpenDocument{File: &data})
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return "", 0, refuse(Encrypted, "is protected by a password; save a copy without one and send that").because(err)
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return "", 0, refuse(Encrypted, "is protected in a way that is not read here; save a copy without protection and send that").because(err)
	case err != nil:
		return "", 0, refuse(Damaged, "is a damaged or cut-off PDF; save it anew and send that").because(err)
	}
	count, err := engine.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		return "", 0, damagedPDF(0, err)
	}
	pages := count.PageCount
	switch {
	case pages == 0:
		return "", 0, refuse(Empty, "is a PDF without pages")
	case pages > limits.Pages:
		return "", 0, refuse(TooLarge, "has %d pages, more than the limit of %d; split it and send the parts", pages, limits.Pages)
	}
	layout := &pdfLayout{limit: limits.Text}
	for i := range pages {
		lines, err := pageLines(engine, opened.Document, i)
		if err != nil {
			return "", 0, damagedPDF(i+1, err)
		}
		if err := layout.page(lines); err != nil {
			return "", 0, err
		}
	}
	if !layout.words {
		return "", 0, refuse(NoText, "has %d pages but no text in them, only pictures: it looks scanned; run text recognition (OCR) over it, or send its pages as images", pages)
	}
	if err := layout.blocks(b); err != nil {
		return "", 0, err
	}
	meta, err := engine.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: opened.Document, Tag: "Title"})
	if err != nil {
		return "", pages, nil // a document without properties has no title
	}
	return meta.Value, pages, nil
}

func damagedPDF(page int, err error) error {
	return refuse(Damaged, "cannot be read at its page %d: it is damaged, or needs more than %s of memory; save it anew, or send its text", page, bytesText(pdfMemory<<16)).because(err)
}

// pageLines gives the lines of a page, in the order in which the engine reads
// them.
func pageLines(engine pdfium.Pdfium, doc references.FPDF_DOCUMENT, index int) ([]pdfLine, error) {
	page, err := engine.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: doc, Index: index})
	if err != nil {
		return nil, err
	}
	defer engine.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: page.Page})
	text, err := engine.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: requests.Page{ByReference: &page.Page}})
	if err != nil {
		return nil, err
	}
	defer engine.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage})
	count, err := engine.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text.TextPage})
	if err != nil {
		return nil, err
	}
	var lines []pdfLine
	var line pdfLine
	var high rune // the first half of a character outside of the basic plane
	for i := range count.Count {
		char, err := engine.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: text.TextPage, Index: i})
		if err != nil {
			return nil, err
		}
		r := rune(char.Unicode)
		switch {
		case r == '\r' || r == '\n':
			if len(line.text) > 0 {
				lines = append(lines, line)
			}
			line = pdfLine{}
			continue
		case r == 0:
			continue
		case utf16.IsSurrogate(r):
			if high == 0 {
				high = r
				continue
			}
			r, high = utf16.DecodeRune(high, r), 0
		}
		if len(line.text) == 0 && r != ' ' {
			box, err := engine.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: text.TextPage, Index: i})
			if err == nil { // characters without a place have none
				line.left, line.bottom, line.height = float64(box.Rect.Left), float64(box.Rect.Bottom), float64(box.Rect.Top-box.Rect.Bottom)
			}
		}
		line.text = append(line.text, r)
	}
	if len(line.text) > 0 {
		lines = append(lines, line)
	}
	return lines, nil
}
