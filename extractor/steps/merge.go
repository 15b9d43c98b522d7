package steps

import "slices"

// Merged is one memory in place of several.
type Merged struct {
	Value      string  // never blank
	MergedFrom []int64 // the stored memories that it replaces, at least one
}

// newItem is the new memory as the merge sees it.
type newItem struct {
	Date  string `json:"date,omitempty"`
	Key   string `json:"key,omitempty"`
	Value string `json:"value"`
}

// MergeInto asks whether a new memory, of a date in the prompt's time zone or
// "", becomes one with similar stored ones. No result means no merge. Several
// are for several kinds of fact; no stored memory is in two of them.
func MergeInto(item Item, date string, similar []Known, o Options) Step[[]Merged] {
	shown := make(map[int64]bool)
	for _, k := range similar {
		shown[k.ID] = true
	}
	return newStep(Merger, o, material{one("new", newItem{date, item.Key, item.Value}), several("similar", similar)},
		func(answer string) ([]Merged, []string, error) { return parseMerge(answer, shown) })
}

func isMerge(v value) bool { return v.has("shouldmerge") || v.has("value", "mergedfrom") }

// mergesOf gives the results in an answer, and the answer's own word on whether
// to merge, which holds for results that have none.
func mergesOf(v value) (results []value, outer value) {
	if v.kind == list {
		return v.list, value{}
	}
	if w, ok := v.field("results", "result", "merges", "merged"); ok && (w.kind == list || isMerge(w)) {
		return w.many(), v
	}
	return []value{v}, value{}
}

func parseMerge(answer string, shown map[int64]bool) ([]Merged, []string, error) {
	v, err := findOne(answer, func(v value) fit {
		results, outer := mergesOf(v)
		// A single result that was cut off may have lost what it says most.
		if len(results) > 0 && isMerge(results[0]) && !results[0].cut || outer.has("shouldmerge") {
			return fits
		}
		return unfit
	})
	if err != nil {
		return nil, nil, err
	}
	var n notes
	var out []Merged
	if v.cut {
		n.note("the answer was cut off; what it does not reach is not merged")
	}
	results, outer := mergesOf(v)
	used := make(map[int64]bool)
	for _, r := range results {
		if r.kind != object {
			n.note("a result that is no object was ignored")
			continue
		}
		should, said := r.truth("shouldmerge")
		if all, ok := outer.truth("shouldmerge"); ok && (!said || !all) {
			should, said = all, true
		}
		m := Merged{Value: r.textOf("value")}
		from, _ := r.field("mergedfrom")
		ids, others := from.integers(shown)
		if others > 0 {
			n.note("a merge names %d memories that were not shown; they were ignored", others)
		}
		m.MergedFrom = slices.DeleteFunc(ids, func(id int64) bool { return used[id] })
		switch {
		case !said:
			n.note("a result does not say whether to merge; nothing was merged by it")
		case !should:
		case m.Value == "":
			n.note("a merge has no text; nothing was merged by it")
		case len(m.MergedFrom) == 0:
			n.note("a merge names no memory that is left to merge; nothing was merged by it")
		default:
			if len(m.MergedFrom) < len(ids) {
				n.note("a merge names memories that another one takes; they were ignored")
			}
			for _, id := range m.MergedFrom {
				used[id] = true
			}
			out = append(out, m)
		}
	}
	return out, n, nil
}
