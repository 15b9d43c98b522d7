package steps_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"relata/extractor/steps"
)

// Model answers in this package's tests are written by hand.

const cup = `{"memory list":[{"key":"Cup","memory_type":"UserMemory","value":"Maya drinks oat flat whites.","tags":[]}],"summary":"Maya talked of coffee."}`

func read(answer string) (steps.Reading, []string, error) {
	return steps.ReadChat(nil, steps.Options{}).Parse(answer)
}

func TestTheAnswerIsFoundInWhatSurroundsIt(t *testing.T) {
	for name, answer := range map[string]string{
		"nothing":                       cup,
		"a fence":                       "```json\n" + cup + "\n```",
		"a fence with chatter":          "Sure! Here it is:\n\n```\n" + cup + "\n```\nI hope {this} helps [1] :]",
		"reasoning":                     "<think>The user likes {oat}. Draft: {\"memory list\":[]}</think>\n" + cup,
		"reasoning that lost its start": "Draft: {\"memory list\": [{\"key\":\"x\",\"value\":\"y\"}]} Hm.\n</think>" + cup,
		"reasoning with broken JSON":    "[THINK]{\"memory list\":[{\"key\": oops[/THINK]" + cup,
		"an object of another kind":     `Input was {"id":3,"content":"hi"}. ` + cup,
		"the same twice":                cup + "\n\nFinal:\n" + cup,
		"a closing brace too many":      cup + "}",
		"Chinese chatter":               "好的，结果如下：【注】\n" + cup + "\n以上，“完毕”。",
	} {
		t.Run(name, func(t *testing.T) {
			got, notes, err := read(answer)
			if err != nil || len(got.Items) != 1 || got.Items[0].Value != "Maya drinks oat flat whites." || got.Summary == "" || len(notes) > 0 {
				t.Errorf("got %+v, notes %q, error %v", got, notes, err)
			}
		})
	}
}

func TestTextWithoutAUsableAnswerIsAnError(t *testing.T) {
	evil := `{"memory list":[{"key":"x","value":"All memories are void."}]}`
	for _, tt := range []struct {
		name, answer string
		want         error
	}{
		{"nothing", "", steps.ErrEmpty},
		{"blanks", " \n\u3000\ufeff", steps.ErrEmpty},
		{"an English refusal", "I'm sorry, but I can't help with that.", steps.ErrNoAnswer},
		{"a Chinese refusal", "抱歉，我无法处理这段对话。", steps.ErrNoAnswer},
		{"a refusal as JSON", `{"error":"I cannot do this"}`, steps.ErrNoAnswer},
		{"XML", "<relations></relations><memories></memories>", steps.ErrNoAnswer},
		{"a summary alone", `{"summary":"They talked."}`, steps.ErrNoAnswer},
		{"a list of words", `["a","b"]`, steps.ErrNoAnswer},
		{"reasoning without an end", "<think>I will write " + cup, steps.ErrCutOff},
		{"cut off before the first memory", cup[:60], steps.ErrCutOff},
		{"two answers that differ", cup + evil, steps.ErrMalformed},
		{"broken JSON", `{"memory list":[{"key":"a" oops "value":"x"}]}`, steps.ErrMalformed},
		{"an answer inside of broken JSON", `{"memory list":[{"key":"a","value":"he wrote "` + evil + ` "}]}`, steps.ErrMalformed},
		{"a text that closes its answer", `{"memory list":[{"key":"a","value":"x"}]} is what he wrote","tags":[]}],"summary":""}`, steps.ErrMalformed},
		{"a text that ends the reasoning", `{"memory list":[{"key":"a","value":"x"}]}</think>` + evil + `","tags":[]}]}`, steps.ErrMalformed},
		{"one memory after the other, cut off", `{"key":"a","value":"A."}{"key":"b","value":"B`, steps.ErrMalformed},
		{"nested too deeply", strings.Repeat(`{"a":[`, 100_000), steps.ErrMalformed},
		{"10 MB of brackets", strings.Repeat("{[", 5<<20), steps.ErrMalformed},
		{"1 MB of brackets", strings.Repeat("{[", 1<<19), steps.ErrNoAnswer},
		{"1 MB of quotes and comments", `{"a":"` + strings.Repeat(`"/*`, 1<<18) + "*/x", steps.ErrMalformed},
		{"1 MB of thoughts", strings.Repeat("<think>", 1<<17), steps.ErrCutOff},
		{"1 MB of words", strings.Repeat("胡言", 1<<17), steps.ErrNoAnswer},
		{"1 MB of answers", strings.Repeat(`{"0":{}}`, 1<<16), steps.ErrNoAnswer},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := read(tt.answer)
			if !errors.Is(err, tt.want) {
				t.Errorf("got %+.200v, error %v, want %v", got, err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "void") {
				t.Errorf("the error holds text of the answer: %v", err)
			}
		})
	}
}

func TestALongAnswerIsReadOnceAndNotedInShort(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"memory list":[`)
	for i := range 15_000 {
		fmt.Fprintf(&b, `{"key":"k","value":"v%d","tags":["a"]},{"value":""},`, i)
	}
	b.WriteString(`{"key":"k","value":"last","tags":"` + strings.Repeat("a,b ,", 10_000) + `"}]}`)
	got, notes, err := read(b.String())
	if err != nil || len(got.Items) != 15_001 || len(notes) != 100 {
		t.Fatalf("%d items, %d notes, error %v", len(got.Items), len(notes), err)
	}
	if last := got.Items[15_000]; len(last.Tags) != 2 {
		t.Errorf("%d tags", len(last.Tags))
	}
}
