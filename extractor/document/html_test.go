package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"relata/extractor/document"
)

const page = `<!DOCTYPE html>
<html><head><title> Our  team </title><style>p { color: red }</style></head>
<body>
<nav><a href="/">Home</a></nav>
<h1>Team <em>North</em></h1>
<p>Anna leads it.<br>She lives
   in Halle.<script>track()</script></p>
<p hidden>secret</p><div style="display: none">secret</div><span aria-hidden="true">secret</span>
Loose words <b>between</b> blocks.
<ul><li>boats<ul><li>oars</li></ul></li><li><p>trains</p><p>and their tickets</p></li></ul>
<table><caption>Costs</caption><tr><th>What</th><th>Euro</th></tr><tr><td>Boat
 trip</td><td>40</td></tr><tr><td></td><td></td></tr></table>
<pre>  a = 1
	b = 2
</pre>
<blockquote><p>Quoted &amp; kept.</p></blockquote>
<img src="x.png" alt="A map of Halle">
</body></html>`

func TestHTMLGivesWhatAReaderSees(t *testing.T) {
	want := document.Document{Kind: document.HTML, Title: "Our team", Blocks: []document.Block{
		{Kind: document.Heading, Level: 1, Text: "Team North"},
		{Text: "Anna leads it.\nShe lives in Halle."},
		{Text: "Loose words between blocks."},
		{Kind: document.Item, Text: "boats"},
		{Kind: document.Item, Level: 1, Text: "oars"},
		{Kind: document.Item, Text: "trains"},
		{Text: "and their tickets"},
		{Text: "Costs"},
		{Kind: document.Row, Text: "What | Euro"},
		{Kind: document.Row, Text: "Boat trip | 40"},
		{Kind: document.Preformatted, Text: "  a = 1\n\tb = 2"},
		{Text: "Quoted & kept."},
		{Text: "A map of Halle"},
	}}
	if diff := cmp.Diff(want, read(t, "x.htm", []byte(page))); diff != "" {
		t.Error(diff)
	}
}

func TestHTMLEncodings(t *testing.T) {
	gb := "<html><head><meta charset=gb2312><title>杭州</title></head><body><p>王芳住在杭州。</p></body></html>"
	big5 := `<html><head><meta http-equiv="Content-Type" content="text/html; charset=big5"></head><body><h2>臺北</h2><p>林怡君住在臺北。</p></body></html>`
	none := "<html><body><h1>臺北</h1><p>林怡君住在臺北，她的妹妹也知道。</p></body></html>"
	latin := "<html><head><meta charset=iso-8859-1></head><body><p>Caf\xe9</p></body></html>"
	tests := map[string]struct {
		data        []byte
		title, text string
	}{
		"GB18030 as declared":          {encode(t, simplifiedchinese.GB18030, gb), "杭州", "王芳住在杭州。"},
		"Big5 as declared":             {encode(t, traditionalchinese.Big5, big5), "臺北", "## 臺北\n\n林怡君住在臺北。"},
		"Big5 without a word of it":    {encode(t, traditionalchinese.Big5, none), "臺北", "# 臺北\n\n林怡君住在臺北，她的妹妹也知道。"},
		"Latin as declared":            {[]byte(latin), "page", "Café"},
		"UTF-8 declared as GB2312":     {[]byte("<html><head><meta charset=gb2312></head><body><p>王芳\ufffd住在杭州，她喜欢喝茶。</p></body></html>"), "page", "王芳\ufffd住在杭州，她喜欢喝茶。"},
		"a declaration nobody knows":   {[]byte("<html><head><meta charset=klingon></head><body>王芳</body></html>"), "page", "王芳"},
		"English without a word of it": {[]byte("<html><body>Hello</body></html>"), "page", "Hello"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc := read(t, "page.html", test.data)
			if doc.Kind != document.HTML || doc.Title != test.title || doc.Text() != test.text {
				t.Errorf("got %s %q: %q", doc.Kind, doc.Title, doc.Text())
			}
		})
	}
}
