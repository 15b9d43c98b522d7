package graph

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// period is a time that a question speaks of: from its first instant to before
// its last. What was before something has no from; a month or a day without a
// year has neither.
type period struct {
	from, to   time.Time
	month, day int // of any year, 0 for none
}

// toldAfter is how long after a time it is still told of: many memories carry
// only the date on which they were told.
const toldAfter = 14 * 24 * time.Hour

// timesIn gives the times that a question speaks of, in Chinese or English,
// relative ones as seen at now, and the clause that says when by something that
// happened, nil where there is none.
func timesIn(text string, now time.Time) ([]period, *clause) {
	out, s := readDates(agoRules, Fold(text), now)
	s = inDigits(s)
	c, start, end, ok := clauseIn(s)
	if !ok {
		periods, _ := readDates(dateRules, s, now)
		return append(out, periods...), nil
	}
	named, _ := readDates(dateRules, s[start:end], now)
	others, _ := readDates(dateRules, s[:start]+" "+s[end:], now)
	out = append(append(out, c.of(named)...), others...)
	if len(named) > 0 {
		return out, nil
	}
	return out, &c
}

// inDigits writes years, months and days that stand in Han characters as digits:
// 二〇二五年五月二十号 is 2025年5月20号.
func inDigits(s string) string {
	s = hanYear.ReplaceAllStringFunc(s, func(found string) string {
		var b strings.Builder
		for _, r := range strings.TrimSuffix(found, "年") {
			b.WriteString(strconv.Itoa(hanDigit(r)))
		}
		return b.String() + "年"
	})
	return hanDay.ReplaceAllStringFunc(s, func(found string) string {
		runes := []rune(found)
		n, last := 0, len(runes)-1
		for i, r := range runes[:last] {
			switch {
			case r != '十':
				n += hanDigit(r)
			case i == 0:
				n = 10
			default:
				n *= 10
			}
		}
		return strconv.Itoa(n) + string(runes[last])
	})
}

var (
	hanYear = regexp.MustCompile(`[一二][〇零一二三四五六七八九]{3}年`)
	hanDay  = regexp.MustCompile(`(?:[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[月日号]`)
)

// hanDigit gives what one Han character stands for, 0 for another.
func hanDigit(r rune) int {
	if r == '零' {
		return 0
	}
	return max(0, strings.IndexRune("〇一二三四五六七八九", r)/len("〇"))
}

// readDates gives the periods that rules find in folded text, and what is left.
func readDates(rules []dateRule, s string, now time.Time) (out []period, rest string) {
	for _, rule := range rules {
		s = rule.form.ReplaceAllStringFunc(s, func(found string) string {
			m := rule.form.FindStringSubmatch(found)
			if p, ok := rule.read(m, now); ok {
				out = append(out, p)
			}
			return " " // a longer form hides what is part of it
		})
	}
	return out, s
}

// dateRule reads one form of a time from its groups.
type dateRule struct {
	form *regexp.Regexp
	read func(m []string, now time.Time) (period, bool)
}

// agoRules read how long ago something was, before any other word says when:
// 三天之前 is no clause.
var agoRules = []dateRule{
	{regexp.MustCompile(`\b(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few) (day|week|month|year)s? ago\b`), ago},
	{regexp.MustCompile(`(?:^|[^\d年月])(\d{1,3}|[一二两三四五六七八九十几]{1,2})(天|周|个?星期|个?礼拜|个月|年)(?:之前|以前|前)`), ago},
}

