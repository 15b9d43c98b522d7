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
	for _, path := range paths {
		b.WriteByte('\n')
		if err := p.steps(ctx, store, &b, path); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// steps writes a path as a line of arrows, then the sentence of each step.
func (p *pathCmd) steps(ctx context.Context, store *graph.Store, b *strings.Builder, path graph.Path) error {
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
		m, err := store.Memory(ctx, p.Space, e.MemoryID, p.As)
		if err != nil {
			return err
		}
		sentences = append(sentences, fmt.Sprintf("    %d  %s", m.ID, m.Content))
	}
	fmt.Fprintf(b, "\n%s\n", strings.Join(sentences, "\n"))
	return nil
}
