package mcp

import (
	_ "embed" // tools.md
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// descriptions are what models read about the tools, each under a heading with
// its name.
//
//go:embed tools.md
var descriptions string

// description gives the text under a tool's heading.
func description(tool string) string {
	_, rest, _ := strings.Cut(descriptions, "\n# "+tool+"\n")
	text, _, _ := strings.Cut(rest, "\n# ")
	return strings.TrimSpace(text)
}

// instructions tell a client's model what the server is for.
func (s *Server) instructions() string {
	out := description("instructions")
	if s.Space != "" {
		out += fmt.Sprintf("\nCalls that name no space mean %q.", s.Space)
	}
	if s.Persona != "" {
		out += fmt.Sprintf("\nYou are %q here: you are shown what it knows, and what you write is written by it.", s.Persona)
	}
	return out
}

func (s *Server) addTools() error {
	read := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
	// What is replaced or removed stays as history, but it holds no longer.
	write := &sdk.ToolAnnotations{OpenWorldHint: new(bool)}
	tool := func(name, title string, a *sdk.ToolAnnotations) sdk.Tool {
		return sdk.Tool{Name: name, Title: title, Description: description(name), Annotations: a}
	}
	return errors.Join(
		addTool(s, tool("search_long_term_memory", "Search long-term memory", read), readTime, s.search),
		addTool(s, tool("remember", "Remember what was said", write), writeTime, s.remember),
		addTool(s, tool("propose_diff", "Propose changes to memory", write), writeTime, s.propose),
		addTool(s, tool("who_knows", "Ask who knows something", read), readTime, s.whoKnows),
		addTool(s, tool("get_messages", "Read original messages", read), readTime, s.messages),
		addTool(s, tool("list_relations", "List the vocabulary", read), readTime, s.listRelations),
	)
}
