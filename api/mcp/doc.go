// Package mcp is Relata's surface for agents: six tools over the Model Context
// Protocol, and a skill file that says how to ask.
//
// Place in the flow: it stands beside package api and does the same with other
// words around it. A call comes in over stdio ([Server.RunStdio]) or streamable
// HTTP ([Server.Handler]), is held against the tool's JSON schema by the SDK,
// gets its space and its persona (scope.go), and is handed to the graph, the
// judge of diffs or the extractor. Answers have the fields of formats §2 and §4
// as structured content, and the same as compact text for models.
//
// A server may be bound to a persona: then it reads with that persona's eyes and
// writes in its name, and a receipt tells it nothing of what others know
// (bound.go).
//
// Failures are results that are errors, with a text that says what to do. What
// was not written for callers is logged under a reference and not sent
// (errors.go).
package mcp
