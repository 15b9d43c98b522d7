package document

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
)

const (
	maxParts = 10_000 // in a Word file; large ones have hundreds
	// maxRatio is how many times larger than its packed form a part may be, once
	// it is larger than ratioFrom. XML packs to a tenth or a thirtieth.
	maxRatio  = 200
	ratioFrom = 1 << 20
)

// wordFile is an opened Word file: a zip whose parts are read within bounds.
type wordFile struct {
	parts map[string]*zip.File
	left  int64 // bytes that may still be unpacked
	limit int64
}

// openWord opens a zip as a Word file, and says what else it is when it is none.
func openWord(data []byte, limits Limits) (*wordFile, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, refuse(Damaged, "is a damaged or cut-off zip or Word file; save it anew and send that").because(err)
	}
	if len(z.File) > maxParts {
		return nil, refuse(Bomb, "has %d parts inside, more than any Word file needs; send its text instead", len(z.File))
	}
	w := &wordFile{parts: map[string]*zip.File{}, left: limits.Expanded, limit: limits.Expanded}
	for _, f := range z.File {
		w.parts[strings.ToLower(strings.TrimPrefix(f.Name, "/"))] = f
	}
	if w.parts["[content_types].xml"] == nil {
		return nil, refuse(Unsupported, "is a zip archive, which is not read here; send the files in it one by one")
	}
	for prefix, what := range map[string]string{"xl/": "a spreadsheet; save its sheets as pdf or csv", "ppt/": "a presentation; save it as pdf"} {
		for name := range w.parts {
			if strings.HasPrefix(name, prefix) {
				return nil, refuse(Unsupported, "is %s and send that", what)
			}
		}
	}
	return w, nil
}

// part unpacks one part, or gives nil where there is none of that name.
func (w *wordFile) part(name string) ([]byte, error) {
	f := w.parts[strings.ToLower(name)]
	if f == nil {
		return nil, nil
	}
	if f.Flags&1 != 0 {
		return nil, refuse(Encrypted, "is protected by a password; save a copy without one and send that")
	}
	bomb := refuse(Bomb, "unpacks to far more than its size: more than %s, or %d times what it packs; send its text instead", bytesText(w.limit), maxRatio)
	r, err := f.Open()
	if err != nil {
		return nil, damagedPart(name, err)
	}
	defer r.Close()
	// The sizes in the zip's directory are what its maker wrote; only the bytes
	// that come out count.
	allowed := min(w.left, max(ratioFrom, int64(f.CompressedSize64)*maxRatio))
	out, err := io.ReadAll(io.LimitReader(r, allowed+1))
	w.left -= int64(len(out))
	switch {
	case int64(len(out)) > allowed:
		return nil, bomb
	case err != nil && !errors.Is(err, io.EOF):
		return nil, damagedPart(name, err)
	}
	return out, nil
}

func damagedPart(name string, err error) error {
	return refuse(Damaged, "is a damaged Word file: its part %s cannot be read; save it anew and send that", short(name, 60)).because(err)
}
