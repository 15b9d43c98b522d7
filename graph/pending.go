package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/cypher"
)

var (
	pendingAdd    = cypher.Load("pending_add")
	pendingLine   = cypher.Load("pending_line")
	pendingRead   = cypher.Load("pending_read")
	pendingMark   = cypher.Load("pending_mark")
	pendingDue    = cypher.Load("pending_due")
	pendingSearch = cypher.Load("pending_search")
)

// Turn is a message that waits to be ingested.
type Turn struct {
	Source     // SourceID is 0 where the client gave no id; Present is filled by [Store.AddPending]
	Tokens int // estimated
	seq    int64
	people string
}

// People are those who were there at some turns, and the tags for them, as the
// caller wrote them. A batch is of turns with the same people.
type People struct {
	Persona []string `json:"persona,omitempty"`
	Present []string `json:"present,omitempty"`
	Tags    []string `json:"tags,omitempty"`
}

// Waiting is what of a session waits to be ingested.
type Waiting struct {
	Turns  int
	Tokens int
	Due    bool // it is to be ingested now
}

// AddPending keeps turns of one session until they are ingested, in order of
// arrival. A turn whose id is there already, waiting or as a message, with the
// same content is left out. added counts the others.
//
// Errors: CodeNotFound for the space; CodeInvalid for a persona that is none;
// CodeConflict for an id that is there with other content. Nothing is kept then.
func (s *Store) AddPending(ctx context.Context, space, session string, turns []Turn, p People, r BatchRule) (w Waiting, added int, err error) {
	present, err := s.personasOf(ctx, space, p)
	if err != nil {
		return w, 0, err
	}
	people, err := json.Marshal(p)
	if err != nil {
		return w, 0, WrapError(CodeInternal, err, "the people of the turns cannot be stored")
	}
	err = s.transact(ctx, "pending_add", func(tx neo4j.ManagedTransaction) error {
		line, err := lockLine(ctx, tx, space, session, len(turns))
		if err != nil {
			return err
		}
		fresh, err := newTurns(ctx, tx, space, session, turns, line.first, string(people), present)
		if err != nil {
			return err
		}
		added = len(fresh)
		w = Waiting{Turns: line.turns, Tokens: line.tokens}
		if added == 0 {
			return nil
		}
		changed := line.turns > 0 && line.people != string(people)
		for _, t := range fresh {
			w.Turns++
			w.Tokens += t.Tokens
		}
		w.Due = changed || r.full(w.Turns, w.Tokens)
		wait := r.Idle
		if w.Due {
			wait = 0
		}
		return noteLine(ctx, tx, space, session, w, string(people), true, &wait)
	})
	return w, added, err
}

// newTurns writes the turns that are not there yet and gives them.
func newTurns(ctx context.Context, tx neo4j.ManagedTransaction, space, session string, turns []Turn, first int64, people string, present []string) ([]Turn, error) {
	var ids []int64
	for _, t := range turns {
		if t.SourceID != 0 {
			ids = append(ids, t.SourceID)
		}
	}
	there := make(map[int64]Source)
	if len(ids) > 0 {
		stored, err := run(ctx, tx, sourceRead, map[string]any{"space": space, "ids": ids}, toSource)
		if err != nil {
			return nil, err
		}
		for _, src := range stored {
			there[src.SourceID] = src
		}
	}
	named, others := []map[string]any{}, []map[string]any{}
	var fresh []Turn
	at := make(map[int64]int, len(ids)) // the position of each id
	for i, t := range turns {
		t.Session, t.Present, t.seq, t.people = session, present, first+int64(i), people
		if stored, ok := there[t.SourceID]; t.SourceID != 0 && ok {
			if !sameMessage(t.Source, stored) {
				return nil, otherContent(i, t.SourceID)
			}
			continue
		}
		props, err := turnProps(t)
		if err != nil {
			return nil, err
		}
		if t.SourceID == 0 {
			others = append(others, map[string]any{"props": props})
			fresh = append(fresh, t)
			continue
		}
		at[t.SourceID] = i
		named = append(named, map[string]any{"source_id": t.SourceID, "props": props})
	}
	type row struct {
		stored Turn
		asked  int64
	}
	rows, err := run(ctx, tx, pendingAdd, map[string]any{"space": space, "session": session, "named": named, "others": others}, func(r record) (row, error) {
		t, err := toTurn(r)
		return row{t, r.int("asked")}, err
	})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		i := at[r.stored.SourceID]
		switch {
		case r.stored.seq == r.asked && r.stored.Session == session:
			fresh = append(fresh, r.stored)
		case !sameMessage(turns[i].Source, r.stored.Source):
			return nil, otherContent(i, r.stored.SourceID)
		}
	}
	return fresh, nil
}

