package extractor

import "unicode"

// EstimateTokens guesses how many tokens a model makes of s: one for each
// Chinese, Japanese or Korean character, and one for four bytes of anything
// else. Tokenizers differ by a third either way, so that limits made with it
// need some room.
func EstimateTokens(s string) int {
	wide, narrow := 0, 0
	for _, r := range s {
		if r >= 0x2e80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef) {
			wide++
			continue
		}
		switch {
		case r < 0x80:
			narrow++
		case r < 0x800:
			narrow += 2
		case r < 0x10000:
			narrow += 3
		default:
			narrow += 4
		}
	}
	return wide + (narrow+3)/4
}
