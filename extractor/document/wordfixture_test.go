package document_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
)

const contentTypes = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`

const wordStyles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:type="paragraph" w:styleId="a"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Our Section"/><w:basedOn w:val="2"/></w:style>
<w:style w:type="paragraph" w:styleId="Ring"><w:name w:val="Ring"/><w:basedOn w:val="Ring"/></w:style>
</w:styles>`

// wordBody wraps paragraphs and tables into a body.
func wordBody(inside string) string {
	return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>` + inside + `<w:sectPr/></w:body></w:document>`
}

func wordPara(style, text string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
}

// zipFile packs parts, given as name and content by turns.
func zipFile(parts ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			panic(err)
		}
		if _, err := io.Copy(w, strings.NewReader(parts[i+1])); err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func wordFile(inside string, more ...string) []byte {
	return zipFile(append([]string{"[Content_Types].xml", contentTypes, "word/document.xml", wordBody(inside), "word/styles.xml", wordStyles}, more...)...)
}
