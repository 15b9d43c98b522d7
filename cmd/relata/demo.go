package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"relata/extractor"
	"relata/graph"
)

type demoCmd struct {
	Stay   bool   `var:"STAY" help:"Go on serving the API afterwards. ($STAY)"`
	Listen string `name:"listen" var:"RELATA_LISTEN" default:"127.0.0.1:8420" help:"Address to serve on with --stay. ($RELATA_LISTEN)"`
}

// Run plays the sample world: 14 sessions through the real pipeline, with the
// answers of a language model recorded, then searches. The world's space is
// made anew at each run.
func (d *demoCmd) Run(ctx context.Context, c *Config, std streams) error {
	c.LogLevel = "warn"
	model, err := sampleAnswers()
	if err != nil {
		return err
	}
	a, err := c.open(ctx, std.err, c.logger(std.err), model)
	if err != nil {
		return err
	}
	return errors.Join(d.play(ctx, a, std), a.close(context.WithoutCancel(ctx)))
}

func (d *demoCmd) play(ctx context.Context, a *app, std streams) error {
	w, err := readWorld()
	if err != nil {
		return err
	}
	if _, err := a.store.DeleteSpace(ctx, w.Space); err != nil && graph.ErrorCode(err) != graph.CodeNotFound {
		return err
	}
	if err := w.settle(ctx, a.store, w.Space); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "\nThe space %s: three bots and their friends around a small café on the harbour.\n", w.Space)
	for _, p := range w.Personas {
		fmt.Fprintf(std.out, "  %s, the bot of %s\n", p.Name, p.Owner)
	}
	fmt.Fprintln(std.out, "\n14 sessions of chat, read one after the other. The model's answers are recorded,\neverything after them is real: checked item by item, written to Neo4j.")
	batches, err := sampleSessions(w.Space)
	if err != nil {
		return err
	}
	for _, b := range batches {
		started := time.Now()
		r, err := a.extractor.Ingest(ctx, b, extractor.IngestOptions{By: "demo"})
		if err != nil {
			return fmt.Errorf("session %s: %w", b.Session, err)
		}
		tellReceipt(std.out, b, r, time.Since(started))
	}
	if err := d.ask(ctx, a.store, w.Space, std.out); err != nil {
		return err
	}
	if err := d.next(a, w.Space, std); err != nil {
		return err
	}
	if !d.Stay {
		return nil
	}
	listener, err := net.Listen("tcp", d.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w: choose another address with --listen", d.Listen, err)
	}
	return a.serve(ctx, listener, serveCmd{}, std)
}

// tellReceipt is a readable account of what a session changed.
func tellReceipt(w io.Writer, b extractor.Batch, r graph.Receipt, took time.Duration) {
	var s strings.Builder
	who := append(append([]string{}, b.Persona...), b.Present...)
	fmt.Fprintf(&s, "\n%s  (%s, %d messages, %d ms)\n  %s\n", b.Session, strings.Join(who, ", "), len(b.Chats), took.Milliseconds(), receiptLine(r))
	for _, rel := range r.Relations.Replaced {
		if rel.Old.Key != rel.New.Key {
			fmt.Fprintf(&s, "  ~ relation %s is now %s, %d memories carried along\n", rel.Old.Key, rel.New.Key, rel.Carried)
		}
	}
	for i, m := range r.Memories.Added {
		if i == 2 {
			fmt.Fprintf(&s, "  + … and %d more\n", len(r.Memories.Added)-i)
			break
		}
		fmt.Fprintf(&s, "  + %s\n", tellMemory(m))
	}
	told := 0
	for _, m := range r.Memories.Replaced {
		if m.Old.ID != m.New.ID && told < 2 {
			told++
			fmt.Fprintf(&s, "  ~ %s\n    was: %s\n", tellMemory(m.New), m.Old.Content)
		}
	}
	for i, m := range r.Memories.Removed {
		if i == 1 {
			fmt.Fprintf(&s, "  - … and %d more\n", len(r.Memories.Removed)-i)
			break
		}
		fmt.Fprintf(&s, "  - %s\n", m.Content)
	}
	for _, v := range r.Verdicts {
		if v.Outcome == graph.OutcomeRejected || v.Outcome == graph.OutcomePending {
			fmt.Fprintf(&s, "  ! %s %s: %s\n", v.Item, v.Outcome, v.Message)
		}
	}
	_, _ = io.WriteString(w, s.String())
}

func tellMemory(m graph.Memory) string {
	known := "nobody yet"
	if len(m.KnownBy) > 0 {
		known = strings.Join(m.KnownBy, ", ")
	}
	return fmt.Sprintf("(%s)-[%s]->(%s)  %s  [known by %s]", m.Subject, graph.TypeName(m.Relation), m.Object, m.Content, known)
}

// demoQuestions show each kind of answer.
var demoQuestions = []struct {
	about, as, question string
	retired             bool
}{
	{about: "Chinese", as: "小满", question: "阿岩爱不爱吃香菜"},
	{about: "English", as: "Lumen", question: "what is Maya's usual coffee order?"},
	{about: "asked in English, remembered in Chinese", as: "小满", question: "the name of Ayan's cat"},
	{about: "two steps over the graph", as: "小满", question: "阿岩的妹妹害怕什么"},
	{about: "three steps over the graph", as: "Lumen", question: "Which city is the company of Maya's fiancé in?"},
	{about: "what no longer holds, on request", as: "Lumen", question: "Maya's favourite coffee in the past", retired: true},
	{about: "a secret, asked as a bot that must not know it", as: "小满", question: "the new date of the wedding"},
	{about: "the same, asked as the bot that was told", as: "Lumen", question: "the new date of the wedding"},
}

func (d *demoCmd) ask(ctx context.Context, store *graph.Store, space string, w io.Writer) error {
	fmt.Fprintln(w, "\nNow some questions, each over everything that the bot asking knows.")
	for _, q := range demoQuestions {
		results, err := store.Search(ctx, graph.SearchRequest{
			Space: space, AsPersona: q.as, IncludeRetired: q.retired, Explain: true,
			Queries: []graph.Query{{Memory: q.question, All: true, Limit: 10}},
		})
		if err != nil {
			return err
		}
		if err := printResult(w, fmt.Sprintf("%s   — %s, as %s", q.question, q.about, q.as), results[0], 3); err != nil {
			return err
		}
	}
	return nil
}

// next says where to look now.
func (d *demoCmd) next(a *app, space string, std streams) error {
	fmt.Fprintf(std.out, "\nWhere to look next\n  relata search --space %s --as Lumen \"when is the wedding?\"\n", space)
	fmt.Fprintf(std.out, "  STAY=1 make demo, then the API at http://%s and its reference at http://%s/docs\n", d.Listen, d.Listen)
	if a.local == nil {
		return nil
	}
	if err := printBrowser(a.local, std); err != nil {
		return err
	}
	_, err := fmt.Fprintf(std.out, "  and there:   MATCH p = (a:Entity {space: '%s'})-[r]->(b:Entity) WHERE r.memory_id IS NOT NULL RETURN p\n  The database goes on running: relata db stop\n", space)
	return err
}
