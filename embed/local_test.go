package embed_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/embed"
)

func mustEmbed(t *testing.T, e embed.Embedder, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	return vectors
}

// near reports whether two vectors of one text agree but for rounding.
func near(a, b []float32) bool { return len(a) == len(b) && len(a) > 0 && cosine(a, b) > 1-1e-6 }

func TestLocal(t *testing.T) {
	t.Parallel()
	local := embed.NewLocal(embed.LocalOptions{Dir: embed.ModelDir(t), MaxRunes: 50})
	if diff := cmp.Diff(embed.Model{Name: "use-multilingual-3@0db566fd0af8", Dimensions: 512}, local.Model()); diff != "" {
		t.Error(diff)
	}

	t.Run("vectors have length 1 and come in order", func(t *testing.T) {
		t.Parallel()
		texts := []string{"猫在沙发上睡觉。", "The cat is sleeping on the sofa.", "Wer bezahlt die Rechnung?"}
		together := mustEmbed(t, local, texts...)
		for i, text := range texts {
			if l := length(together[i]); math.Abs(l-1) > 1e-6 {
				t.Errorf("%s: length %v", text, l)
			}
			if !near(together[i], mustEmbed(t, local, text)[0]) {
				t.Errorf("%s: not the vector it has by itself", text)
			}
		}
	})
	t.Run("one meaning in two languages is near, another is far", func(t *testing.T) {
		t.Parallel()
		v := mustEmbed(t, local, "猫在沙发上睡觉。", "The cat is sleeping on the sofa.", "下个月起我会調到高雄分公司上班。")
		if same, other := cosine(v[0], v[1]), cosine(v[0], v[2]); same < 0.7 || other > 0.4 {
			t.Errorf("cosines %.2f and %.2f", same, other)
		}
	})
	t.Run("text with nothing in it has no vector and disturbs no other", func(t *testing.T) {
		t.Parallel()
		v := mustEmbed(t, local, "", "a", " \u3000\t", "\u200b\ufeff", "\ufffd\xff", "\u200d", "。。。")
		var have []bool
		for _, vector := range v {
			have = append(have, vector != nil)
		}
		if diff := cmp.Diff([]bool{false, true, false, false, false, false, true}, have); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("no texts give no vectors", func(t *testing.T) {
		t.Parallel()
		mustEmbed(t, local)
	})
	t.Run("a long text counts up to the limit", func(t *testing.T) {
		t.Parallel()
		whole := strings.Repeat("我们在海边走了很久。", 9)
		v := mustEmbed(t, local, whole, string([]rune(whole)[:50]), string([]rune(whole)[:40]))
		if !near(v[0], v[1]) || near(v[0], v[2]) {
			t.Error("not cut at 50 code points")
		}
	})
	t.Run("characters that stand for many words do not outgrow the limit", func(t *testing.T) {
		t.Parallel()
		v := mustEmbed(t, local, strings.Repeat("ﷺ", 50))
		if math.Abs(length(v[0])-1) > 1e-6 {
			t.Error("no vector")
		}
	})
	t.Run("many callers at a time get what one gets", func(t *testing.T) {
		t.Parallel()
		texts := []string{"谁知道备用钥匙在哪？", "Who knows where the key is?", "", "張三和李四是同學。", "4 p.m., room 402"}
		want := mustEmbed(t, local, texts...)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				got, err := local.Embed(t.Context(), texts)
				if err != nil {
					t.Error(err)
					return
				}
				for i := range texts {
					if (want[i] == nil) != (got[i] == nil) || (want[i] != nil && !near(want[i], got[i])) {
						t.Errorf("%q: another vector", texts[i])
					}
				}
			})
		}
		wg.Wait()
	})
	t.Run("a call whose context is done fails with its error", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if v, err := local.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) || v != nil {
			t.Errorf("got %v, %v", v, err)
		}
	})
}

func TestLocalWithFewRowsAndOneAtATime(t *testing.T) {
	t.Parallel()
	small := embed.SharedLocal(t, embed.LocalOptions{MaxRunes: 100, CacheRows: 3, Parallel: 1})
	plain := embed.SharedLocal(t, embed.LocalOptions{MaxRunes: 100, CacheRows: 100, Parallel: 2})
	texts := []string{"我把钥匙放在抽屉里了。", "I put the key in the drawer.", "我把钥匙放在抽屉里了。"}
	want := mustEmbed(t, plain, texts...)
	for i, v := range mustEmbed(t, small, texts...) {
		if !near(v, want[i]) {
			t.Errorf("%s: another vector", texts[i])
		}
	}
}

func TestLocalWithoutItsFiles(t *testing.T) {
	t.Parallel()
	dir := embed.ModelDir(t)
	copyWith := func(t *testing.T, change func(name string, data []byte) []byte) string {
		t.Helper()
		to := t.TempDir()
		for _, name := range embed.ModelFileNames() {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if data = change(name, data); data == nil {
				continue
			}
			if err := os.WriteFile(filepath.Join(to, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return to
	}
	t.Run("no folder", func(t *testing.T) {
		t.Parallel()
		local := embed.NewLocal(embed.LocalOptions{Dir: filepath.Join(dir, "none")})
		if err := local.Ready(t.Context()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
		if _, err := local.Embed(t.Context(), []string{"a"}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("short weights", func(t *testing.T) {
		t.Parallel()
		local := embed.NewLocal(embed.LocalOptions{Dir: copyWith(t, func(name string, data []byte) []byte {
			if name == "weights.npz" {
				return data[:1000]
			}
			return data
		})})
		if err := local.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "weights.npz has 1000 bytes") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("one bit of the tokenizer wrong", func(t *testing.T) {
		t.Parallel()
		local := embed.NewLocal(embed.LocalOptions{Dir: copyWith(t, func(name string, data []byte) []byte {
			if name == "sp.model" {
				data[len(data)/2] ^= 1
			}
			return data
		})})
		if err := local.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "sp.model has SHA-256") {
			t.Errorf("error %v", err)
		}
	})
}
