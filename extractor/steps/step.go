package steps

// Names of the steps. Each is also the name of its prompts' files.
const (
	ChatReader          = "chat_reader"
	DocumentReader      = "document_reader"
	TextReader          = "text_reader"
	ImageReader         = "image_reader"
	Rewriter            = "rewrite"
	UserRewriter        = "rewrite_user"
	HallucinationFilter = "hallucination_filter"
	AddBeforeSearch     = "add_before_search"
	Merger              = "merge"
)

// Step is one question to a model and the way to read its answer. It is made
// for one input and may be used from several goroutines.
type Step[T any] struct {
	Name string
	// Version names the wording of the prompt, such as "merge/1". It changes with
	// every change of its files.
	Version string
	// Prompt gives instructions and material. lang is the language of the
	// instructions, "zh" or "en"; anything else is an error.
	Prompt func(lang string) (system, user string, err error)
	// Parse reads an answer. The notes say what was not taken as it was written.
	// The error is one of [ErrEmpty], [ErrNoAnswer], [ErrMalformed] and [ErrCutOff],
	// wrapped, and nothing of such an answer may be used.
	Parse func(answer string) (result T, notes []string, err error)
}

// Message is one message as a prompt shows it.
type Message struct {
	ID      int64  `json:"id,omitempty"`   // 0 where it has none: nothing can cite it then
	Date    string `json:"date,omitempty"` // in the prompt's time zone
	Role    string `json:"role"`           // user, assistant or tool
	Speaker string `json:"speaker,omitempty"`
	Content string `json:"content"`
}

// Types of a memory.
const (
	LongTermMemory = "LongTermMemory"
	UserMemory     = "UserMemory"
)

// Item is what a reader found worth remembering.
type Item struct {
	Key        string // a short title; may be ""
	MemoryType string // LongTermMemory or UserMemory
	Value      string // never blank
	Tags       []string
	MsgIDs     []int64 // the messages that the chat reader says it comes from
}

// Known is a memory that is stored already, as a prompt shows it.
type Known struct {
	ID    int64  `json:"id"`
	Date  string `json:"date,omitempty"`
	Value string `json:"value"`
}

// Options are what a space or a batch sets for a prompt.
type Options struct {
	Tags     []string // a reader may use these
	Policy   string   // what a reader may not write down, in a sentence; "" for the default
	Timezone string   // that dates are in, such as "Asia/Shanghai"
}
