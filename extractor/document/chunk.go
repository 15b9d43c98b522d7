package document

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Chunk is one piece of a document, small enough for one question to a model.
type Chunk struct {
	Index      int      // from 0, in reading order
	Heading    []string // the headings it stands under or begins with, outermost first
	Text       string   // with what it repeats of the chunk before
	Start, End int      // the bytes of [Document.Text] that are its own; the chunks' own parts follow each other without a gap
}

// Chunks cuts a document into pieces of at most tokens tokens, as count counts
// them. It cuts before a heading where that leaves the piece at least half full,
// else between paragraphs, else between sentences, and inside a sentence only
// where one is longer than a whole piece. A piece that goes on inside a section
// first repeats whole sentences of the piece before, at most overlap tokens and
// half the piece. The same document, numbers and counter give the same pieces.
// Only a single character that alone counts more than tokens can exceed them.
func Chunks(doc Document, tokens, overlap int, count func(string) int) []Chunk {
	text, spans := render(doc.Blocks)
	if len(spans) == 0 {
		return nil
	}
	c := &chunker{text: text, starts: sentenceStarts(text, spans), tokens: max(tokens, 1), count: count}
	c.overlap = min(max(overlap, 0), c.tokens/2)
	c.blocks = map[int]BlockKind{}
	for _, s := range spans {
		c.blocks[s.start] = s.block.Kind
	}
	var chunks []Chunk
	var path headingPath
	for pos, before := 0, 0; pos < len(text); {
		from := c.repeatFrom(before, pos)
		end := c.end(from, pos)
		for end == pos && from < pos { // the next sentence does not fit beside so much
			from = c.starts[c.after(from)]
			end = c.end(from, pos)
		}
		if end == pos {
			end = pos + c.cut(text[pos:c.next(pos)])
		}
		leading := c.isHeading(pos)
		for len(spans) > 0 && (spans[0].start <= pos || leading && spans[0].start < end && spans[0].block.Kind == Heading) {
			path.enter(spans[0].block)
			spans = spans[1:]
		}
		if len(chunks) > 0 && strings.TrimSpace(text[pos:end]) == "" {
			chunks[len(chunks)-1].End = end // only the blanks that a cut left over
		} else {
			chunks = append(chunks, Chunk{
				Index: len(chunks), Heading: path.titles(), Text: trimmed(text[from:end]), Start: pos, End: end,
			})
		}
		before, pos = pos, end
	}
	return chunks
}

type chunker struct {
	text    string
	starts  []int             // of sentences
	blocks  map[int]BlockKind // by where they start
	tokens  int
	overlap int
	count   func(string) int
}

// after gives the index of the first sentence that starts after pos.
func (c *chunker) after(pos int) int { return sort.SearchInts(c.starts, pos+1) }

// next gives where the sentence at pos ends.
func (c *chunker) next(pos int) int { return c.boundary(c.after(pos)) }

// boundary gives the start of the i-th sentence, or the end of the text.
func (c *chunker) boundary(i int) int {
	if i < len(c.starts) {
		return c.starts[i]
	}
	return len(c.text)
}

func (c *chunker) fits(text string) bool { return c.count(trimmed(text)) <= c.tokens }

// trimmed leaves the indent of a first line, which may be code.
func trimmed(text string) string {
	return strings.TrimLeft(strings.TrimRightFunc(text, unicode.IsSpace), "\n")
}

// most gives the largest i in 0…n for which ok, or 0. It steps ahead in growing
// strides and then halves, so that no more than twice the answer is looked at.
func most(n int, ok func(int) bool) int {
	low, stride := 0, 1
	for low+stride <= n && ok(low+stride) {
		low += stride
		stride *= 2
	}
	high := min(low+stride, n+1) // not ok, or beyond
	for high-low > 1 {
		if mid := (low + high) / 2; ok(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// end gives where a chunk ends that begins at from and owns what follows pos: pos
// itself where not one sentence more fits.
func (c *chunker) end(from, pos int) int {
	first := c.after(pos)
	// A sentence can be as long as the file: look at no more of it than fits.
	sentence := c.text[pos:c.boundary(first)]
	if most(len(sentence), func(n int) bool { return c.fits(c.text[from : pos+runeEnd(sentence, n)]) }) < len(sentence) {
		return pos
	}
	fit := most(len(c.starts)-first+1, func(i int) bool { return c.fits(c.text[from:c.boundary(first+i-1)]) })
	if fit == 0 {
		return pos
	}
	last := first + fit - 1
	end := c.boundary(last)
	if end == len(c.text) {
		return end
	}
	half, threeQuarters := pos+(end-pos)/2, pos+(end-pos)*3/4
	for i := last; i >= first && c.starts[i] > half; i-- {
		if c.isHeading(c.starts[i]) {
			for i > first && c.isHeading(c.starts[i-1]) {
				i-- // a heading goes with the one below it
			}
			return c.starts[i]
		}
	}
	for i := last; i >= first && c.starts[i] > threeQuarters; i-- {
		if c.isBlock(c.starts[i]) {
			return c.starts[i]
		}
	}
	return end
}

func (c *chunker) isBlock(pos int) bool {
	_, ok := c.blocks[pos]
	return ok
}

func (c *chunker) isHeading(pos int) bool {
	kind, ok := c.blocks[pos]
	return ok && kind == Heading
}

// repeatFrom gives where the repetition begins for a chunk at pos that follows
// one at before: pos where nothing is to be repeated.
func (c *chunker) repeatFrom(before, pos int) int {
	i := c.after(pos) - 1
	if c.overlap == 0 || pos == 0 || c.starts[i] != pos || c.isHeading(pos) {
		return pos // a new section, or the middle of a sentence
	}
	from := pos
	for i--; i >= 0 && c.starts[i] >= before; i-- {
		start := c.starts[i]
		if c.isHeading(start) || c.count(trimmed(c.text[start:pos])) > c.overlap {
			break
		}
		from = start
	}
	return from
}

// cut gives how many bytes of a sentence that is too long make a chunk: as much as
// fits, back to a blank or a comma in its later half, and never inside what people
// see as one character, unless that alone is too long.
func (c *chunker) cut(sentence string) int {
	size := runeEnd(sentence, most(len(sentence), func(n int) bool { return c.fits(sentence[:runeEnd(sentence, n)]) }))
	best, pause := 0, 0
	// One rune beyond size is enough to see whether a character ends there.
	seen := sentence[:runeEnd(sentence, min(size+utf8.UTFMax, len(sentence)))]
	for it := graphemes.FromString(seen); it.Next() && it.End() <= size; {
		best = it.End()
		if r, _ := utf8.DecodeLastRuneInString(it.Value()); best > size/2 && (unicode.IsSpace(r) || strings.ContainsRune("，、；：,;:", r)) {
			pause = best
		}
	}
	switch {
	case pause > 0:
		return pause
	case best > 0:
		return best
	case size > 0:
		return size
	}
	_, first := utf8.DecodeRuneInString(sentence)
	return first
}

// runeEnd gives the last end of a rune at or before n.
func runeEnd(s string, n int) int {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// headingPath holds the headings that a place stands under.
type headingPath []Block

func (p *headingPath) enter(b Block) {
	if b.Kind != Heading {
		return
	}
	for len(*p) > 0 && (*p)[len(*p)-1].Level >= b.Level {
		*p = (*p)[:len(*p)-1]
	}
	*p = append(*p, b)
}

func (p headingPath) titles() []string {
	var titles []string
	for _, b := range p {
		titles = append(titles, b.Text)
	}
	return titles
}
