package graph

import (
	"strings"
	"unicode"
)

// nameSpan is a part of a question that may be the name of an entity.
type nameSpan struct {
	key      string
	from, to int // tokens, to exclusive
}

const (
	// maxNameTokens is the longest name looked for: a token is a Latin word, a
	// number, a mark or one Han character.
	maxNameTokens = 10
	// maxNamedTokens bounds a question: beyond it a pasted conversation would
	// cost thousands of look-ups. The end is kept, where the newest turn stands.
	maxNamedTokens = 150
)

// nameSpans gives every part of a question that may be a name, so that entities
// are found by exact key without a dictionary in memory and without blanks
// between Chinese words.
func nameSpans(question string) []nameSpan {
	tokens := nameTokens(Fold(question))
	if len(tokens) > maxNamedTokens {
		tokens = tokens[len(tokens)-maxNamedTokens:]
	}
	var out []nameSpan
	seen := make(map[nameSpan]bool)
	for from := range tokens {
		if !tokens[from].starts {
			continue
		}
		var text strings.Builder
		for to := from; to < len(tokens) && to < from+maxNameTokens; to++ {
			if to > from && tokens[to].spaced {
				text.WriteByte(' ')
			}
			text.WriteString(tokens[to].text)
			if !tokens[to].ends {
				continue
			}
			span := nameSpan{EntityKey(text.String()), from, to + 1}
			if span.key != "" && !seen[span] {
				seen[span] = true
				out = append(out, span)
			}
		}
	}
	return out
}

type nameToken struct {
	text         string
	spaced       bool // a blank stands before it
	starts, ends bool // may begin or end a name
}

func nameTokens(s string) []nameToken {
	var out []nameToken
	spaced, word := false, false
	for _, r := range s {
		switch {
		case r == ' ':
			spaced, word = true, false
			continue
		case !isIdeographic(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)):
			if word {
				out[len(out)-1].text += string(r)
				continue
			}
			out = append(out, nameToken{string(r), spaced, true, true})
			word, spaced = true, false
			continue
		case isIdeographic(r), unicode.Is(unicode.So, r):
			out = append(out, nameToken{string(r), spaced, true, true})
		case r == '+' || r == '#' || r == ')':
			out = append(out, nameToken{string(r), spaced, false, true})
		case r == '(' || r == '.':
			out = append(out, nameToken{string(r), spaced, true, false})
		default:
			out = append(out, nameToken{string(r), spaced, false, false})
		}
		spaced, word = false, false
	}
	return out
}
