package graph

import (
	"encoding/json"
	"time"
)

// The types of the lines of an export, in their order. A line without a type is
// a memory. Dates are written in the space's time zone (see [LineDate]).
const (
	LineSpace    = "space"
	LinePersona  = "persona"
	LineRelation = "relation"
	LineEntity   = "entity"
	LineSource   = "source"
	LineMemory   = "memory"
	LineDiff     = "diff"
)

// SpaceLine is a space with its settings.
type SpaceLine struct {
	Type       string `json:"type"`
	Name       string `json:"name"`
	Timezone   string `json:"timezone,omitempty"` // of all dates of the file
	Language   string `json:"language,omitempty"`
	Vocabulary string `json:"vocabulary,omitempty"`
	Governance string `json:"governance,omitempty"`
	WriterSees string `json:"writer_sees,omitempty"`
	Policy     string `json:"content_policy,omitempty"`
}

// PersonaLine is a bot.
type PersonaLine struct {
	Type         string   `json:"type"`
	Name         string   `json:"name"`
	Aliases      []string `json:"aliases,omitempty"`
	Owner        string   `json:"owner,omitempty"`
	OwnerAliases []string `json:"owner_aliases,omitempty"`
	Voice        string   `json:"voice,omitempty"`
}

// RelationLine is an entry of the vocabulary.
type RelationLine struct {
	Type       string   `json:"type"`
	Key        string   `json:"key"`
	Content    string   `json:"content"`
	Date       string   `json:"date,omitempty"`
	Functional bool     `json:"functional,omitempty"`
	Symmetric  bool     `json:"symmetric,omitempty"`
	Inverse    string   `json:"inverse,omitempty"`
	Aliases    []string `json:"aliases,omitempty"`
	Status     string   `json:"status,omitempty"`
	Successor  string   `json:"successor,omitempty"`
}

// EntityLine is an entity that is no persona.
type EntityLine struct {
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	Aliases []string `json:"aliases,omitempty"`
	Kind    string   `json:"kind,omitempty"`
}

// SourceLine is a message, a chunk of a document or an image.
type SourceLine struct {
	Type       string     `json:"type"`
	ID         int64      `json:"id"`                  // what msg_ids name
	SourceID   string     `json:"source_id,omitempty"` // its name elsewhere
	Kind       string     `json:"kind,omitempty"`      // message where left out
	Session    string     `json:"session"`
	Date       string     `json:"date,omitempty"`
	Role       string     `json:"role,omitempty"`
	Speaker    string     `json:"speaker,omitempty"`
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	Present    []string   `json:"present,omitempty"` // personas who were there
	URL        string     `json:"url,omitempty"`
	Hash       string     `json:"hash,omitempty"`
}

// MemoryLine is a memory, current or retired.
type MemoryLine struct {
	Type       string   `json:"type"`
	Key        string   `json:"key,omitempty"` // the line's own name; an export writes the memory's id
	Subject    string   `json:"subject"`
	Relation   string   `json:"relation"`
	Object     string   `json:"object"`
	Content    string   `json:"content"`
	Date       string   `json:"date,omitempty"`
	Index0     string   `json:"index0,omitempty"`
	Index1     string   `json:"index1,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	MsgIDs     []int64  `json:"msg_ids,omitempty"` // ids of source lines of any kind
	KnownBy    []string `json:"known_by,omitempty"`
	EventDate  string   `json:"event_date,omitempty"`
	Supersedes LineKeys `json:"supersedes,omitempty"` // keys of the lines that it replaced
	RetiredAt  string   `json:"retired_at,omitempty"`

	// What the fields above do not say. All of it may be left out.
	RetiredBy  string      `json:"retired_by,omitempty"` // "replace" or "remove"
	Title      string      `json:"title,omitempty"`
	MemoryType string      `json:"memory_type,omitempty"`
	Persona    string      `json:"persona,omitempty"` // the writer
	Session    string      `json:"session,omitempty"`
	Aware      []AwareLine `json:"aware,omitempty"` // everybody who knows it, personas included
	// SubjectEntity and ObjectEntity name the entities by their own names where
	// the names as written lead elsewhere.
	SubjectEntity string `json:"subject_entity,omitempty"`
	ObjectEntity  string `json:"object_entity,omitempty"`
}

// AwareLine is who knows a memory and how that came.
type AwareLine struct {
	Name   string  `json:"name"` // the entity's own name, no alias
	Since  string  `json:"since,omitempty"`
	How    string  `json:"how"`
	By     string  `json:"by,omitempty"`
	MsgIDs []int64 `json:"msg_ids,omitempty"`
}

// DiffLine is an entry of the ledger. The ids in its items are keys of memory
// lines.
type DiffLine struct {
	Type          string     `json:"type"`
	ID            int64      `json:"id"`
	Status        string     `json:"status"`
	Session       string     `json:"session,omitempty"`
	Persona       string     `json:"persona,omitempty"`
	Present       []string   `json:"present,omitempty"`
	By            string     `json:"by,omitempty"`
	Key           string     `json:"key,omitempty"`
	Date          string     `json:"date,omitempty"`
	CreatedAt     time.Time  `json:"created_at"` // RFC 3339: with its session it tells entries apart
	PromptVersion string     `json:"prompt_version,omitempty"`
	Usage         Usage      `json:"usage"`
	Truncated     bool       `json:"truncated,omitempty"`
	Items         []DiffItem `json:"items,omitempty"`
	Held          string     `json:"held,omitempty"` // what waits for approval
}

// LineKeys is a key or a list of keys.
type LineKeys []string

// MarshalJSON writes a single key as a string.
func (k LineKeys) MarshalJSON() ([]byte, error) {
	if len(k) == 1 {
		return json.Marshal(k[0])
	}
	return json.Marshal([]string(k))
}

// UnmarshalJSON takes a string, a list of strings, or null.
func (k *LineKeys) UnmarshalJSON(raw []byte) error {
	var one string
	if err := json.Unmarshal(raw, &one); err == nil {
		if *k = nil; one != "" {
			*k = LineKeys{one}
		}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(k))
}

const lineDate = "2006-01-02 15:04:05"

// LineDate writes a date as lines have it: to the second in loc, "" for the zero
// time. Where a clock was set back the hour comes twice; then the offset tells
// which one is meant.
func LineDate(t time.Time, loc *time.Location) string {
	if t.IsZero() {
		return ""
	}
	text := t.In(loc).Format(lineDate)
	back, err := time.ParseInLocation(lineDate, text, loc)
	if err != nil || !back.Equal(t.Truncate(time.Second)) {
		return t.In(loc).Format(lineDate + "-07:00")
	}
	return text
}
