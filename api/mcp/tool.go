package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"relata/graph"
	"relata/relations"
)

// answer is what a tool gives: its fields are the structured content, text the
// same in few words, for models.
type answer interface{ text() string }

// addTool adds one tool. run may take at most limit.
func addTool[In any, Out answer](s *Server, t sdk.Tool, limit time.Duration, run func(context.Context, In) (Out, error)) error {
	var err error
	if t.InputSchema, err = schema[In](inputTypes); err != nil {
		return fmt.Errorf("mcp: the input of %s: %w", t.Name, err)
	}
	if t.OutputSchema, err = schema[Out](outputTypes); err != nil {
		return fmt.Errorf("mcp: the output of %s: %w", t.Name, err)
	}
	sdk.AddTool(s.sdk, &t, func(ctx context.Context, r *sdk.CallToolRequest, in In) (result *sdk.CallToolResult, out Out, err error) {
		started := time.Now()
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		defer func() {
			// The SDK runs each call in a goroutine of its own: a panic there would
			// end the process.
			if p := recover(); p != nil {
				err = graph.WrapError(graph.CodeInternal, fmt.Errorf("%v\n%s", p, debug.Stack()), "a tool panicked")
			}
			s.Logger.InfoContext(ctx, "tool called", "tool", t.Name, "latency", time.Since(started), "failed", err != nil)
			if err != nil {
				err = s.forPeople(ctx, t.Name, err)
			}
		}()
		if n := len(r.Params.Arguments); n > maxArguments {
			return nil, out, graph.Errorf(graph.CodeTooLarge, "the arguments have %d bytes, at most %d are allowed: make several calls", n, maxArguments)
		}
		if out, err = run(ctx, in); err != nil {
			return nil, out, err
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: out.text()}}}, out, nil
	})
	return nil
}

// schema gives the JSON schema of a struct, with some types described by hand.
func schema[T any](types map[reflect.Type]*jsonschema.Schema) (*jsonschema.Schema, error) {
	return jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: types})
}

// inputTypes are the items of diffs and the questions of a search. Their schemas
// ask for nothing: an item or a question that lacks something is told so by
// itself, and the others of its call are done.
var inputTypes = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[json.RawMessage](): object(map[string]*jsonschema.Schema{
		"index0": text("Required category (大类): event 过往事件, profile 人物画像, knowledge 百科知识 or method 经验方法."),
		"index1": text("Part of it (小类); leave out for any. event and profile: owner, other or self. knowledge: humanities 文史, science 理工, life 生活, entertainment 娱乐, meme 梗知识 or other 其他. method: general."),
		"memory": text("What is looked for, in natural language, one aim per query."),
		"limit":  {Type: "integer", Description: "Hints at most, 10 to 50. Left out: 50 with index0 alone, else 25."},
		"all":    {Type: "boolean", Description: "true searches every category; index0 may then be left out."},
	}),
	reflect.TypeFor[relations.RelationItem](): object(map[string]*jsonschema.Schema{
		"key":     text("Lower-case English words joined by _, as short as can be: work_at, own."),
		"content": text("What the relation means, in the language of the space."),
		"date":    text("Only in a source or a remove: copied from list_relations."),
	}),
	reflect.TypeFor[relations.MemoryItem](): object(map[string]*jsonschema.Schema{
		"subject":    text("Who or what it is about."),
		"relation":   text("A key of the vocabulary, or one that the same diff adds."),
		"object":     text("The thing or aspect."),
		"content":    text("One precise, short, full sentence that says it all."),
		"date":       text("Only in a source or a remove: createdAt of the memory."),
		"index0":     text("Category: 过往事件 (event), 人物画像 (profile), 百科知识 (knowledge) or 经验方法 (method)."),
		"index1":     text("Part of the category."),
		"msg_ids":    {Type: "array", Items: &jsonschema.Schema{Type: "integer"}, Description: "Stored messages that it was read from."},
		"tags":       {Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: "A few words to file it under."},
		"known_by":   {Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: "Personas that know it; left out: as known_by of the diff."},
		"event_date": text("When it happened or begins to hold: 2026, 2026-03, 2026-03-28 or 2026-03-28 09:30."),
	}),
}

// outputTypes: a question comes back as it was sent, whatever it was.
var outputTypes = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[json.RawMessage](): {Description: "the query as sent"},
}

func text(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

func object(properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: properties}
}
