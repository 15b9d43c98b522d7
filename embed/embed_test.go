package embed_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"relata/embed"
)

// stub is an embedder made of a function.
type stub struct {
	embed func(ctx context.Context, texts []string) ([][]float32, error)
}

func (s stub) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return s.embed(ctx, texts)
}

func (s stub) Model() embed.Model { return embed.Model{Name: "stub", Dimensions: 2} }

// length is the Euclidean length of v.
func length(v []float32) float64 {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	return math.Sqrt(square)
}

// cosine is that of two vectors of length 1.
func cosine(a, b []float32) float64 {
	dot := 0.0
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
	}
	return dot
}

func TestBlank(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"nothing", "", true},
		{"spaces of all kinds", " \t\r\n\u00a0\u3000\u2028", true},
		{"invisible characters", "\u200b\u200d\ufeff\u00ad\x00\x07", true},
		{"a letter", " a ", false},
		{"a Chinese character", "中", false},
		{"punctuation only", "。。。", false},
		{"an emoji", "😀", false},
		{"a digit", "0", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := embed.Blank(tt.text); got != tt.want {
				t.Errorf("Blank(%q) = %v", tt.text, got)
			}
		})
	}
}

func TestForQueriesOfAnEmbedderWithoutDifference(t *testing.T) {
	t.Parallel()
	e := &stub{}
	if got := embed.ForQueries(e); got != embed.Embedder(e) {
		t.Errorf("got %v, want the embedder itself", got)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	const family = "👩\u200d👩\u200d👧" // five code points, one character
	for _, tt := range []struct {
		name, text string
		limit      int
		want       string
	}{
		{"short text stays", "中文", 2, "中文"},
		{"long text ends at the limit", "中文字", 2, "中文"},
		{"bytes don't count", strings.Repeat("中", 10), 10, strings.Repeat("中", 10)},
		{"an emoji is not split", "ab" + family, 4, "ab"},
		{"an emoji that fits stays", "ab" + family + "c", 7, "ab" + family},
		{"a combining mark stays with its letter", "xe\u0301", 2, "x"},
		{"a line end is not split", "a\r\nb", 2, "a"},
		{"one character longer than the limit is split", family, 3, "👩\u200d👩"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := embed.Cut(tt.text, tt.limit); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzCut(f *testing.F) {
	f.Add("中文a\u0301👩\u200d👧\r\n", 3)
	f.Add("\xff\xfe", 1)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = limit&0xff + 1
		got := embed.Cut(text, limit)
		if !strings.HasPrefix(text, got) || utf8.RuneCountInString(got) > limit || (got == "" && text != "") {
			t.Errorf("Cut(%q, %d) = %q", text, limit, got)
		}
	})
}

func TestAccept(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, tt := range []struct {
		name    string
		vectors [][]float32
		n, dims int
		want    string // part of the error
	}{
		{"one vector per text", [][]float32{{3, 4}, {0, 2}}, 2, 2, ""},
		{"length learnt from the first", [][]float32{{3, 4}, {0, 2}}, 2, 0, ""},
		{"one vector for all texts", [][]float32{{3, 4}}, 3, 2, "1 vectors for 3 texts"},
		{"a vector too many", [][]float32{{3, 4}, {3, 4}}, 1, 2, "2 vectors for 1 texts"},
		{"no vectors", nil, 1, 0, "0 vectors for 1 texts"},
		{"another length", [][]float32{{3, 4}}, 1, 3, "2 dimensions, not 3"},
		{"unequal lengths", [][]float32{{3, 4}, {1, 2, 3}}, 2, 0, "vector 1 has 3 dimensions"},
		{"an empty vector", [][]float32{{}}, 1, 0, "0 dimensions"},
		{"not a number", [][]float32{{1, nan}}, 1, 2, "finite"},
		{"infinite", [][]float32{{inf, 1}}, 1, 2, "finite"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := embed.Accept(tt.vectors, tt.n, tt.dims)
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want one with %q", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range tt.vectors {
				if l := length(v); math.Abs(l-1) > 1e-6 {
					t.Errorf("vector %d has length %v", i, l)
				}
			}
		})
	}
	t.Run("zeros become no vector", func(t *testing.T) {
		t.Parallel()
		vectors := [][]float32{{0, 0}, {1e-20, 0}, {1e30, 1e30}}
		if _, err := embed.Accept(vectors, 3, 2); err != nil {
			t.Fatal(err)
		}
		if vectors[0] != nil || vectors[1] == nil || math.Abs(length(vectors[2])-1) > 1e-6 {
			t.Errorf("got %v", vectors)
		}
	})
}
