package embed_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/embed"
)

// counting is an embedder that notes what it was asked.
func counting(asked *[][]string) stub {
	return stub{embed: func(_ context.Context, texts []string) ([][]float32, error) {
		*asked = append(*asked, texts)
		out := make([][]float32, len(texts))
		for i, text := range texts {
			if text != "" {
				out[i] = []float32{float32(len(text)), 0}
			}
		}
		return out, nil
	}}
}

func TestCachedAsksForEachTextOnce(t *testing.T) {
	t.Parallel()
	var asked [][]string
	c, err := embed.NewCached(counting(&asked), 10)
	if err != nil {
		t.Fatal(err)
	}
	first := mustEmbed(t, c, "a", "bb", "a", "")
	second := mustEmbed(t, c, "", "ccc", "bb")
	mustEmbed(t, c, "a", "ccc")
	if diff := cmp.Diff([][]float32{{1, 0}, {2, 0}, {1, 0}, nil}, first); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]float32{nil, {3, 0}, {2, 0}}, second); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"a", "bb", ""}, {"ccc"}}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if c.Model().Name != "stub" {
		t.Errorf("model %v", c.Model())
	}
}

func TestCachedForgetsTheOldest(t *testing.T) {
	t.Parallel()
	var asked [][]string
	c, err := embed.NewCached(counting(&asked), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a", "b", "a", "c", "a", "b"} {
		mustEmbed(t, c, text)
	}
	if diff := cmp.Diff([][]string{{"a"}, {"b"}, {"c"}, {"b"}}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestCachedVectorsBelongToTheCaller(t *testing.T) {
	t.Parallel()
	var asked [][]string
	c, err := embed.NewCached(counting(&asked), 2)
	if err != nil {
		t.Fatal(err)
	}
	mustEmbed(t, c, "a")[0][0] = 99
	mustEmbed(t, c, "a")[0][0] = 99
	if got := mustEmbed(t, c, "a")[0][0]; got != 1 {
		t.Errorf("a caller changed the cache: %v", got)
	}
}

func TestCachedKeepsNoErrors(t *testing.T) {
	t.Parallel()
	broken, calls := errors.New("broken"), 0
	c, err := embed.NewCached(stub{embed: func(context.Context, []string) ([][]float32, error) {
		if calls++; calls == 1 {
			return nil, broken
		}
		return [][]float32{{1, 0}}, nil
	}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Embed(t.Context(), []string{"a"}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	mustEmbed(t, c, "a")
}

func TestCachedRefuses(t *testing.T) {
	t.Parallel()
	if _, err := embed.NewCached(stub{}, 0); err == nil {
		t.Error("no error for a cache of no vectors")
	}
	c, err := embed.NewCached(stub{embed: func(context.Context, []string) ([][]float32, error) {
		return [][]float32{{1, 0}}, nil
	}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Embed(t.Context(), []string{"a", "b"}); !errors.Is(err, embed.ErrAnswer) {
		t.Errorf("error %v, want one for one vector for two texts", err)
	}
}
