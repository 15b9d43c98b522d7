package graph_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

func TestEntitiesAreFoundByNameAliasAndPart(t *testing.T) {
	w := newWorld(t)
	w.persona("小满", "阿岩", "满满", "Xiaoman")
	w.remember(
		fact{"李明", "live_in", "里斯本", nil},
		fact{"李明华", "live_in", "Lisbon", nil},
		fact{"小李明", "live_in", "Lisbon", nil},
		fact{"C++", "known_as", "System Admin", nil},
	)
	tests := map[string]struct {
		name string
		want []string
	}{
		"an exact name comes first, then beginnings, then parts": {"李明", []string{"李明", "李明华", "小李明"}},
		"traditional writing":      {"裡斯本", []string{"里斯本"}},
		"another case and blanks":  {"system  admin", []string{"System Admin"}},
		"one character":            {"岩", []string{"阿岩"}},
		"an alias":                 {"满满", []string{"小满"}},
		"a part of an alias":       {"xiao", []string{"小满"}},
		"symbols":                  {"c++", []string{"C++"}},
		"full width":               {"Ｌｉｓｂｏｎ", []string{"Lisbon"}},
		"nobody":                   {"王五", []string{}},
		"what looks like a query*": {"*", []string{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			page, err := w.store.Entities(t.Context(), w.space, graph.EntityFilter{Name: tt.name})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, names(page.Items)); diff != "" {
				t.Errorf("entities (-want +got)\n%s", diff)
			}
		})
	}
	t.Run("a blank name is wrong", func(t *testing.T) {
		_, err := w.store.Entities(t.Context(), w.space, graph.EntityFilter{Name: "　"})
		wantCode(t, err, graph.CodeInvalid)
	})
	t.Run("a foreign cursor is wrong", func(t *testing.T) {
		_, err := w.store.Entities(t.Context(), w.space, graph.EntityFilter{Cursor: "abc"})
		wantCode(t, err, graph.CodeInvalid)
	})
}

func TestEntitiesAreListedPageByPage(t *testing.T) {
	w := newWorld(t)
	w.persona("小满", "")
	var facts []fact
	for i := range 7 {
		facts = append(facts, fact{fmt.Sprintf("thing %d", i), "near", fmt.Sprintf("thing %d", i+1), []string{"小满"}})
	}
	w.remember(facts...)
	for name, f := range map[string]graph.EntityFilter{
		"all":               {Limit: 3},
		"by a part":         {Name: "thing", Limit: 3},
		"as a persona":      {AsPersona: "小满", Limit: 3},
		"as one, by a part": {AsPersona: "小满", Name: "hing", Limit: 3},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			pages := 0
			for {
				page, err := w.store.Entities(t.Context(), w.space, f)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, names(page.Items)...)
				pages++
				if f.Cursor = page.Cursor; f.Cursor == "" {
					break
				}
			}
			want := []string{"thing 0", "thing 1", "thing 2", "thing 3", "thing 4", "thing 5", "thing 6", "thing 7"}
			if f.Name == "" {
				want = append(want, "小满")
			}
			if diff := cmp.Diff(want, got); diff != "" || pages != 3 {
				t.Errorf("%d pages (-want +got)\n%s", pages, diff)
			}
		})
	}
}

