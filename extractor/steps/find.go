package steps

import (
	"fmt"
	"reflect"
	"strings"
)

// fit says how well a value fits what a step asks for.
type fit int

const (
	unfit fit = iota
	// hollow values, such as {}, are the answer only where there is no other.
	hollow
	fits
)

// longestAnswer is more than models can say, in bytes.
const longestAnswer = 1 << 20

// find takes the answers out of a text: all values that fit and stand outside of
// reasoning, without repetitions. Where JSON is broken, or an answer seems to go
// on behind its end, a text that was copied raw may have broken out of its
// string, and nothing is taken.
func find(s string, judge func(value) fit) ([]value, error) {
	if strings.TrimFunc(s, isBlank) == "" {
		return nil, ErrEmpty
	}
	if len(s) > longestAnswer {
		return nil, fmt.Errorf("%w: it is %d bytes long", ErrMalformed, len(s))
	}
	f := finder{parser: newParser(s), judge: judge}
	for f.at < len(s) {
		f.step()
	}
	return f.result()
}

type finder struct {
	*parser
	judge func(value) fit

	got     []value
	empty   []value // hollow ones
	cutOff  bool    // JSON that is no answer ended too early
	broken  bool    // there is JSON that cannot be read
	quoted  bool    // after an answer: the last that was seen is a quote
	objects bool    // JSON objects were seen
	endless bool    // no end of reasoning is to come
}

// step reads one thing at the top level: a mark of reasoning, a value, or a
// character of chatter.
func (f *finder) step() {
	switch end, mark := markAt(f.s[f.at:]); {
	case mark > 0 && end:
		// What came before was thinking.
		f.at += mark
		*f = finder{parser: f.parser, judge: f.judge, endless: f.endless}
		return
	case mark > 0:
		f.at += mark
		f.skipReasoning()
		return
	}
	switch c := f.s[f.at]; c {
	case '{', '[':
		f.candidate()
	default:
		r, size := f.rune()
		if len(f.got) > 0 && f.quoted && (isColon(r) || r == '}' || r == ']') {
			f.broken = true
		}
		f.quoted = isQuote(r) || f.quoted && isBlank(r)
		f.at += size
	}
}

// skipReasoning moves behind the end of the reasoning that has begun. Where that
// never ends, what follows is no answer; behind an answer it is still looked at,
// for signs that the answer goes on.
func (f *finder) skipReasoning() {
	if !f.endless {
		if n := toReasoningEnd(f.s[f.at:]); n >= 0 {
			f.at += n
			return
		}
		f.endless = true
	}
	if len(f.got) == 0 {
		f.cutOff = true
		f.at = len(f.s)
	}
}

// candidate reads what may be JSON. Where it is not, the search goes on behind
// the fault, so that nothing inside of broken JSON is taken for an answer.
func (f *finder) candidate() {
	start := f.at
	f.pairs, f.quoted = false, false
	v, ok := f.value(0, asElement)
	if !ok {
		f.broken = f.broken || f.pairs
		f.at = max(f.at, start+1)
		return
	}
	f.objects = f.objects || f.pairs
	switch f.judge(v) {
	case fits:
		// Some models say the same twice: as a draft, and as the answer.
		if len(f.got) != 1 || !reflect.DeepEqual(f.got[0], v) {
			f.got = append(f.got, v)
		}
	case hollow:
		f.empty = append(f.empty, v)
	case unfit:
		f.cutOff = f.cutOff || v.cut && f.pairs
	}
}

func (f *finder) result() ([]value, error) {
	switch {
	case f.ahead <= 0:
		return nil, fmt.Errorf("%w: its quotes and comments are too tangled to read", ErrMalformed)
	case f.broken:
		return nil, fmt.Errorf("%w: its JSON is broken", ErrMalformed)
	case len(f.got) > 0 && f.cutOff:
		return nil, fmt.Errorf("%w: there is more JSON, without an end", ErrMalformed)
	case len(f.got) > 0:
		return f.got, nil
	case f.cutOff:
		return nil, ErrCutOff
	case len(f.empty) > 0:
		return f.empty[:1], nil
	case f.objects:
		return nil, fmt.Errorf("%w: its JSON has other fields", ErrNoAnswer)
	}
	return nil, fmt.Errorf("%w: it holds no JSON object", ErrNoAnswer)
}

// findOne takes the only answer.
func findOne(s string, judge func(value) fit) (value, error) {
	got, err := find(s, judge)
	if err != nil {
		return value{}, err
	}
	if len(got) > 1 {
		return value{}, fmt.Errorf("%w: it holds %d answers that differ", ErrMalformed, len(got))
	}
	return got[0], nil
}
