package mcp

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"relata/graph"
	"relata/relations"
)

var example = regexp.MustCompile("(?s)```json\n(.*?)```")

// strict decodes what the surface itself reads and writes, so that an example
// with a field that is none, or of another type, fails.
func strict(t *testing.T, text string, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Errorf("%v in %s", err, text)
	}
}

func TestExamplesOfTheSkillAreTrue(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		t.Run(lang, func(t *testing.T) {
			var asked []json.RawMessage // by the request before
			requests, answers := 0, 0
			for _, m := range example.FindAllStringSubmatch(string(Skill(lang)), -1) {
				if !strings.Contains(m[1], `"results"`) {
					var in searchInput
					strict(t, m[1], &in)
					for _, q := range in.Queries {
						checkQuery(t, q)
					}
					asked = in.Queries
					requests++
					continue
				}
				var out searchAnswer
				strict(t, m[1], &out)
				checkAnswer(t, asked, out)
				answers++
			}
			if requests < 3 || answers < 2 {
				t.Errorf("%d requests and %d answers", requests, answers)
			}
		})
	}
}

func checkQuery(t *testing.T, sent json.RawMessage) {
	t.Helper()
	strict(t, string(sent), &query{})
	q, err := readQuery(sent)
	if err != nil {
		t.Errorf("%v in %s", err, sent)
	}
	if q.All != (q.Index0 == "") || strings.TrimSpace(q.Memory) == "" || q.Limit != 0 && (q.Limit < 10 || q.Limit > 50) {
		t.Errorf("the query cannot be answered: %s", sent)
	}
	if !q.All {
		if _, err := graph.ParseCategory(q.Index0, q.Index1); err != nil {
			t.Error(err)
		}
	}
}

func checkAnswer(t *testing.T, asked []json.RawMessage, a searchAnswer) {
	t.Helper()
	if len(a.Results) != len(asked) {
		t.Fatalf("%d results for %d queries", len(a.Results), len(asked))
	}
	for i, r := range a.Results {
		var was, is any
		if err := json.Unmarshal(asked[i], &was); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(r.Query, &is); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(was, is); diff != "" {
			t.Errorf("query %d does not come back as sent:\n%s", i, diff)
		}
		for _, h := range r.Hints {
			if _, err := time.Parse(relations.DateLayout, h.CreatedAt); err != nil || h.ID <= 0 || h.Memory == "" || h.MsgIDs == nil {
				t.Errorf("hint %+v: %v", h, err)
			}
		}
	}
}

func TestTheSkillListsEveryCategory(t *testing.T) {
	all := map[string][]string{
		graph.Event: {"owner", "other", "self"}, graph.Profile: {"owner", "other", "self"}, graph.Method: {"general"},
		graph.Knowledge: {"文史", "理工", "生活", "娱乐", "梗知识", "其他", "humanities", "science", "life", "entertainment", "meme", "other"},
	}
	for _, lang := range []string{"en", "zh"} {
		rows := make(map[string]string)
		for line := range strings.SplitSeq(string(Skill(lang)), "\n") {
			cells := strings.Split(line, "|")
			if len(cells) < 6 {
				continue
			}
			first, err := graph.ParseCategory(strings.TrimSpace(cells[1]), "")
			if err != nil {
				continue // another table
			}
			second, err := graph.ParseCategory(strings.TrimSpace(cells[2]), "")
			if err != nil || first != second {
				t.Errorf("%s: %s and %s are not the same: %v", lang, cells[1], cells[2], err)
			}
			rows[first.Index0] = cells[3]
			for word := range strings.FieldsFuncSeq(cells[3], func(r rune) bool { return r == ',' || r == ' ' }) {
				if _, err := graph.ParseCategory(first.Index0, word); err != nil {
					t.Errorf("%s: %v", lang, err)
				}
			}
		}
		for index0, names := range all {
			for _, name := range names {
				if !strings.Contains(rows[index0], name) {
					t.Errorf("%s: %s lacks %s", lang, index0, name)
				}
			}
		}
	}
}

func TestTheSkillBeginsWithItsFrontMatter(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		head, _, ok := strings.Cut(strings.TrimPrefix(string(Skill(lang)), "---\n"), "\n---\n")
		if !ok || !strings.HasPrefix(head, "name: search-long-term-memory\ndescription: ") || strings.Count(head, "\n") != 1 {
			t.Errorf("%s: %s", lang, head)
		}
	}
}

func TestTheSkillComesInTheLanguageAskedFor(t *testing.T) {
	for _, x := range []struct{ name, lang, want string }{
		{"nothing asked", "", "en"},
		{"a language", "zh", "zh"},
		{"with a region", "zh-CN", "zh"},
		{"as a header has it", "zh-TW,zh;q=0.9,en;q=0.5", "zh"},
		{"a language that is not there", "fr", "en"},
		{"no language at all", "\x00", "en"},
	} {
		t.Run(x.name, func(t *testing.T) {
			want := skillEnglish
			if x.want == "zh" {
				want = skillChinese
			}
			if !bytes.Equal(Skill(x.lang), want) {
				t.Errorf("not the file in %s", x.want)
			}
		})
	}
}

func TestEveryToolIsDescribed(t *testing.T) {
	for _, tool := range []string{"instructions", "search_long_term_memory", "remember", "propose_diff", "who_knows", "get_messages", "list_relations"} {
		if len(description(tool)) < 100 {
			t.Errorf("%s has no description", tool)
		}
	}
	text := description("propose_diff")
	at := strings.Index(text, `{"relations": {"increments"`)
	end := strings.LastIndex(text, "}}]}}") + len("}}]}}")
	var p relations.Proposal
	strict(t, text[at:end], &p)
	if len(p.Memories.Replaces) != 1 || len(p.Memories.Increments) != 1 || len(p.Relations.Increments) != 1 {
		t.Errorf("the example reads as %+v", p)
	}
}
