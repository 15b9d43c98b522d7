package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"relata/graph"
	"relata/internal/bench"
	"relata/internal/localdb"
)

type benchRecallCmd struct {
	Packs          []string `arg:"" name:"pack" type:"existingdir" help:"Folders with messages.jsonl, memories.jsonl and questions.jsonl. They are imported into scratch spaces named recall-PACK-SPACE."`
	IncludeRetired []string `name:"include-retired" default:"hard_conflict" placeholder:"TYPE" help:"Types of questions that are asked with include_retired, since they ask what was replaced (${default})."`
	Legs           bool     `help:"Score also what each leg of the search puts first."`
	Blocks         []int    `name:"context" placeholder:"TOKENS" help:"Measure context blocks of these budgets, such as 400,800,1600."`
	Out            string   `placeholder:"DIR" help:"Write the answers there, to PACK.jsonl, in the form that the packs' own scorer reads."`
	Keep           bool     `help:"Keep the scratch spaces, and leave a private database running; the next run with this flag takes what is there."`
	JSON           bool     `name:"json" help:"Print JSON."`
}

// Run measures recall with the configured embedder. Without --neo4j-uri it uses
// a private database of its own in the cache folder.
func (f *benchRecallCmd) Run(ctx context.Context, c *Config, std streams) (err error) {
	packs, err := f.read()
	if err != nil {
		return err
	}
	own := *c
	own.DataDir, own.LLM = filepath.Join(c.CacheDir, "bench-db-recall"), "none"
	a, err := own.open(ctx, std.err, c.logger(std.err), nil)
	if err != nil {
		return err
	}
	defer func() {
		ending := context.WithoutCancel(ctx)
		err = errors.Join(err, a.close(ending))
		if a.local != nil && !f.Keep && !a.local.Reused {
			err = errors.Join(err, localdb.Stop(ending, own.local(std.err), localdb.StopOptions{}))
		}
	}()
	return f.measure(ctx, a.store, packs, std)
}

// read reads all packs before anything is started.
func (f *benchRecallCmd) read() ([]*bench.Pack, error) {
	seen := make(map[string]bool)
	packs := make([]*bench.Pack, 0, len(f.Packs))
	for _, dir := range f.Packs {
		p, err := bench.ReadPack(dir)
		if err != nil {
			return nil, err
		}
		if seen[p.Name] {
			return nil, fmt.Errorf("two packs are named %s: their scratch spaces and answers would be the same", p.Name)
		}
		seen[p.Name] = true
		packs = append(packs, p)
	}
	return packs, nil
}

func (f *benchRecallCmd) measure(ctx context.Context, store *graph.Store, packs []*bench.Pack, std streams) error {
	r := bench.NewRecall(bench.RecallOptions{
		Store: store, Retired: f.IncludeRetired, Legs: f.Legs, Blocks: f.Blocks, Keep: f.Keep,
		Progress: func(line string) { fmt.Fprintln(std.err, line) },
	})
	report := bench.RecallReport{Command: "relata bench recall"}
	for _, p := range packs {
		measured, results, err := r.Measure(ctx, p)
		if err != nil {
			return err
		}
		if err := f.write(p.Name, results); err != nil {
			return err
		}
		report.Packs = append(report.Packs, measured)
	}
	if f.JSON {
		return report.WriteJSON(std.out)
	}
	return report.WriteText(std.out)
}

// write keeps the answers to a pack where that is wanted.
func (f *benchRecallCmd) write(pack string, results []bench.RecallResult) error {
	if f.Out == "" {
		return nil
	}
	if err := os.MkdirAll(f.Out, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(f.Out, pack+".jsonl"))
	if err != nil {
		return err
	}
	return errors.Join(bench.WriteResults(file, results), file.Close())
}
