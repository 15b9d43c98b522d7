package document_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"relata/extractor/document"
)

func encode(t *testing.T, e encoding.Encoding, text string) []byte {
	t.Helper()
	out, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEncodings(t *testing.T) {
	const (
		simplified  = "王芳三月搬到杭州，她妹妹王敏知道这件事。\n她不喜欢咖啡，每天早上喝龙井茶。"
		traditional = "林怡君三月搬到臺北，她的妹妹知道這件事。\n她不喜歡咖啡，每天早上喝烏龍茶。"
		names       = "张伟 李娜 王秀英 刘洋 陈静 杨磊 赵敏 黄丽" // few common characters
		short       = "会议改到周五"
		english     = "Anna moved to Halle in March; her café is “Roter Turm”."
	)
	little := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	big := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	tests := map[string]struct {
		data []byte
		want string
	}{
		"UTF-8":                          {[]byte(simplified), simplified},
		"UTF-8 with a mark":              {[]byte("\ufeff" + english), english},
		"UTF-16LE with a mark":           {encode(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), simplified), simplified},
		"UTF-16BE with a mark":           {encode(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), traditional), traditional},
		"UTF-16LE without one":           {encode(t, little, simplified), simplified},
		"UTF-16BE without one":           {encode(t, big, simplified), simplified},
		"UTF-16LE without one, English":  {encode(t, little, english), english},
		"UTF-16BE without one, English":  {encode(t, big, english), english},
		"GB18030":                        {encode(t, simplifiedchinese.GB18030, simplified), simplified},
		"GB18030, traditional":           {encode(t, simplifiedchinese.GB18030, traditional), traditional},
		"GB18030, only names":            {encode(t, simplifiedchinese.GB18030, names), names},
		"GB18030, six characters":        {encode(t, simplifiedchinese.GB18030, short), short},
		"GB18030, four bytes a sign":     {encode(t, simplifiedchinese.GB18030, simplified+"㐂𠀀"), simplified + "㐂𠀀"},
		"Big5":                           {encode(t, traditionalchinese.Big5, traditional), traditional},
		"Big5 among English":             {encode(t, traditionalchinese.Big5, "The office is in 臺北, near the 車站."), "The office is in 臺北, near the 車站."},
		"GB18030 among English":          {encode(t, simplifiedchinese.GB18030, "The office is in 杭州, near the 车站."), "The office is in 杭州, near the 车站."},
		"letters that begin as a bitmap": {[]byte("BMW is what he drives."), "BMW is what he drives."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc := read(t, "notes.txt", test.data)
			if got := doc.Text(); got != test.want || doc.Kind != document.Text || doc.Title != "notes" {
				t.Errorf("%s %q %q, want %q", doc.Kind, doc.Title, got, test.want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	tests := map[string]struct {
		name string
		data []byte
		want document.Code
		says string
	}{
		"no bytes":                  {"a.txt", nil, document.Empty, "no bytes"},
		"only blanks":               {"a.txt", []byte(" \n\t\n"), document.Empty, "blanks"},
		"only a mark":               {"a.txt", []byte("\ufeff"), document.Empty, "blanks"},
		"too many bytes":            {"a.txt", []byte(strings.Repeat("a ", 11<<20)), document.TooLarge, "22 MB"},
		"too much text":             {"a.txt", []byte(strings.Repeat("a ", 3<<20)), document.TooLarge, "5 MB of text"},
		"Korean in EUC-KR":          {"a.txt", encode(t, korean.EUCKR, strings.Repeat("우리는 오늘 회의에서 새로운 계획을 결정했다. 그리고 내일 다시 만나기로 했다. ", 3)), document.Unsupported, "UTF-8"},
		"Western bytes":             {"a.txt", []byte("caf\xe9 and na\xefve"), document.Unsupported, "UTF-8"},
		"a broken UTF-8 sentence":   {"a.txt", []byte("王芳搬到杭州。\xe7\x8e 她说好。"), document.Unsupported, "UTF-8"},
		"a program":                 {"a.txt", []byte("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x3e\x00"), document.Unsupported, "application/x-"},
		"random bytes":              {"a.docx", []byte("\x00\x01\x02\x03\xff\xfe\x00\x9c\x80"), document.Unsupported, "UTF-8"},
		"a picture named txt":       {"a.txt", pngOf(4, 4), document.Unsupported, "image"},
		"rich text":                 {"a.doc", []byte(`{\rtf1\ansi Hello}`), document.Unsupported, "RTF"},
		"PostScript":                {"a.txt", []byte("%!PS-Adobe-3.0\nshowpage"), document.Unsupported, "PostScript"},
		"a page of scripts":         {"a.html", []byte("<html><body><script>draw()</script></body></html>"), document.Empty, "no text"},
		"a page nested without end": {"a.html", []byte("<html>" + strings.Repeat("<div>", 5000) + "x"), document.Bomb, "deeply"},
		"formatting never closed":   {"a.html", []byte("<html>" + strings.Repeat("<b><i>", 100) + strings.Repeat("<p>x</p>", 20000)), document.Bomb, "closes"},
		"quotes nested without end": {"a.md", []byte(strings.Repeat("> ", 5000) + "x"), document.Bomb, "deep"},
		"an old Word file":          {"a.doc", append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 600)...), document.Unsupported, "docx"},
		"an encrypted Word file":    {"a.docx", append(append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 600)...), "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"...), document.Encrypted, "password"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := reader.Read(t.Context(), test.name, test.data, document.Limits{})
			if codeOf(err) != test.want || !strings.Contains(err.Error(), test.says) || !strings.HasPrefix(err.Error(), `"`+test.name+`" `) {
				t.Errorf("got %v: %v, want %v with %q", codeOf(err), err, test.want, test.says)
			}
		})
	}
}

