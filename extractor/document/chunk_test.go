package document_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"relata/extractor/document"
)

// runes counts one token a character, so that budgets in tests can be read.
func runes(s string) int { return utf8.RuneCountInString(s) }

func texts(chunks []document.Chunk) []string {
	var out []string
	for _, c := range chunks {
		out = append(out, c.Text)
	}
	return out
}

func para(text string) document.Block { return document.Block{Text: text} }

func heading(level int, text string) document.Block {
	return document.Block{Kind: document.Heading, Level: level, Text: text}
}

func TestChunksFollowTheStructure(t *testing.T) {
	tests := map[string]struct {
		blocks          []document.Block
		tokens, overlap int
		want            []string
	}{
		"one that fits stays whole":          {[]document.Block{heading(1, "A"), para("One."), heading(1, "B"), para("Two.")}, 100, 10, []string{"# A\n\nOne.\n\n# B\n\nTwo."}},
		"before a heading":                   {[]document.Block{heading(1, "A"), para("One two three."), heading(1, "B"), para("Four five six.")}, 30, 0, []string{"# A\n\nOne two three.", "# B\n\nFour five six."}},
		"before all headings of a section":   {[]document.Block{para("One two three."), heading(1, "B"), heading(2, "C"), para("Four five six.")}, 28, 0, []string{"One two three.", "# B\n\n## C\n\nFour five six."}},
		"between paragraphs":                 {[]document.Block{para("One two three four."), para("Five."), para("Six. Seven eight nine ten.")}, 36, 0, []string{"One two three four.\n\nFive.", "Six. Seven eight nine ten."}},
		"between sentences":                  {[]document.Block{para("One two. Three four. Five six.")}, 21, 0, []string{"One two. Three four.", "Five six."}},
		"between Chinese sentences":          {[]document.Block{para("王芳搬到杭州。她喝茶！“真的？”是的。")}, 11, 0, []string{"王芳搬到杭州。她喝茶！", "“真的？”是的。"}},
		"whole sentences are repeated":       {[]document.Block{para("One two. Three. Four. Five six.")}, 18, 9, []string{"One two. Three.", "Three. Four.", "Four. Five six."}},
		"nothing is repeated into a section": {[]document.Block{heading(1, "A"), para("One two three."), heading(1, "B"), para("Four five six.")}, 30, 15, []string{"# A\n\nOne two three.", "# B\n\nFour five six."}},
		"inside a sentence at a comma":       {[]document.Block{para("他带了苹果、香蕉和一袋橙子，还有茶")}, 15, 0, []string{"他带了苹果、香蕉和一袋橙子，", "还有茶"}},
		"inside a word":                      {[]document.Block{para("abcdefghij")}, 4, 0, []string{"abcd", "efgh", "ij"}},
		"never inside a character":           {[]document.Block{para("👩\u200d👩\u200d👧👩\u200d👩\u200d👧")}, 6, 0, []string{"👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"}},
		"a character too long for a chunk":   {[]document.Block{para("👩\u200d👩\u200d👧")}, 3, 0, []string{"👩\u200d👩", "\u200d👧"}},
		"brackets that open no sentence":     {[]document.Block{para("a. ((( “ b. （（")}, 6, 2, []string{"a. (((", "“ b.", "（（"}},
		"between rows":                       {[]document.Block{{Kind: document.Row, Text: "Anna. | Halle"}, {Kind: document.Row, Text: "Ben. | Jena"}}, 14, 0, []string{"Anna. | Halle", "Ben. | Jena"}},
		"between lines of code":              {[]document.Block{{Kind: document.Preformatted, Text: "x = 1. Y\n  z = 2"}}, 12, 0, []string{"x = 1. Y", "  z = 2"}},
		"a line end in a long sentence":      {[]document.Block{para("The boat that we took from the harbour at noon was\nlate. It came at two.")}, 60, 0, []string{"The boat that we took from the harbour at noon was\nlate.", "It came at two."}},
		"lines of talk":                      {[]document.Block{para("Anna: hi\nBen: hello there\nAnna: bye")}, 26, 0, []string{"Anna: hi\nBen: hello there", "Anna: bye"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := texts(document.Chunks(document.Document{Blocks: test.blocks}, test.tokens, test.overlap, runes))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChunksKnowTheirHeadings(t *testing.T) {
	doc := document.Document{Blocks: []document.Block{
		para("Before."), heading(1, "Trips"), heading(2, "Boats"), para("One two three. Four five six."), heading(2, "火车"), para("Seven."),
		heading(1, "Costs"), heading(3, "Deep"), para("Eight."),
	}}
	var got [][]string
	for _, c := range document.Chunks(doc, 35, 0, runes) {
		got = append(got, append([]string{c.Text}, c.Heading...))
	}
	want := [][]string{
		{"Before."},
		{"# Trips\n\n## Boats\n\nOne two three.", "Trips", "Boats"},
		{"Four five six.\n\n## 火车\n\nSeven.", "Trips", "Boats"},
		{"# Costs\n\n### Deep\n\nEight.", "Costs", "Deep"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// check tests what holds of every document's chunks.
func check(t *testing.T, doc document.Document, tokens, overlap int) {
	t.Helper()
	text := doc.Text()
	chunks := document.Chunks(doc, tokens, overlap, runes)
	at := 0
	for i, c := range chunks {
		own := strings.TrimSpace(text[c.Start:c.End])
		switch {
		case c.Index != i || c.Start != at || c.End <= c.Start:
			t.Fatalf("chunk %d is numbered %d and owns %d to %d, after %d", i, c.Index, c.Start, c.End, at)
		case !strings.Contains(c.Text, own):
			t.Fatalf("chunk %d %q leaves out some of its own %q", i, c.Text, own)
		case !strings.Contains(text, c.Text) || !utf8.ValidString(c.Text):
			t.Fatalf("chunk %d %q is not of the text", i, c.Text)
		case runes(c.Text) > max(tokens, 1):
			t.Fatalf("chunk %d has %d tokens of %d: %q", i, runes(c.Text), tokens, c.Text)
		}
		at = c.End
	}
	if at != len(text) {
		t.Fatalf("the chunks own %d bytes of %d", at, len(text))
	}
	if again := document.Chunks(doc, tokens, overlap, runes); !reflect.DeepEqual(chunks, again) {
		t.Fatal("the same document gave other chunks")
	}
}

func FuzzChunks(f *testing.F) {
	f.Add("# A\n\nOne two. Three four.\n\n- x\n- y\n\n| a | b |\n|---|---|\n| c | d |\n", 10, 5)
	f.Add("王芳搬到杭州。她喝茶！“真的？”是的。\n\n```\nx\n\n\ny\n```\n", 7, 3)
	f.Add("👩\u200d👩\u200d👧 a\u0301\u0301\u0301\u0301 \r\n\r\n    code   \n\n\n \x00 end", 1, 9)
	f.Fuzz(func(t *testing.T, source string, tokens, overlap int) {
		doc, err := reader.Read(t.Context(), "a.md", []byte(source), document.Limits{Bytes: 1 << 16})
		if err != nil {
			return
		}
		check(t, doc, tokens%2000, overlap%2000)
	})
}

func TestNoChunksOfNothing(t *testing.T) {
	if got := document.Chunks(document.Document{}, 10, 2, runes); got != nil {
		t.Errorf("got %v", got)
	}
}
