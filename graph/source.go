package graph

import "time"

// SourceKind says what a source is; it is also the node's second label.
type SourceKind string

const (
	// SourceMessage is one turn of a chat.
	SourceMessage SourceKind = "message"
	// SourceChunk is a part of a document.
	SourceChunk SourceKind = "chunk"
	// SourceImage is an image.
	SourceImage SourceKind = "image"
)

// Source is what memories were read from. Messages are kept whole.
type Source struct {
	SourceID   int64 // the client's own message id, or one assigned; unique in the space
	Kind       SourceKind
	Session    string
	Role       string // user, assistant, tool; "" for chunks
	Speaker    string // as written
	Date       time.Time
	Content    string
	ToolCalls  []ToolCall
	ToolCallID string
	Present    []string // display names of the personas who were there, for scoping
	// Name is how a memory names a chunk or an image among its sources.
	Name string
	// URL and Hash (SHA-256, hexadecimal) are of an image, whose bytes are not kept.
	URL, Hash string
}

// ToolCall is a call that an assistant message makes.
type ToolCall struct {
	ID        string `json:"id"`
	Function  string `json:"function"`
	Arguments string `json:"arguments"` // JSON text
}
