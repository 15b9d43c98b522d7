package extractor

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// openAIForm is what may be left out of a request, because servers differ in it.
type openAIForm struct {
	json   bool
	budget openAIBudget
}

// openAIBudget is how a request bounds the output.
type openAIBudget int

const (
	noBudget    openAIBudget = iota
	olderBudget              // as max_tokens, which compatible servers know
	newerBudget              // as max_completion_tokens, which OpenAI's newer models insist on
)

// form gives the fullest form that the server has not refused yet.
func (o *OpenAI) form(req Request) openAIForm {
	f := openAIForm{json: req.JSON && !o.plainText.Load()}
	switch {
	case req.MaxTokens <= 0:
	case o.newer.Load():
		f.budget = newerBudget
	default:
		f.budget = olderBudget
	}
	return f
}

// relent gives a form with less in it after a refusal that names the part; ok is
// false where no lesser one would do. Forms only get smaller, so that this ends.
func (o *OpenAI) relent(f openAIForm, refused *statusError) (_ openAIForm, ok bool) {
	if refused.code != http.StatusBadRequest && refused.code != http.StatusUnprocessableEntity {
		return f, false
	}
	said := strings.ToLower(refused.refusal().Message)
	says := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(said, p) {
				return true
			}
		}
		return false
	}
	switch {
	case f.json && says("response_format"):
		o.plainText.Store(true)
		f.json = false
	case f.budget == olderBudget && says("max_completion_tokens") && says("unsupported", "not supported"):
		o.newer.Store(true)
		f.budget = newerBudget
	case f.budget != noBudget && says("max_tokens", "max_completion_tokens", "context length"):
		// Larger than the model's, or together with the prompt larger than its
		// context. Without one the server takes what is left.
		f.budget = noBudget
	default:
		return f, false
	}
	return f, true
}

// params makes the request.
func (o *OpenAI) params(req Request, f openAIForm) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: o.model}
	if req.System != "" {
		p.Messages = append(p.Messages, openai.SystemMessage(req.System))
	}
	if len(req.Images) == 0 {
		p.Messages = append(p.Messages, openai.UserMessage(req.User))
	} else {
		var parts []openai.ChatCompletionContentPartUnionParam
		for _, image := range req.Images {
			parts = append(parts, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{
				URL: "data:" + image.Type + ";base64," + base64.StdEncoding.EncodeToString(image.Data),
			}))
		}
		p.Messages = append(p.Messages, openai.UserMessage(append(parts, openai.TextContentPart(req.User))))
	}
	if f.json {
		p.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	switch f.budget {
	case olderBudget:
		p.MaxTokens = param.NewOpt(int64(req.MaxTokens))
	case newerBudget:
		p.MaxCompletionTokens = param.NewOpt(int64(req.MaxTokens))
	}
	return p
}
