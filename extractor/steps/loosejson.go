package steps

import (
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type kind int

const (
	nothing kind = iota // null, or a place where a value is missing
	boolean
	number
	text
	list
	object
)

// value is JSON as it was read. Members keep their order and may repeat.
type value struct {
	kind    kind
	text    string // what a text says; a number or boolean as written
	list    []value
	members []member
	cut     bool // the input ended in it; what is there of lists and objects is whole
}

type member struct {
	key   string
	value value
}

// mostDepth is far beyond any answer's nesting, and bounds the stack.
const mostDepth = 32

// parser reads one JSON value at a time out of a text, with the slips that
// models make. JSON without a slip is read as it stands.
type parser struct {
	s  string
	at int
	// ahead is how many bytes may still be looked at ahead of time. It bounds the
	// work on texts made to be tangled.
	ahead int
	// pairs: a key with its colon was read since this was last reset.
	pairs bool
}

func newParser(s string) *parser { return &parser{s: s, ahead: 16*len(s) + 1024} }

// ended says that nothing is left, or just the fence that closes a code block.
func (p *parser) ended() bool {
	return p.at >= len(p.s) || strings.HasPrefix(p.s[p.at:], "```")
}

func (p *parser) rune() (rune, int) { return utf8.DecodeRuneInString(p.s[p.at:]) }

// value reads what comes next. It is false where that is no JSON.
func (p *parser) value(depth int, in place) (value, bool) {
	p.blank()
	if p.ended() {
		return value{cut: true}, true
	}
	r, _ := p.rune()
	switch {
	case r == '{':
		return p.object(depth)
	case r == '[':
		return p.array(depth)
	case isQuote(r):
		return p.quoted(in)
	}
	return p.word()
}

func (p *parser) object(depth int) (value, bool) {
	v := value{kind: object}
	if depth == mostDepth {
		return v, false
	}
	p.at++
	for {
		p.separators()
		if p.ended() {
			v.cut = true
			return v, true
		}
		if p.s[p.at] == '}' {
			p.at++
			return v, true
		}
		key, ok := p.key()
		if !ok {
			return v, false
		}
		p.blank()
		if key.cut || p.ended() {
			v.cut = true
			return v, true
		}
		r, size := p.rune()
		if !isColon(r) {
			return v, false
		}
		p.at += size
		p.pairs = true
		x, ok := p.value(depth+1, asMember)
		if !ok {
			return v, false
		}
		if !x.cut || x.kind == list || x.kind == object {
			v.members = append(v.members, member{key.text, x})
		}
		if x.cut {
			v.cut = true
			return v, true
		}
	}
}

func (p *parser) array(depth int) (value, bool) {
	v := value{kind: list}
	if depth == mostDepth {
		return v, false
	}
	p.at++
	for {
		p.separators()
		if p.ended() {
			v.cut = true
			return v, true
		}
		if p.s[p.at] == ']' {
			p.at++
			return v, true
		}
		x, ok := p.value(depth+1, asElement)
		if !ok {
			return v, false
		}
		if x.cut {
			v.cut = true
			return v, true
		}
		v.list = append(v.list, x)
	}
}

// key reads a member's name; models write an index without quotes.
func (p *parser) key() (value, bool) {
	if r, _ := p.rune(); isQuote(r) {
		return p.quoted(asKey)
	}
	v, ok := p.word()
	return v, ok && v.kind == number
}

// quoted reads a string. A quote that nothing of the structure follows is part
// of the text, since models forget to escape it; so are bare line breaks. It is
// false where a colon follows one in a value: there a comma may be missing, and
// the next field would become a part of the text.
func (p *parser) quoted(in place) (value, bool) {
	open, size := p.rune()
	p.at += size
	var b strings.Builder
	for p.at < len(p.s) {
		r, size := p.rune()
		switch {
		case r == '\\':
			p.escape(&b)
			continue
		case closes(open, r):
			end, colon := p.endsAt(p.at+size, in)
			if end {
				p.at += size
				return value{kind: text, text: b.String()}, true
			}
			if colon {
				return value{}, false
			}
		}
		b.WriteString(p.s[p.at : p.at+size])
		p.at += size
	}
	return value{kind: text, cut: true}, true
}

// escapes gives what the letters of simple escapes stand for.
var escapes = map[byte]byte{
	'"': '"', '\\': '\\', '/': '/', '\'': '\'', '\n': '\n',
	'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape reads a backslash and what belongs to it. One that escapes nothing, as
// in a formula, is text.
func (p *parser) escape(b *strings.Builder) {
	p.at++
	if p.at >= len(p.s) {
		return
	}
	c := p.s[p.at]
	if plain, ok := escapes[c]; ok {
		b.WriteByte(plain)
		p.at++
		return
	}
	first, ok := p.hex(p.at)
	if !ok {
		b.WriteByte('\\')
		return
	}
	p.at += 5
	if utf16.IsSurrogate(first) && strings.HasPrefix(p.s[p.at:], `\`) {
		if second, ok := p.hex(p.at + 1); ok {
			if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
				b.WriteRune(r)
				p.at += 6
				return
			}
		}
	}
	b.WriteRune(first) // half a pair becomes U+FFFD
}

// hex reads uXXXX at a place.
func (p *parser) hex(at int) (rune, bool) {
	if at+5 > len(p.s) || p.s[at] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range []byte(p.s[at+1 : at+5]) {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// words are the names of values, as JSON and Python spell them.
var words = map[string]value{
	"true": {kind: boolean, text: "true"}, "True": {kind: boolean, text: "true"},
	"false": {kind: boolean, text: "false"}, "False": {kind: boolean, text: "false"},
	"null": {}, "None": {},
}

// word reads a number or a named value.
func (p *parser) word() (value, bool) {
	start := p.at
	for p.at < len(p.s) && isWordByte(p.s[p.at]) {
		p.at++
	}
	w := p.s[start:p.at]
	if v, ok := words[w]; ok {
		return v, true
	}
	if p.at == len(p.s) && w != "" {
		return value{cut: true}, true
	}
	return value{kind: number, text: w}, w != "" && w[0] < 'A' && json.Valid([]byte(w))
}

func isWordByte(c byte) bool {
	return c == '-' || c == '+' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
