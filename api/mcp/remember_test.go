package mcp_test

import (
	"os"
	"path/filepath"
	"testing"

	"relata/api/mcp"
)

func TestRememberWithoutAModelSaysWhatToDo(t *testing.T) {
	newWorld(t).free().fail("remember", object{"text": "I moved again."}, "no model", "propose_diff")
}

// The answer of the model is written by hand.
const handWritten = `<relations></relations><memories><increments><increment><subject>Maya</subject><object>四季豆</object>` +
	`<relation>like</relation><content>Maya 喜欢四季豆。</content><index0>人物画像</index0><index1>owner</index1><msg_ids>1</msg_ids></increment></increments></memories>`

func TestRememberHasAModelReadTheWords(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	for _, session := range []string{"mcp", "lunch"} {
		if err := os.WriteFile(filepath.Join(dir, session+".xml"), []byte(handWritten), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := connect(t, w.server(mcp.Options{Space: w.space, Persona: "Lumen", Ingester: w.replaying(dir)}))
	cases := []struct {
		name string
		in   object
	}{
		{"a text", object{"text": "我喜欢四季豆", "speaker": "Maya"}},
		{"turns", object{"session_id": "lunch", "turns": []object{
			{"role": "user", "speaker": "Maya", "content": "我喜欢四季豆", "date": "2026-03-09 12:00:00"},
			{"role": "assistant", "content": "记住了。"},
		}}},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			c := client{t, c.session}
			var got judged
			c.call("remember", x.in, &got)
			if got.Status != "applied" || len(got.Verdicts) != 1 {
				t.Fatalf("%+v", got)
			}
			var found searched
			c.call("search_long_term_memory", object{"queries": []object{{"index0": "profile", "index1": "owner", "memory": "Maya 喜欢吃什么？", "limit": 10}}}, &found)
			if h := found.Results[0].Hints; len(h) == 0 || h[0].Memory != "Maya 喜欢四季豆。" || len(h[0].MsgIDs) == 0 {
				t.Errorf("hints %+v", h)
			}
		})
	}
	t.Run("neither", func(t *testing.T) { client{t, c.session}.fail("remember", object{}, "text", "turns") })
	t.Run("a role that is none", func(t *testing.T) {
		client{t, c.session}.fail("remember", object{"turns": []object{{"role": "king", "content": "x"}}}, "user, assistant or tool")
	})
	t.Run("a model that fails", func(t *testing.T) {
		client{t, c.session}.fail("remember", object{"session_id": "unrecorded", "text": "x"}, "nothing was written")
	})
}
