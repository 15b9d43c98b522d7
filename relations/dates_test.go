package relations_test

import (
	"testing"
	"time"

	"relata/relations"
)

func TestParseDate(t *testing.T) {
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		in        string
		want      string // in UTC
		precision relations.Precision
	}{
		{"2026-03-03 20:26:45", "2026-03-03 12:26:45", relations.Second},
		{"2026-03-03T20:26:45", "2026-03-03 12:26:45", relations.Second},
		{"2026-03-03 20:26", "2026-03-03 12:26:00", relations.Minute},
		{"2026-03-03T12:26:45Z", "2026-03-03 12:26:45", relations.Second},
		{"2026-03-03T20:26:45.123456789+08:00", "2026-03-03 12:26:45", relations.Second},
		{"2025-03-08 10:39:17.2+00", "2025-03-08 10:39:17", relations.Second},
		{"2025-03-08 10:39:17 -0530", "2025-03-08 16:09:17", relations.Second},
		{"2025-3-8", "2025-03-07 16:00:00", relations.Day},
		{"2025/3/8", "2025-03-07 16:00:00", relations.Day},
		{"2025.03.08", "2025-03-07 16:00:00", relations.Day},
		{"2025年3月8日", "2025-03-07 16:00:00", relations.Day},
		{"2025 年", "", 0},
		{"2025年3月8号 9点30分", "2025-03-08 01:30:00", relations.Minute},
		{"2025年3月8日9时", "2025-03-08 01:00:00", relations.Minute},
		{"2025年3月8日 09:30:15", "2025-03-08 01:30:15", relations.Second},
		{"２０２５－０３－０８", "2025-03-07 16:00:00", relations.Day},
		{"2025年3月", "2025-02-28 16:00:00", relations.Month},
		{"2025-03", "2025-02-28 16:00:00", relations.Month},
		{"2025", "2024-12-31 16:00:00", relations.Year},
		{"2024-02-29", "2024-02-28 16:00:00", relations.Day},
		{"2025-02-30", "", 0},
		{"2025-02-29", "", 0},
		{"2025-13-01", "", 0},
		{"2025-00-10", "", 0},
		{"0000-01-01", "", 0},
		{"2025-03-08 24:00", "", 0},
		{"2025-03-08 10:61", "", 0},
		{"2025-03-08T10:00:00+25:00", "", 0},
		{"null", "", 0},
		{"", "", 0},
		{"下周二", "", 0},
		{"8 March 2025", "", 0},
		{"2025-03-08 and more", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, precision, err := relations.ParseDate(tt.in, shanghai)
			if tt.want == "" {
				if err == nil {
					t.Errorf("ParseDate(%q) = %v, want an error", tt.in, got)
				}
				return
			}
			if err != nil || relations.FormatDate(got, time.UTC) != tt.want || precision != tt.precision {
				t.Errorf("ParseDate(%q) = %v, %d, %v; want %s, %d", tt.in, got.UTC(), precision, err, tt.want, tt.precision)
			}
		})
	}
}

func TestNormalizeEventDate(t *testing.T) {
	for in, want := range map[string]string{
		"2026": "2026", "2026年": "2026", "2026-3": "2026-03", "2026年3月": "2026-03",
		"2026/3/28": "2026-03-28", "2026年3月28日": "2026-03-28",
		"2026-03-28 09:30": "2026-03-28 09:30", "2026-03-28T09:30:59": "2026-03-28 09:30",
		"2026年3月28日 9点30分": "2026-03-28 09:30",
	} {
		if got, err := relations.NormalizeEventDate(in, time.UTC); got != want || err != nil {
			t.Errorf("NormalizeEventDate(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"2026-02-30", "soon", "2026-3-28-1", ""} {
		if got, err := relations.NormalizeEventDate(in, time.UTC); got != "" || err == nil {
			t.Errorf("NormalizeEventDate(%q) = %q, want an error", in, got)
		}
	}
}

func FuzzParseDate(f *testing.F) {
	for _, s := range []string{"2025-3-8", "2025年3月8日 9点30分", "2025-02-30", "null", "2025-03-08 10:39:17.2+00", "2026"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, _, err := relations.ParseDate(s, time.UTC)
		if err != nil {
			return
		}
		if back, _, err := relations.ParseDate(relations.FormatDate(got, time.UTC), time.UTC); err != nil || !back.Equal(got) {
			t.Fatalf("ParseDate(%q) = %v, written and read again %v, %v", s, got, back, err)
		}
		event, err := relations.NormalizeEventDate(s, time.UTC)
		if err != nil {
			t.Fatalf("ParseDate reads %q and NormalizeEventDate does not: %v", s, err)
		}
		if again, err := relations.NormalizeEventDate(event, time.UTC); again != event || err != nil {
			t.Fatalf("NormalizeEventDate(%q) = %q, of that %q, %v", s, event, again, err)
		}
	})
}
