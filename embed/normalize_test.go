package embed

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func realNormalizer(t testing.TB) *normalizer {
	t.Helper()
	voc, err := parseVocabulary(readModelFile(t, tokenizerFile))
	if err != nil {
		t.Fatal(err)
	}
	n, err := newNormalizer(voc.charsmap)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	n := realNormalizer(t)
	for _, tt := range []struct{ name, in, want string }{
		{"runs of white space become one mark", "a\tb\r\nc", "▁a▁b▁c"},
		{"space at both ends goes", "  a  b ", "▁a▁b"},
		{"invisible spaces are spaces", "a\u200bb\ufeffc\u2028d\u3000e", "▁a▁b▁c▁d▁e"},
		{"broken UTF-8 is a space", "a\xff\xfeb", "▁a▁b"},
		{"joiners, soft hyphens and controls stay", "a\u200d\u00ad\x00\x07\x7fb", "▁a\u200d\u00ad\x00\x07\x7fb"},
		{"ellipses become dots", "……", "▁......"},
		{"some full-width punctuation becomes ASCII", "，！：；", "▁,!:;"},
		{"other punctuation stays", "。～“”", "▁。～“”"},
		{"a fraction is taken apart", "½", "▁1⁄2"},
		{"a square word is taken apart", "㍿", "▁株式会社"},
		{"one character may become several words", "ﷺ", "▁صلى▁الله▁عليه▁وسلم"},
		{"rules reach over code points", "e\u0301 ｶﾞ \u1112\u1161\u11ab", "▁é▁ガ▁한"},
		{"case stays", "İSS", "▁İSS"},
		{"traditional and simplified stay", "開开", "▁開开"},
		{"marks at the end go, even literal ones", "a ▁▁", "▁a"},
		{"literal marks within are spaces", "a▁▁b", "▁a▁b"},
		{"nothing gives nothing", "", ""},
		{"spaces give nothing", " \u3000\u200b\ufffd\t", ""},
		{"literal marks give nothing", "▁▁", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := n.normalize(tt.in); got != tt.want {
				t.Errorf("normalize(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzNormalize(f *testing.F) {
	n := realNormalizer(f)
	for _, text := range []string{"", " a\t", "…½㍿ﷺ", "e\u0301\x00", "ｶﾞ\xff", "▁ ▁x▁"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := n.normalize(text)
		switch {
		case !utf8.ValidString(got):
			t.Errorf("%q is not UTF-8", got)
		case got == "":
		case !strings.HasPrefix(got, spaceMark), strings.HasSuffix(got, spaceMark), strings.Contains(got, " "):
			t.Errorf("%q is not normalised", got)
		}
	})
}

// smallCharsmap has the one rule that A becomes a.
func smallCharsmap() []byte {
	units := make([]uint32, 256)
	units[0] = 1 << 10 // the root's children are at 1 xor label
	units['A'^1] = 'A' | unitHasValue | ('A'^1^2)<<10
	units[2] = unitValue
	out := []byte{0, 4, 0, 0}
	for _, u := range units {
		out = append(out, byte(u), byte(u>>8), byte(u>>16), byte(u>>24))
	}
	return append(out, 'a', 0)
}

func TestNormalizerOfOneRule(t *testing.T) {
	t.Parallel()
	n, err := newNormalizer(smallCharsmap())
	if err != nil {
		t.Fatal(err)
	}
	// Without a rule for it, even a space is nothing special.
	if got, want := n.normalize("AbA中"), "▁aba中"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNewNormalizerRefusesDamage(t *testing.T) {
	t.Parallel()
	whole := smallCharsmap()
	for size := range len(whole) {
		if _, err := newNormalizer(whole[:size]); err == nil {
			t.Errorf("no error for the first %d of %d bytes", size, len(whole))
		}
	}
	outside := smallCharsmap()
	outside[4+2*4] = 9 // the value of the rule
	if _, err := newNormalizer(outside); err == nil {
		t.Error("no error for a rule that points outside the replacements")
	}
}

func FuzzNewNormalizer(f *testing.F) {
	f.Add(smallCharsmap(), "AbA")
	f.Add([]byte{4, 0, 0, 0, 1, 0, 0, 0, 0}, "中")
	f.Fuzz(func(_ *testing.T, charsmap []byte, text string) {
		if n, err := newNormalizer(charsmap); err == nil {
			n.normalize(text)
		}
	})
}
