package extractor

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cleanText drops what XML 1.0 forbids even as an entity: control characters
// other than tab and line ends, non-characters, and bytes that are no UTF-8. It
// also gives how many it dropped.
func cleanText(s string) (string, int) {
	clean := true
	for i, r := range s {
		if !legalRune(r) || (r == utf8.RuneError && brokenAt(s[i:])) {
			clean = false
			break
		}
	}
	if clean {
		return s, 0
	}
	var b strings.Builder
	b.Grow(len(s))
	dropped := 0
	for i, r := range s {
		if !legalRune(r) || (r == utf8.RuneError && brokenAt(s[i:])) {
			dropped++
			continue
		}
		b.WriteRune(r)
	}
	return b.String(), dropped
}

// brokenAt tells a byte that is no UTF-8 from a written U+FFFD.
func brokenAt(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	return size == 1
}

// legalRune is the Char production of XML 1.0.
func legalRune(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return true
	case r < 0x20, r == 0xfffe, r == 0xffff, r >= 0xd800 && r <= 0xdfff:
		return false
	}
	return r <= 0x10ffff
}

// longestEntity bounds the search for an entity's semicolon; the longest name
// in HTML 5 has 31 letters.
const longestEntity = 34

// unescape decodes entities once. A bare ampersand and a name that nobody knows
// stay as they are; a number that stands for an illegal character is dropped.
func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		end := strings.IndexByte(s[:min(len(s), longestEntity)], ';')
		if end < 2 {
			b.WriteByte('&')
			s = s[1:]
			continue
		}
		b.WriteString(entity(s[:end+1]))
		s = s[end+1:]
	}
}

// entity decodes one "&name;" or "&#number;".
func entity(e string) string {
	name := e[1 : len(e)-1]
	if num, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if strings.HasPrefix(num, "x") || strings.HasPrefix(num, "X") {
			num, base = num[1:], 16
		}
		n, err := strconv.ParseUint(num, base, 32)
		if err != nil {
			return e
		}
		if n > utf8.MaxRune || !legalRune(rune(n)) {
			return ""
		}
		return string(rune(n))
	}
	if name == "nbsp" {
		return " " // the model means a blank; U+00A0 would only hinder matching
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') {
			return e // "&T;" and the like: html would look for a prefix it knows
		}
	}
	if out := html.UnescapeString(e); !strings.HasSuffix(out, ";") || e == "&semi;" {
		return out
	}
	return e
}

// escapeText writes s as XML character data: markup characters as entities,
// illegal characters dropped, a carriage return as a number because readers
// would turn it into a line feed. All else is unchanged, quotes and braces too,
// so that the model sees what was written.
func escapeText(b *strings.Builder, s string) {
	s, _ = cleanText(s)
	for {
		i := strings.IndexAny(s, "&<>\r")
		if i < 0 {
			b.WriteString(s)
			return
		}
		b.WriteString(s[:i])
		switch s[i] {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '\r':
			b.WriteString("&#13;")
		}
		s = s[i+1:]
	}
}
