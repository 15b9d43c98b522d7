package steps_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor/steps"
)

// What each check makes of a correct, a sloppy and a hostile answer, in both
// languages, and what becomes of the memories.

var (
	zhItems = []steps.Item{
		item("搬家", long, "阿岩搬到了集美。"), item("养猫", user, "阿岩想养猫。"), item("安静", user, "阿岩喜欢安静。"),
	}
	enItems = []steps.Item{
		item("Arrival", long, "Maya landed in Xiamen."), item("Kayak", user, "Maya loves kayaking."), item("Job", user, "Maya works at Pelagia Labs."),
	}
)

type rewriteCase struct {
	name   string
	items  []steps.Item
	answer string
	values []string // what the memories say afterwards
	notes  []string // of reading and applying
}

var rewriteCases = []rewriteCase{
	{
		name: "correct zh", items: zhItems,
		answer: `{"0":{"need_rewrite":false,"rewritten":"","reason":"有依据"},"1":{"need_rewrite":true,"rewritten":"助手说阿岩可以养只猫；用户对此否认：“不养”。","reason":"只有助手说过"},"2":{"need_rewrite":false,"rewritten":"","reason":"有依据"}}`,
		values: []string{"阿岩搬到了集美。", "助手说阿岩可以养只猫；用户对此否认：“不养”。", "阿岩喜欢安静。"},
	},
	{
		name: "correct en", items: enItems,
		answer: `{"0":{"need_rewrite":false,"rewritten":"","reason":"grounded"},"1":{"need_rewrite":true,"rewritten":"The assistant suggested kayaking to Maya.","reason":"assistant only"},"2":{"need_rewrite":false,"rewritten":"Maya has no job.","reason":"grounded"}}`,
		values: []string{"Maya landed in Xiamen.", "The assistant suggested kayaking to Maya.", "Maya works at Pelagia Labs."},
	},
	{
		name: "sloppy zh", items: zhItems,
		answer: "```json\n{“results”：{\"记忆1\":{\"need_rewrite\":\"是\",\"rewritten\":\"助手说\"可以养猫\"。\",},2:{\"need_rewrite\":\"否。\",\"rewritten\":\"无\"}}}\n```",
		values: []string{"阿岩搬到了集美。", "助手说\"可以养猫\"。", "阿岩喜欢安静。"},
		notes:  []string{"memory 0 stays as it is: the check said nothing about it"},
	},
	{
		name: "sloppy en", items: enItems,
		answer: `Here: [{"index":"0","need_rewrite":"False"},{"index":1,"needRewrite":"Yes","rewritten":"The assistant suggested kayaking."},{"index":2,"need_rewrite":True,"rewritten":"  "},]`,
		values: []string{"Maya landed in Xiamen.", "The assistant suggested kayaking.", "Maya works at Pelagia Labs."},
		notes:  []string{"memory 2 stays as it is: the new text is blank", "memory 2 stays as it is: the check said nothing about it"},
	},
	{
		name: "hostile zh", items: zhItems,
		answer: `{"0":{"need_rewrite":true,"rewritten":"\u0000\u0007","reason":"x"},"1":{"need_rewrite":"也许","rewritten":"一切作废"},"2":{"need_rewrite":true,"rewritten":"甲"},"2":{"need_rewrite":true,"rewritten":"乙"},"7":{"need_rewrite":true,"rewritten":"丙"},"全部":{"need_rewrite":true,"rewritten":"丁"}}`,
		values: []string{"阿岩搬到了集美。", "阿岩想养猫。", "阿岩喜欢安静。"},
		notes: []string{
			"memory 0 stays as it is: the new text is blank",
			"memory 1 stays as it is: the answer does not say whether it needs rewriting",
			"memory 2 stays as it is: the answer says two things about it",
			"there is no memory 7: what the check said about it was ignored",
			"memory 0 stays as it is: the check said nothing about it",
			"memory 1 stays as it is: the check said nothing about it",
			"memory 2 stays as it is: the check said nothing about it",
		},
	},
	{
		name: "hostile en", items: enItems,
		answer: `{"0":{"need_rewrite":true,"need_rewrite":false,"rewritten":"void"},"-1":{"need_rewrite":true,"rewritten":"void"},"1":"void","2":{"need_rewrite":true,"rewritten":"Maya works at Pelagia Labs, in \u001b[31mR&D</data>."},"99999999999":{"need_rewrite":true,"rewritten":"void"}}`,
		values: []string{"Maya landed in Xiamen.", "Maya loves kayaking.", "Maya works at Pelagia Labs, in [31mR&D</data>."},
		notes: []string{
			"memory 0 stays as it is: the answer does not say whether it needs rewriting",
			"memory 1 stays as it is: the answer does not say whether it needs rewriting",
			"memory 0 stays as it is: the check said nothing about it",
			"memory 1 stays as it is: the check said nothing about it",
		},
	},
	{
		name: "one memory without an index", items: enItems[:1],
		answer: `{"need_rewrite":true,"rewritten":"Maya landed."}`,
		values: []string{"Maya landed."},
	},
	{
		name: "cut off", items: enItems,
		answer: `{"0":{"need_rewrite":true,"rewritten":"Maya landed."},"1":{"need_rewrite":true,"rewritten":"Ma`,
		values: []string{"Maya landed.", "Maya loves kayaking.", "Maya works at Pelagia Labs."},
		notes: []string{
			"the answer was cut off; memories that it does not reach stay as they are",
			"memory 1 stays as it is: the check said nothing about it",
			"memory 2 stays as it is: the check said nothing about it",
		},
	},
}

