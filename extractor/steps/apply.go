package steps

import (
	"maps"
	"slices"
)

// Dropped is an item that a check sorted out.
type Dropped struct {
	Index  int // in the items that were checked
	Item   Item
	Reason string // the model's
}

// ApplyRewrites gives items with their new texts, in the same order; the given
// ones are not touched. Nil results, as of a failed check, change nothing. The
// notes name each memory that results say nothing about, and indices that no
// memory has.
func ApplyRewrites(items []Item, results map[int]Rewrite) ([]Item, []string) {
	n := unknown(len(items), results)
	out := slices.Clone(items)
	for i := range out {
		r, ok := results[i]
		switch {
		case !ok:
			n.note("memory %d stays as it is: the check said nothing about it", i)
		case r.NeedRewrite && clean(r.Rewritten) == "":
			n.note("memory %d stays as it is: the new text is blank", i)
		case r.NeedRewrite:
			out[i].Value = clean(r.Rewritten)
		}
	}
	return out, n
}

// ApplyVerdicts splits items into those that stay and those that were sorted
// out, each in their order. Nil results, as of a failed check, keep everything.
// The notes are as with [ApplyRewrites]. Nothing is lost: every item is in one of
// the two.
func ApplyVerdicts(items []Item, results map[int]Verdict) (kept []Item, dropped []Dropped, notes []string) {
	n := unknown(len(items), results)
	for i, it := range items {
		r, ok := results[i]
		switch {
		case !ok:
			n.note("memory %d is kept: the check said nothing about it", i)
		case !r.Keep && r.Reason == "":
			n.note("memory %d is kept: the check drops it without a reason", i)
		case !r.Keep:
			dropped = append(dropped, Dropped{i, it, r.Reason})
			continue
		}
		kept = append(kept, it)
	}
	return kept, dropped, n
}

// unknown notes results for memories that were not shown.
func unknown[T any](shown int, results map[int]T) notes {
	var n notes
	for _, i := range slices.Sorted(maps.Keys(results)) {
		if i < 0 || i >= shown {
			n.note("there is no memory %d: what the check said about it was ignored", i)
		}
	}
	return n
}
