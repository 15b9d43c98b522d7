package extractor

import (
	"unicode"
	"unicode/utf8"
)

// cut gives at most n bytes of s, ending between whole characters as people see
// them: never inside a sequence that joiners, variation selectors, skin tones,
// flags or combining marks hold together.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	for n > 0 {
		before, size := utf8.DecodeLastRuneInString(s[:n])
		after, _ := utf8.DecodeRuneInString(s[n:])
		if !clings(before, after) {
			break
		}
		n -= size
	}
	return s[:n]
}

// clings says whether no cut may be made between two runes.
func clings(before, after rune) bool {
	const joiner = '\u200d'
	return before == joiner || after == joiner ||
		unicode.In(after, unicode.Mn, unicode.Me, unicode.Mc) || // marks and variation selectors
		after >= 0x1f3fb && after <= 0x1f3ff || // skin tones
		isFlag(before) && isFlag(after)
}

func isFlag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
