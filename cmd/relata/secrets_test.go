package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"relata/graph"
	"relata/internal/testkit"
	"relata/relations"
)

// TestNoRouteTellsAPersonaWhatItDoesNotKnow makes random worlds of personas,
// groups, secrets, aliases, replacements, removals, grants and revocations. All
// that is said there is made of words that occur once in the world, so that each
// answer of each route can be read for words, and for numbers, that its asker
// cannot know. What a persona does know is read from the graph by itself.
func TestNoRouteTellsAPersonaWhatItDoesNotKnow(t *testing.T) {
	a := sampleApp(t, nil)
	c := serveApp(t, a)
	seeds := uint64(2)
	if underRace {
		seeds = 1
		t.Log("one world instead of two: the race detector is on")
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			w := newSecretWorld(t, a, client{t, c.base}, seed)
			for range 9 {
				w.step()
			}
			for _, p := range w.personas {
				w.check(p)
			}
		})
	}
}

type secretWorld struct {
	t     *testing.T
	a     *app
	c     client
	rnd   *rand.Rand
	space string

	personas, people, entities []string
	next                       int
	nextMessage                int64
	now                        time.Time
	words                      []string // every word of the world that occurs once
}

func newSecretWorld(t *testing.T, a *app, c client, seed uint64) *secretWorld {
	w := &secretWorld{
		t: t, a: a, c: c, rnd: rand.New(rand.NewPCG(seed, 7)), nextMessage: 900_000_000 + int64(seed)*1000,
		space: testkit.Space(t, a.store, graph.Space{Vocabulary: "core"}), now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
	}
	if err := a.relations.Seed(t.Context(), w.space); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		p, owner := w.word("bot"), w.word("owner")
		w.personas, w.people = append(w.personas, p), append(w.people, owner)
		_, err := a.store.PutPersona(t.Context(), w.space, graph.Persona{Name: p, Owner: owner, Aliases: []string{w.word("nick")}})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.entities = append(w.entities, w.people...)
	return w
}

// word gives a word that the world has not had.
func (w *secretWorld) word(kind string) string {
	w.next++
	word := fmt.Sprintf("%sq%dz", kind, w.next)
	w.words = append(w.words, word)
	return word
}

func (w *secretWorld) pick(list []string) string { return list[w.rnd.IntN(len(list))] }

// some gives at least one of a list.
func (w *secretWorld) some(list []string) []string {
	shuffled := slices.Clone(list)
	w.rnd.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	return shuffled[:1+w.rnd.IntN(len(list))]
}

// step lets something happen: mostly a talk, else a grant or a revocation.
func (w *secretWorld) step() {
	w.now = w.now.Add(26 * time.Hour)
	current := w.current()
	if n := w.rnd.IntN(6); n == 0 && len(current) > 0 {
		g := relations.Grant{Space: w.space, Memory: current[w.rnd.IntN(len(current))].ID, Names: []string{w.pick(w.personas)}}
		change := w.a.relations.Grant
		if w.rnd.IntN(2) == 0 {
			change = w.a.relations.Revoke
		}
		if _, err := change(w.t.Context(), g); err != nil {
			w.t.Fatal(err)
		}
		return
	}
	w.talk(current)
}

