package steps_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"relata/extractor/steps"
)

// Whatever a model says, reading it ends, and what is read keeps its promises.

func checkText(t *testing.T, what, s string) {
	t.Helper()
	if s != strings.TrimSpace(s) || !utf8.ValidString(s) || strings.ContainsAny(s, "\x00\x07\x1b") {
		t.Errorf("%s is not clean: %q", what, s)
	}
}

func FuzzReadersParse(f *testing.F) {
	f.Add(cup)
	f.Add("```json\n{“memory_list”：{\"key\":\"搬家\",\"value\":\"他说\"好\"\",},“摘要”：“x”}")
	f.Add(`{"key":"a","value":"A."}{"key":"b","value":"\u0000"}</think>[`)
	f.Fuzz(func(t *testing.T, answer string) {
		for _, s := range []steps.Step[steps.Reading]{
			steps.ReadChat(zhChat, none), steps.ReadDocument(steps.Text{}, none), steps.ReadText(steps.Text{}, none), steps.ReadImage(steps.Picture{}, none),
		} {
			got, _, err := s.Parse(answer)
			if err != nil && len(got.Items) > 0 {
				t.Errorf("%s: items and an error", s.Name)
			}
			checkText(t, "the summary", got.Summary)
			for _, it := range got.Items {
				checkText(t, "a value", it.Value)
				checkText(t, "a key", it.Key)
				if it.Value == "" || it.MemoryType != steps.LongTermMemory && it.MemoryType != steps.UserMemory {
					t.Errorf("%s: %+v", s.Name, it)
				}
				for _, id := range it.MsgIDs {
					if id != 101 && id != 102 {
						t.Errorf("%s: cites %d", s.Name, id)
					}
				}
			}
		}
	})
}

func FuzzChecksParse(f *testing.F) {
	for _, c := range rewriteCases {
		f.Add(c.answer)
	}
	for _, c := range verdictCases {
		f.Add(c.answer)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		for _, s := range []steps.Step[map[int]steps.Rewrite]{steps.RewriteMemories(zhChat, zhItems, none), steps.RewriteToUser(zhChat, zhItems, none)} {
			got, _, _ := s.Parse(answer)
			items, _ := steps.ApplyRewrites(zhItems, got)
			for _, it := range items {
				checkText(t, "a rewritten value", it.Value)
				if it.Value == "" {
					t.Error("a value is blank")
				}
			}
		}
		for _, s := range []steps.Step[map[int]steps.Verdict]{steps.FilterHallucinations(zhChat, zhItems, none), steps.SortOutKnown(zhChat, zhItems, similar, none)} {
			got, _, _ := s.Parse(answer)
			kept, dropped, _ := steps.ApplyVerdicts(zhItems, got)
			if len(kept)+len(dropped) != len(zhItems) {
				t.Errorf("%d kept, %d dropped", len(kept), len(dropped))
			}
			for _, d := range dropped {
				if d.Reason == "" {
					t.Error("dropped without a reason")
				}
			}
		}
	})
}

func FuzzMergeParse(f *testing.F) {
	for _, c := range mergeCases {
		f.Add(c.answer)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		got, _, _ := merge().Parse(answer)
		var used []int64
		for _, m := range got {
			checkText(t, "a value", m.Value)
			if m.Value == "" || len(m.MergedFrom) == 0 {
				t.Errorf("%+v", m)
			}
			used = append(used, m.MergedFrom...)
		}
		slices.Sort(used)
		if len(slices.Compact(slices.Clone(used))) != len(used) || slices.ContainsFunc(used, func(id int64) bool { return id != 12 && id != 15 && id != 20 }) {
			t.Errorf("merged from %v", used)
		}
	})
}
