package extractor_test

import (
	"path/filepath"
	"strings"
	"testing"

	"relata/extractor"
	"relata/graph"
)

func TestParseModel(t *testing.T) {
	dir := t.TempDir()
	o := extractor.ModelOptions{GeminiKey: secretKey, GeminiEndpoint: "http://127.0.0.1:1", OpenAIKey: secretKey}
	for spec, want := range map[string]string{
		"": "", "none": "", " none ": "",
		"gemini:gemini-test": "gemini:gemini-test",
		"replay:" + dir:      "replay",
		"openai:gpt-test":    "openai:gpt-test",
		"openai:qwen3:8b@http://127.0.0.1:11434/v1":                   "openai:qwen3:8b",
		"record:" + dir + "/new/deep=gemini:gemini-test":              "gemini:gemini-test",
		"record:" + dir + "=openai:m@http://127.0.0.1:1/a=b":          "openai:m",
		"record:" + dir + "/one=record:" + dir + "/two=replay:" + dir: "replay",
	} {
		m, err := extractor.ParseModel(t.Context(), spec, o)
		if err != nil || (m == nil) != (want == "") || m != nil && m.Name() != want {
			t.Errorf("%q: %v, %v", spec, m, err)
		}
	}
	file := filepath.Join(dir, "file")
	write(t, file, "x")
	for spec, part := range map[string]string{
		"gemini:": "gemini:MODEL", "replay:": "replay:DIR", "replay:" + dir + "/none": "no directory",
		"openai:": "openai:MODEL@URL", "openai:m@host": "no URL", "claude:x": "unknown", "claude": "unknown",
		"record:": "record:DIR=MODEL", "record:" + dir: "record:DIR=MODEL", "record:=none": "record:DIR=MODEL",
		"record:" + dir + "=": "no model to record", "record:" + dir + "=none": "no model to record",
		"record:" + dir + "=claude:x": "unknown", "record:" + file + "=replay:" + dir: "cannot be made",
	} {
		_, err := extractor.ParseModel(t.Context(), spec, o)
		if e := wantError(t, err, graph.CodeInvalid); !strings.Contains(e.Message, part) {
			t.Errorf("%q: %q", spec, e.Message)
		}
	}
	for _, spec := range []string{"gemini:x", "openai:x"} {
		_, err := extractor.ParseModel(t.Context(), spec, extractor.ModelOptions{})
		if e := wantError(t, err, graph.CodeInvalid); !strings.Contains(e.Message, "key") {
			t.Errorf("%q: %q", spec, e.Message)
		}
	}
	if m, err := extractor.ParseModel(t.Context(), "openai:x@http://127.0.0.1:1", extractor.ModelOptions{}); err != nil || m == nil {
		t.Errorf("a server of the user's own needs no key: %v", err)
	}
}

func TestSplitModelURL(t *testing.T) {
	for name, want := range map[string][2]string{
		"gpt-5-mini":                               {"gpt-5-mini", ""},
		"qwen3:8b@http://127.0.0.1:11434":          {"qwen3:8b", "http://127.0.0.1:11434/v1"},
		"qwen3:8b@http://127.0.0.1:11434/":         {"qwen3:8b", "http://127.0.0.1:11434/v1"},
		"org/model@https://example.org/openai/v1/": {"org/model", "https://example.org/openai/v1"},
		"model@2026-01-01@http://[::1]:8000/v1":    {"model@2026-01-01", "http://[::1]:8000/v1"},
		" m@" + extractor.OpenAIURL + " ":          {"m", extractor.OpenAIURL},
		"m@http://example.org/path/with@sign":      {"m", "http://example.org/path/with@sign"},
	} {
		model, url, err := extractor.SplitModelURL(name)
		if err != nil || model != want[0] || url != want[1] {
			t.Errorf("%q: %q %q %v", name, model, url, err)
		}
	}
	for name, part := range map[string]string{
		"": "no model", "@http://127.0.0.1:1": "no model",
		// Each of these would send a conversation to OpenAI if it passed for a model.
		"m@127.0.0.1:11434": "no URL", "m@localhost:11434/v1": "no URL", "m@2026-01-01": "no URL", "m@": "no URL",
		"m@ftp://127.0.0.1": "no URL", "m@http://": "no URL", "m@http://:80": "no URL", "m@http://a b": "no URL",
		"m@http://user:secret@127.0.0.1": "password", "m@user:secret@127.0.0.1": "no URL",
		"m@https://127.0.0.1/?secret=1": "after ?", "m@https://127.0.0.1/#secret": "after ?",
	} {
		_, _, err := extractor.SplitModelURL(name)
		if e := wantError(t, err, graph.CodeInvalid); !strings.Contains(e.Message, part) || strings.Contains(e.Error(), "secret") {
			t.Errorf("%q: %q", name, e.Error())
		}
	}
}