func (w *secretWorld) talk(current []graph.Memory) {
	present := w.some(w.personas)
	speaker := w.pick(w.people)
	w.nextMessage++
	sub := relations.Submission{
		Space: w.space, Date: w.now, Session: w.word("session"), Present: present,
		Sources: []graph.Source{{
			SourceID: w.nextMessage, Kind: graph.SourceMessage, Role: "user", Speaker: speaker, Date: w.now,
			Content: "said " + w.word("message"), Present: present,
		}},
	}
	sub.Sources[0].Session = sub.Session
	for range 1 + w.rnd.IntN(3) {
		sub.Proposal.Memories.Increments = append(sub.Proposal.Memories.Increments, w.item(present))
	}
	for _, m := range current {
		copied := relations.MemoryItem{
			Date: relations.FormatDate(m.Date, time.UTC), Subject: m.Subject, Object: m.Object, Relation: m.Relation, Content: m.Content,
		}
		switch w.rnd.IntN(12) {
		case 0:
			target := w.item(present)
			target.Subject, target.Relation = m.Subject, m.Relation
			sub.Proposal.Memories.Replaces = append(sub.Proposal.Memories.Replaces, relations.MemoryReplace{Source: copied, Target: target})
		case 1:
			sub.Proposal.Memories.Removes = append(sub.Proposal.Memories.Removes, copied)
		}
	}
	r, err := w.a.relations.Submit(w.t.Context(), sub)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, v := range r.Verdicts {
		if v.Outcome == graph.OutcomeRejected {
			w.t.Errorf("%s: %s %s", v.Item, v.Code, v.Message)
		}
	}
}

// item makes a statement, known to some of those present.
func (w *secretWorld) item(present []string) relations.MemoryItem {
	subject, object := w.pick(w.entities), w.word("thing")
	if w.rnd.IntN(3) == 0 {
		subject = w.word("one")
	}
	relation := w.pick([]string{"like", "know", "own", "plan", "alias_of", "work_at", "live_in"})
	if relation == "alias_of" {
		// Another name for somebody, as a memory claims it.
		subject, object = object, subject
	}
	w.entities = append(w.entities, subject, object)
	return relations.MemoryItem{
		Subject: subject, Relation: relation, Object: object,
		Content: fmt.Sprintf("%s %s %s %s", subject, relation, object, w.word("secret")),
		MsgIDs:  []int64{w.nextMessage}, Tags: []string{w.word("tag")}, KnownBy: w.some(present),
	}
}

func (w *secretWorld) current() []graph.Memory {
	return allMemories(w.t, w.a, w.space, false)
}

// knowledge is what one persona may be told.
type knowledge struct {
	memories []graph.Memory // those it is aware of, current and retired
	words    map[string]bool
	numbers  map[int64]bool
}

// knows reads what a persona is aware of, by statements of the test's own.
func (w *secretWorld) knows(p string) knowledge {
	k := knowledge{words: make(map[string]bool), numbers: make(map[int64]bool)}
	learn := func(texts ...string) {
		for _, text := range texts {
			for _, word := range w.words {
				if regexp.MustCompile(`\b` + word + `\b`).MatchString(text) {
					k.words[word] = true
				}
			}
		}
	}
	rows := query(w.t, w.a, `
		MATCH (p:Persona {space: $space, name: $name})
		OPTIONAL MATCH (p)-[:PERSONA_OWNER]->(o)
		RETURN p.name + ' ' + reduce(s = '', x IN p.aliases | s + ' ' + x) + ' ' + o.name, [p.id, o.id]`,
		map[string]any{"space": w.space, "name": p})
	learn(rows[0].Values[0].(string))
	number := func(v any) {
		for _, id := range v.([]any) {
			k.numbers[id.(int64)] = true
		}
	}
	number(rows[0].Values[1])
	rows = query(w.t, w.a, `
		MATCH (p:Persona {space: $space, name: $name})-[a:AWARE_OF]->(m)
		MATCH (m)-[:MEMORY_SUBJECT]->(x) MATCH (m)-[:MEMORY_OBJECT]->(y)
		RETURN m.content + ' ' + m.subject + ' ' + m.object + reduce(s = '', x IN m.tags | s + ' ' + x) + ' ' + coalesce(a.by, ''),
			[m.id, x.id, y.id], m:Memory, m.content`,
		map[string]any{"space": w.space, "name": p})
	for _, r := range rows {
		learn(r.Values[0].(string))
		number(r.Values[1])
		m := graph.Memory{ID: graph.MemoryID(r.Values[1].([]any)[0].(int64)), Content: r.Values[3].(string)}
		if !r.Values[2].(bool) {
			m.RetiredBy = "somebody"
		}
		k.memories = append(k.memories, m)
	}
	rows = query(w.t, w.a, `
		MATCH (x:Message {space: $space}) WHERE $name IN x.present
		RETURN x.content + ' ' + x.speaker + ' ' + x.session + reduce(s = '', p IN x.present | s + ' ' + p), [x.source_id]`,
		map[string]any{"space": w.space, "name": p})
	for _, r := range rows {
		learn(r.Values[0].(string))
		number(r.Values[1])
	}
	return k
}

