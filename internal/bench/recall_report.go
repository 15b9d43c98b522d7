package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// PackReport is the outcome of one pack.
type PackReport struct {
	Pack      string `json:"pack"`
	Spaces    int    `json:"spaces"`
	Messages  int    `json:"messages"`
	Memories  int    `json:"memories"`
	Questions int    `json:"questions"`
	// Ceiling is the overall recall of finding every memory of the pack, Reach that
	// of finding all that the questions, as they were asked, could find of what
	// the import made of them. Short has, by type, the share of evidence that only
	// what was retired leads to while the questions were asked without it.
	Ceiling float64            `json:"ceiling"`
	Reach   float64            `json:"reach"`
	Short   map[string]float64 `json:"short,omitempty"`
	// Repeated counts lines that said what another line had said.
	Repeated int `json:"repeated_lines"`
	Kept     int `json:"kept_spaces"` // taken as an earlier run left them
	// Asked counts, by type, the questions asked with what was retired.
	Asked map[string]int `json:"asked_with_retired"`
	// Strange counts hints whose memory was not imported into the space asked.
	Strange int            `json:"strange_hints"`
	Blocks  []BlockFigures `json:"blocks,omitempty"`
	Runs    []RecallRun    `json:"runs"` // the search first, then the floor
}

// RecallReport is the outcome of a run over packs.
type RecallReport struct {
	Command string       `json:"command"`
	Packs   []PackReport `json:"packs"`
}

// WriteJSON prints the report as JSON.
func (r RecallReport) WriteJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(r)
}

// WriteText prints the report for people: each pack by type of question, then all
// packs.
func (r RecallReport) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, p := range r.Packs {
		p.text(&b)
	}
	b.WriteString("overall, without questions to abstain from\n")
	t := newRecallTable(&b, "pack")
	for _, p := range r.Packs {
		for i, run := range p.Runs {
			t.row(i, p.Pack, run.Name, run.Overall)
		}
	}
	t.end()
	if slices.ContainsFunc(r.Packs, func(p PackReport) bool { return len(p.Runs) > 2 }) {
		b.WriteString("legs: searches by one leg alone\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p PackReport) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %d memories of %d messages in %d spaces, %d questions, limit %d\n",
		p.Pack, p.Memories, p.Messages, p.Spaces, p.Questions, recallLimit)
	t := newRecallTable(b, "type")
	for _, kind := range slices.Sorted(maps.Keys(p.Runs[0].Types)) {
		for i, run := range p.Runs {
			t.row(i, kind, run.Name, run.Types[kind])
		}
	}
	t.end()
	fmt.Fprintf(b, "  recall of finding every memory: %.3f; of finding all that the questions, as asked, could find of the import: %.3f\n", p.Ceiling, p.Reach)
	for _, kind := range slices.Sorted(maps.Keys(p.Short)) {
		fmt.Fprintf(b, "  out of reach without include_retired: %s, %.3f of its evidence\n", kind, p.Short[kind])
	}
	search := p.Runs[0]
	if search.AbstainAUC != nil {
		var parts []string
		for _, run := range p.Runs {
			parts = append(parts, fmt.Sprintf("%s %.3f", run.Name, *run.AbstainAUC))
		}
		fmt.Fprintf(b, "  abstention by the top score, area under the curve, .5 is chance: %s\n", strings.Join(parts, ", "))
	}
	fmt.Fprintf(b, "  latency p50 %.2f ms, p95 %.2f ms, one at a time, with the embedding\n", search.P50, search.P95)
	fmt.Fprintf(b, "  hits %d, messages per hit %.2f; from another space: %d by memory, %d by message\n",
		search.Hits, search.PerHit, p.Strange, search.Foreign)
	for _, f := range p.Blocks {
		fmt.Fprintf(b, "  context block of %d tokens: %.3f of the evidence in %.0f memories, %.0f tokens\n", f.Budget, f.Covered, f.Memories, f.Tokens)
	}
	for _, kind := range slices.Sorted(maps.Keys(p.Asked)) {
		fmt.Fprintf(b, "  asked with include_retired: %s, %d questions\n", kind, p.Asked[kind])
	}
	if p.Repeated > 0 {
		fmt.Fprintf(b, "  %d lines say what another does and are one memory with it\n", p.Repeated)
	}
	if p.Kept > 0 {
		fmt.Fprintf(b, "  %d spaces as an earlier run left them\n", p.Kept)
	}
	b.WriteString("\n")
}

// recallTable prints figures, a group of runs under each name.
type recallTable struct{ w *tabwriter.Writer }

func newRecallTable(b *strings.Builder, name string) recallTable {
	t := recallTable{tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)}
	fmt.Fprintf(t.w, "  %s\tby\tn", name)
	for _, cut := range RecallCuts {
		fmt.Fprintf(t.w, "\tR@%d", cut)
	}
	fmt.Fprint(t.w, "\tMRR\tp50 ms\tp95 ms\tupdates\toutdated first\tcurrent missing\n")
	return t
}

func (t recallTable) row(i int, name, by string, f RecallFigures) {
	if i > 0 {
		name = ""
	}
	fmt.Fprintf(t.w, "  %s\t%s\t%d", name, by, f.Questions)
	for _, r := range f.Recall {
		fmt.Fprintf(t.w, "\t%.3f", r)
	}
	fmt.Fprintf(t.w, "\t%.3f\t%.1f\t%.1f", f.MRR, f.P50, f.P95)
	if f.Updates == 0 {
		fmt.Fprint(t.w, "\t-\t-\t-\n")
		return
	}
	fmt.Fprintf(t.w, "\t%d\t%.3f\t%.3f\n", f.Updates, f.OutdatedFirst, f.CurrentMissing)
}

// end prints; the writer below never fails.
func (t recallTable) end() { _ = t.w.Flush() }

// WriteResults writes answers as lines that the packs' own scorer reads.
func WriteResults(w io.Writer, results []RecallResult) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, r := range results {
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	return nil
}