func TestRewritesAreReadAndApplied(t *testing.T) {
	for _, tt := range rewriteCases {
		for _, s := range []steps.Step[map[int]steps.Rewrite]{
			steps.RewriteMemories(zhChat, tt.items, none), steps.RewriteToUser(zhChat, tt.items, none),
		} {
			t.Run(s.Name+" "+tt.name, func(t *testing.T) {
				before := append([]steps.Item{}, tt.items...)
				got, notes, err := s.Parse(tt.answer)
				if err != nil {
					t.Fatal(err)
				}
				items, more := steps.ApplyRewrites(tt.items, got)
				var values []string
				for i, it := range items {
					values = append(values, it.Value)
					if it.Key != before[i].Key || it.MemoryType != before[i].MemoryType {
						t.Errorf("more than the text of memory %d changed: %+v", i, it)
					}
				}
				if diff := cmp.Diff(tt.values, values); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(tt.notes, append(notes, more...)); diff != "" {
					t.Errorf("notes: %s", diff)
				}
				if diff := cmp.Diff(before, tt.items); diff != "" {
					t.Errorf("the given items were touched: %s", diff)
				}
			})
		}
	}
}

type verdictCase struct {
	name    string
	items   []steps.Item
	answer  string
	dropped map[string]string // key of the memory → reason
	notes   []string
}

var verdictCases = []verdictCase{
	{
		name: "correct zh", items: zhItems,
		answer:  `{"0":{"keep":true,"reason":"有依据"},"1":{"keep":false,"reason":"用户没有说过"},"2":{"keep":true,"reason":"有依据"}}`,
		dropped: map[string]string{"养猫": "用户没有说过"},
	},
	{
		name: "correct en", items: enItems,
		answer:  `{"0":{"keep":true,"reason":"said"},"1":{"keep":false,"reason":"Nobody said it."},"2":{"keep":true,"reason":"said"}}`,
		dropped: map[string]string{"Kayak": "Nobody said it."},
	},
	{
		name: "sloppy zh", items: zhItems,
		answer:  "<think>第二条没有依据</think>结果：{“0”：{“keep”：“是”}，“1”：{“keep”：“否”，“reason”：“用户说“没有”，没有依据”}，}",
		dropped: map[string]string{"养猫": "用户说“没有”，没有依据"},
		notes:   []string{"memory 2 is kept: the check said nothing about it"},
	},
	{
		name: "sloppy en", items: enItems,
		answer:  `{"results":[{"index":0,"keep":"yes","reason":""},{"index":"1","keep":"False","reason":"Only the assistant "said" it."},{"index":2,"keep":1}]} Done!`,
		dropped: map[string]string{"Kayak": `Only the assistant "said" it.`},
	},
	{
		name: "nothing to say", items: zhItems[:1], answer: "{}",
		notes: []string{"memory 0 is kept: the check said nothing about it"},
	},
	{
		name: "hostile zh", items: zhItems,
		answer: `{"0":{"keep":false},"1":{"keep":false,"reason":"\u0000 "},"2":{"keep":"删除","reason":"消息要求"},"3":{"keep":false,"reason":"消息要求"},"4":{"keep":false,"reason":"消息要求"},"1000000":{"keep":false,"reason":"消息要求"}}`,
		notes: []string{
			"memory 0 stays as it is: the answer drops it without a reason",
			"memory 1 stays as it is: the answer drops it without a reason",
			"memory 2 stays as it is: the answer does not say whether to keep it",
			"there is no memory 3: what the check said about it was ignored",
			"there is no memory 4: what the check said about it was ignored",
			"there is no memory 1000000: what the check said about it was ignored",
			"memory 0 is kept: the check said nothing about it",
			"memory 1 is kept: the check said nothing about it",
			"memory 2 is kept: the check said nothing about it",
		},
	},
	{
		name: "hostile en", items: enItems,
		answer: `{"0":{"keep":false,"reason":"a"},"0":{"keep":"?","reason":"b"},"00":{"keep":false,"reason":"a"},"1":false,"2":[{"keep":false,"reason":"all"}],"all":{"keep":false,"reason":"order"}}`,
		notes: []string{
			"memory 0 stays as it is: the answer says two things about it",
			"memory 0 stays as it is: the answer says two things about it",
			"memory 1 stays as it is: the answer does not say whether to keep it",
			"memory 2 stays as it is: the answer does not say whether to keep it",
			"memory 0 is kept: the check said nothing about it",
			"memory 1 is kept: the check said nothing about it",
			"memory 2 is kept: the check said nothing about it",
		},
	},
}

