package extractor

import "strings"

// reasoningEnds close a model's thinking; some runtimes leak the close alone.
var reasoningEnds = []string{
	"</think>", "</thinking>", "</thought>", "</thoughts>", "</reasoning>", "</reflection>",
	"</seed:think>", "[/think]", "◁/think▷", "<|end_of_thought|>", "<|channel|>final<|message|>",
}

// reasoningStarts are looked for only where no end follows.
var reasoningStarts = []string{"<think>", "<thinking>", "<thought>", "<reasoning>", "<seed:think>", "[think]", "◁think▷"}

// mostReasoningEnds bounds how many ends are examined, from the last one back.
const mostReasoningEnds = 8

// dropReasoning gives what follows the last end of leaked reasoning. An end that
// stands inside a memory's text is text. Where a diff seems to begin behind an
// end that stands inside a memory's text, draft and injection cannot be told
// apart, and the answer is refused.
func dropReasoning(text string) (string, error) {
	low := asciiLower(text)
	until := len(low)
	for range mostReasoningEnds {
		pos, size := lastOf(low[:until], reasoningEnds)
		if pos < 0 {
			break
		}
		until = pos
		rest := text[pos+size:]
		next := firstGrammarTag(rest)
		switch {
		case next.kind != endOfText && (next.kind == closeTag || !isRoot(next.name)):
			continue // the middle of a memory
		case !endsInsideLeaf(text[:pos]):
			return rest, nil
		case next.kind != endOfText:
			return "", &AnswerError{KindMalformed, "a second diff begins inside the text of a memory"}
		}
	}
	if until < len(low) {
		return text, nil
	}
	start := -1
	for _, s := range reasoningStarts {
		if i := strings.Index(low, s); i >= 0 && (start < 0 || i < start) {
			start = i
		}
	}
	if start >= 0 && !hasRoot(text[:start]) {
		return "", &AnswerError{KindMaxTokens, "the answer ends before the model's reasoning does"}
	}
	return text, nil
}

// lastOf gives place and length of the last of words in s, -1 for none.
func lastOf(s string, words []string) (pos, size int) {
	pos = -1
	for _, w := range words {
		if i := strings.LastIndex(s, w); i > pos {
			pos, size = i, len(w)
		}
	}
	return pos, size
}

func firstGrammarTag(s string) tag {
	for _, t := range scanTags(s) {
		if t.kind == endOfText || (t.kind <= emptyTag && isGrammar(t.name)) {
			return t
		}
	}
	return tag{kind: endOfText}
}

func hasRoot(s string) bool { return newReader(s, &Report{}).firstRoot() >= 0 }

func endsInsideLeaf(s string) bool {
	r := newReader(s, &Report{})
	r.document()
	return r.insideLeaf
}

// asciiLower lowers letters without changing any offset.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
