package extractor

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"relata/graph"
	"relata/relations"
)

// ReadInput reads the input of formats §1 as a client sends it: <relations>,
// <memories> and <chats>, each at most once and in any order, with or without
// one element around them. It is strict, for a program wrote it: what is no
// well-formed XML is an error with its line. Elements that the format lacks are
// ignored. Texts are kept as they are, but for line ends, which XML defines as
// line feeds. The chats still need [Batch.Validate].
//
// Errors: CodeInvalid.
func ReadInput(body io.Reader) (Input, error) {
	d := xml.NewDecoder(body)
	var in Input
	seen := make(map[string]bool)
	depth := 0
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Input{}, inputError(d, err)
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			if _, end := tok.(xml.EndElement); end {
				depth--
			}
			continue
		}
		name := start.Name.Local
		switch name {
		case "relations", "memories", "chats":
			if seen[name] {
				return Input{}, misplaced(d, "<"+name+"> is there twice")
			}
			seen[name] = true
			if err := readRoot(d, start, &in); err != nil {
				return Input{}, err
			}
		default:
			if depth++; depth > 1 {
				return Input{}, misplaced(d, "<"+name+"> is not known here: use <relations>, <memories> and <chats>")
			}
		}
	}
	if !seen["chats"] {
		return Input{}, &graph.Error{
			Code: graph.CodeInvalid, Message: "the XML holds no <chats>",
			Fields: []graph.Field{{Name: "chats", Message: "the messages are required"}},
		}
	}
	return in, nil
}

// The shapes of the three roots, as encoding/xml reads them.
type (
	xmlRelations struct {
		Items []struct {
			Date    string `xml:"date"`
			Key     string `xml:"key"`
			Content string `xml:"content"`
		} `xml:"relation"`
	}
	xmlMemories struct {
		Items []struct {
			Date     string `xml:"date"`
			Subject  string `xml:"subject"`
			Object   string `xml:"object"`
			Relation string `xml:"relation"`
			Content  string `xml:"content"`
		} `xml:"memory"`
	}
	xmlChats struct {
		Items []xmlChat `xml:"chat"`
	}
	xmlChat struct {
		ID        *string `xml:"id"`
		Date      string  `xml:"date"`
		Role      string  `xml:"role"`
		Speaker   string  `xml:"speaker"`
		Content   string  `xml:"content"`
		ToolCalls []struct {
			ID        string `xml:"id"`
			Function  string `xml:"function"`
			Arguments string `xml:"arguments"`
		} `xml:"tool_calls>tool_call"`
		ToolCallID string `xml:"tool_call_id"`
	}
)

func readRoot(d *xml.Decoder, start xml.StartElement, in *Input) error {
	switch start.Name.Local {
	case "relations":
		var root xmlRelations
		if err := d.DecodeElement(&root, &start); err != nil {
			return inputError(d, err)
		}
		for _, r := range root.Items {
			in.Relations = append(in.Relations, relations.RelationItem{
				Date: strings.TrimSpace(r.Date), Key: strings.TrimSpace(r.Key), Content: strings.TrimSpace(r.Content),
			})
		}
	case "memories":
		var root xmlMemories
		if err := d.DecodeElement(&root, &start); err != nil {
			return inputError(d, err)
		}
		for _, m := range root.Items {
			in.Memories = append(in.Memories, relations.MemoryItem{
				Date: strings.TrimSpace(m.Date), Subject: strings.TrimSpace(m.Subject), Object: strings.TrimSpace(m.Object),
				Relation: strings.TrimSpace(m.Relation), Content: strings.TrimSpace(m.Content),
			})
		}
	default:
		var root xmlChats
		if err := d.DecodeElement(&root, &start); err != nil {
			return inputError(d, err)
		}
		for i, c := range root.Items {
			chat, err := c.chat(i)
			if err != nil {
				return err
			}
			in.Chats = append(in.Chats, chat)
		}
	}
	return nil
}

func (c xmlChat) chat(i int) (Chat, error) {
	out := Chat{
		Date: strings.TrimSpace(c.Date), Role: strings.TrimSpace(c.Role), Speaker: strings.TrimSpace(c.Speaker),
		Content: c.Content, ToolCallID: strings.TrimSpace(c.ToolCallID),
	}
	if c.ID != nil && strings.TrimSpace(*c.ID) != "" {
		id, err := strconv.ParseInt(strings.TrimSpace(*c.ID), 10, 64)
		if err != nil {
			return out, &graph.Error{
				Code: graph.CodeInvalid, Message: "the batch is not valid",
				Fields: []graph.Field{{Name: chatField(i, "id"), Message: "must be a whole number"}},
			}
		}
		out.ID = &id
	}
	for _, t := range c.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, graph.ToolCall{
			ID: strings.TrimSpace(t.ID), Function: strings.TrimSpace(t.Function), Arguments: t.Arguments,
		})
	}
	return out, nil
}

func misplaced(d *xml.Decoder, what string) error {
	line, column := d.InputPos()
	return graph.Errorf(graph.CodeInvalid, "the XML cannot be read at line %d, column %d: %s", line, column, what)
}

func inputError(d *xml.Decoder, err error) error {
	line, column := d.InputPos()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return graph.Errorf(graph.CodeInvalid, "the XML cannot be read at line %d, column %d: %s", line, column, syntax.Msg)
	}
	if graph.ErrorCode(err) != graph.CodeInternal {
		return err // the body's own limit
	}
	return graph.WrapError(graph.CodeInvalid, err, "the XML cannot be read at line %d, column %d", line, column)
}
