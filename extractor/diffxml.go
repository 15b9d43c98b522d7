package extractor

import (
	"encoding/json"
	"fmt"
	"strings"

	"relata/relations"
)

// Report tells what a reader had to do to a text to read it.
type Report struct {
	// Truncated: the text ends before the diff does; the proposal holds what was
	// whole.
	Truncated bool
	// Dropped names what was left out and why: half items, items in a place where
	// they mean nothing.
	Dropped []string
	// Notes say what was repaired, by item ("memories.increments[3]") or, for the
	// text as a whole, under [AnswerNote].
	Notes map[string]string
}

// AnswerNote is the key of a [Report]'s notes on the text as a whole.
const AnswerNote = relations.AnswerItem

func (r *Report) note(item, text string) {
	if r.Notes == nil {
		r.Notes = make(map[string]string)
	}
	switch old := r.Notes[item]; {
	case old == "":
		r.Notes[item] = text
	case !strings.Contains(old, text):
		r.Notes[item] = old + "; " + text
	}
}

// ParseAnswer reads the diff of formats §1 out of a text that a model wrote. It
// is tolerant about form: fences, chatter, leaked reasoning, wrapper elements,
// prologs, comments, CDATA, bare ampersands, unknown entities, illegal
// characters, a lone '<', doubled and missing close tags, unknown elements and
// missing sections do no harm, and a cut-off text gives its whole items. It is
// strict about meaning: an item counts only in its own section, text inside a
// leaf stays text whatever it looks like, and a text whose structure contradicts
// itself is refused as a whole, because a piece of chat that was copied without
// escaping may have posed as structure.
//
// An empty pair of elements is an intended "no change". Every other text without
// a diff is an *[AnswerError]. The work grows linearly with the text.
func ParseAnswer(text string) (relations.Proposal, Report, error) {
	var rep Report
	text, illegal := cleanText(text)
	if illegal > 0 {
		rep.note(AnswerNote, fmt.Sprintf("%d illegal characters were removed", illegal))
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if isBlank(text) {
		return relations.Proposal{}, rep, &AnswerError{KindEmpty, "the answer is empty"}
	}
	if trimmed := strings.TrimSpace(text); strings.IndexByte("{[\"", trimmed[0]) >= 0 && json.Valid([]byte(trimmed)) {
		return relations.Proposal{}, rep, &AnswerError{KindNotADiff, "the answer is JSON, not the XML of a diff"}
	}
	text, err := dropReasoning(text)
	if err != nil {
		return relations.Proposal{}, rep, err
	}
	r := newReader(text, &rep)
	if r.firstRoot() < 0 && strings.Contains(text, "&lt;"+rootMemories) {
		// The whole diff was escaped once too often.
		r = newReader(unescape(text), &rep)
	}
	if r.firstRoot() < 0 {
		return relations.Proposal{}, rep, &AnswerError{KindNotADiff, "the answer holds neither <relations> nor <memories>"}
	}
	r.document()
	if r.fault != "" {
		return relations.Proposal{}, rep, &AnswerError{KindMalformed, r.fault}
	}
	rep.Truncated = r.truncated
	p := r.proposal()
	if rep.Truncated && p.Empty() {
		return p, rep, &AnswerError{KindMaxTokens, "the answer was cut off before its first whole item"}
	}
	return p, rep, nil
}
