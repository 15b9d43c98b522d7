package document

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// maxNesting is how deep lists and quotes may stand in each other.
const maxNesting = 100

// deeplyNested finds a line that opens more quotes and lists than anyone writes.
var deeplyNested = regexp.MustCompile(`(?m)^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){100}`)

// readMarkdown gives the structure of Markdown with tables, and the title in its
// front matter.
func readMarkdown(ctx context.Context, b *builder, source string, limits Limits) (string, error) {
	front, body := frontMatter(clean(source))
	if deeplyNested.MatchString(body) {
		return "", refuse(Bomb, "nests lists or quotes more than %d deep in one line; send its text instead", maxNesting)
	}
	title := ""
	if front != "" {
		if found := frontTitle.FindStringSubmatch(front); found != nil {
			title = strings.Trim(found[1], `"' `)
		}
		if err := b.add(Paragraph, 0, front); err != nil {
			return "", err
		}
	}
	src := []byte(body)
	root, err := parseMarkdown(ctx, src, limits)
	if err != nil {
		return "", err
	}
	w := &markdownWalker{b: b, src: src}
	return title, w.children(root, Paragraph, 0)
}

var frontTitle = regexp.MustCompile(`(?m)^title:\s*(\S.*)$`)

// frontMatter parts the lines between two rules at the very start, in which many
// tools keep a note's title, date and tags, from the text.
func frontMatter(source string) (front, body string) {
	rest, ok := strings.CutPrefix(source, "---\n")
	if !ok {
		return "", source
	}
	front, body, ok = strings.Cut(rest, "\n---\n")
	if !ok || !strings.Contains(front, ":") || strings.Contains(front, "\n\n") {
		return "", source
	}
	return front, body
}

type markdownWalker struct {
	b   *builder
	src []byte
}

// children adds the blocks under n. Text directly in a list item is the item.
func (w *markdownWalker) children(n ast.Node, kind BlockKind, level int) error {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if err := w.block(c, kind, level); err != nil {
			return err
		}
		if kind == Item && c.Type() == ast.TypeBlock {
			kind = Paragraph // only the first text in an item is marked as one
		}
	}
	return nil
}

func (w *markdownWalker) block(n ast.Node, kind BlockKind, level int) error {
	switch n := n.(type) {
	case *ast.Heading:
		return w.b.add(Heading, n.Level, w.inline(n))
	case *ast.Paragraph, *ast.TextBlock:
		return w.b.add(kind, level, w.inline(n))
	case *ast.List:
		// A list's own items are one level further in than the list around it.
		if _, nested := n.Parent().(*ast.ListItem); nested {
			level++
		} else {
			level = 0
		}
		return w.children(n, Paragraph, level)
	case *ast.ListItem:
		return w.children(n, Item, level)
	case *extast.Footnote:
		return w.children(n, Item, 0)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return w.b.add(Preformatted, 0, w.lines(n))
	case *ast.HTMLBlock:
		raw := w.lines(n)
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(w.src))
		}
		_, err := readHTML(w.b, raw)
		return err
	case *extast.TableRow, *extast.TableHeader:
		var cells []string
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, w.inline(c))
		}
		return w.b.add(Row, 0, row(cells))
	}
	return w.children(n, kind, level)
}

func (w *markdownWalker) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(w.src))
	}
	return b.String()
}

// inline gives the text under n as it reads: marks dropped, lines that were only
// wrapped joined, and the addresses of links kept beside their words.
func (w *markdownWalker) inline(n ast.Node) string {
	var b lineBuilder
	w.collect(&b, n)
	return b.String()
}

// lineBuilder collects the text of a paragraph.
type lineBuilder struct {
	strings.Builder
	wrapped bool // the line so far ended where it was wrapped
}

func (b *lineBuilder) text(s string) {
	if s == "" {
		return
	}
	if b.wrapped {
		b.wrapped = false
		last, _ := utf8.DecodeLastRuneInString(b.String())
		first, _ := utf8.DecodeRuneInString(s)
		if !wide(last) || !wide(first) {
			b.WriteByte(' ')
		}
	}
	b.WriteString(s)
}

// written gives a text as it reads, its escapes and entities resolved.
func (w *markdownWalker) written(t *ast.Text) string {
	value := t.Value(w.src)
	if t.IsRaw() {
		return string(value)
	}
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value))))
}

func (w *markdownWalker) collect(b *lineBuilder, n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.text(w.written(c))
			if c.HardLineBreak() {
				b.text("\n")
			} else if c.SoftLineBreak() {
				b.wrapped = true
			}
		case *ast.String:
			b.text(string(c.Value))
		case *ast.AutoLink:
			b.text(string(c.URL(w.src)))
		case *ast.RawHTML:
			// Tags inside a line say how it looks, not what it says.
		case *ast.Link:
			w.collect(b, c)
			if to := string(c.Destination); strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
				b.text(" (" + to + ")")
			}
		case *extast.TaskCheckBox:
			if c.IsChecked {
				b.text("[x] ")
			} else {
				b.text("[ ] ")
			}
		case *extast.FootnoteLink:
			b.text("[" + strconv.Itoa(c.Index) + "]")
		default:
			w.collect(b, c)
		}
	}
}
