package relations_test

import (
	"errors"
	"strings"
	"testing"

	"relata/graph"
	"relata/relations"
)

func TestNormalizeKey(t *testing.T) {
	tests := []struct {
		name string
		in   []string
		want string
	}{
		{"every spelling is one key", []string{"work_at", "Work At", "workAt", "WorkAt", "WORK_AT", " work_at ", "work-at", "__work__at_", "work\u3000at", "ｗｏｒｋ＿ａｔ", "work\u200b_at"}, "work_at"},
		{"hyphen and underscore mixed", []string{"co-founder_of", "Co-Founder Of", "co–founder of"}, "co_founder_of"},
		{"third person is kept", []string{"Works At", "worksAt"}, "works_at"},
		{"capitals stay one word", []string{"IDCard", "id_card"}, "id_card"},
		{"digits after the first letter", []string{"top3_of", "Top3 of"}, "top3_of"},
		{"one word", []string{"like", "LIKE"}, "like"},
		{"48 bytes are allowed", []string{strings.Repeat("a", 48)}, strings.Repeat("a", 48)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range tt.in {
				if got, err := relations.NormalizeKey(in); got != tt.want || err != nil {
					t.Errorf("NormalizeKey(%q) = %q, %v; want %q", in, got, err, tt.want)
				}
			}
		})
	}
	refused := []struct {
		name string
		in   []string
		code graph.RejectCode
	}{
		{"letters that are not English", []string{"führt-zu", "喜欢", "рабoтает"}, graph.RejectInvalidKey},
		{"text that would end an identifier", []string{"own`]->(x) DETACH DELETE x //", "a;b", "a\\u0060b", "own\x00"}, graph.RejectInvalidKey},
		{"nothing", []string{"", "  ", "_", "--", "\u200b"}, graph.RejectInvalidKey},
		{"a digit in front", []string{"3d_print", "1"}, graph.RejectInvalidKey},
		{"more than 48 bytes", []string{strings.Repeat("a", 49), strings.Repeat("work at ", 9)}, graph.RejectInvalidKey},
		{"what Relata uses itself", []string{"aware_of", "AWARE_OF", "awareOf", "memory subject", "added", "Retired", "supersedes", "persona_owner", "entity-alias", "in_space"}, graph.RejectReservedKey},
	}
	for _, tt := range refused {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range tt.in {
				got, err := relations.NormalizeKey(in)
				ke, ok := errors.AsType[*relations.KeyError](err)
				if got != "" || !ok || ke.Code != tt.code || ke.Key != in {
					t.Errorf("NormalizeKey(%q) = %q, %v; want code %s", in, got, err, tt.code)
				}
			}
		})
	}
}

func TestTypeName(t *testing.T) {
	for _, structural := range graph.StructuralTypes() {
		if structural != relations.TypeName(strings.ToLower(structural)) {
			t.Errorf("%s is not the type of its own key", structural)
		}
		if _, err := relations.NormalizeKey(strings.ToLower(structural)); err == nil {
			t.Errorf("%s may be made a key", strings.ToLower(structural))
		}
	}
}

func FuzzNormalizeKey(f *testing.F) {
	for _, s := range []string{"Works At", "worksAt", "WORK_AT", " work_at ", "co-founder_of", "führt-zu", "own`]->(x) DETACH DELETE x //", "喜欢", "", "ID3Card", "ﬁnd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, err := relations.NormalizeKey(s)
		if err != nil {
			if key != "" {
				t.Fatalf("NormalizeKey(%q) = %q with an error", s, key)
			}
			return
		}
		if again, err := relations.NormalizeKey(key); again != key || err != nil {
			t.Fatalf("NormalizeKey(%q) = %q, of that %q, %v", s, key, again, err)
		}
		if fromType, err := relations.NormalizeKey(relations.TypeName(key)); fromType != key || err != nil {
			t.Fatalf("the type %s reads back as %q, %v", relations.TypeName(key), fromType, err)
		}
		if key == "" || len(key) > relations.MaxKeyBytes || key[0] < 'a' || key[0] > 'z' ||
			strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" ||
			strings.Contains(key, "__") || strings.HasSuffix(key, "_") {
			t.Fatalf("NormalizeKey(%q) = %q, which is no key", s, key)
		}
	})
}