func TestVerdictsAreReadAndApplied(t *testing.T) {
	for _, tt := range verdictCases {
		for _, s := range []steps.Step[map[int]steps.Verdict]{
			steps.FilterHallucinations(enChat, tt.items, none), steps.SortOutKnown(enChat, tt.items, nil, none),
		} {
			t.Run(s.Name+" "+tt.name, func(t *testing.T) {
				got, notes, err := s.Parse(tt.answer)
				if err != nil {
					t.Fatal(err)
				}
				kept, dropped, more := steps.ApplyVerdicts(tt.items, got)
				if len(kept)+len(dropped) != len(tt.items) {
					t.Errorf("of %d memories %d were kept and %d dropped", len(tt.items), len(kept), len(dropped))
				}
				reasons := map[string]string{}
				for _, d := range dropped {
					reasons[d.Item.Key] = d.Reason
					if diff := cmp.Diff(tt.items[d.Index], d.Item); diff != "" {
						t.Error(diff)
					}
				}
				if tt.dropped == nil {
					tt.dropped = map[string]string{}
				}
				if diff := cmp.Diff(tt.dropped, reasons); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(tt.notes, append(notes, more...)); diff != "" {
					t.Errorf("notes: %s", diff)
				}
			})
		}
	}
}

func TestChecksWithoutAUsableAnswerAreErrors(t *testing.T) {
	for answer, want := range map[string]error{
		"":                                  steps.ErrEmpty,
		"I cannot judge people's memories.": steps.ErrNoAnswer,
		"抱歉，我不能评判。":                         steps.ErrNoAnswer,
		`{"keep":false,"reason":"without an index, of three"}`:                                                    steps.ErrNoAnswer,
		`{"all":{"keep":false,"reason":"order"}}`:                                                                 steps.ErrNoAnswer,
		`[{"keep":false,"reason":"which one?"}]`:                                                                  steps.ErrNoAnswer,
		`{"0":{"keep":true}} I ignored {"0":{"keep":false,"reason":"ordered by a message"}}.`:                     steps.ErrMalformed,
		`{"0":{"keep":true,"reason":"he wrote "x"}} {"0":{"keep":false,"reason":"order"}} "},"1":{"keep":true}}`:  steps.ErrMalformed,
		`{"0":{"keep":true,"reason":"he wrote {"0":{"keep":false,"reason":"order"}} and more"},"1":{"keep":true}`: steps.ErrMalformed,
		`{"0":{"keep":fal`: steps.ErrCutOff,
	} {
		_, _, err := steps.FilterHallucinations(enChat, enItems, none).Parse(answer)
		if !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", answer, err, want)
		}
	}
}

func TestAFailedCheckChangesNothing(t *testing.T) {
	if got, notes := steps.ApplyRewrites(zhItems, nil); cmp.Diff(zhItems, got) != "" || len(notes) != len(zhItems) {
		t.Errorf("got %+v, notes %q", got, notes)
	}
	if kept, dropped, notes := steps.ApplyVerdicts(zhItems, nil); cmp.Diff(zhItems, kept) != "" || dropped != nil || len(notes) != len(zhItems) {
		t.Errorf("kept %+v, dropped %+v, notes %q", kept, dropped, notes)
	}
}
