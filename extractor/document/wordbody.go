package document

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// maxDepth is how deep elements may stand in each other in a Word file.
const maxDepth = 2000

// wordWalker reads a part with paragraphs and tables, token by token.
type wordWalker struct {
	b      *builder
	styles map[string]wordStyle
	title  string // of the first paragraph in the style for titles

	depth  int
	skip   int // the depth of the element that is being left out, or 0
	text   int // the depth of the element whose text counts, or 0
	paras  []*wordParagraph
	tables []*wordTable
}

type wordParagraph struct {
	text    strings.Builder
	level   int // of a heading
	list    bool
	indent  int
	title   bool
	hidden  bool // the run that is being read
	inTable int  // how many tables stood around it
}

type wordTable struct {
	cells [][]string // of the row that is being read: the paragraphs of each
}

// leftOut are elements whose content a reader of the document does not see:
// older forms of a drawing, what tracked changes deleted or moved away, and the
// styles that a change replaced.
var leftOut = map[string]bool{
	"Fallback": true, "del": true, "moveFrom": true, "pPrChange": true, "rPrChange": true, "sectPr": true,
}

func (w *wordWalker) read(name string, part []byte) error {
	w.depth, w.skip, w.text, w.paras, w.tables = 0, 0, 0, nil, nil
	return xmlTokens(name, part, func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			if w.depth++; w.depth > maxDepth {
				return refuse(Bomb, "nests its elements too deeply to be read; send its text instead")
			}
			if w.skip == 0 {
				w.start(t)
			}
		case xml.EndElement:
			w.depth--
			if w.skip > w.depth {
				w.skip = 0
				return nil
			}
			if w.skip == 0 {
				return w.end(t.Name.Local)
			}
		case xml.CharData:
			if p := w.para(); w.skip == 0 && w.text > 0 && p != nil && !p.hidden {
				p.text.Write(t)
			}
		}
		return nil
	})
}

func (w *wordWalker) para() *wordParagraph {
	if len(w.paras) == 0 {
		return nil
	}
	return w.paras[len(w.paras)-1]
}

func (w *wordWalker) start(e xml.StartElement) {
	if leftOut[e.Name.Local] {
		w.skip = w.depth
		return
	}
	switch e.Name.Local {
	case "p":
		w.paras = append(w.paras, &wordParagraph{inTable: len(w.tables)})
		return
	case "tbl":
		w.tables = append(w.tables, &wordTable{})
		return
	case "tr":
		if t := w.table(); t != nil {
			t.cells = nil
		}
		return
	case "tc":
		if t := w.table(); t != nil {
			t.cells = append(t.cells, nil)
		}
		return
	}
	p := w.para()
	if p == nil {
		return
	}
	switch e.Name.Local {
	case "t":
		w.text = w.depth
	case "r":
		p.hidden = false
	case "vanish":
		p.hidden = on(e)
	case "tab", "ptab":
		p.mark("\t")
	case "br", "cr":
		p.mark("\n")
	case "noBreakHyphen":
		p.mark("-")
	case "pStyle":
		level, list, title := structure(w.styles, attr(e, "val"))
		p.level, p.list, p.title = level, list, title
	case "outlineLvl":
		p.level = min(outlineLevel(attr(e, "val")), 6)
	case "numPr":
		p.list = p.level == 0
	case "ilvl":
		p.indent, _ = strconv.Atoi(attr(e, "val"))
		p.indent = min(max(p.indent, 0), 8)
	case "numId":
		p.list = p.list && attr(e, "val") != "0" // 0 takes a style's number away
	}
}

// mark adds a character that stands in the file as an element. Tab stops of the
// paragraph's own properties come before any text, where blanks are trimmed.
func (p *wordParagraph) mark(s string) {
	if !p.hidden {
		p.text.WriteString(s)
	}
}

func on(e xml.StartElement) bool {
	switch attr(e, "val") {
	case "0", "false", "off":
		return false
	}
	return true
}

func (w *wordWalker) table() *wordTable {
	if len(w.tables) == 0 {
		return nil
	}
	return w.tables[len(w.tables)-1]
}

func (w *wordWalker) end(name string) error {
	switch name {
	case "t":
		w.text = 0
	case "p":
		if p := w.para(); p != nil {
			w.paras = w.paras[:len(w.paras)-1]
			return w.paragraph(p)
		}
	case "tr":
		if t := w.table(); t != nil {
			cells := make([]string, len(t.cells))
			for i, paragraphs := range t.cells {
				cells[i] = strings.Join(paragraphs, " ")
			}
			t.cells = nil
			text := row(cells)
			if len(w.tables) > 1 { // a table in a cell is part of its text
				w.cell(w.tables[len(w.tables)-2], text)
				return nil
			}
			return w.b.add(Row, 0, text)
		}
	case "tbl":
		if len(w.tables) > 0 {
			w.tables = w.tables[:len(w.tables)-1]
		}
	}
	return nil
}

func (w *wordWalker) cell(t *wordTable, text string) {
	if len(t.cells) == 0 {
		t.cells = append(t.cells, nil)
	}
	last := len(t.cells) - 1
	t.cells[last] = append(t.cells[last], text)
}

func (w *wordWalker) paragraph(p *wordParagraph) error {
	text := p.text.String()
	if p.title && w.title == "" {
		w.title = oneLine(text)
	}
	switch {
	case p.inTable > 0 && len(w.tables) > 0:
		w.cell(w.table(), text)
		return nil
	case p.title:
		return w.b.add(Heading, 1, text)
	case p.level > 0:
		return w.b.add(Heading, p.level, text)
	case p.list:
		return w.b.add(Item, p.indent, text)
	}
	return w.b.add(Paragraph, 0, text)
}
