package graph

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTimesIn(t *testing.T) {
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
		{"three days ago", []period{days("2026-11-27", 1)}},
		{"去年五月", []period{days("2025-05-01", 31)}},
		{"二〇二四年十二月二十一号", []period{days("2024-12-21", 1)}},
		{"二零二四年三月", []period{days("2024-03-01", 31)}},
		{"十月三十日", []period{{month: 10, day: 30}}},
		{"一个月", nil},
		{"三天前", []period{days("2026-11-27", 1)}},
		{"两周之前", []period{days("2026-11-16", 7)}},
		{"2 months ago", []period{days("2026-09-01", 30)}},
		{"一年以前", []period{days("2025-01-01", 365)}},
		{"0天前", nil},
		{"2024年以前", []period{{to: days("2024-01-01", 1).from}}},
		{"before 2024", []period{{to: days("2024-01-01", 1).from}}},
		{"last weekend", []period{days("2026-11-28", 2)}},
		{"上周末", []period{days("2026-11-28", 2)}},
		{"last summer", []period{days("2026-06-01", 92)}},
		{"last winter", []period{days("2025-12-01", 90)}},
		{"next spring", []period{days("2027-03-01", 92)}},
		{"去年夏天", []period{days("2025-06-01", 92)}},
		{"where did she live before May 2023", []period{{to: days("2023-05-01", 1).from}}},
		{"2023年5月之前她住哪", []period{{to: days("2023-05-01", 1).from}}},
		{"since last month", []period{{from: days("2026-10-01", 1).from, to: forever}}},
		{"2024年以后", []period{{from: days("2025-01-01", 1).from, to: forever}}},
		{"before June", []period{{month: 6}}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, clause := timesIn(tt.text, now)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(period{})); diff != "" {
				t.Errorf("periods (-want +got):\n%s", diff)
			}
			if clause != nil {
				t.Errorf("takes %q for something that happened", clause.text)
			}
		})
	}
}

func TestClauseIn(t *testing.T) {
	tests := []struct {
		text string
		want clause // none where it has no text
	}{
		{"where did she live before she moved to Boston?", clause{"she moved to boston", beforeThat}},
		{"Before she moved to Boston, where did she live?", clause{"she moved to boston", beforeThat}},
		{"when did she paint it, before the wedding?", clause{"the wedding", beforeThat}},
		{"what did Ana learn after the race?", clause{"the race", afterThat}},
		{"what has he done since he left school", clause{"he left school", sinceThat}},
		{"who looked after the dog during the trip", clause{"the trip", atThat}},
		{"where did she go after the wedding?", clause{"the wedding", afterThat}},
		{"what picture did she take after the hike?", clause{"the hike", afterThat}},
		{"who was she named after", clause{}},
		{"who was named after her aunt", clause{}},
		{"when did she move", clause{}},
		{"has she been there before?", clause{}},
		{"她搬到海港市之前住在哪里", clause{"她搬到海港市", beforeThat}},
		{"墨鱼咖啡开张以后，谁去过？", clause{"墨鱼咖啡开张", afterThat}},
		{"在旅行期间他写了什么", clause{"在旅行", atThat}},
		{"阿岩搬家前住在哪", clause{"阿岩搬家", beforeThat}},
		{"小满毕业后去了哪里", clause{"小满毕业", afterThat}},
		{"她住在哪，离职前？", clause{"离职", beforeThat}},
		{"阿岩目前住在哪", clause{}},
		{"阿岩后来去了哪", clause{}},
		{"她的前男友是谁", clause{}},
		{"她前年在哪", clause{}},
		{"她什么时候搬家的", clause{}},
		{"什么的时候", clause{}},
		{"她们以前住哪", clause{}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, _, _, ok := clauseIn(Fold(tt.text))
			if got != tt.want || ok != (tt.want.text != "") {
				t.Errorf("clause %v, %v, want %v", got, ok, tt.want)
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
		{"at its first instant", may, candidate{date: may.from}, 1},
		{"before it", period{to: may.from}, candidate{eventDate: "2023-04-30"}, 1},
		{"not before it", period{to: may.from}, candidate{date: day(5, 3)}, 0},
		{"after it", period{from: may.to, to: forever}, candidate{date: day(8, 3)}, 1},
		{"January without a date", period{month: 1}, candidate{}, 0},
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

func FuzzTimesIn(f *testing.F) {
	for _, s := range []string{"2023-13-45", "上上周", "may 31 2023", "99月99日", "去年的19月", "last sunday", "before 2023-05", "三天之前", "since when", "last winter"} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		periods, _ := timesIn(s, now)
		for _, p := range periods {
			if p.month == 0 && !p.from.Before(p.to) {
				t.Fatalf("%q: the period from %v to %v is none", s, p.from, p.to)
			}
		}
	})
}
