package extractor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"relata/graph"
	"relata/relations"
)

// Batch is a piece of conversation to remember.
type Batch struct {
	Space   string `json:"space,omitempty"`
	Session string `json:"session_id"`
	// Persona names the bots that took part, Present those that were there in a
	// group; people may be named in Present too. Names or aliases.
	Persona []string `json:"persona,omitempty"`
	Present []string `json:"present,omitempty"`
	Chats   []Chat   `json:"chats"`
	Tags    []string `json:"tags,omitempty"` // tags the model may use besides its own
}

// Chat is one message.
type Chat struct {
	ID         *int64           `json:"id,omitempty"` // the client's own number; nil where it has none
	Date       string           `json:"date"`         // see relations.ParseDate; "" for an undated message
	Role       string           `json:"role"`         // user, assistant or tool
	Speaker    string           `json:"speaker,omitempty"`
	Content    string           `json:"content,omitempty"`
	ToolCalls  []graph.ToolCall `json:"tool_calls,omitempty"`   // only of an assistant
	ToolCallID string           `json:"tool_call_id,omitempty"` // only of a tool
}

// Limits on a batch. They keep a call within what models read at once; longer
// texts are documents.
const (
	MaxChats        = 1000
	MaxContentBytes = 256 << 10 // of one message, tool calls included
	MaxBatchBytes   = 1 << 20   // of all messages
	MaxNameBytes    = 400       // of a session id, a name or a tag
	MaxNames        = 100       // of personas, of those present, of tags
	maxID           = 1 << 53   // JSON numbers are exact below it
)

// Validate checks everything that needs no database, dates apart, which need the
// space's time zone ([Batch.Sources]). Errors: CodeInvalid with the path of each
// wrong field; CodeTooLarge where only sizes are wrong.
func (b Batch) Validate() error {
	c := &checker{}
	c.name("session_id", b.Session, true)
	for _, list := range []struct {
		field string
		names []string
	}{{"persona", b.Persona}, {"present", b.Present}, {"tags", b.Tags}} {
		if len(list.names) > MaxNames {
			c.large(list.field, "at most %d are allowed, got %d", MaxNames, len(list.names))
			continue
		}
		for i, n := range list.names {
			c.name(listField(list.field, i), n, true)
		}
	}
	switch {
	case len(b.Chats) == 0:
		c.wrong("chats", "at least one message is required")
	case len(b.Chats) > MaxChats:
		c.large("chats", "at most %d messages are allowed in a batch, got %d: send several batches", MaxChats, len(b.Chats))
	default:
		c.chats(b.Chats)
	}
	return c.err("the batch is not valid")
}

func (c *checker) chats(chats []Chat) {
	total := 0
	ids := make(map[int64]int, len(chats))
	for i, chat := range chats {
		size := len(chat.Content)
		for _, t := range chat.ToolCalls {
			size += len(t.Arguments) + len(t.Function) + len(t.ID)
		}
		total += size
		if size > MaxContentBytes {
			c.large(chatField(i, "content"), "is %d bytes long, at most %d are allowed: send long texts as documents", size, MaxContentBytes)
		}
		c.chat(i, chat)
		if chat.ID == nil {
			continue
		}
		switch first, twice := ids[*chat.ID]; {
		case *chat.ID <= 0 || *chat.ID >= maxID:
			c.wrong(chatField(i, "id"), "must be positive and below 2^53, got %d", *chat.ID)
		case twice:
			c.wrong(chatField(i, "id"), "%d is also the id of chats[%d]: ids are unique", *chat.ID, first)
		default:
			ids[*chat.ID] = i
		}
	}
	if total > MaxBatchBytes {
		c.large("chats", "hold %d bytes together, at most %d are allowed: send several batches", total, MaxBatchBytes)
	}
}

