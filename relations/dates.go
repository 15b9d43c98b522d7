package relations

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// Precision says how much of a date was written.
type Precision int

// From a year alone to the second.
const (
	Year Precision = iota + 1
	Month
	Day
	Minute
	Second
)

// End gives the last second of the year, month, day or minute that a date of
// this precision names; t is its first moment.
func (p Precision) End(t time.Time) time.Time {
	switch p {
	case Year:
		t = t.AddDate(1, 0, 0)
	case Month:
		t = t.AddDate(0, 1, 0)
	case Day:
		t = t.AddDate(0, 0, 1)
	case Minute:
		t = t.Add(time.Minute)
	default:
		return t
	}
	return t.Add(-time.Second)
}

// DateLayout is how dates are written in bodies and in the diff format, in the
// space's time zone.
const DateLayout = "2006-01-02 15:04:05"

// dateForm takes year, month, day, hour, minute, second and zone apart. The
// parts are joined by - / . or the Chinese units, day and time by a blank, a T
// or nothing after 日.
var dateForm = regexp.MustCompile(`^(\d{4})(?:年|[-/.年](\d{1,2})(?:月|[-/.月](\d{1,2})(?:日|号)?)?)?` +
	`(?:[T ,]*(\d{1,2})(?::|时|点)(?:(\d{1,2})(?:分|:(\d{1,2})(?:[.,]\d{1,9})?|分(\d{1,2})秒)?)?` +
	` ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$`)

// ParseDate reads a date in the forms that models and clients write:
// "2025-03-08 10:39:17", "2025-3-8", "2025/3/8", "2025年3月8日", RFC 3339 and
// SQL with fractions and zone, or just a month or a year. Without a zone it is
// read in loc. A date that does not exist (30 February) and anything else is an
// error that quotes the text.
func ParseDate(text string, loc *time.Location) (time.Time, Precision, error) {
	s := strings.Join(strings.Fields(norm.NFKC.String(text)), " ")
	s = strings.ReplaceAll(s, "t", "T")
	m := dateForm.FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, 0, fmt.Errorf("date %q is in no known form: write YYYY-MM-DD or YYYY-MM-DD HH:MM:SS", text)
	}
	part := func(i, missing int) int {
		if m[i] == "" {
			return missing
		}
		n, _ := strconv.Atoi(m[i]) // the pattern admits digits only
		return n
	}
	year, month, day := part(1, 0), part(2, 1), part(3, 1)
	hour, minute, second := part(4, 0), part(5, 0), part(6, part(7, 0))
	precision := Year
	switch {
	case m[6] != "" || m[7] != "":
		precision = Second
	case m[4] != "":
		precision = Minute
	case m[3] != "":
		precision = Day
	case m[2] != "":
		precision = Month
	}
	if m[8] != "" {
		zone, err := parseZone(m[8])
		if err != nil {
			return time.Time{}, 0, fmt.Errorf("date %q: %w", text, err)
		}
		loc = zone
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, loc)
	if year < 1 || month < 1 || month > 12 || t.Day() != day || day < 1 || (m[4] != "" && m[3] == "") ||
		hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, 0, fmt.Errorf("date %q does not exist", text)
	}
	return t, precision, nil
}

func parseZone(s string) (*time.Location, error) {
	if s == "Z" || s == "UTC" {
		return time.UTC, nil
	}
	digits := strings.ReplaceAll(s[1:], ":", "")
	hours, _ := strconv.Atoi(digits[:2])
	minutes := 0
	if len(digits) == 4 {
		minutes, _ = strconv.Atoi(digits[2:])
	}
	if hours > 14 || minutes > 59 {
		return nil, fmt.Errorf("zone %s does not exist", s)
	}
	offset := hours*3600 + minutes*60
	if s[0] == '-' {
		offset = -offset
	}
	return time.FixedZone(s, offset), nil
}

// FormatDate writes a date as bodies and sources have it, "" for the zero time.
func FormatDate(t time.Time, loc *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(loc).Format(DateLayout)
}

// NormalizeEventDate gives a date at one of the four precisions of formats §1:
// year, month, day or minute, in the space's zone. Errors are those of
// [ParseDate].
func NormalizeEventDate(text string, loc *time.Location) (string, error) {
	t, precision, err := ParseDate(text, loc)
	if err != nil {
		return "", err
	}
	layout := map[Precision]string{
		Year: "2006", Month: "2006-01", Day: "2006-01-02",
		Minute: "2006-01-02 15:04", Second: "2006-01-02 15:04",
	}[precision]
	return t.In(loc).Format(layout), nil
}

// noDate says whether a text stands for a date that is not known.
func noDate(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "null", "nil", "none", "unknown", "n/a", "未知", "无", "不详":
		return true
	}
	return false
}
