package steps_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor/steps"
)

var similar = []steps.Known{
	{ID: 12, Date: "2026-03-03 20:16:20", Value: "阿岩养了一只橘猫。"},
	{ID: 15, Date: "2026-03-04 09:00:00", Value: "阿岩的猫叫螺丝。"},
	{ID: 20, Date: "2026-03-05 09:00:00", Value: "阿岩住在集美。"},
}

func merge() steps.Step[[]steps.Merged] {
	return steps.MergeInto(item("猫", user, "阿岩三岁的橘猫叫螺丝。"), "2026-03-06 10:00:00", similar, none)
}

var mergeCases = []struct {
	name, answer string
	want         []steps.Merged
	notes        []string
}{
	{
		name: "correct zh", answer: `{"value":"阿岩养了一只三岁的橘猫，叫螺丝。","merged_from":[12,15],"should_merge":true}`,
		want: []steps.Merged{{"阿岩养了一只三岁的橘猫，叫螺丝。", []int64{12, 15}}},
	},
	{
		name: "correct en", answer: `{"value":"Ayan has a cat named Luosi.","merged_from":[12,15],"should_merge":true}`,
		want: []steps.Merged{{"Ayan has a cat named Luosi.", []int64{12, 15}}},
	},
	{name: "correct, no merge", answer: `{"should_merge":false}`},
	{
		name:   "correct, several results",
		answer: `{"results":[{"value":"A.","merged_from":[12],"should_merge":true},{"value":"B.","merged_from":[20],"should_merge":true}]}`,
		want:   []steps.Merged{{"A.", []int64{12}}, {"B.", []int64{20}}},
	},
	{
		name: "sloppy zh", answer: "```json\n{“value”：“阿岩养了一只叫“螺丝”的猫。”，“merged_from”：“12、15”，“should_merge”：“是”}\n```",
		want: []steps.Merged{{"阿岩养了一只叫“螺丝”的猫。", []int64{12, 15}}},
	},
	{
		name: "sloppy en", answer: `Merging: {"should_merge":"True","results":[{"value":"A "fine" cat.","mergedFrom":12},{"value":"B.","merged_from":["20"],},]}`,
		want: []steps.Merged{{`A "fine" cat.`, []int64{12}}, {"B.", []int64{20}}},
	},
	{
		name:   "hostile zh",
		answer: `[{"value":"一切作废。","merged_from":[1,2,3,"全部"],"should_merge":true},{"value":"\u0000","merged_from":[12],"should_merge":true},{"value":"作废","merged_from":[12]},{"value":"猫","merged_from":[15,99,15],"should_merge":true}]`,
		want:   []steps.Merged{{"猫", []int64{15}}},
		notes: []string{
			"a merge names 4 memories that were not shown; they were ignored",
			"a merge names no memory that is left to merge; nothing was merged by it",
			"a merge has no text; nothing was merged by it",
			"a result does not say whether to merge; nothing was merged by it",
			"a merge names 1 memories that were not shown; they were ignored",
		},
	},
	{
		name:   "hostile en",
		answer: `{"results":[{"value":"A.","merged_from":[12,15],"should_merge":true},{"value":"void","merged_from":[15,20],"should_merge":true},{"value":"void","merged_from":[12],"should_merge":true},"void",{"value":"void","merged_from":{"a":20},"should_merge":true},{"value":"void","merged_from":[99999999999999999999],"should_merge":false}]}`,
		want:   []steps.Merged{{"A.", []int64{12, 15}}, {"void", []int64{20}}},
		notes: []string{
			"a merge names memories that another one takes; they were ignored",
			"a merge names no memory that is left to merge; nothing was merged by it",
			"a result that is no object was ignored",
			"a merge names 1 memories that were not shown; they were ignored",
			"a merge names no memory that is left to merge; nothing was merged by it",
			"a merge names 1 memories that were not shown; they were ignored",
		},
	},
	{
		name:   "an answer that forbids what its results say",
		answer: `{"should_merge":false,"results":[{"value":"void","merged_from":[12],"should_merge":true}]}`,
	},
	{
		name:   "cut off",
		answer: `{"results":[{"value":"A.","merged_from":[12],"should_merge":true},{"value":"B.","merged_from":[15`,
		want:   []steps.Merged{{"A.", []int64{12}}},
		notes:  []string{"the answer was cut off; what it does not reach is not merged"},
	},
}

func TestMergesAreRead(t *testing.T) {
	for _, tt := range mergeCases {
		t.Run(tt.name, func(t *testing.T) {
			got, notes, err := merge().Parse(tt.answer)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.notes, notes); diff != "" {
				t.Errorf("notes: %s", diff)
			}
		})
	}
}

func TestMergesWithoutAUsableAnswerAreErrors(t *testing.T) {
	for answer, want := range map[string]error{
		"不应该合并。":                            steps.ErrNoAnswer,
		"{}":                                steps.ErrNoAnswer,
		"[]":                                steps.ErrNoAnswer,
		`{"value":"A.","merged_from":[12,1`: steps.ErrCutOff,
		`{"should_merge":false}{"value":"void","merged_from":[12],"should_merge":true}`:     steps.ErrMalformed,
		`{"value":"he wrote "x"} {"value":"void","merged_from":[12],"should_merge":true}"}`: steps.ErrMalformed,
	} {
		if _, _, err := merge().Parse(answer); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", answer, err, want)
		}
	}
}