func TestAPersonaSeesOnlyEntitiesItKnowsOf(t *testing.T) {
	w := newWorld(t)
	w.persona("小满", "阿岩")
	w.persona("墨鱼", "舟舟")
	secret := w.remember(
		fact{"陈工", "plan", "离职", []string{"墨鱼"}},
		fact{"陈工", "like", "茶", []string{"小满"}},
		fact{"暗号", "mean", "鱼汤", []string{"墨鱼"}},
		fact{"旧港", "near", "灯塔", []string{"小满"}},
	)
	if _, err := w.store.AddAliases(t.Context(), w.space, w.ids["陈工"], []string{"测试组陈工"}); err != nil {
		t.Fatal(err)
	}
	w.retire(secret[3], "near")
	as := func(persona, name string) []string {
		t.Helper()
		page, err := w.store.Entities(t.Context(), w.space, graph.EntityFilter{AsPersona: persona, Name: name})
		if err != nil {
			t.Fatal(err)
		}
		return names(page.Items)
	}
	if diff := cmp.Diff([]string{"小满", "旧港", "灯塔", "茶", "阿岩", "陈工"}, as("小满", "")); diff != "" {
		t.Errorf("小满 sees (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"墨鱼", "暗号", "离职", "舟舟", "陈工", "鱼汤"}, as("墨鱼", "")); diff != "" {
		t.Errorf("墨鱼 sees (-want +got)\n%s", diff)
	}
	if got := as("小满", "暗号"); len(got) != 0 {
		t.Errorf("by name it gets %v", got)
	}
	if got := as("小满", "测试组陈工"); len(got) != 0 {
		t.Errorf("by an alias that it never met it gets %v", got)
	}
	t.Run("by number", func(t *testing.T) {
		_, err := w.store.Entity(t.Context(), w.space, w.ids["暗号"], "小满")
		wantCode(t, err, graph.CodeNotFound)
		_, missing := w.store.Entity(t.Context(), w.space, 1<<52, "小满")
		if err.Error() == missing.Error() || graph.ErrorCode(missing) != graph.CodeNotFound {
			t.Errorf("%v and %v should differ in the number alone", err, missing)
		}
		e, err := w.store.Entity(t.Context(), w.space, w.ids["陈工"], "小满")
		if err != nil || len(e.Aliases) != 0 {
			t.Errorf("陈工 as 小满: %+v, %v, want no alias", e, err)
		}
		e, err = w.store.Entity(t.Context(), w.space, w.ids["陈工"], "")
		if err != nil || !cmp.Equal(e.Aliases, []string{"测试组陈工"}) {
			t.Errorf("陈工: %+v, %v", e, err)
		}
		e, err = w.store.Entity(t.Context(), w.space, w.ids["小满"], "小满")
		if err != nil || !e.Persona || e.Kind != "persona" {
			t.Errorf("小满: %+v, %v", e, err)
		}
	})
	t.Run("an alias that a memory uses shows", func(t *testing.T) {
		w.remember(fact{"测试组陈工", "own", "龟", []string{"小满"}})
		if diff := cmp.Diff([]string{"陈工"}, as("小满", "测试组陈工")); diff != "" {
			t.Error(diff)
		}
		e, err := w.store.Entity(t.Context(), w.space, w.ids["陈工"], "小满")
		if err != nil || !cmp.Equal(e.Aliases, []string{"测试组陈工"}) {
			t.Errorf("陈工 as 小满: %+v, %v", e, err)
		}
	})
	t.Run("nobody to ask as", func(t *testing.T) {
		_, err := w.store.Entities(t.Context(), w.space, graph.EntityFilter{AsPersona: "阿岩"})
		wantCode(t, err, graph.CodeNotFound)
		_, err = w.store.Entity(t.Context(), w.space, w.ids["茶"], "谁")
		wantCode(t, err, graph.CodeNotFound)
	})
}

func TestEntitiesOfAnotherSpaceDoNotExist(t *testing.T) {
	w, other := newWorld(t), newWorld(t)
	w.remember(fact{"阿岩", "own", "猫", nil})
	_, err := other.store.Entity(t.Context(), other.space, w.ids["阿岩"], "")
	wantCode(t, err, graph.CodeNotFound)
	_, err = other.store.AddAliases(t.Context(), other.space, w.ids["阿岩"], []string{"林岩"})
	wantCode(t, err, graph.CodeNotFound)
	_, err = other.store.Neighbourhood(t.Context(), other.space, graph.NeighbourhoodQuery{Entity: w.ids["阿岩"]})
	wantCode(t, err, graph.CodeNotFound)
	_, err = other.store.Paths(t.Context(), other.space, graph.PathQuery{From: fmt.Sprint(w.ids["阿岩"]), To: fmt.Sprint(w.ids["猫"])})
	wantCode(t, err, graph.CodeNotFound)
	for _, space := range []string{"nowhere"} {
		_, err := w.store.Entities(t.Context(), space, graph.EntityFilter{})
		wantCode(t, err, graph.CodeNotFound)
		_, err = w.store.Neighbourhood(t.Context(), space, graph.NeighbourhoodQuery{Entity: w.ids["阿岩"]})
		wantCode(t, err, graph.CodeNotFound)
		_, err = w.store.Paths(t.Context(), space, graph.PathQuery{From: "阿岩", To: "猫"})
		wantCode(t, err, graph.CodeNotFound)
	}
}

func TestAliasesResolveFromThenOn(t *testing.T) {
	w := newWorld(t)
	w.remember(fact{"陈工", "like", "茶", nil}, fact{"王工", "like", "茶", nil})
	e, err := w.store.AddAliases(t.Context(), w.space, w.ids["陈工"], []string{"测试组陈工", " 陈 工 ", "测试组陈工"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"测试组陈工"}, e.Aliases); diff != "" {
		t.Errorf("aliases (-want +got)\n%s", diff)
	}
	ref, ok, err := w.store.Resolve(t.Context(), w.space, "测试组陈工")
	if err != nil || !ok || ref.ID != w.ids["陈工"] {
		t.Errorf("it resolves to %+v, %v, %v", ref, ok, err)
	}
	_, err = w.store.AddAliases(t.Context(), w.space, w.ids["王工"], []string{"测试组陈工"})
	wantCode(t, err, graph.CodeConflict)
	_, err = w.store.AddAliases(t.Context(), w.space, w.ids["王工"], []string{" "})
	wantCode(t, err, graph.CodeInvalid)
	_, err = w.store.AddAliases(t.Context(), w.space, 1<<52, []string{"x"})
	wantCode(t, err, graph.CodeNotFound)
}
