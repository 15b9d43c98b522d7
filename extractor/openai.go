package extractor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// OpenAIOptions configure an [OpenAI] model.
type OpenAIOptions struct {
	Model string
	Key   string // "" for servers that ask for none
	// URL is the address that "chat/completions" is added to, as
	// [SplitModelURL] gives it; "" for OpenAI's own.
	URL string
}

// OpenAI asks a model over OpenAI's chat completions, which Ollama, vLLM and
// most other servers speak too. What a model thinks in a field of its own
// (reasoning_content) is left unread.
type OpenAI struct {
	chat  openai.ChatCompletionService
	model string
	key   string
	// What the server has refused once is not tried again.
	newer     atomic.Bool // it wants max_completion_tokens for max_tokens
	plainText atomic.Bool // it knows no JSON mode
}

var _ Model = (*OpenAI)(nil)

// NewOpenAI makes a client; nothing is sent yet.
func NewOpenAI(o OpenAIOptions) *OpenAI {
	if o.URL == "" {
		o.URL = OpenAIURL
	}
	m := &OpenAI{model: o.Model, key: o.Key}
	// The service, unlike the SDK's client, reads nothing from the environment.
	m.chat = openai.NewChatCompletionService(
		option.WithBaseURL(o.URL),
		option.WithMaxRetries(0),
		option.WithHTTPClient(httpClient(func(req *http.Request) {
			if o.Key != "" {
				req.Header.Set("Authorization", "Bearer "+o.Key)
			}
		})),
	)
	m.newer.Store(o.URL == OpenAIURL) // other servers know the older name, if only one
	return m
}

// Name gives "openai:" and the model, without the address.
func (o *OpenAI) Name() string { return "openai:" + o.model }

// Answer makes one call of chat completions. A server that refuses a part of the
// request that can be left out, such as an output budget larger than the model's,
// is asked again at once without it.
func (o *OpenAI) Answer(ctx context.Context, req Request) (Answer, error) {
	f := o.form(req)
	for {
		res, err := o.chat.New(ctx, o.params(req, f))
		if err == nil {
			return o.read(res)
		}
		status, ok := errors.AsType[*statusError](err)
		if ok {
			f, ok = o.relent(f, status)
		}
		if !ok {
			return Answer{}, callFault(ctx, o.Name(), o.key, err)
		}
	}
}

// read takes text and counts out of an answer. Every part may be missing.
func (o *OpenAI) read(res *openai.ChatCompletion) (Answer, error) {
	var a Answer
	a.InputTokens = int(res.Usage.PromptTokens)
	a.OutputTokens = int(max(res.Usage.CompletionTokens, res.Usage.TotalTokens-res.Usage.PromptTokens))
	fail := func(kind Kind, detail string) (Answer, error) {
		return Answer{}, &ModelError{
			Kind: kind, Model: o.Name(), Detail: detail, InputTokens: a.InputTokens, OutputTokens: a.OutputTokens,
		}
	}
	if len(res.Choices) == 0 {
		detail := "no choices"
		if said := res.JSON.ExtraFields["error"].Raw(); said != "" {
			detail += ": " + shorten(redact(said, o.key))
		}
		return fail(KindProtocol, detail)
	}
	c := res.Choices[0]
	a.Text = contentText(c.Message)
	a.Truncated = c.FinishReason == "length"
	switch {
	case c.FinishReason == "content_filter", !isBlank(c.Message.Refusal):
		return fail(KindBlocked, "finish reason "+shorten(redact(c.FinishReason, o.key)))
	case !isBlank(a.Text):
		return a, nil
	case a.Truncated:
		return fail(KindMaxTokens, "no text before the budget ended")
	}
	return fail(KindEmpty, "finish reason "+shorten(redact(c.FinishReason, o.key)))
}

// contentText gives what the model said. Some servers send a list of parts, of
// which those of type text are meant.
func contentText(m openai.ChatCompletionMessage) string {
	raw := m.JSON.Content.Raw()
	if !strings.HasPrefix(raw, "[") {
		return m.Content
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	_ = json.Unmarshal([]byte(raw), &parts) // of what is no part there is nothing to read
	var text strings.Builder
	for _, p := range parts {
		if p.Type == "text" {
			text.WriteString(p.Text)
		}
	}
	return text.String()
}
