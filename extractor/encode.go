package extractor

import (
	"strconv"
	"strings"

	"relata/graph"
	"relata/relations"
)

// Profile says which form of the format is spoken with the model.
type Profile string

const (
	// ProfileExtended adds ids and speakers to the chats and asks for categories,
	// evidence, tags and awareness. The default.
	ProfileExtended Profile = "extended"
	// ProfilePlain is formats §1 without the optional extras.
	ProfilePlain Profile = "plain"
)

// Input is what formats §1 gives to the model: three elements without a root.
// Dates are texts, as they are to be shown.
type Input struct {
	Relations []relations.RelationItem
	Memories  []relations.MemoryItem // only date, subject, object, relation and content are written
	Chats     []Chat                 // in time order
}

// EncodeInput writes the input of formats §1. Everything that people wrote is
// escaped, so that it can neither close a tag nor open one; characters that XML
// forbids are dropped; the text is otherwise unchanged.
func EncodeInput(in Input, profile Profile) string {
	w := &xmlWriter{}
	w.open("relations")
	for _, r := range in.Relations {
		encodeRelation(w, "relation", r, true)
	}
	w.close("relations")
	w.open("memories")
	for _, m := range in.Memories {
		w.open("memory")
		encodeTriple(w, m, true)
		w.close("memory")
	}
	w.close("memories")
	w.open("chats")
	for _, c := range in.Chats {
		encodeChat(w, c, profile)
	}
	w.close("chats")
	return w.b.String()
}

func encodeChat(w *xmlWriter, c Chat, profile Profile) {
	w.open("chat")
	if profile != ProfilePlain && c.ID != nil {
		w.leaf("id", strconv.FormatInt(*c.ID, 10))
	}
	w.leaf("date", c.Date)
	w.leaf("role", c.Role)
	if profile != ProfilePlain && c.Speaker != "" {
		w.leaf("speaker", c.Speaker)
	}
	if c.Content != "" || len(c.ToolCalls) == 0 {
		w.leaf("content", c.Content)
	}
	if len(c.ToolCalls) > 0 {
		w.open("tool_calls")
		for _, t := range c.ToolCalls {
			w.open("tool_call")
			w.leaf("id", t.ID)
			w.leaf("function", t.Function)
			w.leaf("arguments", t.Arguments)
			w.close("tool_call")
		}
		w.close("tool_calls")
	}
	if c.ToolCallID != "" {
		w.leaf("tool_call_id", c.ToolCallID)
	}
	w.close("chat")
}

// EncodeProposal writes a proposal as the output of formats §1. Optional parts
// that are nil or "" are left out. [ParseAnswer] reads it back unchanged, but
// for blanks at the ends of texts.
func EncodeProposal(p relations.Proposal) string {
	w := &xmlWriter{}
	w.open("relations")
	w.open("replaces")
	for _, r := range p.Relations.Replaces {
		w.open("replace")
		encodeRelation(w, "source", r.Source, true)
		encodeRelation(w, "target", r.Target, false)
		w.close("replace")
	}
	w.close("replaces")
	w.open("increments")
	for _, r := range p.Relations.Increments {
		encodeRelation(w, "increment", r, false)
	}
	w.close("increments")
	w.open("removes")
	for _, r := range p.Relations.Removes {
		encodeRelation(w, "remove", r, true)
	}
	w.close("removes")
	w.close("relations")
	w.open("memories")
	w.open("replaces")
	for _, m := range p.Memories.Replaces {
		w.open("replace")
		encodeMemory(w, "source", m.Source, true)
		encodeMemory(w, "target", m.Target, false)
		w.close("replace")
	}
	w.close("replaces")
	w.open("increments")
	for _, m := range p.Memories.Increments {
		encodeMemory(w, "increment", m, false)
	}
	w.close("increments")
	w.open("removes")
	for _, m := range p.Memories.Removes {
		encodeMemory(w, "remove", m, true)
	}
	w.close("removes")
	w.close("memories")
	return w.b.String()
}

func encodeRelation(w *xmlWriter, name string, r relations.RelationItem, dated bool) {
	w.open(name)
	if dated {
		w.leaf("date", r.Date)
	}
	w.leaf("key", r.Key)
	w.leaf("content", r.Content)
	w.close(name)
}

func encodeMemory(w *xmlWriter, name string, m relations.MemoryItem, dated bool) {
	w.open(name)
	encodeTriple(w, m, dated)
	if m.Index0 != "" {
		w.leaf("index0", m.Index0)
	}
	if m.Index1 != "" {
		w.leaf("index1", m.Index1)
	}
	if m.MsgIDs != nil {
		ids := make([]string, len(m.MsgIDs))
		for i, id := range m.MsgIDs {
			ids[i] = strconv.FormatInt(id, 10)
		}
		w.leaf("msg_ids", strings.Join(ids, ","))
	}
	if m.Tags != nil {
		w.leaf("tags", strings.Join(m.Tags, ","))
	}
	if m.KnownBy != nil {
		w.leaf("known_by", strings.Join(m.KnownBy, ","))
	}
	if m.EventDate != "" {
		w.leaf("event_date", m.EventDate)
	}
	w.close(name)
}

func encodeTriple(w *xmlWriter, m relations.MemoryItem, dated bool) {
	if dated {
		w.leaf("date", m.Date)
	}
	w.leaf("subject", m.Subject)
	w.leaf("object", m.Object)
	w.leaf("relation", m.Relation)
	w.leaf("content", m.Content)
}

// storedInput turns what is stored into input for a model, dates in the space's
// time zone.
func storedInput(space graph.Space, rels []graph.Relation, mems []graph.Memory) Input {
	loc := space.Location()
	var in Input
	for _, r := range rels {
		in.Relations = append(in.Relations, relations.RelationItem{
			Date: relations.FormatDate(r.Date, loc), Key: r.Key, Content: r.Content,
		})
	}
	for _, m := range mems {
		in.Memories = append(in.Memories, relations.MemoryItem{
			Date: relations.FormatDate(m.Date, loc), Subject: m.Subject, Object: m.Object, Relation: m.Relation, Content: m.Content,
		})
	}
	return in
}

// xmlWriter writes elements one a line, indented by two blanks a level.
type xmlWriter struct {
	b     strings.Builder
	depth int
}

func (w *xmlWriter) indent() {
	for range w.depth {
		w.b.WriteString("  ")
	}
}

func (w *xmlWriter) open(name string) {
	w.indent()
	w.b.WriteString("<" + name + ">\n")
	w.depth++
}

func (w *xmlWriter) close(name string) {
	w.depth--
	w.indent()
	w.b.WriteString("</" + name + ">\n")
}

func (w *xmlWriter) leaf(name, text string) {
	w.indent()
	w.b.WriteString("<" + name + ">")
	escapeText(&w.b, text)
	w.b.WriteString("</" + name + ">\n")
}
