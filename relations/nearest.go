package relations

import "strings"

// stem gives a canonical key with its first word in the base form, so that
// "works_at" and "work_at" are seen to be one. Nothing else is folded: in an
// open vocabulary a wrong guess costs more than a second relation.
func stem(key string) string {
	first, rest, found := strings.Cut(key, "_")
	if found {
		return baseForm(first) + "_" + rest
	}
	return baseForm(first)
}

// baseForm undoes the third person and the plural.
func baseForm(word string) string {
	switch word {
	case "has":
		return "have"
	case "is", "are":
		return "be"
	}
	hasAny := func(endings ...string) bool {
		for _, e := range endings {
			if strings.HasSuffix(word, e) {
				return true
			}
		}
		return false
	}
	switch {
	case len(word) < 4:
		return word
	case len(word) > 4 && hasAny("ies"):
		return word[:len(word)-3] + "y"
	case hasAny("sses", "shes", "ches", "xes", "zes", "oes"):
		return word[:len(word)-2]
	case hasAny("s") && !hasAny("ss", "us", "is"):
		return word[:len(word)-1]
	}
	return word
}

// helpers and prepositions carry little of a key's meaning; see nearestKey.
var (
	helpers      = wordSet("is are be been was were has have had do does did the a an now currently")
	prepositions = wordSet("at in on of to for from with by about as into near")
)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// nearestKey finds the relation that says most likely the same as key, for a
// closed vocabulary: first by all words but helpers in their stems, then by the
// words that are no prepositions either. names leads from keys and aliases to
// keys. "" when none or several fit.
func nearestKey(key string, names map[string]string) string {
	for _, drop := range []func(string) bool{
		func(w string) bool { return helpers[w] },
		func(w string) bool { return helpers[w] || prepositions[w] },
	} {
		want := contentWords(key, drop)
		if want == "" {
			continue
		}
		found := ""
		for name, k := range names {
			if k == found || contentWords(name, drop) != want {
				continue
			}
			if found != "" {
				return ""
			}
			found = k
		}
		if found != "" {
			return found
		}
	}
	return ""
}

func contentWords(key string, drop func(string) bool) string {
	var out []string
	for w := range strings.SplitSeq(key, "_") {
		if !drop(w) {
			out = append(out, crudeStem(w))
		}
	}
	return strings.Join(out, "_")
}

// crudeStem cuts the endings of verbs: works, working and worked are one.
func crudeStem(word string) string {
	word = baseForm(word)
	for _, ending := range []string{"ing", "ed"} {
		if cut, ok := strings.CutSuffix(word, ending); ok && len(cut) >= 3 {
			word = cut
			break
		}
	}
	if len(word) > 3 {
		word = strings.TrimSuffix(word, "e")
	}
	return word
}
