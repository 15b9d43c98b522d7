package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor/document"
)

func TestMarkdownStructure(t *testing.T) {
	const source = "---\ntitle: \"Trip notes\"\ndate: 2026-05-01\n---\n" +
		"# Halle\n\nAnna moved\nto *Halle* in [March](https://example.org/m \"x\"), see [below](#b).\\\nNext line \\* &amp; more.\n\n" +
		"王芳三月搬到\n杭州。\n\n" +
		"## 清单\n\n- boat\n  - oars\n- train\n\n  with tickets\n1. first\n\n" +
		"| What | Euro |\n|------|-----:|\n| Boat | 40 |\n\n" +
		"```go\nx := \"<b>\"\n```\n\n> Quoted `co*de*`.\n\n- [x] done\n\n<div><p>In <i>tags</i></p></div>\n\nSetext\n======\n"
	want := document.Document{Kind: document.Markdown, Title: "Trip notes", Blocks: []document.Block{
		{Text: "title: \"Trip notes\"\ndate: 2026-05-01"},
		{Kind: document.Heading, Level: 1, Text: "Halle"},
		{Text: "Anna moved to Halle in March (https://example.org/m), see below.\nNext line * & more."},
		{Text: "王芳三月搬到杭州。"},
		{Kind: document.Heading, Level: 2, Text: "清单"},
		{Kind: document.Item, Text: "boat"},
		{Kind: document.Item, Level: 1, Text: "oars"},
		{Kind: document.Item, Text: "train"},
		{Text: "with tickets"},
		{Kind: document.Item, Text: "first"},
		{Kind: document.Row, Text: "What | Euro"},
		{Kind: document.Row, Text: "Boat | 40"},
		{Kind: document.Preformatted, Text: "x := \"<b>\""},
		{Text: "Quoted co*de*."},
		{Kind: document.Item, Text: "[x] done"},
		{Text: "In tags"},
		{Kind: document.Heading, Level: 1, Text: "Setext"},
	}}
	if diff := cmp.Diff(want, read(t, "trip.md", []byte(source))); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdownTitles(t *testing.T) {
	tests := map[string]struct{ source, want string }{
		"its first heading":           {"text\n\n## Boats\n\n# Trains", "Boats"},
		"its name without one":        {"only text", "trip"},
		"a rule is not front matter":  {"---\n\nwords\n\n---\n", "trip"},
		"front matter without quotes": {"---\ntitle: 旅行\n---\n# Other", "旅行"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := read(t, "trip.md", []byte(test.source)).Title; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
