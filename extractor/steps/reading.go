package steps

import (
	"fmt"
	"slices"
	"strings"
)

// readingForm is what a reader's answers may hold.
type readingForm struct {
	shown     map[int64]bool // ids that items may cite
	longTerm  bool           // all items are LongTermMemory
	noSummary bool
}

// Names of fields, as plainKey gives them.
var (
	listNames    = []string{"memorylist", "memories", "memory", "记忆列表"}
	valueNames   = []string{"value", "content"}
	keyNames     = []string{"key", "title"}
	typeNames    = []string{"memorytype", "type"}
	msgIDNames   = []string{"msgids", "messageids"}
	summaryNames = []string{"summary", "摘要"}
)

// isItem tells an item that stands by itself.
func isItem(v value) bool {
	_, ok := v.field(valueNames...)
	return v.kind == object && ok && (v.has("key") || v.has("memorytype") || v.has("tags"))
}

func judgeReading(v value) fit {
	if v.kind == list {
		switch {
		case len(v.list) > 0 && isItem(v.list[0]):
			return fits
		case len(v.list) == 0 && !v.cut:
			return hollow
		}
		return unfit
	}
	if l, ok := v.field(listNames...); ok && (l.kind == list || l.kind == nothing || isItem(l)) {
		if l.cut && len(l.list) == 0 {
			return unfit // nothing whole was said
		}
		return fits
	}
	if isItem(v) && !v.cut {
		return fits
	}
	return unfit
}

func (f readingForm) parse(answer string) (Reading, []string, error) {
	got, err := find(answer, judgeReading)
	if err != nil {
		return Reading{}, nil, err
	}
	root := got[0]
	if len(got) > 1 {
		// Some models write one object after the other instead of a list.
		if slices.ContainsFunc(got, func(v value) bool { return !isItem(v) }) {
			return Reading{}, nil, fmt.Errorf("%w: it holds %d answers that differ", ErrMalformed, len(got))
		}
		root = value{kind: list, list: got}
	}
	r := reader{readingForm: f, seen: make(map[string]bool)}
	r.out.Truncated = root.cut
	entries := root.many()
	if l, ok := root.field(listNames...); ok {
		entries = l.list
		if l.kind == object {
			entries = []value{l}
		}
	}
	for i, v := range entries {
		r.item(i, v)
	}
	if r.out.Truncated {
		r.note("the answer was cut off; %d memories were whole", len(r.out.Items))
	}
	r.out.Summary = root.textOf(summaryNames...)
	if r.out.Summary == "" && !f.noSummary && len(r.out.Items) > 0 {
		r.note("the answer has no summary")
	}
	return r.out, r.notes, nil
}

type reader struct {
	readingForm
	out  Reading
	seen map[string]bool // values
	notes
}

// item reads the i-th entry of the list.
func (r *reader) item(i int, v value) {
	it := Item{MemoryType: LongTermMemory}
	if v.kind == text {
		it.Value = clean(v.text)
	} else {
		it.Value = v.textOf(valueNames...)
	}
	switch {
	case it.Value == "":
		r.note("memory %d was dropped: it has no text", i)
		return
	case r.seen[it.Value]:
		r.note("memory %d was dropped: it repeats another one", i)
		return
	}
	r.seen[it.Value] = true
	if v.kind == text {
		r.note("memory %d is a text alone, without title, type and tags", i)
		r.out.Items = append(r.out.Items, it)
		return
	}
	it.Key = oneLine(v.textOf(keyNames...))
	switch t := plainKey(v.textOf(typeNames...)); {
	case t == "usermemory" && !r.longTerm:
		it.MemoryType = UserMemory
	case t != "longtermmemory":
		r.note("memory %d counts as %s: its type is missing or not one of this step", i, LongTermMemory)
	}
	it.Tags = tagsOf(v)
	if len(r.shown) > 0 {
		ids, _ := v.field(msgIDNames...)
		var others int
		if it.MsgIDs, others = ids.integers(r.shown); others > 0 {
			r.note("memory %d cites %d messages that were not shown; they were ignored", i, others)
		}
	}
	r.out.Items = append(r.out.Items, it)
}

// tagsOf gives the tags of an item, in order and each once.
func tagsOf(v value) []string {
	var out []string
	seen := map[string]bool{"": true}
	tags, _ := v.field("tags", "tag")
	for _, t := range tags.many() {
		if t.kind != text && t.kind != number {
			continue
		}
		if tag := oneLine(strings.TrimPrefix(clean(t.text), "#")); !seen[tag] {
			seen[tag] = true
			out = append(out, tag)
		}
	}
	return out
}
