package graph

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// period is a time that a question speaks of: from its first instant to before
// its last. A month or a day without a year has every and no from.
type period struct {
	from, to   time.Time
	month, day int // of any year, 0 for none
}

// toldAfter is how long after a time it is still told of: many memories carry
// only the date on which they were told.
const toldAfter = 14 * 24 * time.Hour

// periodsIn gives the times that a question speaks of, in Chinese or English,
// relative ones as seen at now.
func periodsIn(text string, now time.Time) []period {
	s := Fold(text)
	var out []period
	for _, rule := range dateRules {
		s = rule.form.ReplaceAllStringFunc(s, func(found string) string {
			m := rule.form.FindStringSubmatch(found)
			if p, ok := rule.read(m, now); ok {
				out = append(out, p)
			}
			return " " // a longer form hides what is part of it
		})
	}
	return out
}

// dateRules are tried in order, longer forms first.
var dateRules = []struct {
	form *regexp.Regexp
	read func(m []string, now time.Time) (period, bool)
}{
	{regexp.MustCompile(`\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b`), func(m []string, _ time.Time) (period, bool) { return onDay(m[1], m[2], m[3]) }},
	{regexp.MustCompile(`((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})[日号]?`), func(m []string, _ time.Time) (period, bool) { return onDay(m[1], m[2], m[3]) }},
	{regexp.MustCompile(`((?:19|20)\d\d)(?:年|-)(\d{1,2})(?:月|\b)`), func(m []string, _ time.Time) (period, bool) { return inMonth(m[1], m[2]) }},
	{regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + monthNames + `,? ((?:19|20)\d\d)\b`), func(m []string, _ time.Time) (period, bool) { return onDay(m[3], monthNumber(m[2]), m[1]) }},
	{regexp.MustCompile(`\b` + monthNames + ` (\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\d\d)\b`), func(m []string, _ time.Time) (period, bool) { return onDay(m[3], monthNumber(m[1]), m[2]) }},
	{regexp.MustCompile(`\b` + monthNames + `,?(?: of)? ((?:19|20)\d\d)\b`), func(m []string, _ time.Time) (period, bool) { return inMonth(m[2], monthNumber(m[1])) }},
	{regexp.MustCompile(`(去年|今年|前年|last year|this year)的?(\d{1,2})月`), func(m []string, now time.Time) (period, bool) {
		return inMonth(strconv.Itoa(now.Year()+yearsFrom(m[1])), m[2])
	}},
	{regexp.MustCompile(`\b(last|this) ` + monthNames + `\b`), func(m []string, now time.Time) (period, bool) {
		month, _ := strconv.Atoi(monthNumber(m[2]))
		year := now.Year()
		if m[1] == "last" && month >= int(now.Month()) {
			year--
		}
		return inMonth(strconv.Itoa(year), strconv.Itoa(month))
	}},
	{regexp.MustCompile(`(\d{1,2})月(\d{1,2})[日号]`), func(m []string, _ time.Time) (period, bool) { return anyYear(m[1], m[2]) }},
	{regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + monthNames + `\b`), func(m []string, _ time.Time) (period, bool) { return anyYear(monthNumber(m[2]), m[1]) }},
	{regexp.MustCompile(`\b` + monthNames + ` (\d{1,2})(?:st|nd|rd|th)?\b`), func(m []string, _ time.Time) (period, bool) { return anyYear(monthNumber(m[1]), m[2]) }},
	{regexp.MustCompile(`(\d{1,2})月份?`), func(m []string, _ time.Time) (period, bool) { return anyYear(m[1], "0") }},
	{regexp.MustCompile(`\b(?:in|since|during|until|early|late|mid) ` + monthNames + `\b`), func(m []string, _ time.Time) (period, bool) { return anyYear(monthNumber(m[1]), "0") }},
	{regexp.MustCompile(`((?:19|20)\d\d)年|\b(?:in|of|since|during|until) ((?:19|20)\d\d)\b`), func(m []string, _ time.Time) (period, bool) {
		year, _ := strconv.Atoi(m[1] + m[2])
		from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		return period{from: from, to: from.AddDate(1, 0, 0)}, true
	}},
	{regexp.MustCompile(`(上上|上|这|本|下)(?:个|一)?(?:周|星期|礼拜)([一二三四五六日天])?`), func(m []string, now time.Time) (period, bool) {
		return inWeek(now, map[string]int{"上上": -2, "上": -1, "下": 1}[m[1]], strings.Index("一二三四五六日", m[2])/len("一"), m[2] != "" && m[2] != "天", m[2] == "天")
	}},
	{regexp.MustCompile(`\b(last|this|next) (week\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)`), func(m []string, now time.Time) (period, bool) {
		by := map[string]int{"last": -1, "next": 1}[m[1]]
		day := 0
		for i, name := range []string{"mon", "tues", "wednes", "thurs", "fri", "satur", "sun"} {
			if strings.HasPrefix(m[2], name) {
				day = i
			}
		}
		return inWeek(now, by, day, m[2] != "week", false)
	}},
	{regexp.MustCompile(`(上上|上|这|本|下)个?月|\b(last|this|next) month\b`), func(m []string, now time.Time) (period, bool) {
		by := map[string]int{"上上": -2, "上": -1, "下": 1, "last": -1, "next": 1}[m[1]+m[2]]
		from := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, by, 0)
		return period{from: from, to: from.AddDate(0, 1, 0)}, true
	}},
	{regexp.MustCompile(`前年|去年|今年|明年|\b(?:last|this|next) year\b`), func(m []string, now time.Time) (period, bool) {
		from := time.Date(now.Year()+yearsFrom(m[0]), 1, 1, 0, 0, 0, 0, time.UTC)
		return period{from: from, to: from.AddDate(1, 0, 0)}, true
	}},
	{regexp.MustCompile(`前天|昨[天晚]|今[天晚早]|明[天晚早]|\b(?:the day before yesterday|yesterday|last night|today|tonight|tomorrow)\b`), func(m []string, now time.Time) (period, bool) {
		by := 0
		switch {
		case m[0] == "前天" || strings.HasPrefix(m[0], "the day"):
			by = -2
		case strings.HasPrefix(m[0], "昨") || m[0] == "yesterday" || m[0] == "last night":
			by = -1
		case strings.HasPrefix(m[0], "明") || m[0] == "tomorrow":
			by = 1
		}
		from := midnight(now).AddDate(0, 0, by)
		return period{from: from, to: from.AddDate(0, 0, 1)}, true
	}},
}

