package graph_test

import (
	"testing"

	"relata/graph"
)

func TestEntityKey(t *testing.T) {
	tests := []struct {
		name string
		in   []string // all one identity
		not  []string // other identities
	}{
		{"case and blanks", []string{"System Admin", "system  admin", "SystemAdmin", " System\u00a0Admin\u200b"}, []string{"系统管理员"}},
		{"full width", []string{"ＧＰＴ－４", "GPT-4"}, []string{"GPT 5"}},
		{"full-width brackets", []string{"（南京）", "(南京)"}, []string{"南京"}},
		{"composed and decomposed", []string{"Zoë", "Zoe\u0308"}, []string{"Zoe"}},
		{"traditional and simplified", []string{"李明華", "李明华"}, []string{"李明"}},
		{"symbols hold", []string{"C++", "Ｃ＋＋"}, []string{"C", "C#"}},
		{"a blank between digits holds", []string{"12 5"}, []string{"125"}},
		{"variant of the same word", []string{"後端", "后端"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := graph.EntityKey(tt.in[0])
			for _, s := range tt.in {
				if got := graph.EntityKey(s); got != want {
					t.Errorf("EntityKey(%q) = %q, want %q", s, got, want)
				}
			}
			for _, s := range tt.not {
				if got := graph.EntityKey(s); got == want {
					t.Errorf("EntityKey(%q) = %q, want another identity than %q", s, got, tt.in[0])
				}
			}
		})
	}
	for _, blank := range []string{"", " ", "\u3000\t\n", "\u200b", "\x00"} {
		if got := graph.EntityKey(blank); got != "" {
			t.Errorf("EntityKey(%q) = %q, want empty", blank, got)
		}
	}
}

func TestFingerprint(t *testing.T) {
	base := graph.Fingerprint("阿岩", "香菜", "阿岩爱吃香菜。")
	same := []string{"阿岩爱吃香菜", "阿岩愛吃香菜!", " 阿岩爱吃香菜 。", "阿岩爱吃香菜！！"}
	for _, s := range same {
		if graph.Fingerprint("阿岩", "香菜", s) != base {
			t.Errorf("Fingerprint of %q differs", s)
		}
	}
	for _, other := range [][3]string{
		{"阿岩", "香菜", "阿岩不爱吃香菜。"},
		{"阿岩香", "菜", "阿岩爱吃香菜。"},
		{"小满", "香菜", "阿岩爱吃香菜。"},
	} {
		if graph.Fingerprint(other[0], other[1], other[2]) == base {
			t.Errorf("Fingerprint of %q is the same", other)
		}
	}
	if graph.Fingerprint("a", "b", "?") == graph.Fingerprint("a", "b", "!") {
		t.Error("contents of punctuation alone are one")
	}
}

func FuzzEntityKey(f *testing.F) {
	for _, s := range []string{"阿岩", "System  Admin", "Zoe\u0308", "ﷺ", "㍿ 乾坤", "1 2 3", "\xff\xfe", "ǰ ι̇", "Σίσυφος"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := graph.Fold(s)
		if long := graph.FoldSlowly(s); long != once {
			t.Fatalf("Fold(%q) = %q, the whole treatment gives %q", s, once, long)
		}
		if twice := graph.Fold(once); twice != once {
			t.Fatalf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
		key := graph.EntityKey(s) // a key is its own key
		if again := graph.EntityKey(key); again != key {
			t.Fatalf("EntityKey(%q) = %q, of that %q", s, key, again)
		}
	})
}
