package steps

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainKey gives a field's name without the ways in which models vary it:
// "memory list", "memory_list" and "memoryList" are one.
func plainKey(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// field gives the member of an object by any of its plain names. One that is
// there twice and says two things says nothing.
func (v value) field(names ...string) (value, bool) {
	var found []value
	for _, m := range v.members {
		if slices.Contains(names, plainKey(m.key)) {
			found = append(found, m.value)
		}
	}
	if len(found) == 0 || slices.ContainsFunc(found[1:], func(x value) bool { return !reflect.DeepEqual(x, found[0]) }) {
		return value{}, false
	}
	return found[0], true
}

// has says whether all of these fields are there.
func (v value) has(names ...string) bool {
	for _, n := range names {
		if _, ok := v.field(n); !ok {
			return false
		}
	}
	return true
}

// textOf gives a field that is a text or a number, cleaned; "" for none.
func (v value) textOf(names ...string) string {
	f, ok := v.field(names...)
	if !ok || f.kind != text && f.kind != number {
		return ""
	}
	return clean(f.text)
}

// truths are the ways in which models write a boolean.
var truths = map[string]bool{
	"true": true, "yes": true, "y": true, "1": true, "是": true, "对": true, "真": true,
	"false": false, "no": false, "n": false, "0": false, "否": false, "不": false, "不是": false, "假": false,
}

// truth gives a field that is a boolean in any spelling.
func (v value) truth(name string) (is, ok bool) {
	f, _ := v.field(name)
	if f.kind != boolean && f.kind != text && f.kind != number {
		return false, false
	}
	is, ok = truths[strings.ToLower(strings.Trim(clean(f.text), ".!。！ "))]
	return is, ok
}

// many gives the elements of a list, those of a text that lists words, or the
// one value that stands where a list is due.
func (v value) many() []value {
	switch v.kind {
	case list:
		return v.list
	case text:
		var out []value
		for _, s := range strings.FieldsFunc(v.text, func(r rune) bool { return strings.ContainsRune(",，、;；\n", r) }) {
			out = append(out, value{kind: text, text: s})
		}
		return out
	case nothing:
		return nil
	}
	return []value{v}
}

// integer gives a whole number, also one in quotes.
func (v value) integer() (int64, bool) {
	if v.kind != number && v.kind != text {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(v.text), 10, 64)
	return n, err == nil
}

// integers gives the ids of a field that the model was shown, in order and each
// once, and how many others it holds.
func (v value) integers(shown map[int64]bool) (ids []int64, others int) {
	for _, x := range v.many() {
		n, ok := x.integer()
		switch {
		case !ok || !shown[n]:
			others++
		case !slices.Contains(ids, n):
			ids = append(ids, n)
		}
	}
	return ids, others
}

// clean takes out what no stored text may hold: control characters but for tabs
// and line breaks, broken bytes and the characters that no text is made of; then
// the blanks around it.
func clean(s string) string {
	broken := func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError || r == 0xfffe || r == 0xffff
	}
	if strings.ContainsFunc(s, broken) {
		s = strings.Map(func(r rune) rune {
			if broken(r) {
				return -1
			}
			return r
		}, s)
	}
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || isBlank(r) })
}

// oneLine keeps words that clients set from looking like a part of a prompt's
// structure.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }
