package document

import "strings"

// Kind is the format that a document was read from.
type Kind string

const (
	Text     Kind = "txt"
	Markdown Kind = "md"
	HTML     Kind = "html"
	PDF      Kind = "pdf"
	Word     Kind = "docx"
)

// BlockKind says what a block is in the document's structure.
type BlockKind int

const (
	Paragraph    BlockKind = iota
	Heading                // Level 1 to 6, 1 the highest
	Item                   // of a list; Level 0 is the outermost list
	Row                    // of a table, its cells parted by " | "
	Preformatted           // lines as they were, blanks and all
)

// Block is one piece of a document's structure. Its text is never blank; a
// heading and a row have one line, the others may have several.
type Block struct {
	Kind  BlockKind
	Level int
	Text  string
}

// Document is what a file says. Blocks are in reading order.
type Document struct {
	Kind   Kind
	Title  string // from the file itself, else its first heading, else its name
	Blocks []Block
	Pages  int // of a PDF, else 0
}

// Text gives the whole document as text, with headings and list items marked as
// in Markdown.
func (d Document) Text() string {
	text, _ := render(d.Blocks)
	return text
}

// span is where a block stands in the rendered text, marks included and the
// blank lines after it not.
type span struct {
	start, end int
	block      Block
}

func render(blocks []Block) (string, []span) {
	var b strings.Builder
	spans := make([]span, 0, len(blocks))
	for i, block := range blocks {
		if i > 0 {
			b.WriteString("\n")
			if !tight(blocks[i-1].Kind, block.Kind) {
				b.WriteString("\n")
			}
		}
		start := b.Len()
		switch block.Kind {
		case Heading:
			b.WriteString(strings.Repeat("#", block.Level) + " ")
		case Item:
			b.WriteString(strings.Repeat("  ", block.Level) + "- ")
		}
		b.WriteString(block.Text)
		spans = append(spans, span{start: start, end: b.Len(), block: block})
	}
	return b.String(), spans
}

// tight says whether two blocks stand on neighbouring lines.
func tight(a, b BlockKind) bool { return a == b && (a == Item || a == Row) }

// builder collects blocks, cleaned, and stops at the limit on text.
type builder struct {
	blocks []Block
	size   int
	limit  int
}

func (b *builder) add(kind BlockKind, level int, text string) error {
	switch kind {
	case Preformatted:
		text = strings.Trim(clean(text), "\n")
	case Heading, Row:
		text = oneLine(text)
	default:
		text = strings.TrimSpace(clean(text))
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	b.size += len(text)
	if b.size > b.limit {
		return refuse(TooLarge, "holds more than %s of text, the limit for one document; split it and send the parts", bytesText(int64(b.limit)))
	}
	b.blocks = append(b.blocks, Block{Kind: kind, Level: level, Text: text})
	return nil
}

func (b *builder) firstHeading() string {
	for _, block := range b.blocks {
		if block.Kind == Heading {
			return block.Text
		}
	}
	return ""
}

// row joins the cells of a table's row. A row of blank cells is "".
func row(cells []string) string {
	filled := false
	for i, c := range cells {
		cells[i] = oneLine(c)
		filled = filled || cells[i] != ""
	}
	if !filled {
		return ""
	}
	return strings.Join(cells, " | ")
}