func TestMarkdownStopsInTime(t *testing.T) {
	links := []byte(strings.Repeat("[a](", 1<<20))
	_, err := reader.Read(t.Context(), "a.md", links, document.Limits{Time: 100 * time.Millisecond})
	if codeOf(err) != document.TooLarge || !strings.Contains(err.Error(), "longer") {
		t.Errorf("got %v: %v", codeOf(err), err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := reader.Read(ctx, "a.md", links, document.Limits{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
}

func TestKindComesFromContent(t *testing.T) {
	tests := map[string]struct {
		name, text string
		want       document.Kind
	}{
		"text named pdf":                   {"a.pdf", "Only words.", document.Text},
		"a page named txt":                 {"a.txt", "<!DOCTYPE html><html><body><p>Hi</p></body></html>", document.HTML},
		"a fragment of a page":             {"", "<p>Hello</p><p>World</p>", document.HTML},
		"Markdown named txt":               {"a.txt", "# Trip\n\n- boat\n- train\n", document.Markdown},
		"Markdown by its name":             {"a.md", "Only words.", document.Markdown},
		"Markdown that begins with a tag":  {"README.md", "<p align=center>Relata</p>\n\n# Relata\n", document.Markdown},
		"talk with one dash":               {"a.txt", "Anna: yes\n- and then she left", document.Text},
		"a table of commas":                {"a.csv", "name,city\nAnna,Halle\n", document.Text},
		"text that speaks of a PDF's head": {"a.txt", "A PDF begins with %PDF-1.7.", document.Text},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := read(t, test.name, []byte(test.text)).Kind; got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestPlainTextParagraphs(t *testing.T) {
	doc := read(t, `C:\notes\旅行 plan.txt`, []byte("First line\r\nsecond line\r\n\r\n\r\n　　第一段。\r\n　　第二段。"))
	want := document.Document{Kind: document.Text, Title: "旅行 plan", Blocks: []document.Block{
		{Text: "First line\nsecond line"}, {Text: "第一段。"}, {Text: "第二段。"},
	}}
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Error(diff)
	}
}