// dateRules are tried in order, longer forms first.
var dateRules = []dateRule{
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
	{regexp.MustCompile(`\b(?:in|since|during|until|till|before|after|early|late|mid) ` + monthNames + `\b`), func(m []string, _ time.Time) (period, bool) { return anyYear(monthNumber(m[1]), "0") }},
	{regexp.MustCompile(`((?:19|20)\d\d)年|\b(?:in|of|since|during|until|till|before|after) ((?:19|20)\d\d)\b`), func(m []string, _ time.Time) (period, bool) {
		year, _ := strconv.Atoi(m[1] + m[2])
		from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		return period{from: from, to: from.AddDate(1, 0, 0)}, true
	}},
	{regexp.MustCompile(`(上上|上|这|本|下)个?周末|\b(last|this|next) weekend\b`), func(m []string, now time.Time) (period, bool) {
		p, ok := inWeek(now, map[string]int{"上上": -2, "上": -1, "下": 1, "last": -1, "next": 1}[m[1]+m[2]], 5, true, false)
		p.to = p.from.AddDate(0, 0, 2)
		return p, ok
	}},
	{regexp.MustCompile(`(前年|去年|今年|明年)的?([春夏秋冬])|\b(last|this|next) (spring|summer|autumn|fall|winter)\b`), inSeason},
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

// ago gives the day, week, month or year some of these before now.
func ago(m []string, now time.Time) (period, bool) {
	n, known := numbers[m[1]]
	if !known {
		n, _ = strconv.Atoi(m[1])
	}
	if n == 0 {
		return period{}, false
	}
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch strings.TrimPrefix(m[2], "个") {
	case "day", "天":
		from := midnight(now).AddDate(0, 0, -n)
		return period{from: from, to: from.AddDate(0, 0, 1)}, true
	case "week", "周", "星期", "礼拜":
		return inWeek(now, -n, 0, false, false)
	case "month", "月":
		return period{from: month.AddDate(0, -n, 0), to: month.AddDate(0, 1-n, 0)}, true
	}
	from := time.Date(now.Year()-n, 1, 1, 0, 0, 0, 0, time.UTC)
	return period{from: from, to: from.AddDate(1, 0, 0)}, true
}

// numbers are those in words; what says no exact one is read as the likeliest.
var numbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "a couple of": 2, "a few": 3,
	"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "十一": 11, "十二": 12, "几": 3,
}

// inSeason gives a season of the northern half of the earth. "last" is the newest
// that is over.
func inSeason(m []string, now time.Time) (period, bool) {
	first := map[string]time.Month{
		"春": 3, "夏": 6, "秋": 9, "冬": 12, "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12,
	}[m[2]+m[4]]
	from := time.Date(now.Year()+yearsFrom(m[1]), first, 1, 0, 0, 0, 0, time.UTC)
	switch m[3] {
	case "last":
		if from.AddDate(0, 3, 0).After(now) {
			from = from.AddDate(-1, 0, 0)
		}
	case "next":
		if from.Before(now) {
			from = from.AddDate(1, 0, 0)
		}
	}
	return period{from: from, to: from.AddDate(0, 3, 0)}, true
}

// timeMatch says how well a memory fits what a question says of time, 0 to 1: its
// dates, and the time of its event as far as that is sure.
func (q *question) timeMatch(c *candidate) float64 {
	match := 0.0
	if len(q.dates) > 0 {
		match = datesMatch(q.dates, c)
	}
	if q.sure > 0 {
		match = max(match, q.sure*datesMatch([]period{q.event}, c))
	}
	return match
}

// datesMatch says how well a memory fits the times that a question speaks of: 1
// where it happened then, less where it was told then or soon after.
func datesMatch(asked []period, c *candidate) float64 {
	best := 0.0
	from, to, exact := eventPeriod(c)
	if from.IsZero() {
		return 0
	}
	for _, p := range asked {
		switch {
		case p.month > 0:
			if int(from.Month()) == p.month && (p.day == 0 || from.Day() == p.day) {
				best = max(best, 1)
			}
		case from.Before(p.to) && (to.After(p.from) || from.Equal(p.from)):
			best = max(best, 1)
		case !exact && !p.from.IsZero() && !from.Before(p.to) && from.Sub(p.to) < toldAfter:
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
func asksBefore(text string) bool { return wasBefore.MatchString(Fold(text)) }

var wasBefore = regexp.MustCompile(`以前|之前|原来|原本|原先|本来|曾|旧|老版|过去|起初|最初|一开始|从前|先前|改过来|变化|前后|` +
	`\b(?:before|previous(?:ly)?|former(?:ly)?|used to|original(?:ly)?|old|older|earlier|initially|at first|prior|changed?|no longer)\b`)
