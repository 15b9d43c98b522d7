package embed_test

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"relata/embed"
)

var openAI = protocols[1]

func TestOpenAIPutsVectorsInTheOrderOfTheTexts(t *testing.T) {
	t.Parallel()
	item := func(index string, value float64) string {
		if index != "" {
			index = `"index":` + index + `,`
		}
		return fmt.Sprintf(`{%s"object":"embedding","embedding":[%v,1]}`, index, value)
	}
	for _, tt := range []struct {
		name string
		data []string
		want []float64 // nil for an error
	}{
		{"as they come", []string{item("0", 1), item("1", 2), item("2", 3)}, []float64{1, 2, 3}},
		{"shuffled", []string{item("2", 3), item("0", 1), item("1", 2)}, []float64{1, 2, 3}},
		{"without numbers", []string{item("", 1), item("", 2), item("", 3)}, []float64{1, 2, 3}},
		{"one number twice", []string{item("0", 1), item("0", 2), item("2", 3)}, nil},
		{"a number past the end", []string{item("0", 1), item("1", 2), item("3", 3)}, nil},
		{"a number below zero", []string{item("-1", 1), item("0", 2), item("1", 3)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := openAI.serve(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) {
				fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(tt.data, ","))
			})
			v, err := openAI.embedder(t, remoteOptions{url: s.URL}).Embed(t.Context(), []string{"a", "b", "c"})
			if tt.want == nil {
				if !errors.Is(err, embed.ErrAnswer) {
					t.Errorf("%v, %v", v, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkBytes(t, v, tt.want...)
		})
	}
}

func TestOpenAIReadsVectorsInBase64(t *testing.T) {
	t.Parallel()
	var raw []byte
	for _, x := range []float32{3, 4} {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	s := openAI.serve(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) {
		fmt.Fprintf(w, `{"data":[{"index":0,"embedding":%q}]}`, base64.StdEncoding.EncodeToString(raw))
	})
	if diff := cmp.Diff([][]float32{{0.6, 0.8}}, mustEmbed(t, openAI.embedder(t, remoteOptions{url: s.URL}), "a")); diff != "" {
		t.Error(diff)
	}
}

// Servers have limits that only they know. What goes past one is asked in halves,
// so that no memory is lost for want of a vector.
func TestOpenAIAsksForLess(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("我很开心。", 300) // 1,500 code points
	for _, tt := range []struct {
		name     string
		texts    []string
		refuse   func(w http.ResponseWriter, texts []string) bool
		want     []float64 // bytes
		requests int
	}{
		{
			"as many texts as the server takes",
			[]string{"a", "bb", "ccc", "dddd", "eeeee"},
			func(w http.ResponseWriter, texts []string) bool {
				if len(texts) > 2 {
					refuse(w, 422, "batch size 5 > maximum allowed batch size 2")
				}
				return len(texts) > 2
			},
			[]float64{1, 2, 3, 4, 5},
			5,
		},
		{
			"as much text as the model reads",
			[]string{"a", long, "ccc"},
			func(w http.ResponseWriter, texts []string) bool {
				for _, x := range texts {
					if utf8.RuneCountInString(x) > 512 {
						refuse(w, 400, "This model's maximum context length is 512 tokens. However, you requested 1500 tokens.")
						return true
					}
				}
				return false
			},
			[]float64{1, 375 * 3, 3},
			7,
		},
		{
			"a body that is too large for a gateway",
			[]string{"a", "bb"},
			func(w http.ResponseWriter, texts []string) bool {
				if len(texts) > 1 {
					w.WriteHeader(413)
					io.WriteString(w, "<html>too large</html>")
				}
				return len(texts) > 1
			},
			[]float64{1, 2},
			3,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := openAI.serve(t, func(w http.ResponseWriter, _ *http.Request, texts []string, _ int) {
				if !tt.refuse(w, texts) {
					openAI.vectorsOf(w, texts)
				}
			})
			checkBytes(t, mustEmbed(t, openAI.embedder(t, remoteOptions{url: s.URL}), tt.texts...), tt.want...)
			if n := len(s.seen()); n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
		})
	}
	t.Run("but not for ever", func(t *testing.T) {
		t.Parallel()
		s := openAI.serve(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) { refuse(w, 413, "too large") })
		_, err := openAI.embedder(t, remoteOptions{url: s.URL}).Embed(t.Context(), []string{"a", long})
		if status, ok := errors.AsType[*embed.StatusError](err); !ok || status.Status != 413 || len(s.seen()) > 10 {
			t.Errorf("%v after %d requests", err, len(s.seen()))
		}
	})
}

func TestOpenAIWithoutAKeySendsNone(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", secret)
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	s := openAI.serve(t, func(w http.ResponseWriter, r *http.Request, texts []string, _ int) {
		if key, ok := r.Header["Authorization"]; ok {
			t.Errorf("sent %q", key)
		}
		openAI.vectorsOf(w, texts)
	})
	e, err := embed.NewOpenAI(embed.OpenAIOptions{Model: "model-1", URL: s.URL + "/v1", Wait: (&pauses{}).wait})
	if err != nil {
		t.Fatal(err)
	}
	checkBytes(t, mustEmbed(t, e, "a"), 1)
	t.Run("and its errors are readable", func(t *testing.T) {
		s := openAI.serve(t, func(w http.ResponseWriter, _ *http.Request, _ []string, _ int) { refuse(w, 404, "no model") })
		e, err := embed.NewOpenAI(embed.OpenAIOptions{Model: "model-1", URL: s.URL + "/v1"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Embed(t.Context(), []string{"a"}); err == nil || !strings.Contains(err.Error(), "404 Not Found: no model") {
			t.Errorf("%v", err)
		}
	})
}

func TestNewOpenAIRefuses(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]embed.OpenAIOptions{
		"no key for OpenAI's own":  {Model: "m"},
		"no model":                 {APIKey: secret},
		"an address without host":  {APIKey: secret, Model: "m", URL: "http:///v1"},
		"an address of no web":     {APIKey: secret, Model: "m", URL: "ftp://127.0.0.1"},
		"a password in it":         {Model: "m", URL: "http://user:" + "sEcr3t" + "@127.0.0.1/v1"},
		"an address that is wrong": {Model: "m", URL: "http://user:" + "sEcr3t" + "@127.0.0.1:x/v1"},
		"too large a batch":        {APIKey: secret, Model: "m", BatchSize: 2049},
		"negative dimensions":      {APIKey: secret, Model: "m", Dimensions: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := embed.NewOpenAI(opts)
			if err == nil {
				t.Error("no error")
			}
			noSecret(t, err)
		})
	}
}