// numbers gives every number of a memory, an entity or a message of the world.
func (w *secretWorld) numbers() map[int64]bool {
	out := make(map[int64]bool)
	rows := query(w.t, w.a, `
		MATCH (n {space: $space}) WHERE n:Memory OR n:Retired OR n:Entity OR n:Message
		RETURN coalesce(n.source_id, n.id)`, map[string]any{"space": w.space})
	for _, r := range rows {
		out[r.Values[0].(int64)] = true
	}
	return out
}

var numeral = regexp.MustCompile(`\b\d{3,}\b`)

// check asks every route as a persona for everything there is.
func (w *secretWorld) check(p string) {
	k, all := w.knows(p), w.numbers()
	as := "as_persona=" + url.QueryEscape(p)
	read := func(method, path string, body any, asked ...string) []byte {
		raw := w.fetch(method, "/v1/spaces/"+w.space+path, body)
		for _, word := range w.words {
			if !k.words[word] && !slices.Contains(asked, word) && regexp.MustCompile(`\b`+word+`\b`).Match(raw) {
				w.t.Errorf("%s is told %q by %s %s: %.300s", p, word, method, path, raw)
			}
		}
		for _, at := range numeral.FindAllIndex(raw, -1) {
			digits := string(raw[at[0]:at[1]])
			n, err := strconv.ParseInt(digits, 10, 64) // base 10: the fraction 0.0152 holds no octal 106
			if err == nil && all[n] && !k.numbers[n] && !slices.Contains(asked, digits) {
				w.t.Errorf("%s is told the number %d by %s %s: …%s…", p, n, method, path, raw[max(0, at[0]-100):min(len(raw), at[1]+100)])
			}
		}
		return raw
	}
	w.readLists(p, as, read)
	for n := range all {
		if w.rnd.IntN(2) == 0 {
			continue // a half of them is enough
		}
		id := fmt.Sprint(n)
		for _, path := range []string{
			"/memories/" + id, "/memories/" + id + "/history", "/memories/" + id + "/awareness",
			"/entities/" + id, "/entities/" + id + "/neighbourhood",
		} {
			join := "?"
			if strings.HasSuffix(path, "neighbourhood") {
				join = "?depth=3&"
			}
			read("GET", path+join+as, nil, id)
		}
		read("GET", "/messages?ids="+id+"&"+as, nil)
		read("POST", "/who-knows", map[string]any{"memory_id": n, "as_persona": p}, id)
	}
	var asked []map[string]any
	for _, word := range w.words {
		if strings.HasPrefix(word, "tag") || w.rnd.IntN(3) > 0 {
			continue
		}
		asked = append(asked, map[string]any{"memory": word, "all": true, "limit": 50})
		read("GET", "/entities?name="+word+"&"+as, nil, word)
		if w.rnd.IntN(4) == 0 {
			read("POST", "/context", map[string]any{"queries": []string{word}, "as_persona": p, "beliefs": true, "sources": true, "max_tokens": 4000}, word)
		}
	}
	for batch := range slices.Chunk(asked, 50) {
		for _, extra := range []map[string]any{{}, {"include_retired": true}, {"beliefs": true}, {"as_of": relations.FormatDate(w.now.Add(-100*time.Hour), time.UTC)}} {
			body := map[string]any{"queries": batch, "as_persona": p, "explain": true}
			for name, value := range extra {
				body[name] = value
			}
			w.search(p, read, body)
		}
	}
	for range 10 {
		from, to := w.pick(w.entities), w.pick(w.entities)
		read("GET", "/paths?from="+from+"&to="+to+"&max_hops=6&"+as, nil, from, to)
	}
	w.findsAll(p, k)
}

