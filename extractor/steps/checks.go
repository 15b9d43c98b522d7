package steps

import (
	"regexp"
	"slices"
	"strconv"
)

// Rewrite says how a memory is to be reworded.
type Rewrite struct {
	NeedRewrite bool
	Rewritten   string // the whole new text; never blank where NeedRewrite
	Reason      string
}

// Verdict says whether a memory stays.
type Verdict struct {
	Keep   bool
	Reason string // never blank where it does not
}

// RewriteMemories rewords items so that they say no more than the messages, with
// what only the assistant said labelled. Results are by index of items.
func RewriteMemories(messages []Message, items []Item, o Options) Step[map[int]Rewrite] {
	return newStep(Rewriter, o, material{several("messages", messages), indexed("memories", items)},
		func(answer string) (map[int]Rewrite, []string, error) {
			return entries(answer, len(items), []string{"needrewrite", "rewritten"}, readRewrite)
		})
}

// RewriteToUser rewords items so that they say no more than the user did. Pass
// all messages: the others are shown for understanding what the user's mean.
func RewriteToUser(messages []Message, items []Item, o Options) Step[map[int]Rewrite] {
	s := RewriteMemories(messages, items, o)
	return newStep(UserRewriter, o, material{several("messages", messages), indexed("memories", items)}, s.Parse)
}

// FilterHallucinations sorts out items that the messages deny or do not support.
// Results are by index of items.
func FilterHallucinations(messages []Message, items []Item, o Options) Step[map[int]Verdict] {
	return newStep(HallucinationFilter, o, material{several("messages", messages), indexed("memories", items)}, verdicts(len(items)))
}

// SortOutKnown sorts out items that add nothing to existing memories. Results
// are by index of items.
func SortOutKnown(messages []Message, items []Item, existing []Known, o Options) Step[map[int]Verdict] {
	return newStep(AddBeforeSearch, o,
		material{several("messages", messages), indexed("memories", items), several("existing", existing)}, verdicts(len(items)))
}

func verdicts(shown int) func(string) (map[int]Verdict, []string, error) {
	return func(answer string) (map[int]Verdict, []string, error) {
		return entries(answer, shown, []string{"keep"}, readVerdict)
	}
}

// readRewrite gives why an entry is not taken, "" where it is.
func readRewrite(v value) (Rewrite, string) {
	needed, ok := v.truth("needrewrite")
	r := Rewrite{needed, v.textOf("rewritten"), v.textOf("reason")}
	switch {
	case !ok:
		return r, "the answer does not say whether it needs rewriting"
	case needed && r.Rewritten == "":
		return r, "the new text is blank"
	case !needed:
		r.Rewritten = ""
	}
	return r, ""
}

func readVerdict(v value) (Verdict, string) {
	keep, ok := v.truth("keep")
	r := Verdict{keep, v.textOf("reason")}
	switch {
	case !ok:
		return r, "the answer does not say whether to keep it"
	case !keep && r.Reason == "":
		return r, "the answer drops it without a reason"
	}
	return r, ""
}

// wrappers are names under which models put the whole answer.
var wrappers = []string{"results", "result", "memories", "memorylist", "answer", "output"}

// indexNames are fields that hold an entry's index in a list of entries.
var indexNames = []string{"index", "idx", "id"}

// indexPattern is an index as a field's name.
var indexPattern = regexp.MustCompile(`(?i)^(?:memory|记忆)?[\s_#]*(\d{1,9})$`)

func indexOf(key string) (int, bool) {
	m := indexPattern.FindStringSubmatch(clean(key))
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}

// entriesOf gives what an answer to a check says about each memory, by its index
// as written. shown is the number of memories: a single one needs no index.
func entriesOf(v value, shown int, fields []string) []member {
	var out []member
	switch v.kind {
	case list:
		for _, x := range v.list {
			if i, ok := x.field(indexNames...); ok {
				out = append(out, member{i.text, x})
			}
		}
	case object:
		if w, ok := v.field(wrappers...); ok && (w.kind == object || w.kind == list) {
			return entriesOf(w, shown, fields)
		}
		if slices.ContainsFunc(fields, func(f string) bool { return v.has(f) }) {
			if i, ok := v.field(indexNames...); ok {
				return []member{{i.text, v}}
			}
			if shown == 1 {
				return []member{{"0", v}}
			}
			return nil
		}
		for _, m := range v.members {
			if _, ok := indexOf(m.key); ok {
				out = append(out, m)
			}
		}
	}
	return out
}

// entries reads an answer to a check by index. What cannot be taken is noted and
// absent: its memory stays as it is.
func entries[T comparable](answer string, shown int, fields []string, read func(value) (T, string)) (map[int]T, []string, error) {
	v, err := findOne(answer, func(v value) fit {
		found := entriesOf(v, shown, fields)
		switch {
		case slices.ContainsFunc(found, func(e member) bool { return !e.value.cut }):
			return fits
		case len(v.members)+len(v.list) == 0 && !v.cut:
			return hollow
		}
		return unfit
	})
	if err != nil {
		return nil, nil, err
	}
	var n notes
	if v.cut {
		n.note("the answer was cut off; memories that it does not reach stay as they are")
	}
	out := make(map[int]T)
	disputed := make(map[int]bool)
	for _, e := range entriesOf(v, shown, fields) {
		i, ok := indexOf(e.key)
		switch {
		case !ok:
			n.note("an entry whose index is no number was ignored")
			continue
		case e.value.cut:
			continue
		}
		r, fault := read(e.value)
		if before, twice := out[i]; twice && before != r || disputed[i] {
			fault = "the answer says two things about it"
		}
		if fault != "" {
			n.note("memory %d stays as it is: %s", i, fault)
			disputed[i] = true
			delete(out, i)
			continue
		}
		out[i] = r
	}
	return out, n, nil
}
