package document

import "strings"

// readPlain parts plain text into paragraphs: at blank lines, and at lines that
// begin with a tab or with the wide blanks of Chinese typesetting.
func readPlain(b *builder, text string) error {
	var lines []string
	flush := func() error {
		err := b.add(Paragraph, 0, strings.Join(lines, "\n"))
		lines = lines[:0]
		return err
	}
	for line := range strings.SplitSeq(clean(text), "\n") {
		blank := strings.TrimSpace(line) == ""
		if blank || strings.HasPrefix(line, "\u3000") || strings.HasPrefix(line, "\t") {
			if err := flush(); err != nil {
				return err
			}
		}
		if !blank {
			lines = append(lines, strings.TrimRight(line, " \t\u3000"))
		}
	}
	return flush()
}
