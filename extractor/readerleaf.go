package extractor

import (
	"fmt"
	"strings"
)

// A chat may hold the format's own tags, and a model may copy them without
// escaping. So the text of a leaf does not simply end at the first close tag of
// its name, but at the first one behind which the grammar goes on: sibling
// leaves, or close tags that lead out to where another element may begin.

// mostCloses bounds how many close tags of its own name a leaf may hold as text.
const mostCloses = 32

// leaf reads the text of a leaf whose open tag was just taken. stack holds the
// elements it stands in. ok is false where the text of the answer ends inside.
func (r *reader) leaf(it *rawItem, stack []string, name string, prose bool) (value string, ok bool) {
	start := r.tags[r.at-1].end
	parent := stack[len(stack)-1]
	first := -1 // the first close tag, behind which the grammar does not go on
	closes := 0
	for j := r.at; ; j++ {
		t := r.tags[j]
		switch {
		case t.kind == endOfText:
			if first >= 0 {
				return r.leafEnd(it, start, first, "text after <"+name+"> was ignored"), true
			}
			r.truncated, r.insideLeaf = true, true
			r.at = j
			return "", false
		case t.kind == cdataStart:
			j = r.cdataEnd(j)
		case t.kind > emptyTag:
		case t.kind == closeTag && t.name == name:
			if !prose || r.goesOn(j+1, stack) {
				return r.leafEnd(it, start, j, ""), true
			}
			if first < 0 {
				first = j
			}
			if closes++; closes == mostCloses {
				return r.leafEnd(it, start, first, "text after <"+name+"> was ignored"), true
			}
		case !prose && isGrammar(t.name):
			return r.shortLeafEnd(it, start, j, name), true
		case first >= 0 && t.name == name:
			// The same leaf begins anew, so the one before has ended.
			return r.leafEnd(it, start, first, "text after <"+name+"> was ignored"), true
		case t.kind == closeTag && t.name == parent && r.goesOn(j+1, stack[:len(stack)-1]):
			if first >= 0 {
				return r.leafEnd(it, start, first, "text after <"+name+"> was ignored"), true
			}
			return r.openLeafEnd(it, start, j, name), true
		}
	}
}

// leafEnd takes the text up to the close tag with index j.
func (r *reader) leafEnd(it *rawItem, start, j int, note string) string {
	t := r.tags[j]
	r.at = j + 1
	r.closed(t)
	if note != "" {
		it.note(note)
	}
	return leafText(r.text[start:t.pos])
}

// shortLeafEnd ends a word or a list at the tag with index j, which is not its
// own close. Another leaf's close in its place is a slip of the pen.
func (r *reader) shortLeafEnd(it *rawItem, start, j int, name string) string {
	t := r.tags[j]
	it.note(fmt.Sprintf("<%s> was never closed", name))
	r.at = j
	if t.kind == closeTag && isLeaf(t.name) {
		r.at = j + 1
		r.closed(t)
	}
	return leafText(r.text[start:t.pos])
}

// openLeafEnd ends prose that was never closed at the close tag of its parent,
// which has index j. If other leaves stand in between, they may have been
// swallowed, and the item cannot be trusted.
func (r *reader) openLeafEnd(it *rawItem, start, j int, name string) string {
	for _, t := range r.tags[r.at:j] {
		if t.kind <= emptyTag && isGrammar(t.name) {
			it.broken = "<" + name + "> was never closed"
			break
		}
	}
	it.note(fmt.Sprintf("<%s> was never closed", name))
	pos := r.tags[j].pos
	r.at = j
	return leafText(r.text[start:pos])
}

// longestChain bounds how many tags goesOn follows: four levels of close tags,
// each perhaps doubled, and comments in between.
const longestChain = 24

// goesOn says whether the grammar allows what begins at tags[j], just behind the
// close of an element that stands in stack: close tags of the enclosing
// elements, outwards, until an element begins that may stand there, or the text
// ends, or all is closed.
func (r *reader) goesOn(j int, stack []string) bool {
	last := r.tags[j-1]
	for range longestChain {
		if len(stack) == 0 {
			return true
		}
		t := r.tags[j]
		if !isBlank(r.text[last.end:t.pos]) {
			return false
		}
		switch t.kind {
		case endOfText:
			return true
		case openTag, emptyTag:
			return legalChild(stack, t.name)
		case closeTag:
			switch t.name {
			case stack[len(stack)-1]:
				stack = stack[:len(stack)-1]
			case last.name: // doubled
			default:
				return false
			}
			last = t
			j++
		case commentStart:
			end := r.commentEnd(j)
			last.end, j = r.tags[end-1].end, end
		default:
			return false
		}
	}
	return false
}

// cdataEnd gives the index of the end of the CDATA section that starts at
// tags[i]; one that never ends is text.
func (r *reader) cdataEnd(i int) int {
	if i > r.lastCDATAEnd {
		return i
	}
	for r.tags[i].kind != cdataEnd {
		i++
	}
	return i
}

// leafText decodes the raw text of a leaf: CDATA sections as they are, entities
// elsewhere, blanks at both ends dropped.
func leafText(raw string) string {
	if !strings.Contains(raw, cdataOpen) {
		return strings.TrimSpace(unescape(raw))
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(raw, cdataOpen)
		inside, after, ended := strings.Cut(rest, cdataClose)
		if !ok || !ended {
			b.WriteString(unescape(raw))
			return strings.TrimSpace(b.String())
		}
		b.WriteString(unescape(before))
		b.WriteString(inside)
		raw = after
	}
}
