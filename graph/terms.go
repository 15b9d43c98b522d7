package graph

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// Terms cuts text into the words that the full-text index holds. Text is folded
// first ([Fold]). words are stems of Latin words, pairs of neighbouring Han
// characters (kana and hangul likewise), and compounds whole and in parts: c++,
// r&d, 2026-04-18, team-7. chars are the single Han characters. Both keep
// repetitions, since these count for relevance.
func Terms(text string) (words, chars []string) {
	cut(Fold(text), func(run string, ideographic bool) {
		if ideographic {
			rs := []rune(run)
			for i, r := range rs {
				chars = append(chars, string(r))
				if i > 0 {
					words = append(words, string(rs[i-1:i+1]))
				}
			}
			return
		}
		words = append(words, compound(run)...)
	})
	return words, chars
}

// QueryTerms cuts a question likewise, without repetitions. chars holds only the
// Han characters that stand alone, for which there is no pair. Common English
// words are left out where others remain.
func QueryTerms(text string) (words, chars []string) {
	var common []string
	add := func(list *[]string, term string) {
		if !slices.Contains(*list, term) {
			*list = append(*list, term)
		}
	}
	cut(Fold(text), func(run string, ideographic bool) {
		if ideographic {
			rs := []rune(run)
			if len(rs) == 1 {
				add(&chars, run)
			}
			for i := 1; i < len(rs); i++ {
				add(&words, string(rs[i-1:i+1]))
			}
			return
		}
		if english.IsStopWord(run) || isAuxiliary(run) {
			add(&common, english.Stem(run, true))
			return
		}
		for _, w := range compound(run) {
			add(&words, w)
		}
	})
	if len(words)+len(chars) == 0 {
		words = common
	}
	if len(words) > maxQueryTerms {
		words = words[:maxQueryTerms]
	}
	return words, chars
}

// maxQueryTerms bounds a query's clauses: a pasted conversation is asked by its
// first words.
const maxQueryTerms = 200

// cut walks folded text and gives its runs: ideographic ones, and others made of
// letters, digits and the marks that hold a compound together.
func cut(s string, emit func(run string, ideographic bool)) {
	start, mode := 0, 0 // 0 none, 1 word, 2 ideographic
	flush := func(end int) {
		switch mode {
		case 1:
			if run := trimMarks(s[start:end]); run != "" {
				emit(run, false)
			}
		case 2:
			emit(s[start:end], true)
		}
	}
	for i, r := range s {
		next := 0
		switch {
		case isIdeographic(r):
			next = 2
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.Is(unicode.So, r) || strings.ContainsRune(innerMarks, r):
			next = 1
		}
		if next != mode {
			flush(i)
			start, mode = i, next
		}
	}
	flush(len(s))
}

// innerMarks hold a compound together: c++, c#, at&t, node.js, team-7, a_b,
// 10:30, 3/4, user@host, maya's.
const innerMarks = "+#&.-_:/@'’%$"

// trimMarks drops marks that only surround a word; + and # belong to names such
// as c++ and c# when they follow a letter.
func trimMarks(run string) string {
	run = strings.TrimLeft(run, "+&-_:/@'’%")
	if strings.Trim(run, innerMarks) == "" {
		return ""
	}
	return strings.TrimRight(run, "&.-_:/@'’$")
}

// compound gives the terms of one run without blanks: the whole where it has
// inner marks, and its parts stemmed.
func compound(run string) []string {
	whole, parts := pieces(run)
	var out []string
	if whole != "" {
		out = append(out, whole)
	}
	for _, p := range parts {
		out = append(out, english.Stem(p, true))
	}
	return out
}

// pieces gives a run as a whole, "" where it has no inner marks, and its parts.
func pieces(run string) (whole string, parts []string) {
	run = strings.TrimSuffix(strings.TrimSuffix(run, "'s"), "’s")
	parts = strings.FieldsFunc(run, func(r rune) bool { return strings.ContainsRune(innerMarks, r) })
	if len(parts) != 1 || parts[0] != run {
		whole = run
	}
	return whole, parts
}

func isIdeographic(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r >= 0x4e00 && r <= 0x9fff:
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == '々' || r == 'ー'
}

// isAuxiliary adds the question words and auxiliaries that the stop list lacks.
func isAuxiliary(word string) bool {
	switch word {
	case "did", "does", "do", "would", "could", "should", "may", "might", "must", "shall",
		"who", "whom", "whose", "which", "what", "when", "where", "why", "how", "tell", "me", "about":
		return true
	}
	return false
}

// textQuery gives the Lucene query of a question, "" where it holds no word.
func textQuery(space string, c Category, question string) string {
	words, chars := QueryTerms(question)
	return termQuery(space, c, words, chars, ownWords)
}

// Where a text query looks for words.
type wordsOf uint8

const (
	// ownWords are those of the memory itself.
	ownWords wordsOf = 1 << iota
	// heardWords are those of the messages that it was read from; they count less,
	// as in [lexicon].
	heardWords
)

// termQuery gives the Lucene query of words and single Han characters, "" where
// there are none. The space and the category are filters without weight.
func termQuery(space string, c Category, words, chars []string, of wordsOf) string {
	if of&ownWords == 0 {
		chars = nil // what was heard is not kept by single characters
	}
	if len(words)+len(chars) == 0 {
		return ""
	}
	var b strings.Builder
	filter := func(field, value string) {
		if value != "" {
			b.WriteString("+" + field + ":" + escapeLucene(value) + "^0 ")
		}
	}
	filter("space", space)
	filter("index0", c.Index0)
	filter("index1", c.Index1)
	b.WriteString("+(")
	for _, w := range words {
		w = escapeLucene(w)
		if of&ownWords != 0 {
			b.WriteString(" terms:" + w)
		}
		if of&heardWords != 0 {
			fmt.Fprintf(&b, " heard:%s^%g", w, weightHeard)
		}
	}
	for _, c := range chars {
		b.WriteString(" chars:" + escapeLucene(c))
	}
	b.WriteString(" )")
	return b.String()
}

// escapeLucene makes a term literal to Lucene's query parser.
func escapeLucene(term string) string {
	var b strings.Builder
	for _, r := range term {
		if strings.ContainsRune(`+-&|!(){}[]^"~*?:\/<>=`, r) || unicode.IsSpace(r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// memoryTerms gives the two text properties of a memory.
func memoryTerms(m Memory) (terms, chars string) {
	words, single := Terms(searchText(m.Content, m.Subject, m.Object, m.Title, m.Tags))
	slices.Sort(single)
	return strings.Join(words, " "), strings.Join(slices.Compact(single), " ")
}

// A memory keeps so many words of a message that it was read from, cut from so
// many of its characters.
const (
	maxHeardWords = 80
	maxHeardRunes = 1000
)

// sourceTerms gives the words of a message by which the memories that were read
// from it are found: each once, without common English ones.
func sourceTerms(content string) string {
	runes := 0
	for at := range content {
		if runes++; runes > maxHeardRunes {
			content = content[:at]
			break
		}
	}
	words, _ := QueryTerms(content)
	return strings.Join(words[:min(len(words), maxHeardWords)], " ")
}

// searchText is what a memory is found by in words.
func searchText(content, subject, object, title string, tags []string) string {
	return strings.Join([]string{content, subject, object, title, strings.Join(tags, " ")}, "\n")
}
