package embed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// DefaultMaxRunes is how many code points of a text are embedded when the
// options don't say. It bounds the time of one text (about 2,000 tokens, or
// 0.15 s with AVX2) and lies beyond any memory or question of normal size.
const DefaultMaxRunes = 2000

// Blank reports whether text holds nothing visible: no letter, mark, number,
// punctuation or symbol. Embedders answer nil for such text, and a search for
// it can find nothing.
func Blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r != ' ' && unicode.IsPrint(r)
	})
}

// cut returns the beginning of text, at most limit code points long and never
// ending within a user-perceived character, unless that character alone is
// longer than limit.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	runes, end := 0, 0
	for chars := graphemes.FromString(text); chars.Next(); {
		n := utf8.RuneCountInString(chars.Value())
		if runes+n > limit {
			if runes == 0 {
				return firstRunes(text, limit)
			}
			return text[:end]
		}
		runes += n
		end = chars.End()
	}
	return text
}

// firstRunes returns the first n code points of text.
func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
