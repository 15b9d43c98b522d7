package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean gives text with \n as its only line end and without what no reader
// sees: control characters, byte order marks, bytes that are not UTF-8.
func clean(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\ufeff' || r == '\u00ad' || unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// oneLine gives text with each run of blanks made one.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// joinLines puts a line that was wrapped after what stands before it: with a
// blank, except between characters of scripts that are written without.
func joinLines(before, after string) string {
	before, after = strings.TrimRightFunc(before, unicode.IsSpace), strings.TrimLeftFunc(after, unicode.IsSpace)
	if before == "" || after == "" {
		return before + after
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	if wide(last) && wide(first) {
		return before + after
	}
	return before + " " + after
}

// wide says whether r is of a script written without blanks, or of its
// punctuation.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef || strings.ContainsRune("“”‘’—…", r)
}

// hasText says whether there is anything that a person would read as words.
func hasText(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// short gives at most n runes of a text, with an ellipsis for the rest.
func short(s string, n int) string {
	runes := 0
	for i := range s {
		if runes == n {
			return s[:i] + "…"
		}
		runes++
	}
	return s
}
