package document

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// detect tells what a file is, and gives its text decoded where it is text. What
// opens as text is text, before any other signature is looked for: two letters
// such as "BM" or "MZ" at the start of a note do not make it a picture.
func detect(name string, data []byte) (Kind, string, error) {
	start := bytes.TrimLeft(data, "\xef\xbb\xbf \t\r\n\f")
	switch {
	case bytes.HasPrefix(start, []byte("%PDF-")):
		return PDF, "", nil
	case bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06")):
		return Word, "", nil // readWord says what else it may be
	case bytes.HasPrefix(start, []byte(`{\rtf`)):
		return "", "", refuse(Unsupported, "is rich text (RTF), which is not read here; save it as docx or txt")
	case bytes.HasPrefix(start, []byte("%!PS")):
		return "", "", refuse(Unsupported, "is PostScript, which is not read here; save it as pdf")
	}
	text, err := decode(data)
	if err == nil {
		return textKind(name, text), text, nil
	}
	if bytes.Contains(data[:min(len(data), 1024)], []byte("%PDF-")) {
		return PDF, "", nil
	}
	return "", "", notText(data, err)
}

// notText says what a file is that is neither text nor one of the formats.
func notText(data []byte, decoding error) error {
	is := mimetype.Detect(data)
	switch {
	case bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		// An encrypted Word file is not a zip but a compound file with this stream.
		if bytes.Contains(data, utf16Bytes("EncryptedPackage")) {
			return refuse(Encrypted, "is protected by a password; save a copy without one and send that")
		}
		return refuse(Unsupported, "is of an old Office format, which is not read here; save it as docx or pdf")
	case strings.HasPrefix(is.String(), "image/"):
		return refuse(Unsupported, "is a picture (%s); send it as an image", is)
	case is.Is("application/octet-stream") || strings.HasPrefix(is.String(), "text/"):
		return decoding
	}
	return refuse(Unsupported, "is of type %s, which is not read here; send txt, md, html, pdf or docx", is)
}

func utf16Bytes(ascii string) []byte {
	out := make([]byte, 0, 2*len(ascii))
	for i := range len(ascii) {
		out = append(out, ascii[i], 0)
	}
	return out
}

var wholePage = regexp.MustCompile(`(?i)<(!doctype\s+html|html|head|body)[\s>]`)

// textKind tells web pages and Markdown from plain text. Markdown may begin with
// tags, so a page must look like a whole one where it also looks like Markdown.
func textKind(name, text string) Kind {
	name = strings.ToLower(name)
	named := strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".markdown")
	signs := markdownSigns(text)
	is := mimetype.Detect([]byte(text[:min(len(text), 4096)]))
	if is.Is("text/html") || is.Is("application/xhtml+xml") {
		if wholePage.MatchString(text[:min(len(text), 4096)]) || !named && signs < 2 {
			return HTML
		}
	}
	if named || signs >= 2 {
		return Markdown
	}
	return Text
}

// markdown are the marks that hardly occur in other text; each counts once.
var markdown = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^#{1,6} \S`),
	regexp.MustCompile("(?m)^(```|~~~)"),
	regexp.MustCompile(`(?m)^ {0,3}[-*+] \S.*\n(.*\n)?^ {0,3}[-*+] \S`),
	regexp.MustCompile(`!?\[[^\]\n]+\]\([^)\s]+\)`),
	regexp.MustCompile(`\*\*[^*\n]+\*\*`),
	regexp.MustCompile(`(?m)^\|?( *:?-{3,}:? *\|)+ *(:?-{3,}:?)? *$`),
	regexp.MustCompile(`(?m)^> \S`),
}

func markdownSigns(text string) int {
	text = strings.ReplaceAll(text[:min(len(text), 64<<10)], "\r\n", "\n")
	signs := 0
	for _, mark := range markdown {
		if mark.MatchString(text) {
			signs++
		}
	}
	return signs
}
