package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"relata/graph"
)

type whoKnowsCmd struct {
	About  string `arg:"" optional:"" help:"What it is about, in plain words."`
	Space  string `required:"" help:"The space to ask."`
	Memory int64  `help:"One memory, by its number, instead of a text." placeholder:"ID"`
	As     string `help:"Ask as this persona: only what it knows comes back."`
	Limit  int    `default:"5" help:"How many memories, 1 to 50."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run asks who is aware of the memories that match.
func (c *whoKnowsCmd) Run(ctx context.Context, config *Config, std streams) error {
	a, err := config.open(ctx, std.err, config.logger(std.err), nil)
	if err != nil {
		return err
	}
	return errors.Join(c.ask(ctx, a.store, std.out), a.close(context.WithoutCancel(ctx)))
}

func (c *whoKnowsCmd) ask(ctx context.Context, store *graph.Store, w io.Writer) error {
	space, err := store.Space(ctx, c.Space)
	if err != nil {
		return err
	}
	known, err := store.WhoKnows(ctx, c.Space, graph.WhoKnowsQuery{
		About: c.About, Memory: graph.MemoryID(c.Memory), Limit: c.Limit, AsPersona: c.As,
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(w, viewKnown(known, space.Location()))
	}
	return printKnown(w, known, space.Location())
}

// printKnown shows memories, each with those who know it.
func printKnown(w io.Writer, known []graph.Known, loc *time.Location) error {
	var b strings.Builder
	if len(known) == 0 {
		b.WriteString("(nothing)\n")
	}
	for _, k := range known {
		fmt.Fprintf(&b, "\n%d  %s\n", k.ID, k.Content)
		if len(k.KnownBy) == 0 {
			b.WriteString("    nobody in particular\n")
		}
		for _, a := range k.KnownBy {
			kind := "person"
			if a.Persona {
				kind = "persona"
			}
			fmt.Fprintf(&b, "    %s (%s)  %s", a.Entity.Name, kind, a.How)
			if a.By != "" {
				fmt.Fprintf(&b, " by %s", a.By)
			}
			if !a.Since.IsZero() {
				fmt.Fprintf(&b, ", since %s", a.Since.In(loc).Format(time.DateTime))
			}
			if len(a.MsgIDs) > 0 {
				fmt.Fprintf(&b, ", messages %s", strings.Trim(fmt.Sprint(a.MsgIDs), "[]"))
			}
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
