package main

import (
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/relations"
)

type whoKnowsCase struct {
	ID        string   `json:"id"`
	Question  string   `json:"question"`
	AsPersona string   `json:"as_persona"`
	Memory    *wanted  `json:"memory"`
	Personas  []string `json:"expected_personas"`
	Visible   []wanted `json:"expected_visible"`
	Hidden    []wanted `json:"expected_hidden"`
}

// checkWhoKnows holds the fifteen cases of who-knows.json against the graph.
func checkWhoKnows(t *testing.T, a *app, space string) {
	var file struct{ Cases []whoKnowsCase }
	expected(t, "who-knows.json", &file)
	if len(file.Cases) != 15 {
		t.Fatalf("%d cases, want 15", len(file.Cases))
	}
	byContent := make(map[string]graph.Memory)
	for _, m := range allMemories(t, a, space, false) {
		byContent[m.Content] = m
	}
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			if c.Memory == nil {
				checkSeenBy(t, a, space, c)
				return
			}
			m, ok := byContent[c.Memory.Content]
			if !ok {
				t.Fatalf("the memory %q is not there", c.Memory.Content)
			}
			known, err := a.store.WhoKnows(t.Context(), space, graph.WhoKnowsQuery{Memory: m.ID})
			if err != nil {
				t.Fatal(err)
			}
			var personas []string
			for _, k := range known[0].KnownBy {
				if k.Persona {
					personas = append(personas, k.Entity.Name)
				}
			}
			slices.Sort(personas)
			slices.Sort(c.Personas)
			if diff := gocmp.Diff(c.Personas, personas); diff != "" {
				t.Errorf("who knows it (-want +got):\n%s", diff)
			}
			// Who does not know it does not find it, whatever it asks.
			about, err := a.store.WhoKnows(t.Context(), space, graph.WhoKnowsQuery{About: c.Question, Limit: 50})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(about, func(k graph.Known) bool { return k.ID == m.ID }) {
				t.Errorf("the question %q does not lead to it", c.Question)
			}
			for _, p := range []string{"小满", "Lumen", "墨鱼"} {
				found := slices.ContainsFunc(askAll(t, a, space, p, c.Question), func(h graph.Hint) bool { return h.ID == m.ID })
				if knows := slices.Contains(c.Personas, p); found && !knows {
					t.Errorf("%s finds it and does not know it", p)
				}
			}
		})
	}
}

