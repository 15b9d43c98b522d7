package document_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"relata/extractor/document"
)

// fuzzLimits keep one input cheap.
var fuzzLimits = document.Limits{Bytes: 1 << 20, Text: 1 << 20, Pages: 20, Expanded: 4 << 20, Time: 10 * time.Second}

// fuzzRead reads files: whatever the bytes are, they give a document that keeps
// its promises or an error that says why not.
func fuzzRead(f *testing.F, name string, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := reader.Read(t.Context(), name, data, fuzzLimits)
		if err != nil {
			if codeOf(err) == "" && !errors.Is(err, context.Canceled) {
				t.Fatalf("an error that is not about the file: %v", err)
			}
			return
		}
		if len(doc.Blocks) == 0 || doc.Kind == "" {
			t.Fatalf("a document without blocks or kind: %+v", doc)
		}
		for _, b := range doc.Blocks {
			switch {
			case strings.TrimSpace(b.Text) == "" || !utf8.ValidString(b.Text):
				t.Fatalf("a blank or broken block: %+v", b)
			case strings.ContainsFunc(b.Text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
				t.Fatalf("control characters: %q", b.Text)
			case b.Kind == document.Heading && (b.Level < 1 || b.Level > 6 || strings.Contains(b.Text, "\n")):
				t.Fatalf("not a heading: %+v", b)
			}
		}
		check(t, doc, 50, 10)
	})
}

func FuzzReadText(f *testing.F) {
	gb, _ := simplifiedchinese.GB18030.NewEncoder().String("王芳三月搬到杭州，她妹妹知道。")
	big5, _ := traditionalchinese.Big5.NewEncoder().String("林怡君三月搬到臺北，她的妹妹知道。")
	fuzzRead(f, "a.txt", "One.\n\nTwo.", gb, big5, "\xff\xfeO\x00n\x00e\x00")
}

func FuzzReadMarkdown(f *testing.F) {
	fuzzRead(f, "a.md", "---\ntitle: x\n---\n# A\n\n- b\n  - c\n\n|d|e|\n|-|-|\n|f|g|\n\n<p>h\n\n[^1]: i\n", "> - 1. ```\nx")
}

func FuzzReadHTML(f *testing.F) {
	fuzzRead(f, "a.html", page, "<meta charset=big5><table><td>a<table><tr><td>b", "<li><pre><h1>x</h7>")
}

func FuzzReadWord(f *testing.F) {
	fuzzRead(f, "a.docx",
		string(wordFile(wordPara("1", "Travel")+"<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>")),
		string(zipFile("[Content_Types].xml", contentTypes, "word/document.xml", "<w:p><w:tbl></w:p><w:tr>")))
}

func FuzzReadPDF(f *testing.F) {
	// Compiling the PDF engine takes longer than the fuzzer allows for one input.
	if _, err := reader.Read(f.Context(), "warm.pdf", textPDF("t", []pdfText{{11, 72, 700, "One."}}), document.Limits{}); err != nil {
		f.Fatal(err)
	}
	fuzzRead(f, "a.pdf", string(textPDF("t", []pdfText{{11, 72, 700, "One."}, {11, 72, 680, "差旅"}})), string(scannedPDF()), string(encryptedPDF()))
}
