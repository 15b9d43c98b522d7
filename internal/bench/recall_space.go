package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"relata/graph"
	"relata/relations"
)

// scratch is a space that holds the memories of one of a pack's.
type scratch struct {
	name     string
	imported map[graph.MemoryID]bool    // all that is in it, retired or not
	led      map[graph.MemoryID][]int64 // messages that each leads to
	current  map[int64]bool             // messages that memories which hold lead to
	retired  map[int64]bool             // that others lead to
	kept     bool                       // it was there already
	took     relations.ImportReport
}

// scratchName names the space of this database for one of a pack.
func scratchName(pack, space string) string { return "recall-" + pack + "-" + space }

// fill brings a space of a pack into the database. One that was kept is taken as
// it is where it says exactly what the pack does; another is deleted first.
func (r *Recall) fill(ctx context.Context, p *Pack, space string) (scratch, error) {
	s := scratch{name: scratchName(p.Name, space)}
	said, err := r.list(ctx, &s)
	switch {
	case graph.ErrorCode(err) == graph.CodeNotFound:
	case err != nil:
		return s, err
	case r.Keep && saysTheSame(p.memories[space], said):
		s.kept = true
		return s, nil
	default:
		if _, err := r.Store.DeleteSpace(ctx, s.name); err != nil {
			return s, err
		}
	}
	if _, _, err := r.Store.PutSpace(ctx, graph.Space{Name: s.name, Vocabulary: "empty"}); err != nil {
		return s, err
	}
	lines, err := importLines(p, space)
	if err != nil {
		return s, err
	}
	s.took, err = r.importer.Import(ctx, relations.ImportRequest{Space: s.name, Lines: lines, By: "bench"})
	if err != nil {
		return s, err
	}
	if s.took.Complaints > 0 || s.took.MissingSources > 0 {
		return s, fmt.Errorf("pack %s, space %s: %d lines did not go in as they are, %d mentions lead to no message: %s",
			p.Name, space, s.took.Complaints, s.took.MissingSources, firstComplaint(s.took))
	}
	_, err = r.list(ctx, &s)
	return s, err
}

func firstComplaint(r relations.ImportReport) string {
	if len(r.Errors) == 0 {
		return "check the msg_ids of its memories"
	}
	return fmt.Sprintf("line %d: %s", r.Errors[0].Line, r.Errors[0].Message)
}

// importLines gives a space of a pack as lines of an import: the messages, then
// the memories.
func importLines(p *Pack, space string) (io.Reader, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	for _, m := range p.sources[space] {
		if err := out.Encode(m); err != nil {
			return nil, err
		}
	}
	for _, m := range p.memories[space] {
		if err := out.Encode(m); err != nil {
			return nil, err
		}
	}
	return &b, nil
}

// list notes what a scratch space holds and gives the contents.
func (r *Recall) list(ctx context.Context, s *scratch) (said map[string]bool, err error) {
	s.imported, said = make(map[graph.MemoryID]bool), make(map[string]bool)
	s.led = make(map[graph.MemoryID][]int64)
	s.current, s.retired = make(map[int64]bool), make(map[int64]bool)
	for _, retired := range []bool{false, true} {
		f, led := graph.MemoryFilter{Retired: retired, Limit: 200}, s.current
		if retired {
			led = s.retired
		}
		for {
			page, err := r.Store.Memories(ctx, s.name, f)
			if err != nil {
				return nil, err
			}
			for _, m := range page.Items {
				s.imported[m.ID], s.led[m.ID] = true, m.MsgIDs
				said[m.Content] = true
				for _, id := range m.MsgIDs {
					led[id] = true
				}
			}
			if f.Cursor = page.Cursor; f.Cursor == "" {
				break
			}
		}
	}
	return said, nil
}

// saysTheSame compares by content, since lines that say the same are one memory.
func saysTheSame(lines []graph.MemoryLine, said map[string]bool) bool {
	wanted := make(map[string]bool, len(lines))
	for _, l := range lines {
		content := strings.TrimSpace(l.Content)
		if !said[content] {
			return false
		}
		wanted[content] = true
	}
	return len(wanted) == len(said)
}
