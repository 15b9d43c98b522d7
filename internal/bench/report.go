package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Report is the outcome of one run.
type Report struct {
	Command string  `json:"command"`
	Machine Machine `json:"machine"`
	Data    Data    `json:"data"`
	Tables  []Table `json:"tables"`
}

// Data is what was measured on.
type Data struct {
	Memories      int    `json:"memories"` // of the world
	Spaces        int    `json:"spaces"`
	Largest       int    `json:"largest"`
	Smallest      int    `json:"smallest"`
	Seed          uint64 `json:"seed"`
	Dimensions    int    `json:"dimensions"`
	InDatabase    int64  `json:"memories_in_database"`
	Entities      int64  `json:"entities_in_database"`
	Relationships int64  `json:"relationships_in_database"`
}

// Table is a group of things that were measured side by side.
type Table struct {
	Title string   `json:"title"`
	Rows  []Row    `json:"rows"`
	Notes []string `json:"notes,omitempty"`
}

// Row is one thing that was measured. Times are in milliseconds; 0 where there
// is none.
type Row struct {
	Name      string  `json:"name"`
	Part      bool    `json:"part,omitempty"` // a part of the row above that is none
	Count     int     `json:"count,omitempty"`
	P50       float64 `json:"p50_ms,omitempty"`
	P95       float64 `json:"p95_ms,omitempty"`
	Ratio     float64 `json:"ratio,omitempty"` // of p50 to that of the row Of
	Of        string  `json:"of,omitempty"`
	PerSecond float64 `json:"per_second,omitempty"`
	Rows      int64   `json:"rows,omitempty"`        // of the call of a profiled statement that hit the database most
	DbHits    int64   `json:"db_hits,omitempty"`     // of that call
	DbHits50  int64   `json:"db_hits_p50,omitempty"` // of the call in the middle
	Note      string  `json:"note,omitempty"`
}

// Report describes the data beside tables that were measured.
func (b *Bench) Report(ctx context.Context, command string, m Machine, tables []Table) (Report, error) {
	spaces := b.World.Spaces()
	d := Data{
		Memories: b.World.Memories, Spaces: len(spaces), Largest: spaces[0].Size, Smallest: spaces[len(spaces)-1].Size,
		Seed: b.World.Seed, Dimensions: b.World.Dimensions,
	}
	counts, err := b.row(ctx, "graph_counts", nil)
	if err != nil {
		return Report{}, err
	}
	d.InDatabase, _ = counts["memories"].(int64)
	d.Entities, _ = counts["entities"].(int64)
	d.Relationships, _ = counts["relationships"].(int64)
	return Report{Command: command, Machine: m, Data: d, Tables: tables}, nil
}

// WriteJSON prints the report as JSON.
func (r Report) WriteJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(r)
}

// WriteText prints the report for people.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	m, d := r.Machine, r.Data
	fmt.Fprintf(&b, "%s, %s\n", r.Command, m.Date.Format("2006-01-02 15:04 MST"))
	fmt.Fprintf(&b, "  machine   %s, %d cores, %d MB, %s", m.OS, m.Cores, m.MemoryMB, m.CPU)
	if m.Load != "" {
		fmt.Fprintf(&b, ", load %s", m.Load)
	}
	fmt.Fprintf(&b, "\n  software  Neo4j %s on %s (heap %d MB), %s", m.Neo4j, m.Java, m.HeapMB, m.Go)
	if m.Experiments != "" {
		fmt.Fprintf(&b, " with %s", m.Experiments)
	}
	fmt.Fprintf(&b, "\n  data      %d memories in %d spaces of %d to %d, seed %d, %d dimensions; in the database %d memories, %d entities, %d relationships\n",
		d.Memories, d.Spaces, d.Largest, d.Smallest, d.Seed, d.Dimensions, d.InDatabase, d.Entities, d.Relationships)
	for _, t := range r.Tables {
		t.text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text prints a table; columns that no row fills are left out.
func (t Table) text(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s\n", t.Title)
	columns := []struct {
		head string
		cell func(Row) string
	}{
		{"", func(r Row) string {
			if r.Part {
				return "    " + r.Name
			}
			return "  " + r.Name
		}},
		{"n", func(r Row) string { return whole(int64(r.Count)) }},
		{"p50 ms", func(r Row) string { return decimal(r.P50, 2) }},
		{"p95 ms", func(r Row) string { return decimal(r.P95, 2) }},
		{"per second", func(r Row) string { return decimal(r.PerSecond, 1) }},
		{"rows", func(r Row) string { return whole(r.Rows) }},
		{"db hits p50", func(r Row) string { return whole(r.DbHits50) }},
		{"most", func(r Row) string { return whole(r.DbHits) }},
		{"ratio", func(r Row) string {
			if r.Ratio == 0 {
				return ""
			}
			return decimal(r.Ratio, 2) + " × " + r.Of
		}},
		{"", func(r Row) string { return r.Note }},
	}
	lines := make([]string, len(t.Rows)+1)
	for i, c := range columns {
		cells := []string{c.head}
		width, filled := utf8.RuneCountInString(c.head), false
		for _, r := range t.Rows {
			cell := c.cell(r)
			cells = append(cells, cell)
			width, filled = max(width, utf8.RuneCountInString(cell)), filled || cell != ""
		}
		if !filled {
			continue
		}
		left := i == 0 || i >= len(columns)-2
		for j, cell := range cells {
			gap := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
			if left {
				lines[j] += cell + gap + "  "
			} else {
				lines[j] += gap + cell + "  "
			}
		}
	}
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, n := range t.Notes {
		b.WriteString("  " + n + "\n")
	}
}

func decimal(x float64, digits int) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.*f", digits, x)
}

func whole(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
