package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor/document"
)

func TestWordStructure(t *testing.T) {
	data := wordFile(
		wordPara("a", "员工手册")+
			wordPara("1", "Travel")+
			`<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t xml:space="preserve">Trips are </w:t></w:r><w:r><w:t>booked &amp; paid.</w:t></w:r>`+
			`<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:br/><w:t>Added.</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>`+
			`<w:r><w:instrText>PAGE</w:instrText></w:r></w:p>`+
			wordPara("Own", "差旅")+
			wordPara("Ring", "出差结束后七天内报销。")+
			`<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>boats</w:t></w:r></w:p>`+
			`<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>oars</w:t></w:r></w:p>`+
			`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>What</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Euro</w:t></w:r></w:p></w:tc></w:tr>`+
			`<w:tr><w:tc><w:p><w:r><w:t>Boat</w:t></w:r></w:p><w:p><w:r><w:t>trip</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>`+
			`<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>A box.</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:t>twice</w:t></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>Around it.</w:t></w:r></w:p>`,
		"word/footnotes.xml", `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>`)
	want := document.Document{Kind: document.Word, Title: "员工手册", Blocks: []document.Block{
		{Kind: document.Heading, Level: 1, Text: "员工手册"},
		{Kind: document.Heading, Level: 1, Text: "Travel"},
		{Text: "Trips are booked & paid.\nAdded."},
		{Kind: document.Heading, Level: 2, Text: "差旅"},
		{Text: "出差结束后七天内报销。"},
		{Kind: document.Item, Text: "boats"},
		{Kind: document.Item, Level: 1, Text: "oars"},
		{Kind: document.Row, Text: "What | Euro"},
		{Kind: document.Row, Text: "Boat trip |"},
		{Text: "A box."},
		{Text: "Around it."},
		{Text: "A note."},
	}}
	if diff := cmp.Diff(want, read(t, "upload", data)); diff != "" {
		t.Error(diff)
	}
}

func TestWordTitleFromItsProperties(t *testing.T) {
	data := wordFile(wordPara("1", "Travel"), "docProps/core.xml",
		`<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>Anna</dc:creator><dc:title>Handbook</dc:title></cp:coreProperties>`)
	if got := read(t, "x.docx", data).Title; got != "Handbook" {
		t.Errorf("got %q", got)
	}
}

func TestWordRefusals(t *testing.T) {
	many := []string{"[Content_Types].xml", contentTypes}
	for i := range 10_001 {
		many = append(many, fmt.Sprintf("word/media/%d", i), "")
	}
	locked := wordFile(wordPara("", "text"))
	for i := range len(locked) - 4 { // the flag for a password, in every header of the zip
		switch string(locked[i : i+4]) {
		case "PK\x03\x04":
			locked[i+6] |= 1
		case "PK\x01\x02":
			locked[i+8] |= 1
		}
	}
	whole := wordFile(wordPara("", "text"))
	tests := map[string]struct {
		data   []byte
		limits document.Limits
		want   document.Code
		says   string
	}{
		"a bomb of one part":          {wordFile("<w:p><w:r><w:t>" + strings.Repeat(" ", 64<<20) + "x</w:t></w:r></w:p>"), document.Limits{}, document.Bomb, "unpacks"},
		"more than may be unpacked":   {wordFile(wordPara("", "word")), document.Limits{Expanded: 500}, document.Bomb, "500 bytes"},
		"too many parts":              {zipFile(many...), document.Limits{}, document.Bomb, "10002 parts"},
		"elements nested without end": {wordFile(strings.Repeat("<w:sdt>", 3000) + strings.Repeat("</w:sdt>", 3000)), document.Limits{}, document.Bomb, "deeply"},
		"entities of its own":         {zipFile("[Content_Types].xml", contentTypes, "word/document.xml", `<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>`), document.Limits{}, document.Bomb, "DOCTYPE"},
		"a password on the zip":       {locked, document.Limits{}, document.Encrypted, "password"},
		"no text":                     {wordFile("<w:p/>"), document.Limits{}, document.Empty, "no text"},
		"cut short":                   {whole[:len(whole)/2], document.Limits{}, document.Damaged, "damaged"},
		"XML that is none":            {zipFile("[Content_Types].xml", contentTypes, "word/document.xml", "<w:p>"), document.Limits{}, document.Damaged, "word/document.xml"},
		"another zip":                 {zipFile("a.txt", "text"), document.Limits{}, document.Unsupported, "zip"},
		"a spreadsheet":               {zipFile("[Content_Types].xml", contentTypes, "xl/workbook.xml", "<x/>"), document.Limits{}, document.Unsupported, "spreadsheet"},
		"a presentation":              {zipFile("[Content_Types].xml", contentTypes, "ppt/presentation.xml", "<x/>"), document.Limits{}, document.Unsupported, "presentation"},
		"a package of something else": {zipFile("[Content_Types].xml", contentTypes), document.Limits{}, document.Unsupported, "zip"},
		"too much text":               {wordFile(strings.Repeat(wordPara("", "words"), 10)), document.Limits{Text: 20}, document.TooLarge, "20 bytes"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := reader.Read(t.Context(), "plan.docx", test.data, test.limits)
			if codeOf(err) != test.want || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v: %v, want %v with %q", codeOf(err), err, test.want, test.says)
			}
		})
	}
}
