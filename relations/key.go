package relations

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"relata/graph"
)

// MaxKeyBytes bounds a relation key. The longest keys that models and people
// were seen to make have some 30 letters; an edge type must stay readable as a
// caption.
const MaxKeyBytes = 48

// KeyError says why a text is no relation key.
type KeyError struct {
	Key    string // as written
	Code   graph.RejectCode
	Reason string
}

// Error names the key and what is wrong with it.
func (e *KeyError) Error() string { return fmt.Sprintf("relation key %q %s", e.Key, e.Reason) }

// NormalizeKey gives the one canonical spelling of a relation key: lower-case
// English words and digits joined by single underscores, beginning with a
// letter. "Works At", "worksAt" and "works-at" are all "works_at". Anything
// else is a [*KeyError] with RejectInvalidKey, and a key whose edge type Relata
// uses for itself one with RejectReservedKey. It is idempotent.
func NormalizeKey(s string) (string, error) {
	invalid := func(reason string) (string, error) {
		return "", &KeyError{Key: s, Code: graph.RejectInvalidKey, Reason: reason}
	}
	rs := []rune(norm.NFKC.String(s))
	var b strings.Builder
	gap := false
	for i, r := range rs {
		switch {
		case r == '_' || unicode.IsSpace(r) || unicode.Is(unicode.Pd, r):
			gap = true
			continue
		case unicode.Is(unicode.Cf, r): // invisible: zero-width blanks, marks of direction
			continue
		case 'A' <= r && r <= 'Z':
			if i > 0 && wordBegins(rs, i) {
				gap = true
			}
			r += 'a' - 'A'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		default:
			return invalid("must hold English words joined by _ and nothing else")
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(r)
	}
	key := b.String()
	switch {
	case key == "":
		return invalid("is empty")
	case key[0] < 'a':
		return invalid("must begin with a letter")
	case len(key) > MaxKeyBytes:
		return invalid(fmt.Sprintf("is longer than %d letters", MaxKeyBytes))
	case graph.IsStructuralType(TypeName(key)):
		return "", &KeyError{Key: s, Code: graph.RejectReservedKey, Reason: "is reserved: Relata uses " + TypeName(key) + " for itself"}
	}
	return key, nil
}

// wordBegins says whether the capital at i begins a word: after a small letter
// or digit (worksAt), or as the last of several capitals (IDCard).
func wordBegins(rs []rune, i int) bool {
	before := rs[i-1]
	if unicode.IsLower(before) || unicode.IsDigit(before) {
		return true
	}
	return unicode.IsUpper(before) && i+1 < len(rs) && 'a' <= rs[i+1] && rs[i+1] <= 'z'
}

// TypeName gives the relationship type of a canonical key: its upper case.
func TypeName(key string) string { return strings.ToUpper(key) }
