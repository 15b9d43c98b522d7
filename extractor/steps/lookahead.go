package steps

import (
	"strings"
	"unicode/utf8"
)

// place is where a string stands, which says what may follow its end.
type place int

const (
	asKey place = iota
	asMember
	asElement
)

// Chinese punctuation stands for JSON's own outside of strings.
func isQuote(r rune) bool { return r == '"' || r == '“' || r == '”' || r == '＂' }
func isColon(r rune) bool { return r == ':' || r == '：' }
func isComma(r rune) bool { return r == ',' || r == '，' }

// closes says whether r may end a string that open began. Within "…" all other
// quotes are text.
func closes(open, r rune) bool {
	if open == '"' {
		return r == '"'
	}
	return isQuote(r)
}

// endsAt says whether a string may end before a place: whether what follows is
// what JSON wants there. After JSON's own closing quotes that is always so. colon
// says that a colon follows where JSON wants none.
func (p *parser) endsAt(at int, in place) (end, colon bool) {
	look := parser{s: p.s, at: at, ahead: p.ahead}
	defer func() { p.ahead = look.ahead }()
	look.blank()
	if look.ended() {
		return true, false
	}
	r, size := look.rune()
	switch {
	case isColon(r):
		return in == asKey, in != asKey
	case in == asMember && r == '}', in == asElement && r == ']':
		return true, false
	case in == asKey || !isComma(r):
		return false, false
	}
	look.at += size
	return look.goesOn(in), false
}

// goesOn says whether the next member or element comes, or the end of them.
func (p *parser) goesOn(in place) bool {
	p.separators()
	if p.ended() {
		return true
	}
	r, _ := p.rune()
	if in == asMember {
		return r == '}' || p.keyFollows(r)
	}
	if r == ']' || r == '{' || r == '[' || isQuote(r) {
		return true
	}
	_, ok := p.word()
	return ok
}

// keyFollows says whether a key and its colon come next.
func (p *parser) keyFollows(open rune) bool {
	if !isQuote(open) {
		v, ok := p.word()
		if !ok || v.kind != number {
			return v.cut
		}
	} else {
		_, size := p.rune()
		p.at += size
		for {
			if p.at >= len(p.s) {
				return true
			}
			if p.ahead <= 0 {
				return false
			}
			p.ahead--
			r, size := p.rune()
			p.at += size
			if r == '\\' {
				_, size := p.rune()
				p.at += size
			} else if closes(open, r) {
				break
			}
		}
	}
	p.blank()
	if p.ended() {
		return true
	}
	r, _ := p.rune()
	return isColon(r)
}

// separators skips blanks and commas, also too many of them and none at all.
func (p *parser) separators() {
	for p.blank(); p.at < len(p.s); p.blank() {
		r, size := p.rune()
		if !isComma(r) {
			return
		}
		p.at += size
	}
}

// blank skips white space and comments. Out of budget it skips nothing more, so
// that what follows is no JSON.
func (p *parser) blank() {
	for p.at < len(p.s) && p.ahead > 0 {
		rest := p.s[p.at:]
		size := 0
		switch {
		case strings.HasPrefix(rest, "//"):
			size = len(rest)
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				size = i
			}
		case strings.HasPrefix(rest, "/*"):
			size = len(rest)
			if i := strings.Index(rest, "*/"); i >= 0 {
				size = i + 2
			}
		default:
			r, n := utf8.DecodeRuneInString(rest)
			if !isBlank(r) {
				return
			}
			size = n
		}
		p.at += size
		p.ahead -= size
	}
}

func isBlank(r rune) bool {
	switch r {
	case ' ', '\t', '\r', '\n', '\u00a0', '\u200b', '\u3000', '\ufeff':
		return true
	}
	return false
}
