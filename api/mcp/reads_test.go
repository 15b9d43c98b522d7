package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSearchAsksInEitherLanguage(t *testing.T) {
	c := newWorld(t).free()
	cases := []struct {
		name, index0, index1, memory, want string
	}{
		{"English", "profile", "owner", "Where does Maya live?", porto},
		{"Chinese", "过往事件", "owner", "阿岩打算什么时候离开？", secret},
		{"Chinese after something English", "人物画像", "", "Maya 住在哪里？", porto},
		{"English after something Chinese", "event", "", "what does 阿岩 plan?", secret},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			var got searched
			text := c.call("search_long_term_memory", object{
				"queries": []object{{"index0": x.index0, "index1": x.index1, "memory": x.memory, "limit": 10}},
			}, &got)
			if len(got.Results) != 1 || len(got.Results[0].Hints) == 0 {
				t.Fatalf("results %+v", got)
			}
			h := got.Results[0].Hints[0]
			if h.Memory != x.want || h.CreatedAt != secretDate || len(h.MsgIDs) != 1 {
				t.Errorf("hint %+v", h)
			}
			if !strings.Contains(text, x.want) {
				t.Errorf("the text lacks the hint: %s", text)
			}
		})
	}
}

func TestABadQueryHasItsOwnError(t *testing.T) {
	c := newWorld(t).free()
	sent := []object{
		{"index0": "profile", "memory": "where does Maya live?"},
		{"index0": "diary", "memory": "x"},
		{"index0": "profile", "memory": " "},
		{"index0": "profile", "memory": "x", "limit": 0},
		{"index0": "profile", "memory": "x", "limit": 51},
		{"memory": "x"},
		{"index0": "knowledge", "index1": "owner", "memory": "x"},
		{"all": true, "memory": "住在哪里"},
	}
	wrong := []string{"", "event", "blank", "10 and 50", "10 and 50", "index0", "humanities", ""}
	var got searched
	c.call("search_long_term_memory", object{"queries": sent}, &got)
	if len(got.Results) != len(sent) {
		t.Fatalf("%d results for %d queries", len(got.Results), len(sent))
	}
	for i, r := range got.Results {
		var echo object
		if err := json.Unmarshal(r.Query, &echo); err != nil || echo["memory"] != sent[i]["memory"] || len(echo) != len(sent[i]) {
			t.Errorf("query %d came back as %s", i, r.Query)
		}
		switch {
		case wrong[i] == "" && (r.Error != nil || len(r.Hints) == 0):
			t.Errorf("query %d: %+v", i, r)
		case wrong[i] != "" && (r.Error == nil || !strings.Contains(r.Error.Detail, wrong[i])):
			t.Errorf("query %d: error %+v, want one with %q", i, r.Error, wrong[i])
		}
	}
}

func TestExplainGivesWhatASourceCopies(t *testing.T) {
	c := newWorld(t).free()
	var got searched
	text := c.call("search_long_term_memory", object{
		"explain": true, "queries": []object{{"index0": "profile", "memory": "Where does Maya live?", "limit": 10}},
	}, &got)
	e := got.Results[0].Hints[0].Explain
	if e == nil || e.Subject != "Maya" || e.Relation != "live_in" || e.Object != "Porto" || !strings.Contains(text, "(Maya)-[live_in]->(Porto)") {
		t.Errorf("explain %+v in %s", e, text)
	}
}

func TestWhoKnows(t *testing.T) {
	w := newWorld(t)
	c := w.free()
	for name, in := range map[string]object{
		"by a text":   {"about": "阿岩 离开海港咖啡", "limit": 1},
		"by a number": {"memory_id": w.memory(secret)},
	} {
		t.Run(name, func(t *testing.T) {
			var got struct {
				Memories []struct {
					Content string
					KnownBy []struct {
						Name, Since, How, By string
						Persona              bool
						MsgIDs               []int64 `json:"msg_ids"`
					} `json:"known_by"`
				}
			}
			c.call("who_knows", in, &got)
			if len(got.Memories) != 1 || got.Memories[0].Content != secret {
				t.Fatalf("memories %+v", got.Memories)
			}
			k := got.Memories[0].KnownBy
			if len(k) != 2 || k[0].Name != "小夜" || !k[0].Persona || k[0].How != "told" || k[0].Since != secretDate || k[1].Name != "阿岩" || k[1].How != "said" {
				t.Errorf("known by %+v", k)
			}
		})
	}
}

func TestMessagesByIDAndAsATimeline(t *testing.T) {
	c := newWorld(t).free()
	for name, in := range map[string]object{
		"by id":         {"ids": []int64{101}},
		"as a timeline": {"session_id": "private with Lumen"},
	} {
		t.Run(name, func(t *testing.T) {
			var got struct {
				Messages []struct {
					ID                     int64
					Speaker, Content, Date string
				}
			}
			c.call("get_messages", in, &got)
			if len(got.Messages) != 1 || got.Messages[0].ID != 101 || got.Messages[0].Content != "I moved to Porto!" || got.Messages[0].Date != secretDate {
				t.Errorf("messages %+v", got.Messages)
			}
		})
	}
}

func TestRelationsAreListedWithTheirRules(t *testing.T) {
	c := newWorld(t).free()
	var got struct {
		Relations []struct {
			Key, Content, Date string
			Uses               int
		}
	}
	c.call("list_relations", object{}, &got)
	for _, r := range got.Relations {
		if r.Key == "live_in" && r.Uses == 1 && r.Content != "" && r.Date != "" {
			return
		}
	}
	t.Errorf("live_in is not there as it should be: %+v", got.Relations)
}
