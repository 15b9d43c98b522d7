package document

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
)

// readWord gives the text of a Word file: its body, then its foot- and endnotes,
// and the title in its properties. Deleted text of tracked changes and hidden
// text are left out.
func readWord(b *builder, data []byte, limits Limits) (string, error) {
	w, err := openWord(data, limits)
	if err != nil {
		return "", err
	}
	main, err := w.mainPart()
	if err != nil {
		return "", err
	}
	body, err := w.part(main)
	if err != nil {
		return "", err
	}
	if body == nil {
		return "", refuse(Unsupported, "is a zip of a kind that is not read here; send txt, md, html, pdf or docx")
	}
	folder := path.Dir(main)
	styles, err := w.styles(path.Join(folder, "styles.xml"))
	if err != nil {
		return "", err
	}
	walker := &wordWalker{b: b, styles: styles}
	if err := walker.read(main, body); err != nil {
		return "", err
	}
	for _, notes := range []string{"footnotes.xml", "endnotes.xml"} {
		name := path.Join(folder, notes)
		part, err := w.part(name)
		if err != nil {
			return "", err
		}
		if err := walker.read(name, part); err != nil {
			return "", err
		}
	}
	title, err := w.title()
	if title == "" {
		title = walker.title
	}
	return title, err
}

// xmlTokens calls each for every token of a part. Entities other than XML's own
// five are errors, and none is ever expanded.
func xmlTokens(name string, part []byte, each func(xml.Token) error) error {
	if part == nil {
		return nil
	}
	d := xml.NewDecoder(bytes.NewReader(part))
	d.CharsetReader = charset.NewReaderLabel
	for {
		t, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return damagedPart(name, err)
		}
		if d, ok := t.(xml.Directive); ok && bytes.HasPrefix(bytes.ToUpper(d), []byte("DOCTYPE")) {
			return refuse(Bomb, "has a DOCTYPE in its part %s, which Word never writes; save it anew with Word and send that", short(name, 60))
		}
		if err := each(t); err != nil {
			return err
		}
	}
}

// mainPart gives the name of the part that holds the body.
func (w *wordFile) mainPart() (string, error) {
	const usual = "word/document.xml"
	rels, err := w.part("_rels/.rels")
	if err != nil {
		return "", err
	}
	main := usual
	err = xmlTokens("_rels/.rels", rels, func(t xml.Token) error {
		if e, ok := t.(xml.StartElement); ok && strings.HasSuffix(attr(e, "Type"), "/officeDocument") {
			main = strings.TrimPrefix(path.Clean("/"+attr(e, "Target")), "/")
		}
		return nil
	})
	return main, err
}

func (w *wordFile) title() (string, error) {
	const name = "docProps/core.xml"
	part, err := w.part(name)
	if err != nil {
		return "", err
	}
	title, inside := "", false
	err = xmlTokens(name, part, func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			inside = t.Name.Local == "title"
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				title += string(t)
			}
		}
		return nil
	})
	return strings.TrimSpace(title), err
}

// wordStyle is what a paragraph style says about structure.
type wordStyle struct {
	name    string
	based   string
	outline int // heading level 1 to 9; 0: none of its own
	list    bool
}

func (w *wordFile) styles(name string) (map[string]wordStyle, error) {
	part, err := w.part(name)
	if err != nil {
		return nil, err
	}
	styles := map[string]wordStyle{}
	id, style := "", wordStyle{}
	err = xmlTokens(name, part, func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "style":
				id, style = attr(t, "styleId"), wordStyle{}
			case "name":
				style.name = strings.ToLower(attr(t, "val"))
			case "basedOn":
				style.based = attr(t, "val")
			case "outlineLvl":
				style.outline = outlineLevel(attr(t, "val"))
			case "numPr":
				style.list = true
			}
		case xml.EndElement:
			if t.Name.Local == "style" {
				styles[id] = style
			}
		}
		return nil
	})
	return styles, err
}

var headingName = regexp.MustCompile(`^(?:heading|标题|標題) ?([1-9])$`)

// structure says what a style makes of a paragraph, following what the style is
// based on.
func structure(styles map[string]wordStyle, id string) (level int, list, title bool) {
	for range 20 { // styles may name each other in a ring
		style, ok := styles[id]
		if !ok {
			style.name = strings.ToLower(id) // files without a styles part
		}
		if level == 0 {
			level = style.outline
			if m := headingName.FindStringSubmatch(style.name); m != nil {
				level, _ = strconv.Atoi(m[1])
			}
		}
		list = list || style.list || strings.HasPrefix(style.name, "list ")
		title = title || style.name == "title"
		if style.based == "" {
			break
		}
		id = style.based
	}
	return min(level, 6), list && level == 0, title
}

// outlineLevel turns Word's outline level, 0 to 8 and 9 for body text, into the
// level of a heading, or 0.
func outlineLevel(val string) int {
	n, err := strconv.Atoi(val)
	if err != nil || n < 0 || n > 8 {
		return 0
	}
	return n + 1
}

func attr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}
