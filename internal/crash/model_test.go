package crash_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"relata/extractor"
	"relata/relations"
)

// scripted is a model server of the OpenAI protocol whose answers follow from the
// prompt alone: the diff step keeps one memory of each message, and a count of the
// session's messages, which it raises from what it is shown. So a batch that was
// lost, doubled or out of order shows in the graph.
type scripted struct {
	*httptest.Server
	calls atomic.Int64
	pause time.Duration // of each answer
}

func startModel(t *testing.T, pause time.Duration) *scripted {
	s := &scripted{pause: pause}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *scripted) answer(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Messages []struct{ Role, Content string } `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || len(req.Messages) != 2 {
		http.Error(w, "two messages are needed", http.StatusBadRequest)
		return
	}
	s.calls.Add(1)
	select {
	case <-time.After(s.pause):
	case <-r.Context().Done():
		return
	}
	text, err := scriptedAnswer(req.Messages[0].Content, req.Messages[1].Content)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "1", "object": "chat.completion", "created": 1, "model": "scripted",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}},
		"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
	})
}

func scriptedAnswer(system, user string) (string, error) {
	switch {
	case strings.Contains(system, "need_rewrite"):
		return "{}", nil // nothing is reworded
	case strings.Contains(system, "should_merge"):
		return `{"should_merge": false}`, nil
	case strings.Contains(system, `"keep"`):
		return `{"0": {"keep": true, "reason": "said"}}`, nil // what is not named stays
	case strings.Contains(system, "memory list"):
		return readAll(user)
	}
	return diffOfChats(user)
}

// readAll keeps one item of each message.
func readAll(user string) (string, error) {
	_, data, _ := strings.Cut(user, "<data>")
	data, _, _ = strings.Cut(data, "</data>")
	var shown struct {
		Messages []struct {
			ID      int64  `json:"id"`
			Content string `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal([]byte(data), &shown); err != nil {
		return "", fmt.Errorf("the material of the reader: %w", err)
	}
	items := []any{}
	for _, m := range shown.Messages {
		if strings.TrimSpace(m.Content) != "" {
			items = append(items, map[string]any{"key": "message", "memory_type": "UserMemory", "value": m.Content, "tags": []string{}, "msg_ids": []int64{m.ID}})
		}
	}
	text, err := json.Marshal(map[string]any{"memory list": items, "summary": "A talk."})
	return string(text), err
}

const countSubject = "the talk"

func diffOfChats(user string) (string, error) {
	in, err := extractor.ReadInput(strings.NewReader(user))
	if err != nil {
		return "", fmt.Errorf("the input of the diff step: %w", err)
	}
	var p relations.Proposal
	said := 0
	for _, c := range in.Chats {
		if strings.TrimSpace(c.Content) == "" {
			continue
		}
		said++
		content := strings.Join(strings.Fields(c.Content), " ")
		if runes := []rune(content); len(runes) > 200 {
			content = string(runes[:200])
		}
		p.Memories.Increments = append(p.Memories.Increments, relations.MemoryItem{
			Subject: countSubject, Object: "a message", Relation: "mention", Content: content, MsgIDs: []int64{*c.ID}, KnownBy: []string{},
		})
	}
	counted := relations.MemoryItem{Subject: countSubject, Object: "its length", Relation: "measure"}
	for _, m := range in.Memories {
		if m.Relation != "measure" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(m.Content, "The talk has "), " messages."))
		if err != nil {
			return "", fmt.Errorf("the count %q: %w", m.Content, err)
		}
		counted.Content = fmt.Sprintf("The talk has %d messages.", n+said)
		p.Memories.Replaces = []relations.MemoryReplace{{Source: m, Target: counted}}
	}
	if len(p.Memories.Replaces) == 0 {
		counted.Content = fmt.Sprintf("The talk has %d messages.", said)
		p.Memories.Increments = append(p.Memories.Increments, counted)
	}
	return extractor.EncodeProposal(p), nil
}
