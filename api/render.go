package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"relata/graph"
)

// writeJSON writes a body, with <, > and & as they are: bodies are no HTML, and
// people read "R&D" in them.
func writeJSON(w http.ResponseWriter, status int, contentType string, body any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return err
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, err := buf.WriteTo(w)
	return err
}

// renderer puts domain values into the form of bodies, in a space's time zone.
type renderer struct{ loc *time.Location }

func rendererOf(s graph.Space) renderer { return renderer{s.Location()} }

// time gives "" for a time that is not known.
func (r renderer) time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(r.loc).Format(time.DateTime)
}

func (r renderer) space(s graph.Space) Space {
	return Space{
		Name: s.Name, Timezone: s.Timezone, Language: s.Language, Vocabulary: s.Vocabulary,
		Governance: string(s.Governance), WriterSees: string(s.WriterSees), ContentPolicy: s.ContentPolicy, CreatedAt: r.time(s.CreatedAt),
	}
}

func (r renderer) memory(m graph.Memory) Memory {
	return Memory{
		Id: int64(m.ID), Subject: m.Subject, Relation: m.Relation, Object: m.Object, Content: m.Content,
		Index0: m.Index0, Index1: m.Index1, Tags: list(m.Tags), CreatedAt: r.time(m.Date), MsgIds: list(m.MsgIDs),
		Sources: m.Chunks, KnownBy: list(m.KnownBy), Persona: m.Persona, Title: m.Title, MemoryType: m.MemoryType,
		EventDate: m.EventDate, RetiredAt: r.time(m.RetiredAt),
		Supersedes: ids(m.Supersedes), SupersededBy: ids(m.SupersededBy),
	}
}

func (r renderer) relation(x graph.Relation) Relation {
	return Relation{
		Key: x.Key, Content: x.Content, Date: r.time(x.Date), Functional: x.Functional, Symmetric: x.Symmetric,
		Inverse: x.Inverse, Aliases: x.Aliases, Status: x.Status, Successor: x.Successor, Uses: x.Uses,
	}
}

func (r renderer) receipt(x graph.Receipt) Receipt {
	return Receipt{
		DiffId: int64(x.DiffID), Status: x.Status,
		Relations: ReceiptRelations{
			Added: each(x.Relations.Added, r.relation),
			Replaced: each(x.Relations.Replaced, func(p graph.ReplacedRelation) ReplacedRelation {
				return ReplacedRelation{Old: r.relation(p.Old), New: r.relation(p.New), Carried: p.Carried}
			}),
			Removed: each(x.Relations.Removed, r.relation),
		},
		Memories: ReceiptMemories{
			Added: each(x.Memories.Added, r.memory),
			Replaced: each(x.Memories.Replaced, func(p graph.ReplacedMemory) ReplacedMemory {
				return ReplacedMemory{Old: r.memory(p.Old), New: r.memory(p.New)}
			}),
			Removed: each(x.Memories.Removed, r.memory),
		},
		Verdicts: list(x.Verdicts), Usage: x.Usage, Truncated: x.Truncated, Repeated: x.Repeated,
	}
}

func (r renderer) hint(h graph.Hint, explain bool) Hint {
	out := Hint{
		Id: int64(h.ID), Memory: h.Memory, CreatedAt: r.time(h.CreatedAt),
		MsgIds: list(h.MsgIDs), Outdated: h.Outdated,
	}
	if e := h.Explain; explain && e != nil {
		out.Explain = &Explanation{
			Score: e.Score, Confidence: e.Confidence, Legs: Legs{Vector: e.Vector, Text: e.Text, Graph: e.Graph},
			Relation: e.Relation, Subject: e.Subject, Object: e.Object,
		}
		for _, p := range e.Path {
			out.Explain.Path = append(out.Explain.Path, PathStep{
				Relation: p.Relation, MemoryId: int64(p.MemoryID), Subject: p.Subject, Object: p.Object,
			})
		}
	}
	return out
}

func (r renderer) message(s graph.Source) Message {
	return Message{
		Id: s.SourceID, SessionId: s.Session, Date: r.time(s.Date), Role: s.Role, Speaker: s.Speaker,
		Content: s.Content, ToolCalls: s.ToolCalls, ToolCallId: s.ToolCallID,
	}
}

func persona(p graph.Persona) Persona {
	return Persona{
		Id: int64(p.ID), Name: p.Name, Aliases: list(p.Aliases), Owner: p.Owner,
		OwnerAliases: list(p.OwnerAliases), Voice: p.Voice,
	}
}

// list gives a list that is never null in JSON.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// each renders a list; it is never null in JSON.
func each[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, x := range in {
		out = append(out, f(x))
	}
	return out
}

func ids[T ~int64](in []T) []int64 {
	var out []int64
	for _, id := range in {
		out = append(out, int64(id))
	}
	return out
}
