package document

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// pdfLine is a line of a page: its text, and where its first character stands,
// in points from the lower left corner.
type pdfLine struct {
	text                 []rune
	left, bottom, height float64
}

// pdfLayout makes paragraphs and headings of lines. A PDF holds places, not
// structure: a wider gap, an indent or another size begins a paragraph, and
// short ones in larger letters are headings.
type pdfLayout struct {
	limit int
	size  int
	words bool // there is something to read
	paras []pdfParagraph
}

type pdfParagraph struct {
	text   string
	height float64
}

func (l *pdfLayout) page(lines []pdfLine) error {
	gap := usualGap(lines)
	for i, line := range lines {
		text := string(line.text)
		l.words = l.words || hasText(text)
		if l.size += len(text); l.size > l.limit {
			return refuse(TooLarge, "holds more than %s of text, the limit for one document; split it and send the parts", bytesText(int64(l.limit)))
		}
		if i == 0 || begins(lines[i-1], line, gap) {
			l.paras = append(l.paras, pdfParagraph{text: strings.TrimSuffix(text, softHyphen), height: line.height})
			continue
		}
		para := &l.paras[len(l.paras)-1]
		if strings.HasSuffix(string(lines[i-1].text), softHyphen) { // a word broken over two lines
			para.text += strings.TrimLeft(strings.TrimSuffix(text, softHyphen), " ")
			continue
		}
		para.text = joinLines(para.text, strings.TrimSuffix(text, softHyphen))
	}
	return nil
}

// softHyphen is what the engine gives for a hyphen that only breaks a word.
const softHyphen = "\x02"

// usualGap is the distance from line to line that is most frequent on a page.
func usualGap(lines []pdfLine) float64 {
	var gaps []float64
	for i := 1; i < len(lines); i++ {
		if gap := lines[i-1].bottom - lines[i].bottom; gap > 0 {
			gaps = append(gaps, gap)
		}
	}
	if len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// begins says whether a line begins a paragraph.
func begins(before, line pdfLine, usual float64) bool {
	size := math.Max(before.height, line.height)
	gap := before.bottom - line.bottom
	return math.Abs(before.height-line.height) > size*0.1 ||
		gap < -size/2 || // a column or a text box further up
		gap > math.Min(usual, size*1.6)*1.3 ||
		line.left-before.left > size*0.8 // indented
}

// blocks adds the paragraphs, those in letters larger than the body's as
// headings: the largest of them are of level 1.
func (l *pdfLayout) blocks(b *builder) error {
	body := l.bodyHeight()
	var sizes []float64
	heading := func(p pdfParagraph) bool {
		return p.height > body*1.15 && len([]rune(p.text)) <= 120 && strings.ContainsFunc(p.text, unicode.IsLetter)
	}
	for _, p := range l.paras {
		if heading(p) && !slices.ContainsFunc(sizes, func(s float64) bool { return math.Abs(s-p.height) < 0.5 }) {
			sizes = append(sizes, p.height)
		}
	}
	slices.SortFunc(sizes, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	for _, p := range l.paras {
		kind, level := Paragraph, 0
		if heading(p) {
			kind = Heading
			level = 1 + slices.IndexFunc(sizes, func(s float64) bool { return math.Abs(s-p.height) < 0.5 })
			level = min(level, 6)
		}
		if err := b.add(kind, level, p.text); err != nil {
			return err
		}
	}
	return nil
}

// bodyHeight is the height of letters that most of the text has.
func (l *pdfLayout) bodyHeight() float64 {
	amount := map[float64]int{}
	for _, p := range l.paras {
		amount[math.Round(p.height*2)/2] += len(p.text)
	}
	best, most := 0.0, 0
	for height, n := range amount {
		if n > most || n == most && height < best {
			best, most = height, n
		}
	}
	return best
}
