package extractor_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
)

var openAI = providers[1]

// openAIRequest is what a server reads of a request.
type openAIRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	} `json:"messages"`
	MaxTokens           int               `json:"max_tokens"`
	MaxCompletionTokens int               `json:"max_completion_tokens"`
	ResponseFormat      map[string]string `json:"response_format"`
}

// askedOf gives a model whose server notes requests and answers with answer.
func askedOf(t *testing.T, answer func(req openAIRequest) http.HandlerFunc) (extractor.Model, *[]openAIRequest) {
	t.Helper()
	asked := new([]openAIRequest)
	m := openAI.serve(t, func(w http.ResponseWriter, r *http.Request) {
		var req openAIRequest
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
		}
		*asked = append(*asked, req)
		answer(req)(w, r)
	})
	return m, asked
}

func TestOpenAIIsAskedInItsProtocol(t *testing.T) {
	var path, key, query string
	var body map[string]any
	m := openAI.serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &body); err != nil {
			t.Error(err)
		}
		path, key, query = r.Method+" "+r.URL.Path, r.Header.Get("Authorization"), r.URL.RawQuery
		answer(200, fmt.Sprintf(openAI.good, `"x"`))(w, r)
	})
	_, err := m.Answer(t.Context(), extractor.Request{
		System: "rules", User: `{{chat}} <a> {"k":1}`, JSON: true, MaxTokens: 77, Images: []extractor.Image{{Type: "image/png", Data: []byte("png")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if path != "POST /v1/chat/completions" || key != "Bearer "+secretKey || query != "" {
		t.Errorf("asked %s?%s with key %q", path, query, key)
	}
	want := map[string]any{
		"model": "test-1", "max_tokens": 77.0, "response_format": map[string]any{"type": "json_object"},
		"messages": []any{
			map[string]any{"role": "system", "content": "rules"},
			map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/png;base64,cG5n"}},
				map[string]any{"type": "text", "text": `{{chat}} <a> {"k":1}`},
			}},
		},
	}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
}

func TestOpenAIWithoutAKeySendsNone(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", secretKey)
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	keyless := openAI
	keyless.client = func(_ *testing.T, url string) extractor.Model {
		return extractor.NewOpenAI(extractor.OpenAIOptions{Model: "m", URL: url + "/v1"})
	}
	m := keyless.serve(t, func(w http.ResponseWriter, r *http.Request) {
		if key, ok := r.Header["Authorization"]; ok {
			t.Errorf("sent %q", key)
		}
		answer(200, fmt.Sprintf(openAI.good, `"x"`))(w, r)
	})
	if got, err := m.Answer(t.Context(), extractor.Request{User: "hello"}); err != nil || got.Text != "x" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestOpenAIReadsContentInParts(t *testing.T) {
	m := openAI.serve(t, answer(200, fmt.Sprintf(openAI.good, `[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"<relations/>"},{"type":"text","text":"<memories/>"}]`)))
	got, err := m.Answer(t.Context(), extractor.Request{User: "hello"})
	if err != nil || got.Text != "<relations/><memories/>" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Servers differ in what of a request they take; each of these is a message of a
// real one.
func TestOpenAILeavesOutWhatAServerRefuses(t *testing.T) {
	refuse := func(status int, message string) http.HandlerFunc {
		body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error"}})
		return answer(status, string(body))
	}
	good := answer(200, fmt.Sprintf(openAI.good, `"x"`))
	tests := []struct {
		name   string
		answer func(openAIRequest) http.HandlerFunc
		first  []openAIRequest // what the first call sends
		second []openAIRequest // and the second
	}{
		{
			"a newer model wants the newer name of the budget, and gets it from then on",
			func(r openAIRequest) http.HandlerFunc {
				if r.MaxTokens > 0 {
					return refuse(400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
				}
				return good
			},
			[]openAIRequest{{MaxTokens: 77}, {MaxCompletionTokens: 77}},
			[]openAIRequest{{MaxCompletionTokens: 77}},
		},
		{
			"prompt and budget together are larger than the context",
			func(r openAIRequest) http.HandlerFunc {
				if r.MaxTokens > 0 {
					return refuse(400, "'max_tokens' or 'max_completion_tokens' is too large: 77. This model's maximum context length is 80 tokens and your request has 30 input tokens (77 > 80 - 30).")
				}
				return good
			},
			[]openAIRequest{{MaxTokens: 77}, {}},
			[]openAIRequest{{MaxTokens: 77}, {}},
		},
		{
			"the budget is larger than the model's",
			func(r openAIRequest) http.HandlerFunc {
				if r.MaxTokens+r.MaxCompletionTokens > 0 {
					return refuse(422, "max_tokens is too large: 77. This model supports at most 40 completion tokens.")
				}
				return good
			},
			[]openAIRequest{{MaxTokens: 77}, {}},
			[]openAIRequest{{MaxTokens: 77}, {}},
		},
		{
			"no JSON mode, which is not tried again",
			func(r openAIRequest) http.HandlerFunc {
				if r.ResponseFormat != nil {
					return answer(400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`)
				}
				return good
			},
			[]openAIRequest{{MaxTokens: 77, ResponseFormat: map[string]string{"type": "json_object"}}, {MaxTokens: 77}},
			[]openAIRequest{{MaxTokens: 77}},
		},
		{
			"neither",
			func(r openAIRequest) http.HandlerFunc {
				switch {
				case r.ResponseFormat != nil:
					return refuse(400, "response_format is not supported")
				case r.MaxTokens > 0:
					return refuse(400, "unsupported: max_tokens, try max_completion_tokens")
				case r.MaxCompletionTokens > 0:
					return refuse(400, "max_completion_tokens is too large")
				}
				return good
			},
			[]openAIRequest{{MaxTokens: 77, ResponseFormat: map[string]string{"type": "json_object"}}, {MaxTokens: 77}, {MaxCompletionTokens: 77}, {}},
			[]openAIRequest{{MaxCompletionTokens: 77}, {}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantsJSON := tt.first[0].ResponseFormat != nil
			m, asked := askedOf(t, tt.answer)
			for _, want := range [][]openAIRequest{tt.first, tt.second} {
				*asked = nil
				if _, err := m.Answer(t.Context(), extractor.Request{User: "hello", JSON: wantsJSON, MaxTokens: 77}); err != nil {
					t.Fatal(err)
				}
				got := *asked
				for i := range got {
					got[i].Model, got[i].Messages = "", nil
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
	t.Run("but not for ever", func(t *testing.T) {
		m, asked := askedOf(t, func(openAIRequest) http.HandlerFunc {
			return refuse(400, "maximum context length, max_tokens, unsupported max_completion_tokens, response_format")
		})
		_, err := m.Answer(t.Context(), extractor.Request{User: "hello", JSON: true, MaxTokens: 77})
		var me *extractor.ModelError
		if !errors.As(err, &me) || me.Kind != extractor.KindProtocol || len(*asked) != 4 {
			t.Errorf("%v after %d requests", err, len(*asked))
		}
	})
}

func TestOpenAIsOwnModelsGetTheNewerBudgetAtOnce(t *testing.T) {
	// Nothing may be sent there from a test: the request is caught before.
	var got openAIRequest
	restore := http.DefaultTransport
	http.DefaultTransport = roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.String() != extractor.OpenAIURL+"/chat/completions" {
			t.Errorf("asked %s", r.URL)
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		return nil, errors.New("not in a test")
	})
	t.Cleanup(func() { http.DefaultTransport = restore })
	m := extractor.NewOpenAI(extractor.OpenAIOptions{Model: "m", Key: secretKey})
	if _, err := m.Answer(t.Context(), extractor.Request{User: "hello", MaxTokens: 77}); err == nil {
		t.Error("no error")
	}
	if got.MaxCompletionTokens != 77 || got.MaxTokens != 0 {
		t.Errorf("%+v", got)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
