package relations

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"relata/graph"
)

// Limits on what a diff may hold, in bytes of UTF-8. Neo4j's range indexes
// refuse values of about 8 kB, and subjects and objects are looked up through
// them together with the space's name.
const (
	MaxContentBytes         = 8000
	MaxNameBytes            = 1000
	MaxRelationContentBytes = 2000
	MaxTagBytes             = 200
	MaxTags                 = 32
)

// clean gives a text as it is stored: valid UTF-8, line ends as \n, other
// control characters dropped, trimmed. Spelling, width and inner blanks stay.
func clean(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// blank says whether nothing visible is in a text.
func blank(s string) bool { return graph.Fold(s) == "" }

// looseText gives a sentence as loose matching sees it: folded, blanks dropped
// except between digits, one style of quotes, dashes and stops, no closing
// punctuation. A text of punctuation alone stays as it is.
func looseText(s string) string {
	key := graph.ContentKey(s)
	if key == "" {
		key = graph.Fold(s)
	}
	return punctuation.Replace(graph.EntityKey(key))
}

var punctuation = strings.NewReplacer(
	"“", `"`, "”", `"`, "„", `"`, "「", `"`, "」", `"`, "『", `"`, "』", `"`, "«", `"`, "»", `"`,
	"‘", "'", "’", "'", "–", "-", "—", "-", "‐", "-", "。", ".", "、", ",", "《", `"`, "》", `"`,
)

// tagList gives tags as stored: cleaned, without blanks and repetitions.
func tagList(tags []string) []string {
	out := make([]string, 0, len(tags))
	seen := make(map[string]bool, len(tags))
	for _, t := range tags {
		t = clean(t)
		key := graph.Fold(t)
		if key == "" || seen[key] || len(t) > MaxTagBytes || len(out) == MaxTags {
			continue
		}
		seen[key] = true
		out = append(out, t)
	}
	return out
}
