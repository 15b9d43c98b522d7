package extractor

import (
	"fmt"
	"maps"
	"strings"
)

// item reads one item, the innermost of stack. It gives nil where nothing is to
// be proposed: a cut-off item, one that cannot be trusted, an empty placeholder.
// What it leaves out it reports under path.
func (r *reader) item(stack []string, path string) *rawItem {
	it := r.fields(stack)
	switch {
	case it == nil:
		r.rep.Dropped = append(r.rep.Dropped, path+": the answer was cut off inside this item")
		return nil
	case it.broken != "":
		r.rep.Dropped = append(r.rep.Dropped, path+": "+it.broken)
		return nil
	case it.blank():
		return nil
	}
	for _, n := range it.notes {
		r.rep.note(path, n)
	}
	return it
}

// fields reads the inside of an item or of a half, up to its close; nil says
// that the text ended before.
func (r *reader) fields(stack []string) *rawItem {
	self := stack[len(stack)-1]
	it := &rawItem{leaves: make(map[string]string)}
	end := r.tags[r.at-1].end
	for {
		t := r.next()
		if t.kind == endOfText {
			r.truncated = true
			return nil
		}
		if !isBlank(r.text[end:t.pos]) {
			it.note("text outside of the elements was ignored")
		}
		switch {
		case t.kind == closeTag && t.name == self:
			r.closed(t)
			return it
		case self == itemReplace && isHalf(t.name) && t.kind != closeTag:
			if !r.half(it, stack, t) {
				return nil
			}
		case self != itemReplace && isLeaf(t.name) && t.kind != closeTag:
			if !r.leafInto(it, stack, t) {
				return nil
			}
		case endsItem(t, stack):
			r.back()
			it.note(fmt.Sprintf("<%s> was never closed", self))
			return it
		case !isGrammar(t.name):
			if t.kind != closeTag {
				it.note(fmt.Sprintf("the unknown element <%s> was ignored", t.name))
			}
		case t.kind == closeTag:
			if r.stray(t); r.fault != "" {
				return it
			}
		default:
			r.drop(t, "inside <"+self+">")
		}
		end = r.tags[r.at-1].end
	}
}

// endsItem says whether t can only stand outside of the innermost element.
func endsItem(t tag, stack []string) bool {
	outer := stack[:len(stack)-1]
	if t.kind == closeTag {
		for _, name := range outer {
			if t.name == name {
				return true
			}
		}
		return false
	}
	self := stack[len(stack)-1]
	if isHalf(self) && isHalf(t.name) {
		return true
	}
	return isRoot(t.name) || isSection(t.name) || t.name == stack[2]
}

// half reads the source or target of a replace.
func (r *reader) half(it *rawItem, stack []string, t tag) bool {
	got := &rawItem{leaves: map[string]string{}}
	if t.kind == openTag {
		inner := append(stack[:len(stack):len(stack)], t.name)
		if got = r.fields(inner); got == nil {
			return false
		}
	}
	it.notes = append(it.notes, got.notes...)
	if got.broken != "" && it.broken == "" {
		it.broken = "in its " + t.name + " " + got.broken
	}
	at := &it.source
	if t.name == halfTarget {
		at = &it.target
	}
	if *at != nil && !maps.Equal((*at).leaves, got.leaves) && it.broken == "" {
		it.broken = "it has more than one <" + t.name + ">"
	}
	*at = got
	return true
}

// leafInto reads one leaf of an item; false says that the text ended inside it.
func (r *reader) leafInto(it *rawItem, stack []string, t tag) bool {
	prose, known := leavesOf(stack[0])[t.name]
	value, ok := "", true
	if t.kind == openTag {
		if value, ok = r.leaf(it, stack, t.name, prose); !ok {
			return false
		}
	}
	if !known {
		it.note(fmt.Sprintf("the unknown element <%s> was ignored", t.name))
		return true
	}
	if old, twice := it.leaves[t.name]; twice && old != value && it.broken == "" {
		it.broken = "<" + t.name + "> is given twice with different text"
	}
	it.leaves[t.name] = value
	return true
}

func (it *rawItem) note(text string) {
	for _, n := range it.notes {
		if n == text {
			return
		}
	}
	it.notes = append(it.notes, text)
}

// blank says that nothing at all is written in the item.
func (it *rawItem) blank() bool {
	for _, v := range it.leaves {
		if strings.TrimSpace(v) != "" {
			return false
		}
	}
	return (it.source == nil || it.source.blank()) && (it.target == nil || it.target.blank())
}

func sameItems(a, b []rawItem) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameItem(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

func sameItem(a, b *rawItem) bool {
	if a == nil || b == nil {
		return a == b
	}
	return maps.Equal(a.leaves, b.leaves) && sameItem(a.source, b.source) && sameItem(a.target, b.target)
}
