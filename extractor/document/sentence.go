package document

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// sentenceStarts gives where in the text sentences begin, in order, beginning
// with 0. A row is one sentence, and each line of code is one.
func sentenceStarts(text string, spans []span) []int {
	var starts []int
	for i, s := range spans {
		starts = append(starts, s.start)
		body := text[s.start:s.end]
		switch s.block.Kind {
		case Row, Heading:
		case Preformatted:
			for j := range len(body) - 1 {
				if body[j] == '\n' {
					starts = append(starts, s.start+j+1)
				}
			}
		default:
			it := sentences.FromString(unwrap(body))
			for it.Next() {
				start := s.start + beforeOpening(body, it.Start())
				if start > starts[len(starts)-1] {
					starts = append(starts, start)
				}
			}
		}
		if i == 0 {
			starts[0] = 0
		}
	}
	return starts
}

// beforeOpening moves the start of a sentence before the quotation marks and
// brackets that open it, which the rules of Unicode leave with the one before.
func beforeOpening(text string, start int) int {
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if !unicode.In(r, unicode.Pi, unicode.Ps) {
			break
		}
		start -= size
	}
	return start
}

// wrapped is how many columns a line has at least that was broken to fit a page.
// Shorter lines, as in talk or lists, end where their writer ended them.
const wrapped = 40

// unwrap makes a blank of each line end inside a sentence, where a long line was
// broken, so that it does not count as an end. The length stays.
func unwrap(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	out := []byte(text)
	columns, last := 0, rune(0)
	for i, r := range text {
		if r != '\n' {
			columns++
			if wide(r) {
				columns++
			}
			last = r
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[i+1:])
		if columns >= wrapped && !strings.ContainsRune(".!?。！？…:：;；", last) && !strings.ContainsRune("-*•·—", next) {
			out[i] = ' '
		}
		columns = 0
	}
	return string(out)
}
