package extractor

import (
	"net/url"
	"strings"

	"relata/graph"
)

// OpenAIURL is where OpenAI's own models answer.
const OpenAIURL = "https://api.openai.com/v1"

// SplitModelURL reads "MODEL" or "MODEL@URL", as names of OpenAI-compatible
// models for answers and for vectors are written: "gpt-5-mini",
// "qwen3:8b@http://127.0.0.1:11434". The URL gets the path /v1 where it has
// none; "" means [OpenAIURL]. Whatever follows the last @ is the URL, so that a
// mistyped one can never send a conversation to OpenAI instead; a model with an
// @ in its name needs its URL written out. Errors: CodeInvalid.
func SplitModelURL(name string) (model, base string, err error) {
	model = strings.TrimSpace(name)
	at := strings.LastIndex(model, "@")
	// The @ of a URL with a user in it is not the one.
	if scheme := strings.Index(model, "://"); scheme >= 0 && at > scheme {
		at = strings.LastIndex(model[:scheme], "@")
	}
	if at >= 0 {
		model, base = model[:at], model[at+1:]
	}
	if model == "" {
		return "", "", graph.Errorf(graph.CodeInvalid, "no model is named: use openai:MODEL or openai:MODEL@URL")
	}
	if at < 0 {
		return model, "", nil
	}
	u, err := url.Parse(base)
	named, _, _ := strings.Cut(model, "@") // the rest may be anything, a password too
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return "", "", graph.Errorf(graph.CodeInvalid, "what follows the @ of the model %q is no URL: write it like http://127.0.0.1:11434/v1", named)
	case u.User != nil:
		return "", "", graph.Errorf(graph.CodeInvalid, "the URL of the model %q holds a user or a password: set OPENAI_API_KEY instead", named)
	case u.RawQuery != "" || u.Fragment != "":
		return "", "", graph.Errorf(graph.CodeInvalid, "the URL of the model %q has a part after ? or #, which requests cannot keep: leave it out", named)
	}
	if u.Path = strings.TrimRight(u.Path, "/"); u.Path == "" {
		u.Path = "/v1"
	}
	return model, u.String(), nil
}