// reader asks a route; words and numbers that were asked for may come back.
type reader func(method, path string, body any, asked ...string) []byte

// search reads what a search brings without the questions themselves.
func (w *secretWorld) search(p string, read reader, body map[string]any) {
	var words []string
	for _, q := range body["queries"].([]map[string]any) {
		words = append(words, q["memory"].(string))
	}
	raw := read("POST", "/search", body, words...)
	var answer struct {
		Results []struct {
			Query struct {
				Memory string `json:"memory"`
			} `json:"query"`
			Hints json.RawMessage `json:"hints"`
		} `json:"results"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		w.t.Fatalf("%v: %s", err, raw)
	}
	k := w.knows(p)
	for _, r := range answer.Results {
		for _, word := range words {
			if !k.words[word] && bytes.Contains(r.Hints, []byte(word)) {
				w.t.Errorf("%s is told %q by the search for %q", p, word, r.Query.Memory)
			}
		}
	}
}

func (w *secretWorld) readLists(p, as string, read reader) {
	for _, path := range []string{
		"/memories?limit=200&" + as, "/memories?limit=200&retired=true&" + as, "/entities?limit=200&" + as, "/relations?" + as,
		"/personas?" + as, "/personas/" + p + "/memories?limit=200&" + as, "/diffs?limit=3&" + as, "/diffs?limit=200&" + as, "/jobs?" + as,
	} {
		read("GET", path, nil)
	}
	for _, other := range w.personas {
		read("GET", "/personas/"+other+"?"+as, nil, other)
		read("GET", "/personas/"+other+"/memories?"+as, nil, other)
		read("GET", "/personas/"+p+"/memories?unknown_to="+other+"&"+as, nil, other)
	}
	for _, word := range w.words {
		if strings.HasPrefix(word, "session") {
			read("GET", "/messages?session="+word+"&"+as, nil)
			read("GET", "/memories?session="+word+"&"+as, nil)
		}
	}
	for _, about := range w.some(w.entities)[:1] {
		read("GET", "/memories?about="+about+"&"+as, nil, about)
		read("POST", "/who-knows", map[string]any{"about": about, "as_persona": p}, about)
	}
	page, err := w.a.store.Diffs(w.t.Context(), w.space, "", 200, "")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, d := range page.Items {
		id := fmt.Sprint(d.ID)
		read("GET", "/diffs/"+id+"?"+as, nil, id)
	}
}

// findsAll asks for each memory that a persona is aware of by its own words.
func (w *secretWorld) findsAll(p string, k knowledge) {
	for _, m := range k.memories {
		req := graph.SearchRequest{
			Space: w.space, AsPersona: p, IncludeRetired: m.RetiredBy != "",
			Queries: []graph.Query{{Memory: m.Content, All: true, Limit: 10}},
		}
		results, err := w.a.store.Search(w.t.Context(), req)
		if err != nil {
			w.t.Fatal(err)
		}
		if !slices.ContainsFunc(results[0].Hints, func(h graph.Hint) bool { return h.ID == m.ID }) {
			w.t.Errorf("%s does not find memory %d by its own words %q", p, m.ID, m.Content)
		}
	}
}

// fetch gives a body whatever the status, but for a fault of the server.
func (w *secretWorld) fetch(method, path string, body any) []byte {
	w.t.Helper()
	var in io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			w.t.Fatal(err)
		}
		in = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.c.base+path, in)
	if err != nil {
		w.t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if res.StatusCode >= 500 {
		w.t.Fatalf("%s %s: %d: %s", method, path, res.StatusCode, raw)
	}
	return raw
}
