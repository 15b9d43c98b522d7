package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/graph"
)

// scans are operators that read everything of a kind.
var scans = []string{"AllNodesScan", "NodeByLabelScan", "AllRelationshipsScan", "TypeScan"}

// forbidden says whether an operator must not occur in a hot statement. A
// Cartesian product counts where it multiplies: the planner also makes one of two
// look-ups of a row each.
func forbidden(o neo4j.ProfiledPlan) bool {
	for _, s := range scans {
		if strings.Contains(o.Operator(), s) {
			return true
		}
	}
	if !strings.HasPrefix(o.Operator(), "CartesianProduct") {
		return false
	}
	for _, child := range o.Children() {
		if child.Records() >= o.Records() {
			return false
		}
	}
	return true
}

// Profile runs what searches and diffs run once more under PROFILE, with the
// parameters they had, and tells the work of each statement and which operators
// did it. Writes are rolled back.
func (b *Bench) Profile(ctx context.Context) ([]Table, error) {
	var tables []Table
	for _, group := range []struct {
		title string
		calls func(context.Context) ([]graph.Call, error)
	}{
		{"statements of searches", b.searchCalls},
		{"statements of other reads", b.readCalls},
		{"statements of a diff of 20 items", b.diffCalls},
	} {
		b.say("profiling %s", group.title)
		calls, err := group.calls(ctx)
		if err != nil {
			return nil, err
		}
		t, err := b.profileAll(ctx, group.title, calls)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// searchCalls searches in every manner and keeps the statements.
func (b *Bench) searchCalls(ctx context.Context) ([]graph.Call, error) {
	var calls recorder
	ctx = graph.WithTrace(ctx, calls.add)
	for _, s := range pickSpaces(b.World.Spaces()) {
		list := b.World.Questions(s, 12)
		personas := []string{""}
		for _, p := range b.World.Personas(s) {
			personas = append(personas, p.Name)
		}
		for i, q := range list {
			req := graph.SearchRequest{
				Space: s.Name, AsPersona: personas[i%len(personas)], IncludeRetired: i%3 == 0,
				Queries: []graph.Query{{Memory: q.Text, All: true, Limit: searchLimit}},
			}
			if i%4 == 1 {
				req.Queries[0].Index0, req.Queries[0].Index1, req.Queries[0].All = q.Index0, q.Index1, false
			}
			if err := b.ask(ctx, b.store, req); err != nil {
				return nil, err
			}
		}
	}
	return calls.calls, nil
}

// readCalls reads what pages and pipelines read of the largest space.
func (b *Bench) readCalls(ctx context.Context) ([]graph.Call, error) {
	var calls recorder
	ctx = graph.WithTrace(ctx, calls.add)
	s := b.World.Spaces()[0]
	q := b.World.Questions(s, 1)[0]
	persona := b.World.Personas(s)[0].Name
	var first graph.Page[graph.Memory]
	for _, read := range []func() error{
		func() error {
			_, err := b.store.Context(ctx, s.Name, graph.ContextQuery{
				Texts: []string{q.Text}, Names: []string{nameOf(hub), nameOf(3)}, Session: "session-1", Limit: 60,
			})
			return err
		},
		func() (err error) { first, err = b.store.Memories(ctx, s.Name, graph.MemoryFilter{}); return err },
		func() error {
			_, err := b.store.Memories(ctx, s.Name, graph.MemoryFilter{Subject: nameOf(hub), Index0: graph.Event, AsPersona: persona})
			return err
		},
		func() error {
			_, err := b.store.Memories(ctx, s.Name, graph.MemoryFilter{Retired: true, Relation: b.World.keys[0]})
			return err
		},
		func() error { _, err := b.store.Memory(ctx, s.Name, first.Items[0].ID, ""); return err },
		func() error { _, err := b.store.History(ctx, s.Name, first.Items[0].ID, ""); return err },
		func() error { _, err := b.store.Relations(ctx, s.Name, ""); return err },
		func() error { _, err := b.store.Personas(ctx, s.Name, ""); return err },
		func() error {
			_, err := b.store.Messages(ctx, s.Name, graph.MessageQuery{Session: "session-7", AsPersona: persona})
			return err
		},
		func() error {
			_, err := b.store.Messages(ctx, s.Name, graph.MessageQuery{IDs: []int64{1, 2, 3}})
			return err
		},
		func() error { _, err := b.store.Diffs(ctx, s.Name, "", 50, ""); return err },
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return calls.calls, nil
}

// diffCalls rehearses a diff in the largest space, so that the statements meet a
// hub, and keeps the statements.
func (b *Bench) diffCalls(ctx context.Context) ([]graph.Call, error) {
	space, c, err := b.writingSpace(ctx)
	if err != nil {
		return nil, err
	}
	w, err := b.newWriter(ctx, space, c)
	if err != nil {
		return nil, err
	}
	sub, _ := w.diff(writersItems)
	return b.rehearsed(ctx, sub)
}

// profiled is a statement with what it did.
type profiled struct {
	name   string
	rows   int64
	hits   int64
	scans  []string // forbidden operators, with what they read
	costly []string // operators with the most db hits
}

// profileAll profiles calls in order in one transaction that is rolled back, and
// gives for each statement the call that hit the database most.
func (b *Bench) profileAll(ctx context.Context, title string, calls []graph.Call) (Table, error) {
	session := b.driver().NewSession(ctx, neo4j.SessionConfig{DatabaseName: b.connect.Database})
	defer session.Close(ctx)
	worst := make(map[string]profiled)
	hits := make(map[string][]int64)
	_, err := neo4j.ExecuteWrite(ctx, session, func(tx neo4j.ManagedTransaction) (struct{}, error) {
		for _, c := range calls {
			if c.Statement == "id_block" || strings.Contains(c.Text, "SHOW ") {
				continue
			}
			p, err := profile(ctx, tx, c)
			if err != nil {
				return struct{}{}, fmt.Errorf("profile %s: %w", c.Statement, err)
			}
			hits[p.name] = append(hits[p.name], p.hits)
			if old, ok := worst[p.name]; !ok || p.hits > old.hits {
				p.scans = append(p.scans, old.scans...)
				worst[p.name] = p
			}
		}
		return struct{}{}, errRehearsed
	})
	if !errors.Is(err, errRehearsed) {
		return Table{}, err
	}
	t := Table{Title: title}
	for _, p := range worst {
		slices.Sort(p.scans)
		note := strings.Join(p.costly, "; ")
		if scans := slices.Compact(p.scans); len(scans) > 0 {
			note = "!! " + strings.Join(scans, "; ") + " !! " + note
		}
		slices.Sort(hits[p.name])
		t.Rows = append(t.Rows, Row{
			Name: p.name, Count: len(hits[p.name]), Rows: p.rows, DbHits: p.hits,
			DbHits50: hits[p.name][(len(hits[p.name])-1)/2], Note: note,
		})
	}
	slices.SortFunc(t.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.DbHits, a.DbHits), cmp.Compare(a.Name, b.Name))
	})
	return t, nil
}

