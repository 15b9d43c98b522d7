package graph

import (
	"regexp"
	"strings"
	"time"
)

// bearing is how the time that a question asks for lies to what it names.
type bearing int

const (
	atThat bearing = iota
	beforeThat
	afterThat
	sinceThat
)

// clause is a part of a question that says when by naming something that
// happened: "before she moved", "搬家以后".
type clause struct {
	text string
	bearing
}

// clauseIn finds the first clause of a folded question that says when, and where
// it stands with the word that says how; ok is false where there is none. What it
// names may be a date.
func clauseIn(s string) (c clause, start, end int, ok bool) {
	if pointedness(s) == 0 {
		return clause{}, 0, 0, false // a pasted conversation says so many times
	}
	for _, rule := range clauseRules {
		for at := 0; at < len(s); {
			m := rule.form.FindStringSubmatchIndex(s[at:])
			if m == nil {
				break
			}
			start, end := at+min(m[2], m[4]), at+max(m[3], m[5])
			c := clause{strings.TrimSpace(s[at+m[2*rule.text] : at+m[2*rule.text+1]]), bearings[s[at+m[2*rule.word]:at+m[2*rule.word+1]]]}
			words, chars := QueryTerms(c.text)
			if len(words)+len(chars) > 0 && !notATime.MatchString(s[at+m[0]:end]) {
				return c, start, end, true
			}
			at += m[2*rule.word+1]
		}
	}
	return clause{}, 0, 0, false
}

// clauseRules find the word that says how, and the clause beside it; the groups
// that these are.
var clauseRules = []struct {
	form       *regexp.Regexp
	word, text int
}{
	{regexp.MustCompile(`\b(?:\w+ )?\b(before|prior to|until|till|after|since|following|during|while|when) ([^,;.!?。]+)`), 1, 2},
	{regexp.MustCompile(`([^,;.!?。、: ]{2,40}?)(之前|以前|之后|以后|以来|的时候|期间)`), 2, 1},
	// 搬家前, 毕业后; not 目前, 然后, 前年, 后来 or 她的前男友.
	{regexp.MustCompile(`([^,;.!?。、: ]{1,39}?[^,;.!?。、: 目从先早之以最提眼面背然今随往落的])(前|后)(?:[^来面年天者期辈果续代台院]|$)`), 2, 1},
}

var bearings = map[string]bearing{
	"before": beforeThat, "prior to": beforeThat, "until": beforeThat, "till": beforeThat, "之前": beforeThat, "以前": beforeThat,
	"after": afterThat, "following": afterThat, "之后": afterThat, "以后": afterThat,
	"since": sinceThat, "以来": sinceThat,
	"during": atThat, "while": atThat, "when": atThat, "的时候": atThat, "期间": atThat, "前": beforeThat, "后": afterThat,
}

// notATime are uses of these words that say something else: a question for a
// time, or a verb that goes with "after".
var notATime = regexp.MustCompile(`\bwhen (?:did|do|does|is|are|was|were|will|would|has|have|had|can|could|should|shall|may|might)\b|` +
	`\b(?:named?|looks?|looking|looked|called|asks?|asked) after\b|` +
	`什么的?时候|^(?:[我你您他她它咱]们?|大家|不久|很久|一直)(?:之前|以前|之后|以后|的时候)`)

// of gives the times that a clause means which names periods. A month of any year
// has nothing before or after it.
func (b bearing) of(named []period) []period {
	var out []period
	for _, p := range named {
		switch {
		case p.month > 0 || b == atThat:
		case b == beforeThat:
			p = period{to: p.from}
		case b == afterThat:
			p = period{from: p.to, to: forever}
		case b == sinceThat:
			p = period{from: p.from, to: forever}
		}
		out = append(out, p)
	}
	return out
}

// forever is later than any memory.
var forever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// events gives a question for each event that questions name to say when: it is
// looked for beside them, in all categories.
func events(questions []question) []question {
	var out []question
	for i, q := range questions {
		if q.clause != nil {
			out = append(out, question{index: i, text: q.clause.text, limit: 10, legs: q.legs})
		}
	}
	return out
}

// ofWhom gives the answer to a clause: the best one, but if the clause names
// nobody, and another that is nearly as good is about whom the question names,
// that one.
func (q *question) ofWhom(named *question) candidate {
	best := named.ranked[0]
	if len(namedWords(named)) > 0 {
		return best
	}
	for _, c := range named.ranked {
		if c.score < nearlyBest*best.score {
			break
		}
		if at, ok := q.at[c.id]; ok && q.candidates[at].named != "" {
			return c
		}
	}
	return best
}

// nearlyBest is the share of the best answer's score that is nearly as good.
const nearlyBest = 0.6

// sureEvent is the confidence from which what a clause names is taken to be
// found; below it, it counts less.
const sureEvent = 0.5

// eventTime reads when something happened that a question's clause names, from the
// answer to the clause: the time that the question asks for, and how sure that
// is, 0 to 1.
func (q *question) eventTime(named *question) (p period, sure float64) {
	if len(named.ranked) == 0 || len(named.apart(namedWords(named))) == 0 {
		return period{}, 0 // nothing found, or a name alone: 阿岩以前
	}
	best := q.ofWhom(named)
	from, to, exact := eventPeriod(&best)
	if from.IsZero() {
		return period{}, 0
	}
	switch {
	case q.clause.bearing == afterThat, q.clause.bearing == sinceThat:
		p = period{from: from, to: forever}
	case q.clause.bearing == beforeThat && exact:
		p = period{to: from}
	case q.clause.bearing == beforeThat:
		p = period{to: to.Add(time.Second)} // what was told with it may have been before it
	case exact:
		p = period{from: from, to: to}
	default:
		p = period{from: midnight(from), to: midnight(from).AddDate(0, 0, 1)}
	}
	return p, min(1, best.confidence/sureEvent)
}
