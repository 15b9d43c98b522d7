package mcp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"relata/api/mcp"
	"relata/graph"
	"relata/relations"
)

func TestABoundServerHidesAnothersSecretInEveryTool(t *testing.T) {
	w := newWorld(t)
	lumen, free := w.bound("Lumen"), w.free()
	id := w.memory(secret)
	secrets := []string{"海港咖啡", "六月", fmt.Sprint(id), "小夜", "阿岩"}
	cases := []struct {
		tool string
		in   object
		may  []string // words that the caller brought itself
	}{
		{"search_long_term_memory", object{"explain": true, "include_retired": true, "queries": []object{{"all": true, "memory": "what is planned?"}}}, nil},
		{"search_long_term_memory", object{"beliefs": true, "queries": []object{{"index0": "event", "memory": "阿岩打算做什么？"}}}, []string{"阿岩"}},
		{"who_knows", object{"about": "a plan to leave"}, nil},
		{"who_knows", object{"memory_id": id}, []string{fmt.Sprint(id)}},
		{"get_messages", object{"ids": []int64{201}}, nil},
		{"get_messages", object{"session_id": "private with 小夜"}, []string{"小夜"}},
		{"list_relations", object{}, nil},
	}
	for _, x := range cases {
		t.Run(x.tool, func(t *testing.T) {
			got := client{t, lumen.session}.everything(x.tool, x.in)
			for _, word := range secrets {
				if strings.Contains(got, word) && !slices.Contains(x.may, word) {
					t.Errorf("%s tells %q: %s", x.tool, word, got)
				}
			}
			if x.tool == "list_relations" && strings.Contains(got, `"plan"`) {
				t.Errorf("a relation of the secret shows: %s", got)
			}
		})
	}
	if got := free.everything("who_knows", object{"about": "阿岩 离开"}); !strings.Contains(got, "小夜") {
		t.Errorf("the secret is not there at all: %s", got)
	}
}

func TestABoundServerAsksAndWritesAsItsPersonaAlone(t *testing.T) {
	w := newWorld(t)
	other := w.bound("Lumen")
	for tool, in := range map[string]object{
		"search_long_term_memory": {"queries": []object{{"all": true, "memory": "x"}}},
		"who_knows":               {"about": "x"},
		"get_messages":            {"ids": []int64{201}},
		"list_relations":          {},
		"propose_diff":            {"memories": object{}},
	} {
		t.Run(tool, func(t *testing.T) {
			c := client{t, other.session}
			name := "as_persona"
			if tool == "propose_diff" {
				name = "persona"
			}
			in[name] = "小夜"
			c.fail(tool, in, "bound to the persona", "Lumen")
			in[name] = "lumen" // its own name, in another case
			if r := c.raw(tool, in); r.IsError {
				t.Errorf("as itself: %s", textOf(r))
			}
			in["space"] = "elsewhere"
			c.fail(tool, in, "bound to the space", w.space)
		})
	}
}

// A persona that guesses learns nothing from verdicts: not that another knows the
// same, nor what another's older value was, nor by removing it.
func TestVerdictsTellABoundPersonaNothingOfOthers(t *testing.T) {
	w := newWorld(t)
	c := w.bound("Lumen")
	known := object{"subject": "阿岩", "relation": "plan", "object": "离开海港咖啡", "content": secret}
	unheard := object{"subject": "阿岩", "relation": "plan", "object": "去火星", "content": "阿岩打算去火星。"}
	outcome := func(part string, item object) string {
		t.Helper()
		var got judged
		text := c.call("propose_diff", object{"dry_run": true, "memories": object{part: []object{item}}}, &got)
		if strings.Contains(text, "小夜") {
			t.Errorf("another's name shows: %s", text)
		}
		return fmt.Sprintf("%s %+v", got.Status, got.Verdicts)
	}
	if a, b := outcome("increments", known), outcome("increments", unheard); a != b {
		t.Errorf("a guess that is right can be told apart:\n%s\n%s", a, b)
	}
	// Another's value of a relation that holds one at a time would be retired.
	w.talk("小夜", 202, "阿岩", "我搬到漳州了。", relations.MemoryItem{Subject: "阿岩", Relation: "live_in", Object: "漳州", Content: "阿岩住在漳州。"})
	moved := object{"subject": "阿岩", "relation": "live_in", "object": "福州", "content": "阿岩住在福州。"}
	stranger := object{"subject": "阿木", "relation": "live_in", "object": "福州", "content": "阿木住在福州。"}
	if a, b := outcome("increments", moved), outcome("increments", stranger); a != b {
		t.Errorf("that there is an older value can be told:\n%s\n%s", a, b)
	}
	for _, item := range []object{known, unheard} {
		item["date"] = secretDate
	}
	if a, b := outcome("removes", known), outcome("removes", unheard); a != b || !strings.Contains(a, "source_not_found") {
		t.Errorf("a removal of what it cannot know can be told apart:\n%s\n%s", a, b)
	}
	replace := func(source object) object {
		return object{"source": source, "target": object{"subject": "阿岩", "relation": "plan", "object": "休息", "content": "阿岩打算休息。", "known_by": []string{"小夜"}}}
	}
	if a, b := outcome("replaces", replace(known)), outcome("replaces", replace(unheard)); a != b {
		t.Errorf("a replacement of what it cannot know can be told apart:\n%s\n%s", a, b)
	}
	w.memory(secret) // still there
	c.fail("propose_diff", object{"memories": object{}, "known_by": []string{"小夜"}}, "knows of no persona")
	c.fail("propose_diff", object{"memories": object{}, "known_by": []string{"Nobody"}}, "knows of no persona")
}

func TestABoundPersonaChangesWhatItKnows(t *testing.T) {
	w := newWorld(t)
	c := w.bound("Lumen")
	var got judged
	c.call("propose_diff", object{"memories": object{
		"replaces": []object{{
			"source": object{"date": secretDate, "subject": "Maya", "relation": "live_in", "object": "Porto", "content": porto},
			"target": object{"subject": "Maya", "relation": "live_in", "object": "Braga", "content": "Maya lives in Braga."},
		}},
		"increments": []object{{"subject": "Maya", "relation": "like", "object": "rain", "content": "Maya likes rain."}},
	}}, &got)
	if got.Status != "applied" || len(got.Verdicts) != 2 || got.Verdicts[0].Outcome != "applied" || got.Verdicts[1].Outcome != "applied" {
		t.Fatalf("%+v", got)
	}
	m, err := w.store.Memory(t.Context(), w.space, graph.MemoryID(w.memory("Maya likes rain.")), "")
	if err != nil || m.Persona != "Lumen" || !slices.Equal(m.KnownBy, []string{"Lumen"}) {
		t.Errorf("written by %q, known by %v, %v", m.Persona, m.KnownBy, err)
	}
}

func TestABoundPersonaThatIsNotThere(t *testing.T) {
	w := newWorld(t)
	c := w.bound("Nobody")
	for tool, in := range map[string]object{
		"search_long_term_memory": {"queries": []object{{"all": true, "memory": "x"}}},
		"propose_diff":            {"memories": object{}},
		"list_relations":          {},
	} {
		c.fail(tool, in, "no persona")
	}
	c = connect(t, w.server(mcp.Options{Space: w.space, Persona: "Nobody", Ingester: w.replaying(t.TempDir())}))
	if text := c.fail("remember", object{"text": "x"}, "no persona"); strings.Contains(text, "Lumen") {
		t.Errorf("the personas of the space are listed: %s", text)
	}
}
