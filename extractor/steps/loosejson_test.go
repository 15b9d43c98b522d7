package steps_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"relata/extractor/steps"
)

func TestJSONIsReadWithTheSlipsOfModels(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"strict JSON", `{"a":[1,-2.5e3,true,false,null,"x"],"b":{}}`, `{"a":[1,-2.5e3,true,false,null,"x"],"b":{}}`},
		{"trailing commas", `{"a":[1,2,],}`, `{"a":[1,2]}`},
		{"a comma too many, one too few", `{"a":[{"b":1}{"b":2},,{"b":3}]}`, `{"a":[{"b":1},{"b":2},{"b":3}]}`},
		{"comments", "{// first\n\"a\": \"x\", /* second, \"b\": */ \"c\": \"y\" // last\n}", `{"a":"x","c":"y"}`},
		{"a comment's marks in a text", `{"a":"http://x/*y*/"}`, `{"a":"http://x/*y*/"}`},
		{"bare line breaks and tabs in a text", "{\"a\":\"one\ntwo\tthree\"}", `{"a":"one\ntwo\tthree"}`},
		{"Chinese punctuation around Chinese text", `{“a”：“他说：好，走吧”，"b"：［`, ``},
		{"Chinese quotes, colons and commas", `{“键”：“他说：好，走吧”，＂b＂：1，}`, `{"键":"他说：好，走吧","b":1}`},
		{"Chinese quotes inside of plain ones", `{"a":"他说“好”，就走了","b":"“"}`, `{"a":"他说“好”，就走了","b":"“"}`},
		{"Chinese quotes inside of Chinese ones", `{“a”：“他说“好”就走了”}`, `{"a":"他说“好”就走了"}`},
		{"bare quotes in a text", `{"a":"他说"好"就走了","b":"she said "no", then left"}`, `{"a":"他说\"好\"就走了","b":"she said \"no\", then left"}`},
		{"bare quotes with commas between", `{"a":"says "yes", "no" and "perhaps"","b":1}`, `{"a":"says \"yes\", \"no\" and \"perhaps\"","b":1}`},
		{"indices without quotes", `{0: {"keep": True}, 1: {"keep": None}}`, `{"0":{"keep":true},"1":{"keep":null}}`},
		{"escapes, also such as escape nothing", `{"a":"\"\\\/\b\f\n\r\t\u4f60\ud83d\ude00\'\alpha\u00"}`, `{"a":"\"\\/\b\f\n\r\t你😀'\\alpha\\u00"}`},
		{"half a surrogate pair", `{"a":"好\ud83d","b":"\ud83d\u4f60"}`, `{"a":"好\ufffd","b":"\ufffd你"}`},
		{"blanks of all kinds", "\ufeff{\u3000\"a\"\u00a0:\u200b1}\r\n", `{"a":1}`},
		{"a fence behind it", "{\"a\":1}\n```", `{"a":1}`},

		{"single quotes", `{'a':1}`, ``},
		{"bare words", `{"a": keep}`, ``},
		{"a list closed as an object", `{"a":[1}`, ``},
		{"numbers that JSON does not have", `{"a": 0x10}`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, cut, ok := steps.ReadJSON(tt.in)
			if tt.want == "" {
				if ok && !cut {
					t.Errorf("read as %v", got)
				}
				return
			}
			if diff := cmp.Diff(decode(t, tt.want), got); !ok || cut || diff != "" {
				t.Errorf("ok %v, cut %v: %s", ok, cut, diff)
			}
		})
	}
}

func TestACutOffEndLosesOnlyWhatIsNotWhole(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{`, `{}`},
		{`{"a`, `{}`},
		{`{"a":`, `{}`},
		{`{"a":1`, `{}`}, // it could have been 12
		{`{"a":1,"b":"x`, `{"a":1}`},
		{`{"a":"x"`, `{"a":"x"}`},
		{`{"a":tru`, `{}`},
		{`{"a":[{"b":1},{"b":2},{"b":`, `{"a":[{"b":1},{"b":2}]}`},
		{`{"0":{"keep":true,"reason":"x"},"1":{"keep":fal`, `{"0":{"keep":true,"reason":"x"},"1":{}}`},
		{"{\"a\":[\"x\",\n```", `{"a":["x"]}`},
	} {
		got, cut, ok := steps.ReadJSON(tt.in)
		if diff := cmp.Diff(decode(t, tt.want), got); !ok || !cut || diff != "" {
			t.Errorf("%s: ok %v, cut %v: %s", tt.in, ok, cut, diff)
		}
	}
}

func decode(t *testing.T, s string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

// deepest is how deep brackets may nest, as far as can be told by counting.
func deepest(s string) int { return strings.Count(s, "{") + strings.Count(s, "[") }

// What is JSON without a slip means what JSON says.
func FuzzJSONWithoutSlipsIsReadAsItStands(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,true,null,"x, \"y\": {}"],"b":{"c":"]}"}}`, `["a",true,"b",-0.5,["c"]]`,
		`{"a\"b":"//","/*":"*/"}`, `{"键":"他说“好”：","b":"，"}`, `["a","b\\"]`, `{"":"","a":"\\"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, cut, ok := steps.ReadJSON(s) // must end, whatever it is
		s = strings.TrimSpace(s)
		if !json.Valid([]byte(s)) || !utf8.ValidString(s) || deepest(s) > 30 || s[0] != '{' && s[0] != '[' {
			return
		}
		if diff := cmp.Diff(decode(t, s), got); !ok || cut || diff != "" {
			t.Errorf("%q: ok %v, cut %v: %s", s, ok, cut, diff)
		}
	})
}