// personasOf gives the display names of the personas among those who were there.
func (s *Store) personasOf(ctx context.Context, space string, p People) ([]string, error) {
	out := []string{}
	var wrong []Field
	for i, name := range slices.Concat(p.Persona, p.Present) {
		ref, ok, err := s.Resolve(ctx, space, name)
		switch {
		case err != nil:
			return nil, err
		case ok && ref.Persona:
			if !slices.Contains(out, ref.Name) {
				out = append(out, ref.Name)
			}
		case i < len(p.Persona):
			wrong = append(wrong, Field{fmt.Sprintf("persona[%d]", i), fmt.Sprintf("%q is no persona of this space: add it first", name)})
		}
	}
	if len(wrong) > 0 {
		return nil, &Error{Code: CodeInvalid, Message: "the messages are not valid", Fields: wrong}
	}
	return out, nil
}

// DuePending gives the sessions whose turns are to be ingested now, in the given
// spaces (nil for all): those that were quiet for long enough, and those that
// hold enough. The longest due come first.
func (s *Store) DuePending(ctx context.Context, spaces []string, limit int) ([]SessionRef, error) {
	return read(ctx, s, pendingDue, map[string]any{"spaces": textsOrNull(spaces), "limit": limit}, func(r record) (SessionRef, error) {
		return SessionRef{r.text("space"), r.text("session")}, nil
	})
}

// SessionRef names a session.
type SessionRef struct{ Space, Session string }

// FoundTurn is a turn that a search found.
type FoundTurn struct {
	Source
	Score float64 // of this question only
}

// SearchPending finds the turns of a space that are not ingested yet by the words
// they share with questions, for each in its place, the best first: plain
// messages, not memories. Those of a failed or cancelled job are among them. A
// persona finds only what was said where it was present. limit is 1–200 for each
// question, 0 for 50.
//
// Errors: CodeNotFound for the space or the persona, CodeInvalid for the limit.
func (s *Store) SearchPending(ctx context.Context, space string, questions []string, asPersona string, limit int) ([][]FoundTurn, error) {
	if _, err := s.Space(ctx, space); err != nil {
		return nil, err
	}
	limit, err := pageSize(limit)
	if err != nil {
		return nil, err
	}
	most, persona := 2*limit, any(nil)
	if asPersona != "" {
		ref, err := s.asker(ctx, space, asPersona)
		if err != nil {
			return nil, err
		}
		most, persona = 10*limit, ref.Name
	}
	found := make([][]FoundTurn, len(questions))
	var queries []map[string]any
	for i, question := range questions {
		if text := textQuery(space, Category{}, question); text != "" {
			queries = append(queries, map[string]any{"i": i, "text": text})
		}
	}
	if len(queries) == 0 {
		return found, nil
	}
	_, err = read(ctx, s, pendingSearch, map[string]any{
		"space": space, "queries": queries, "persona": persona, "most": most, "limit": limit,
	}, func(r record) (struct{}, error) {
		src, err := toSource(r)
		i := r.int("i")
		found[i] = append(found[i], FoundTurn{src, r.float("score")})
		return struct{}{}, err
	})
	return found, err
}

// sameMessage compares what a message says and who says it; a date may differ by
// form and zone, and one that was left out is that of the arrival.
func sameMessage(a, b Source) bool {
	return a.Content == b.Content && a.Role == b.Role && a.Speaker == b.Speaker && a.ToolCallID == b.ToolCallID &&
		slices.Equal(a.ToolCalls, b.ToolCalls)
}

func otherContent(i int, id int64) *Error {
	return &Error{
		Code: CodeConflict, Message: "a message id exists with other content, nothing was kept",
		Fields: []Field{{fmt.Sprintf("chats[%d].id", i), fmt.Sprintf("%d is the id of another message: ids are unique in a space", id)}},
	}
}

func turnProps(t Turn) (map[string]any, error) {
	words, chars := Terms(t.Speaker + "\n" + t.Content)
	props := map[string]any{
		"seq": t.seq, "people": t.people, "tokens": t.Tokens, "present": t.Present, "kind": string(SourceMessage),
		"role": t.Role, "speaker": textOrNull(t.Speaker), "date": dateOrNull(t.Date), "content": t.Content,
		"tool_call_id": textOrNull(t.ToolCallID), "tool_calls": nil,
		"terms": strings.Join(words, " "), "chars": strings.Join(chars, " "),
	}
	if len(t.ToolCalls) > 0 {
		calls, err := json.Marshal(t.ToolCalls)
		if err != nil {
			return nil, WrapError(CodeInternal, err, "the tool calls of a message cannot be stored")
		}
		props["tool_calls"] = string(calls)
	}
	return props, nil
}

func toTurn(r record) (Turn, error) {
	src, err := toSource(r)
	f := r.node("source")
	return Turn{Source: src, Tokens: int(f.int("tokens")), seq: f.int("seq"), people: f.text("people")}, err
}
