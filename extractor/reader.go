package extractor

import "fmt"

// reader walks over the tags of a text by the grammar of a diff.
type reader struct {
	text string
	tags []tag
	at   int // the next tag
	rep  *Report

	sections map[string][]rawItem // by root + "." + section

	lastName string // the element that was closed last
	lastEnd  int    // where its close tag ends

	fault      string // why the structure contradicts itself
	truncated  bool
	insideLeaf bool // the text ends inside a leaf

	lastCommentEnd, lastCDATAEnd int // index of the last such tag, -1 for none
}

// rawItem is an item as read: its leaves by name, or the halves of a replace.
type rawItem struct {
	leaves         map[string]string
	source, target *rawItem
	notes          []string
	broken         string // why it cannot be trusted
}

func newReader(text string, rep *Report) *reader {
	r := &reader{
		text: text, tags: scanTags(text), rep: rep,
		sections: make(map[string][]rawItem), lastCommentEnd: -1, lastCDATAEnd: -1,
	}
	for i, t := range r.tags {
		switch t.kind {
		case commentEnd:
			r.lastCommentEnd = i
		case cdataEnd:
			r.lastCDATAEnd = i
		}
	}
	return r
}

// firstRoot gives the index of the first tag that opens a root, -1 for none.
func (r *reader) firstRoot() int {
	for i, t := range r.tags {
		if isRoot(t.name) && t.kind != closeTag {
			return i
		}
	}
	return -1
}

// next gives the next structural tag. Comments between elements are skipped
// with all they hold; the marks of CDATA sections mean nothing there.
func (r *reader) next() tag {
	for {
		t := r.tags[r.at]
		switch t.kind {
		case endOfText:
			return t
		case commentStart:
			r.at = r.commentEnd(r.at)
		case commentEnd, cdataStart, cdataEnd:
			r.at++
		default:
			r.at++
			return t
		}
	}
}

// commentEnd gives the index behind the comment that starts at tags[i]; a
// comment that never ends is text.
func (r *reader) commentEnd(i int) int {
	if i > r.lastCommentEnd {
		return i + 1
	}
	for r.tags[i].kind != commentEnd {
		i++
	}
	return i + 1
}

func (r *reader) back() { r.at-- }

func (r *reader) closed(t tag) { r.lastName, r.lastEnd = t.name, t.end }

// stray judges a close tag that closes nothing. Doubled, it is a slip; anywhere
// else the structure contradicts itself.
func (r *reader) stray(t tag) {
	if t.name == r.lastName && isBlank(r.text[r.lastEnd:t.pos]) {
		r.lastEnd = t.end
		r.rep.note(AnswerNote, "a doubled close tag was ignored")
		return
	}
	if r.fault == "" {
		r.fault = fmt.Sprintf("</%s> at byte %d closes nothing", t.name, t.pos)
	}
}

// drop reports an element that stands where it means nothing, and skips it.
func (r *reader) drop(t tag, where string) {
	r.dropped(t, where)
	r.skip(t)
}

func (r *reader) dropped(t tag, where string) {
	r.rep.Dropped = append(r.rep.Dropped, fmt.Sprintf("<%s> %s was not applied", t.name, where))
}

// farthestSkip bounds, in tags, how far away an element's end is looked for.
const farthestSkip = 1024

// skip moves behind the element that t opens, if it ends before a root begins.
// Else t was a mention in prose, and nothing is skipped.
func (r *reader) skip(t tag) bool {
	if t.kind != openTag {
		return false
	}
	for i := r.at; i < len(r.tags) && i-r.at < farthestSkip; i++ {
		switch c := r.tags[i]; {
		case c.kind == closeTag && c.name == t.name:
			r.at = i + 1
			r.closed(c)
			return true
		case c.kind != closeTag && isRoot(c.name):
			return false
		}
	}
	return false
}

// document reads all roots of the text.
func (r *reader) document() {
	roots := 0
	memories := false
	for r.fault == "" {
		t := r.next()
		switch {
		case t.kind == endOfText:
			// The memories come last; where they are missing the text was cut off.
			r.truncated = r.truncated || !memories
			return
		case isRoot(t.name) && t.kind != closeTag:
			roots++
			memories = memories || t.name == rootMemories
			if t.kind == openTag {
				r.root(t.name)
			}
		case !isGrammar(t.name):
			// A wrapper, or markup in the chatter.
		case t.kind == closeTag:
			if roots > 0 {
				r.stray(t)
			}
		case r.skip(t) && !isLeaf(t.name):
			r.dropped(t, "outside of <relations> and <memories>")
		}
	}
}

// root reads what stands between <relations> or <memories> and its close.
func (r *reader) root(name string) {
	empty := true
	for r.fault == "" {
		t := r.next()
		switch {
		case t.kind == endOfText:
			r.truncated = true
			return
		case t.kind == closeTag && t.name == name:
			r.closed(t)
			return
		case isRoot(t.name) && t.kind != closeTag:
			r.back()
			if !empty { // else the tag before was a mention in prose
				r.rep.note(AnswerNote, fmt.Sprintf("<%s> was never closed", name))
			}
			return
		case isSection(t.name) && t.kind != closeTag:
			empty = false
			if t.kind == openTag {
				r.section(name, t.name)
			}
		case !isGrammar(t.name):
		case t.kind == closeTag:
			r.stray(t)
		default:
			r.drop(t, "in <"+name+"> but in none of its sections")
		}
	}
}

// section reads the items of one section.
func (r *reader) section(root, name string) {
	item := itemOf[name]
	var got []rawItem
	defer func() { r.keep(root, name, got) }()
	for r.fault == "" {
		t := r.next()
		switch {
		case t.kind == endOfText:
			r.truncated = true
			return
		case t.kind == closeTag && t.name == name:
			r.closed(t)
			return
		case t.kind == openTag && t.name == item:
			path := itemPath(root, name, len(got))
			if it := r.item([]string{root, name, item}, path); it != nil {
				got = append(got, *it)
			}
		case t.kind == emptyTag && t.name == item:
			// A placeholder for "none".
		case endsSection(t, root):
			r.back()
			r.rep.note(AnswerNote, fmt.Sprintf("<%s> in <%s> was never closed", name, root))
			return
		case !isGrammar(t.name):
		case t.kind == closeTag:
			r.stray(t)
		default:
			r.drop(t, "in <"+name+"> of <"+root+">")
		}
	}
}

// endsSection says whether t can only stand outside of the section that is open
// in root.
func endsSection(t tag, root string) bool {
	if t.kind == closeTag {
		return t.name == root
	}
	return isRoot(t.name) || isSection(t.name)
}

// keep stores the items of a section. The format has each section once; a
// second one that says something else may be a draft, a correction or an
// injection, and nobody can tell which is meant.
func (r *reader) keep(root, name string, got []rawItem) {
	key := root + "." + name
	old := r.sections[key]
	switch {
	case len(got) == 0:
	case len(old) == 0:
		r.sections[key] = got
	case sameItems(old, got):
		r.rep.note(AnswerNote, "a repeated <"+name+"> in <"+root+"> was read once")
	case r.fault == "":
		r.fault = "<" + name + "> in <" + root + "> is there more than once, with different items"
	}
}
