package extractor

import "strings"

// tagKind says what a piece of markup is.
type tagKind uint8

const (
	openTag      tagKind = iota
	closeTag             // </name>
	emptyTag             // <name/>
	commentStart         // <!--
	commentEnd           // -->
	cdataStart           // <![CDATA[
	cdataEnd             // ]]>
	endOfText            // after the last tag
)

const (
	longestTag  = 512 // bytes; a tag with more attributes than that is text
	longestName = 64  // bytes

	commentOpen, commentClose = "<!--", "-->"
	cdataOpen, cdataClose     = "<![CDATA[", "]]>"
)

// tag is one piece of markup with its place in the text.
type tag struct {
	kind     tagKind
	name     string // lower case, without a namespace prefix
	pos, end int    // text[pos:end]
}

// scanTags finds everything in text that looks like markup. A '<' that begins
// no tag is text and needs no escape. Prologs and doctypes are no tags either:
// they stand where text is ignored. The work is linear in the text.
func scanTags(text string) []tag {
	var tags []tag
	for i := 0; i < len(text); {
		j := strings.IndexAny(text[i:], "<-]")
		if j < 0 {
			break
		}
		i += j
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, commentOpen):
			tags = append(tags, tag{kind: commentStart, pos: i, end: i + len(commentOpen)})
			i += len(commentOpen)
		case strings.HasPrefix(rest, cdataOpen):
			tags = append(tags, tag{kind: cdataStart, pos: i, end: i + len(cdataOpen)})
			i += len(cdataOpen)
		case strings.HasPrefix(rest, commentClose):
			tags = append(tags, tag{kind: commentEnd, pos: i, end: i + len(commentClose)})
			i += len(commentClose)
		case strings.HasPrefix(rest, cdataClose):
			tags = append(tags, tag{kind: cdataEnd, pos: i, end: i + len(cdataClose)})
			i += len(cdataClose)
		case rest[0] == '<':
			if t, ok := scanTag(rest); ok {
				t.pos, t.end = i, i+t.end
				tags = append(tags, t)
				i = t.end
			} else {
				i++
			}
		default:
			i++
		}
	}
	return append(tags, tag{kind: endOfText, pos: len(text), end: len(text)})
}

// scanTag reads one tag at the beginning of s; end is its length.
func scanTag(s string) (tag, bool) {
	i := 1
	t := tag{kind: openTag}
	if i < len(s) && s[i] == '/' {
		t.kind = closeTag
		i++
	}
	start := i
	for i < len(s) && i-start < longestName && isNameByte(s[i]) {
		i++
	}
	if i == start || !isLetter(s[start]) {
		return tag{}, false
	}
	t.name = strings.ToLower(s[start:i])
	if _, local, ok := strings.Cut(t.name, ":"); ok && local != "" {
		t.name = local
	}
	// After the name only blanks, a slash, attributes and '>' may come. Attributes
	// are ignored; one that holds '<' or never ends makes the whole text.
	var quote byte
	for first := true; i < len(s) && i < longestTag; i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else if c == '<' {
				return tag{}, false
			}
		case c == '>':
			if t.kind == openTag && s[i-1] == '/' {
				t.kind = emptyTag
			}
			t.end = i + 1
			return t, true
		case c == '<':
			return tag{}, false
		case first && c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '/':
			return tag{}, false // "<a,b>" is text
		case c == '"' || c == '\'':
			quote = c
		}
		first = false
	}
	return tag{}, false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func isNameByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':'
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
