package document

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unseen are elements whose content a reader of the page does not see as its
// text, or that lead elsewhere.
var unseen = map[atom.Atom]bool{
	atom.Head: true, atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Nav: true,
	atom.Iframe: true, atom.Object: true, atom.Svg: true, atom.Canvas: true, atom.Select: true, atom.Button: true,
	atom.Textarea: true, atom.Datalist: true, atom.Dialog: true, atom.Audio: true, atom.Video: true,
}

// flowing are elements inside a line; all others begin a block of their own.
var flowing = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true, atom.Cite: true,
	atom.Code: true, atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true,
	atom.Img: true, atom.Ins: true, atom.Kbd: true, atom.Label: true, atom.Mark: true, atom.Q: true, atom.Ruby: true,
	atom.Rb: true, atom.Rt: true, atom.Rp: true, atom.S: true, atom.Samp: true, atom.Small: true, atom.Span: true,
	atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.Tt: true, atom.U: true, atom.Var: true,
	atom.Wbr: true,
}

// readHTML gives what a reader of the page sees, and the page's title.
func readHTML(b *builder, text string) (string, error) {
	if reopened(text) > maxReopened {
		return "", refuse(Bomb, "opens formatting that it never closes, in so many places that it cannot be read; send its text instead")
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return "", refuse(Bomb, "nests its elements too deeply to be read; send its text instead").because(err)
	}
	w := &pageWalker{b: b}
	if err := w.walk(root); err != nil {
		return "", err
	}
	return w.title, w.flush()
}

// formatting are the elements that a parser opens again in each block until they
// are closed.
var formatting = map[atom.Atom]bool{
	atom.A: true, atom.B: true, atom.Big: true, atom.Code: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Nobr: true,
	atom.S: true, atom.Small: true, atom.Strike: true, atom.Strong: true, atom.Tt: true, atom.U: true,
}

// maxReopened is how many elements a page may make a parser add that way. A
// hundred of them before many short paragraphs would fill any memory.
const maxReopened = 2_000_000

// reopened gives how many elements a parser would at most add to a page by
// opening formatting again. It stops counting beyond maxReopened.
func reopened(text string) int {
	z := html.NewTokenizer(strings.NewReader(text))
	open, count := 0, 0
	for count <= maxReopened {
		switch z.Next() {
		case html.ErrorToken:
			return count
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			if formatting[atom.Lookup(name)] {
				open++
			} else {
				count += open
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if formatting[atom.Lookup(name)] {
				open = max(open-1, 0)
			} else {
				count += open
			}
		}
	}
	return count
}

// pageWalker goes through a page and collects the line of text it is in.
type pageWalker struct {
	b     *builder
	title string
	line  strings.Builder
	kind  BlockKind // of the line
	level int
	lists int        // how many lists stand around
	row   [][]string // the row that is read: the blocks of each cell; nil outside
}

func (w *pageWalker) flush() error {
	text := w.line.String()
	w.line.Reset()
	kind, level := w.kind, w.level
	if kind == Item && strings.TrimSpace(text) != "" {
		w.kind, w.level = Paragraph, 0 // what follows in the item is not a second item
	}
	if kind != Preformatted {
		text = wrappedText(text)
	}
	if w.row != nil { // blocks inside a cell become its text
		w.row[len(w.row)-1] = append(w.row[len(w.row)-1], text)
		return nil
	}
	return w.b.add(kind, level, text)
}

// wrappedText makes one blank of every run of blanks, except for line ends that
// were asked for, which stand in the text as \v.
func wrappedText(text string) string {
	lines := strings.Split(text, "\v")
	for i, line := range lines {
		// Wide blanks are kept: they are text, unlike those that only part words.
		lines[i] = strings.Join(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n\f", r) }), " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func (w *pageWalker) walk(n *html.Node) error {
	switch n.Type {
	case html.TextNode:
		if w.kind == Preformatted {
			w.line.WriteString(n.Data)
		} else {
			w.line.WriteString(strings.ReplaceAll(n.Data, "\v", " "))
		}
		return nil
	case html.ElementNode:
		return w.element(n)
	case html.DocumentNode:
		return w.children(n)
	}
	return nil
}

func (w *pageWalker) children(n *html.Node) error {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if err := w.walk(c); err != nil {
			return err
		}
	}
	return nil
}

func (w *pageWalker) element(n *html.Node) error {
	switch {
	case n.DataAtom == atom.Head:
		w.title = headTitle(n)
		return nil
	case unseen[n.DataAtom] || hidden(n):
		return nil
	case n.DataAtom == atom.Br:
		w.line.WriteString("\v")
		return nil
	case n.DataAtom == atom.Img:
		w.line.WriteString(" " + attribute(n, "alt") + " ")
		return nil
	case flowing[n.DataAtom]:
		return w.children(n)
	case (n.DataAtom == atom.Td || n.DataAtom == atom.Th) && w.row != nil:
		if err := w.flush(); err != nil {
			return err
		}
		w.row = append(w.row, nil)
		if err := w.children(n); err != nil {
			return err
		}
		return w.flush()
	case n.DataAtom == atom.Tr && w.row == nil:
		return w.tableRow(n)
	}
	if err := w.flush(); err != nil {
		return err
	}
	kind, level := w.kind, w.level
	w.kind, w.level = Paragraph, 0
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.kind, w.level = Heading, int(n.Data[1]-'0')
	case atom.Pre:
		w.kind = Preformatted
	case atom.Li:
		w.kind, w.level = Item, max(w.lists-1, 0)
	case atom.Ul, atom.Ol, atom.Menu:
		w.lists++
		defer func() { w.lists-- }()
	default:
		// A block inside a heading, an item or preformatted text is still that.
		w.kind, w.level = kind, level
	}
	if err := w.children(n); err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	if kind == Item {
		kind, level = Paragraph, 0
	}
	w.kind, w.level = kind, level
	return nil
}

func (w *pageWalker) tableRow(n *html.Node) error {
	if err := w.flush(); err != nil {
		return err
	}
	w.row = [][]string{nil} // for text outside of cells, which browsers show too
	err := w.children(n)
	if err == nil {
		err = w.flush()
	}
	read := w.row
	w.row = nil
	if err != nil {
		return err
	}
	var cells []string
	for i, blocks := range read {
		if text := oneLine(strings.Join(blocks, " ")); i > 0 || text != "" {
			cells = append(cells, text)
		}
	}
	return w.b.add(Row, 0, row(cells))
}

func headTitle(head *html.Node) string {
	for c := head.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Title && c.FirstChild != nil {
			return c.FirstChild.Data
		}
	}
	return ""
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// hidden says whether the page itself hides an element from its readers.
func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			return a.Val == "true"
		case "style":
			style := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}
