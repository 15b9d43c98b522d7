package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"relata/graph"
)

type pathCmd struct {
	From    string `arg:"" help:"An entity, by its name, an alias or its number."`
	To      string `arg:"" help:"Another."`
	Space   string `required:"" help:"The space to ask."`
	As      string `help:"Only over what this persona knows."`
	MaxHops int    `default:"4" help:"How many steps at most, 1 to 6."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Run shows the shortest ways between two entities, each step with its memory.
func (p *pathCmd) Run(ctx context.Context, c *Config, std streams) error {
	a, err := c.open(ctx, std.err, c.logger(std.err), nil)
	if err != nil {
		return err
	}
	return errors.Join(p.show(ctx, a.store, std.out), a.close(context.WithoutCancel(ctx)))
}

func (p *pathCmd) show(ctx context.Context, store *graph.Store, w io.Writer) error {
	paths, err := store.Paths(ctx, p.Space, graph.PathQuery{From: p.From, To: p.To, MaxHops: p.MaxHops, AsPersona: p.As})
	if err != nil {
		return err
	}
	if p.JSON {
		return printJSON(w, viewPaths(paths))
	}
	var b strings.Builder
	if len(paths) == 0 {
		fmt.Fprintf(&b, "(no way of at most %d steps)\n", p.MaxHops)
	}
	var ids []graph.MemoryID
	for _, path := range paths {
		for _, e := range path.Edges {
			ids = append(ids, e.MemoryID)
		}
	}
	memories, err := store.MemoriesByID(ctx, p.Space, ids, p.As)
	if err != nil {
		return err
	}
	for _, path := range paths {
		b.WriteByte('\n')
		writeSteps(&b, path, memories)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// writeSteps writes a path as a line of arrows, then the sentence of each step.
func writeSteps(b *strings.Builder, path graph.Path, memories map[graph.MemoryID]graph.Memory) {
	var sentences []string
	for i, n := range path.Nodes {
		fmt.Fprintf(b, "(%s)", n.Name)
		if i == len(path.Edges) {
			break
		}
		e := path.Edges[i]
		if e.Subject == n.ID {
			fmt.Fprintf(b, "-[%s]->", e.Relation)
		} else {
			fmt.Fprintf(b, "<-[%s]-", e.Relation)
		}
		sentences = append(sentences, fmt.Sprintf("    %d  %s", e.MemoryID, memories[e.MemoryID].Content))
	}
	fmt.Fprintf(b, "\n%s\n", strings.Join(sentences, "\n"))
}
