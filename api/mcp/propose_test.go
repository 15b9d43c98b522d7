package mcp_test

import (
	"strings"
	"testing"
)

func TestAnAgentCorrectsWhatWasRejected(t *testing.T) {
	w := newWorld(t)
	c := w.free()
	item := object{"subject": "Maya", "relation": "juggles", "object": "clubs", "content": "Maya juggles five clubs.", "index0": "profile", "index1": "owner"}
	var first judged
	text := c.call("propose_diff", object{"memories": object{"increments": []object{item}}, "persona": "Lumen"}, &first)
	v := first.Verdicts[0]
	if first.Status != "rejected" || v.Item != "memories.increments[0]" || v.Code != "undefined_relation" {
		t.Fatalf("%+v", first)
	}
	for _, want := range []string{"relations.increments", "list_relations"} {
		if !strings.Contains(v.Do, want) || !strings.Contains(text, want) {
			t.Errorf("the verdict does not say %q: %+v\n%s", want, v, text)
		}
	}

	in := object{
		"relations": object{"increments": []object{{"key": "juggle", "content": "the subject juggles the object"}}},
		"memories":  object{"increments": []object{item}}, "persona": "Lumen", "dry_run": true,
	}
	item["relation"] = "juggle"
	var dry, second judged
	c.call("propose_diff", in, &dry)
	if dry.Status != "applied" || dry.DiffID != 0 {
		t.Errorf("dry run %+v", dry)
	}
	delete(in, "dry_run")
	c.call("propose_diff", in, &second)
	if second.Status != "applied" || len(second.Verdicts) != 2 || second.Verdicts[1].Outcome != "applied" || second.DiffID == 0 {
		t.Fatalf("%+v", second)
	}
	var found searched
	c.call("search_long_term_memory", object{"as_persona": "Lumen", "queries": []object{{"index0": "profile", "index1": "owner", "memory": "what can Maya juggle?"}}}, &found)
	if h := found.Results[0].Hints; len(h) == 0 || h[0].Memory != "Maya juggles five clubs." {
		t.Errorf("hints %+v", h)
	}
}

func TestADiffAsXMLReplacesWhatSearchShowed(t *testing.T) {
	w := newWorld(t)
	c := w.free()
	var found searched
	c.call("search_long_term_memory", object{"explain": true, "queries": []object{{"index0": "profile", "memory": "Where does Maya live?", "limit": 10}}}, &found)
	h := found.Results[0].Hints[0]
	xml := "<relations></relations><memories><replaces><replace><source><date>" + h.CreatedAt + "</date><subject>" + h.Explain.Subject +
		"</subject><object>" + h.Explain.Object + "</object><relation>" + h.Explain.Relation + "</relation><content>" + h.Memory +
		"</content></source><target><subject>Maya</subject><object>Braga</object><relation>live_in</relation><content>Maya lives in Braga.</content></target></replace></replaces></memories>"
	var got judged
	c.call("propose_diff", object{"xml": xml, "date": "2026-04-01 10:00:00", "known_by": []string{"小夜"}}, &got)
	if got.Status != "applied" || len(got.Verdicts) != 1 || got.Verdicts[0].Outcome != "applied" {
		t.Fatalf("%+v", got)
	}
	var after searched
	c.call("search_long_term_memory", object{"as_persona": "小夜", "queries": []object{{"index0": "profile", "memory": "Maya 住在哪里？", "limit": 10}}}, &after)
	hints := after.Results[0].Hints
	if len(hints) != 1 || hints[0].Memory != "Maya lives in Braga." || hints[0].CreatedAt != "2026-04-01 10:00:00" {
		t.Errorf("hints %+v", hints)
	}
}

func TestEachItemOfADiffHasItsVerdict(t *testing.T) {
	c := newWorld(t).free()
	var got judged
	c.call("propose_diff", object{"memories": object{
		"increments": []object{
			{"subject": "Maya", "relation": "live_in", "object": "Porto", "content": porto},
			{"subject": "Maya", "relation": "like", "object": "rain"},
		},
		"removes": []object{{"date": "2020-01-01 00:00:00", "subject": "Maya", "relation": "live_in", "object": "Porto", "content": porto}},
	}}, &got)
	want := []string{"duplicate ", "rejected missing_field", "rejected source_not_found"}
	if len(got.Verdicts) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, v := range got.Verdicts {
		if v.Outcome+" "+v.Code != want[i] || (v.Code != "" && (v.Do == "" || v.Message == "")) {
			t.Errorf("verdict %d: %+v, want %s", i, v, want[i])
		}
	}
}

func TestWhatIsNoDiffIsRefused(t *testing.T) {
	c := newWorld(t).free()
	cases := []struct {
		name string
		in   object
		want string
	}{
		{"nothing", object{}, "there is no diff"},
		{"both forms", object{"xml": "<memories></memories>", "memories": object{}}, "or there are two"},
		{"prose", object{"xml": "I would like to remember this."}, "neither <relations> nor <memories>"},
		{"a date that is none", object{"memories": object{}, "date": "soon"}, "date"},
		{"a persona that is none", object{"memories": object{}, "persona": "Nobody"}, "Nobody"},
		{"a field that is none", object{"memory": object{}}, "memory"},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) { client{t, c.session}.fail("propose_diff", x.in, x.want) })
	}
}
