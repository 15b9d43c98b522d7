package document

import (
	"context"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// parseMarkdown parses within a time, since some texts cost the square of their
// length and the library cannot be told to stop. Reference links are left as
// written, with the lines that define them: what they cost is the square of
// their number, and no watchdog gets in between.
func parseMarkdown(ctx context.Context, src []byte, limits Limits) (root ast.Node, err error) {
	dog := &watchdog{ctx: ctx, until: time.Now().Add(limits.Time)}
	p := parser.NewParser(
		parser.WithBlockParsers(append(parser.DefaultBlockParsers(), util.Prioritized(watchBlocks{dog}, 1))...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(watchInlines{dog}, 1))...),
	)
	md := goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case overdue:
			if err = ctx.Err(); err == nil {
				err = refuse(TooLarge, "took longer to read than the limit of %s; split it, or send it as plain text", limits.Time)
			}
		default:
			panic(p)
		}
	}()
	return md.Parser().Parse(text.NewReader(src)), nil
}

// overdue is what the watchdog panics with: the only way out of the parser.
type overdue struct{}

// watchdog is asked at each line and at each character that may cost much.
type watchdog struct {
	ctx   context.Context
	until time.Time
}

func (w *watchdog) look() {
	if w.ctx.Err() != nil || time.Now().After(w.until) {
		panic(overdue{})
	}
}

// watchBlocks is a parser that never finds a block of its own.
type watchBlocks struct{ *watchdog }

func (watchBlocks) Trigger() []byte { return nil } // any line

func (w watchBlocks) Open(ast.Node, text.Reader, parser.Context) (ast.Node, parser.State) {
	w.look()
	return nil, parser.NoChildren
}

func (watchBlocks) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }

func (watchBlocks) Close(ast.Node, text.Reader, parser.Context) {}

func (watchBlocks) CanInterruptParagraph() bool { return true }

func (watchBlocks) CanAcceptIndentedLine() bool { return true }

// watchInlines is a parser that never finds anything inside a line.
type watchInlines struct{ *watchdog }

func (watchInlines) Trigger() []byte { return []byte("[]!<*_~`") }

func (w watchInlines) Parse(ast.Node, text.Reader, parser.Context) ast.Node {
	w.look()
	return nil
}
