package graph

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPeriodsIn(t *testing.T) {
	now := time.Date(2026, 11, 30, 15, 0, 0, 0, time.UTC) // a Monday
	days := func(from string, n int) period {
		f, err := time.Parse("2006-01-02", from)
		if err != nil {
			t.Fatal(err)
		}
		return period{from: f, to: f.AddDate(0, 0, n)}
	}
	tests := []struct {
		text string
		want []period
	}{
		{"what happened on 2023-05-08", []period{days("2023-05-08", 1)}},
		{"2026年4月19日她在哪", []period{days("2026-04-19", 1)}},
		{"2026年４月的计划", []period{days("2026-04-01", 30)}},
		{"the talk of 8 May, 2023 and of May 9th, 2023", []period{days("2023-05-08", 1), days("2023-05-09", 1)}},
		{"where did we go in May 2023", []period{days("2023-05-01", 31)}},
		{"last May", []period{days("2026-05-01", 31)}},
		{"last December", []period{days("2025-12-01", 31)}},
		{"去年3月", []period{days("2025-03-01", 31)}},
		{"4月19日搬家", []period{{month: 4, day: 19}}},
		{"what did she do in June", []period{{month: 6}}},
		{"what may she do", nil},
		{"she may 2 times", []period{{month: 5, day: 2}}},
		{"in 2024", []period{days("2024-01-01", 366)}},
		{"上周五说的", []period{days("2026-11-27", 1)}},
		{"上上周", []period{days("2026-11-16", 7)}},
		{"这周日", []period{days("2026-12-06", 1)}},
		{"星期天", nil},
		{"last Friday", []period{days("2026-11-27", 1)}},
		{"last week", []period{days("2026-11-23", 7)}},
		{"上个月", []period{days("2026-10-01", 31)}},
		{"next month", []period{days("2026-12-01", 31)}},
		{"昨晚和前天", []period{days("2026-11-29", 1), days("2026-11-28", 1)}},
		{"去年", []period{days("2025-01-01", 365)}},
		{"2023-02-31 and 19月", nil},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, periodsIn(tt.text, now), cmp.AllowUnexported(period{})); diff != "" {
				t.Errorf("periods (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDatesMatch(t *testing.T) {
	day := func(m time.Month, d int) time.Time { return time.Date(2023, m, d, 9, 0, 0, 0, time.UTC) }
	may := period{from: day(5, 1).Add(-9 * time.Hour), to: day(6, 1).Add(-9 * time.Hour)}
	tests := []struct {
		name      string
		asked     period
		candidate candidate
		want      float64
	}{
		{"happened then", may, candidate{eventDate: "2023-05-28 09:30", date: day(8, 1)}, 1},
		{"happened in the month", may, candidate{eventDate: "2023-05"}, 1},
		{"happened some time that year", may, candidate{eventDate: "2023"}, 1},
		{"happened at another time, though told then", may, candidate{eventDate: "2023-02", date: day(5, 3)}, 0},
		{"told then", may, candidate{date: day(5, 3)}, 1},
		{"told soon after", may, candidate{date: day(6, 8)}, 0.7},
		{"told long after", may, candidate{date: day(8, 8)}, 0},
		{"a month of any year", period{month: 5}, candidate{eventDate: "2021-05-02"}, 1},
		{"a day of any year", period{month: 5, day: 3}, candidate{eventDate: "2021-05-02"}, 0},
		{"without a date", may, candidate{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := datesMatch([]period{tt.asked}, &tt.candidate); got != tt.want {
				t.Errorf("matches by %v, want %v", got, tt.want)
			}
		})
	}
}

func TestAsksBefore(t *testing.T) {
	for _, s := range []string{"她以前住在哪", "宜庭原本的計畫", "what did she use before", "the former name", "这是从哪个旧状态改过来的"} {
		if !asksBefore(s) {
			t.Errorf("%q asks what was before", s)
		}
	}
	for _, s := range []string{"她现在住在哪", "where does she live", "the golden hour"} {
		if asksBefore(s) {
			t.Errorf("%q does not", s)
		}
	}
}

func FuzzPeriodsIn(f *testing.F) {
	for _, s := range []string{"2023-13-45", "上上周", "may 31 2023", "99月99日", "去年的19月", "last sunday"} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range periodsIn(s, now) {
			if p.month == 0 && !p.from.Before(p.to) {
				t.Fatalf("%q: the period from %v to %v is none", s, p.from, p.to)
			}
		}
	})
}