const monthNames = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

// monthNumber gives the number of an English month.
func monthNumber(name string) string {
	return strconv.Itoa(strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", name[:3])/3 + 1)
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func yearsFrom(word string) int {
	switch word {
	case "前年":
		return -2
	case "去年", "last year":
		return -1
	case "明年", "next year":
		return 1
	}
	return 0
}

func onDay(year, month, day string) (period, bool) {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	from := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return period{from: from, to: from.AddDate(0, 0, 1)}, int(from.Month()) == m && from.Day() == d
}

func inMonth(year, month string) (period, bool) {
	p, ok := onDay(year, month, "1")
	p.to = p.from.AddDate(0, 1, 0)
	return p, ok
}

func anyYear(month, day string) (period, bool) {
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	return period{month: m, day: d}, m >= 1 && m <= 12 && d <= 31
}

// inWeek gives a week from Monday, or one day of it, some weeks from now.
func inWeek(now time.Time, by, day int, one, sunday bool) (period, bool) {
	from := midnight(now)
	from = from.AddDate(0, 0, 7*by-(int(from.Weekday())+6)%7)
	switch {
	case sunday:
		from = from.AddDate(0, 0, 6)
	case one:
		from = from.AddDate(0, 0, day)
	default:
		return period{from: from, to: from.AddDate(0, 0, 7)}, true
	}
	return period{from: from, to: from.AddDate(0, 0, 1)}, true
}

// datesMatch says how well a memory fits the times that a question speaks of: 1
// where it happened then, less where it was told then or soon after.
func datesMatch(asked []period, c *candidate) float64 {
	best := 0.0
	from, to, exact := eventPeriod(c)
	for _, p := range asked {
		switch {
		case p.month > 0:
			if int(from.Month()) == p.month && (p.day == 0 || from.Day() == p.day) {
				best = max(best, 1)
			}
		case from.Before(p.to) && to.After(p.from):
			best = max(best, 1)
		case !exact && !from.Before(p.to) && from.Sub(p.to) < toldAfter:
			best = max(best, 0.7)
		}
	}
	return best
}

// eventPeriod gives when a memory happened, or else when it was told.
func eventPeriod(c *candidate) (from, to time.Time, exact bool) {
	for _, layout := range []struct {
		form        string
		years, days int
		months      int
	}{{"2006-01-02", 0, 1, 0}, {"2006-01", 0, 0, 1}, {"2006", 1, 0, 0}} {
		if len(c.eventDate) >= len(layout.form) {
			if t, err := time.Parse(layout.form, c.eventDate[:len(layout.form)]); err == nil {
				return t, t.AddDate(layout.years, layout.months, layout.days), true
			}
		}
	}
	return c.date, c.date, false
}

// asksBefore says whether a question asks what was before something changed.
func asksBefore(text string) bool { return before.MatchString(Fold(text)) }

var before = regexp.MustCompile(`以前|之前|原来|原本|原先|本来|曾|旧|老版|过去|起初|最初|一开始|从前|先前|改过来|变化|前后|` +
	`\b(?:before|previous(?:ly)?|former(?:ly)?|used to|original(?:ly)?|old|older|earlier|initially|at first|prior|changed?|no longer)\b`)