func (c *checker) chat(i int, chat Chat) {
	switch chat.Role {
	case "user", "assistant", "tool":
	case "":
		c.wrong(chatField(i, "role"), "is required: user, assistant or tool")
	default:
		c.wrong(chatField(i, "role"), "must be user, assistant or tool, got %q", cut(chat.Role, 40))
	}
	c.name(chatField(i, "speaker"), chat.Speaker, false)
	if isBlank(chat.Content) && (chat.Role != "assistant" || len(chat.ToolCalls) == 0) {
		c.wrong(chatField(i, "content"), "is required; only an assistant message that calls tools may have none")
	}
	if len(chat.ToolCalls) > 0 && chat.Role != "assistant" {
		c.wrong(chatField(i, "tool_calls"), "belong to role assistant")
	}
	for j, t := range chat.ToolCalls {
		if isBlank(t.Function) {
			c.wrong(fmt.Sprintf("chats[%d].tool_calls[%d].function", i, j), "is required")
		}
	}
	if chat.ToolCallID != "" && chat.Role != "tool" {
		c.wrong(chatField(i, "tool_call_id"), "belongs to role tool")
	}
	c.name(chatField(i, "tool_call_id"), chat.ToolCallID, false)
}

// Sources gives the messages as sources in time order: by date, and as sent
// where dates are equal. A message without a date goes with the one before it
// and keeps a zero date. SourceID is 0 where the client gave no id. present are
// the display names of the personas that were there.
//
// Errors: CodeInvalid for dates that cannot be read.
func (b Batch) Sources(loc *time.Location, present []string) ([]graph.Source, error) {
	type placed struct {
		graph.Source
		at time.Time
	}
	c := &checker{}
	all := make([]placed, 0, len(b.Chats))
	var last time.Time
	for i, chat := range b.Chats {
		p := placed{Source: graph.Source{
			Kind: graph.SourceMessage, Session: b.Session, Role: chat.Role, Speaker: strings.TrimSpace(chat.Speaker),
			Content: chat.Content, ToolCalls: chat.ToolCalls, ToolCallID: chat.ToolCallID, Present: present,
		}}
		if chat.ID != nil {
			p.SourceID = *chat.ID
		}
		if !isBlank(chat.Date) {
			date, precision, err := relations.ParseDate(cut(chat.Date, MaxNameBytes), loc)
			switch {
			case err != nil:
				c.wrong(chatField(i, "date"), "%s", err)
			case precision < relations.Day:
				c.wrong(chatField(i, "date"), "must name the day: write YYYY-MM-DD HH:MM:SS")
			}
			p.Date, last = date, date
		}
		p.at = last
		all = append(all, p)
	}
	if err := c.err("the batch is not valid"); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b placed) int { return a.at.Compare(b.at) })
	out := make([]graph.Source, len(all))
	for i, p := range all {
		out[i] = p.Source
	}
	return out, nil
}

func chatField(i int, name string) string { return fmt.Sprintf("chats[%d].%s", i, name) }

// checker collects what is wrong with a request.
type checker struct {
	fields  []graph.Field
	invalid bool // something is wrong besides sizes
}

func (c *checker) wrong(field, format string, args ...any) {
	c.invalid = true
	c.fields = append(c.fields, graph.Field{Name: field, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) large(field, format string, args ...any) {
	c.fields = append(c.fields, graph.Field{Name: field, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) name(field, value string, required bool) {
	switch {
	case isBlank(value):
		if required {
			c.wrong(field, "is required")
		}
	case len(value) > MaxNameBytes:
		c.large(field, "is %d bytes long, at most %d are allowed", len(value), MaxNameBytes)
	case strings.ContainsFunc(value, func(r rune) bool { return r < 0x20 || r == 0x7f }):
		c.wrong(field, "holds control characters")
	}
}

// mostFields bounds how many wrong fields one answer lists.
const mostFields = 50

func (c *checker) err(message string) error {
	if len(c.fields) == 0 {
		return nil
	}
	e := &graph.Error{Code: graph.CodeTooLarge, Message: message, Fields: c.fields}
	if c.invalid {
		e.Code = graph.CodeInvalid
	}
	if len(e.Fields) > mostFields {
		e.Fields = e.Fields[:mostFields]
	}
	return e
}

func listField(name string, i int) string { return fmt.Sprintf("%s[%d]", name, i) }
