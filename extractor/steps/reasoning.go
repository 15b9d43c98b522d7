package steps

import "strings"

// Marks around a model's thinking. Some runtimes leak it, some its end alone.
var (
	reasoningStarts = []string{"<think>", "<thinking>", "<thought>", "<reasoning>", "<seed:think>", "[think]", "◁think▷"}
	reasoningEnds   = []string{
		"</think>", "</thinking>", "</thought>", "</thoughts>", "</reasoning>", "</reflection>",
		"</seed:think>", "[/think]", "◁/think▷", "<|end_of_thought|>", "<|channel|>final<|message|>",
	}
)

// markAt gives the length of the mark that s begins with, 0 for none, and
// whether it ends thinking.
func markAt(s string) (end bool, length int) {
	switch {
	case s[0] == '<', strings.HasPrefix(s, "◁"), hasFold(s, "[t"), hasFold(s, "[/"):
	default:
		return false, 0
	}
	for _, m := range reasoningEnds {
		if hasFold(s, m) {
			return true, len(m)
		}
	}
	for _, m := range reasoningStarts {
		if hasFold(s, m) {
			return false, len(m)
		}
	}
	return false, 0
}

func hasFold(s, mark string) bool {
	return len(s) >= len(mark) && strings.EqualFold(s[:len(mark)], mark)
}

// toReasoningEnd gives the length of s up to and with the first end of thinking,
// -1 for none.
func toReasoningEnd(s string) int {
	for i := range s {
		if end, n := markAt(s[i:]); end {
			return i + n
		}
	}
	return -1
}