// checkSeenBy checks what a persona sees and what it must not see.
func checkSeenBy(t *testing.T, a *app, space string, c whoKnowsCase) {
	hints := askAll(t, a, space, c.AsPersona, c.Question)
	has := func(w wanted) bool {
		return slices.ContainsFunc(hints, func(h graph.Hint) bool { return h.Memory == w.Content })
	}
	for _, w := range c.Visible {
		if !has(w) {
			t.Errorf("%s does not find %q", c.AsPersona, w.Content)
		}
	}
	known, err := a.store.Memories(t.Context(), space, graph.MemoryFilter{KnownTo: c.AsPersona, Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range c.Hidden {
		if has(w) || slices.ContainsFunc(known.Items, func(m graph.Memory) bool { return m.Content == w.Content }) {
			t.Errorf("%s sees %q", c.AsPersona, w.Content)
		}
	}
}

// askAll asks over all categories, for as many hints as there can be.
func askAll(t *testing.T, a *app, space, as, question string) []graph.Hint {
	t.Helper()
	return ask(t.Context(), t, a, space, as, graph.Query{Memory: question, All: true, Limit: 50})
}

// checkThen asks for what somebody believes and for what was known at a time.
func checkThen(t *testing.T, a *app, space string) {
	const (
		wedding12 = "2026年5月9日晚上，Maya在群里宣布她和Theo的婚礼定在2026年9月12日。我（墨鱼）赶紧翻了翻日历。"
		porto     = "Theo住在Porto。"
		lisbon    = "Theo moved from Porto to Lisbon on Friday 29 May 2026 and lives with Maya in Alfama."
		oldJob    = "阿岩在青屿科技工作。"
		newJob    = "阿岩从青屿科技离职，2026年4月20日起在杭州的北辰机器人工作。"
	)
	at := func(s string) time.Time {
		when, err := time.ParseInLocation(time.DateTime, s, shanghai)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	for _, tt := range []struct {
		name, question string
		request        graph.SearchRequest
		current        []string // hold
		outdated       []string // are marked as holding no longer
		absent         []string
	}{
		{"what changed without 墨鱼 it goes on believing", "Maya和Theo的婚礼在哪天", graph.SearchRequest{AsPersona: "墨鱼", Beliefs: true}, nil, []string{wedding12}, nil},
		{"without beliefs it sees nothing rather than something false", "Maya和Theo的婚礼在哪天", graph.SearchRequest{AsPersona: "墨鱼"}, nil, nil, []string{wedding12}},
		{"who was told of the change believes the old no more", "Maya和Theo的婚礼在哪天", graph.SearchRequest{AsPersona: "Lumen", Beliefs: true}, nil, nil, []string{wedding12}},
		{"a move that 小满 never heard of", "Theo住在哪里", graph.SearchRequest{AsPersona: "小满", Beliefs: true}, nil, []string{porto}, []string{lisbon}},
		{"before it changed, the old value held", "阿岩在哪里上班", graph.SearchRequest{AsOf: at("2026-04-09 12:00:00")}, []string{oldJob}, nil, []string{newJob}},
		{"after it changed, the new one", "阿岩在哪里上班", graph.SearchRequest{AsOf: at("2026-04-10 12:00:00")}, []string{newJob}, nil, []string{oldJob}},
		{"and the old one as past, where that is asked for", "阿岩在哪里上班", graph.SearchRequest{AsOf: at("2026-04-10 12:00:00"), IncludeRetired: true}, []string{newJob}, []string{oldJob}, nil},
		{"before anything was said there is nothing", "阿岩在哪里上班", graph.SearchRequest{AsOf: at("2026-03-01 00:00:00")}, nil, nil, []string{oldJob, newJob}},
		{"what a persona knew then", "Maya和Theo的婚礼在哪天", graph.SearchRequest{AsPersona: "墨鱼", AsOf: at("2026-05-10 00:00:00")}, []string{wedding12}, nil, nil},
		{"and not before it heard of it", "Maya和Theo的婚礼在哪天", graph.SearchRequest{AsPersona: "墨鱼", AsOf: at("2026-05-09 12:00:00")}, nil, nil, []string{wedding12}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.request.Space, tt.request.Queries = space, []graph.Query{{Memory: tt.question, All: true, Limit: 50}}
			results, err := a.store.Search(t.Context(), tt.request)
			if err != nil {
				t.Fatal(err)
			}
			found := make(map[string]graph.Hint)
			for _, h := range results[0].Hints {
				found[h.Memory] = h
			}
			check := func(list []string, outdated bool) {
				for _, content := range list {
					if h, ok := found[content]; !ok || h.Outdated != outdated {
						t.Errorf("%q: found %v, outdated %v, want outdated %v", content, ok, h.Outdated, outdated)
					}
				}
			}
			check(tt.current, false)
			check(tt.outdated, true)
			for _, content := range tt.absent {
				if _, ok := found[content]; ok {
					t.Errorf("%q is there", content)
				}
			}
		})
	}
	_, err := a.store.Search(t.Context(), graph.SearchRequest{Space: space, Beliefs: true, Queries: []graph.Query{{Memory: "x", All: true}}})
	if graph.ErrorCode(err) != graph.CodeInvalid {
		t.Errorf("beliefs of nobody: %v", err)
	}
}

// checkGrants lets somebody know a memory and takes it back, in the ledger.
func checkGrants(t *testing.T, a *app, space string) {
	const secret = "李明喜欢李明华，是他自己告诉舟舟的，还请舟舟打听李明华有没有对象，千万别在群里说。"
	ctx := t.Context()
	all := allMemories(t, a, space, false)
	m := all[slices.IndexFunc(all, func(m graph.Memory) bool { return m.Content == secret })]
	sees := func() bool {
		return slices.ContainsFunc(askAll(t, a, space, "小满", "李明喜欢谁"), func(h graph.Hint) bool { return h.ID == m.ID })
	}
	if sees() {
		t.Fatal("小满 sees it already")
	}
	known, err := a.relations.Grant(ctx, relations.Grant{Space: space, Memory: m.ID, Names: []string{"满满", "林栀"}})
	if err != nil {
		t.Fatal(err)
	}
	var who []string
	for _, k := range known.KnownBy {
		if k.How == graph.HowGranted {
			who = append(who, k.Entity.Name)
		}
	}
	if diff := gocmp.Diff([]string{"小满", "林栀"}, who); diff != "" || !sees() {
		t.Errorf("granted to: %s; seen %v", diff, sees())
	}
	known, err = a.relations.Revoke(ctx, relations.Grant{Space: space, Memory: m.ID, Names: []string{"小满", "林栀", "Lumen"}})
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(known.KnownBy, func(k graph.Awareness) bool { return k.How == graph.HowGranted }) || sees() {
		t.Errorf("revoked, and still known by %v", known.KnownBy)
	}
	page, err := a.store.Diffs(ctx, space, "", 2, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range page.Items {
		if len(d.Items) != 1 || d.Items[0].Action != graph.ActionUpdate || d.Items[0].Memory != m.ID || d.Items[0].Before == nil {
			t.Errorf("the ledger has %+v", d)
		}
	}
	for name, g := range map[string]relations.Grant{
		"nobody":         {Names: nil},
		"a stranger":     {Names: []string{"谁也不是"}},
		"an unknown way": {Names: []string{"小满"}, How: "dreamt"},
	} {
		g.Space, g.Memory = space, m.ID
		if _, err := a.relations.Grant(ctx, g); graph.ErrorCode(err) != graph.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	g := relations.Grant{Space: space, Memory: 1 << 40, Names: []string{"小满"}}
	if _, err := a.relations.Grant(ctx, g); graph.ErrorCode(err) != graph.CodeNotFound {
		t.Errorf("a memory that is not there: %v", err)
	}
}