func profile(ctx context.Context, tx neo4j.ManagedTransaction, c graph.Call) (profiled, error) {
	text := strings.Replace(c.Text, "CYPHER 25\n", "CYPHER 25 PROFILE ", 1)
	result, err := tx.Run(ctx, text, c.Params)
	if err != nil {
		return profiled{}, err
	}
	rows := int64(0)
	for result.Next(ctx) {
		rows++
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		return profiled{}, err
	}
	plan := summary.Profile()
	if plan == nil {
		return profiled{}, errors.New("the server gave no profile")
	}
	p := profiled{name: c.Statement, rows: rows}
	var operators []neo4j.ProfiledPlan
	walk(plan, func(o neo4j.ProfiledPlan) {
		operators = append(operators, o)
		p.hits += o.DbHits()
		if forbidden(o) {
			p.scans = append(p.scans, describe(o))
		}
	})
	slices.SortStableFunc(operators, func(a, b neo4j.ProfiledPlan) int { return cmp.Compare(b.DbHits(), a.DbHits()) })
	for _, o := range operators[:min(3, len(operators))] {
		if o.DbHits() > 0 {
			p.costly = append(p.costly, fmt.Sprintf("%d %s", o.DbHits(), describe(o)))
		}
	}
	return p, nil
}

func walk(plan neo4j.ProfiledPlan, visit func(neo4j.ProfiledPlan)) {
	visit(plan)
	for _, child := range plan.Children() {
		walk(child, visit)
	}
}

// describe names an operator with the beginning of its details.
func describe(o neo4j.ProfiledPlan) string {
	name := strings.TrimSuffix(o.Operator(), "@neo4j")
	details, _ := o.Arguments()["Details"].(string)
	details = strings.Join(strings.Fields(details), " ")
	if most := 90; len(details) > most {
		details = strings.ToValidUTF8(details[:most], "") + "…"
	}
	if details == "" {
		return name
	}
	return name + " (" + details + ")"
}
