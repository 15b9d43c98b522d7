package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/longbridgeapp/opencc"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold gives text as it is compared and searched by words: NFKC, case folded,
// traditional Chinese as simplified, every run of blanks one space, trimmed,
// control and other invisible characters dropped. It is idempotent.
func Fold(s string) string {
	if folded, ok := foldPlain(s); ok {
		return folded
	}
	return foldFully(s)
}

func foldFully(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	// Each step can make work for another (a dropped character brings a base
	// and its mark together), so fold until nothing moves; text rarely needs a
	// second round, and nothing found so far a fourth.
	for range 4 {
		next := foldOnce(s)
		if next == s {
			break
		}
		s = next
	}
	return s
}

// foldPlain folds text of ASCII, common Han characters and their punctuation in
// one pass, which is nearly all text; ok is false where other characters need
// the whole treatment. A search folds hundreds of sentences.
func foldPlain(s string) (folded string, ok bool) {
	table := simplified()
	b := make([]byte, 0, len(s))
	blank := false
	for _, r := range s {
		switch {
		case r >= 0xff01 && r <= 0xff5e: // full-width forms
			r -= 0xff01 - '!'
		case r >= 0x4e00 && r <= 0x9fff:
			if simple, ok := table[r]; ok {
				r = simple
			}
		case r == '\u3000':
			r = ' '
		case r == '。' || r == '、' || r == '《' || r == '》' || r == '「' || r == '」' || r == '“' || r == '”' || r == '‘' || r == '’' || r == '—':
		case r >= utf8.RuneSelf:
			return "", false
		}
		switch {
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r == ' ' || r >= '\t' && r <= '\r':
			blank = true
			continue
		case r < ' ' || r == 0x7f:
			continue
		}
		if blank && len(b) > 0 {
			b = append(b, ' ')
		}
		blank = false
		b = utf8.AppendRune(b, r)
	}
	return string(b), true
}

func foldOnce(s string) string {
	s = cases.Fold().String(norm.NFKC.String(s))
	s = norm.NFKC.String(simplify(s))
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || r == '\u200b':
			blank = true
			continue
		case unicode.Is(unicode.C, r) && r != '\u200d': // joiners hold emoji together
			continue
		case r >= 0xab70 && r <= 0xabbf: // small Cherokee: the library folds both ways
			r -= 0xab70 - 0x13a0
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		b.WriteRune(r)
	}
	return b.String()
}

// EntityKey gives the identity key of a name: [Fold], then blanks dropped
// except between two digits. "System Admin", "system  admin" and "SystemAdmin"
// are one; "李明" and "李明华" are two; "" means that the name is blank.
func EntityKey(name string) string {
	s := Fold(name)
	if !strings.Contains(s, " ") {
		return s
	}
	rs := []rune(s)
	var b strings.Builder
	for i, r := range rs {
		// Fold leaves single inner blanks only, so both neighbours exist.
		if r == ' ' && (!unicode.IsDigit(rs[i-1]) || !unicode.IsDigit(rs[i+1])) {
			continue
		}
		b.WriteRune(r)
	}
	// Dropping a blank can bring a base and a mark together.
	return norm.NFKC.String(b.String())
}

// ContentKey gives a sentence as its identity sees it: [Fold], then closing
// punctuation dropped.
func ContentKey(content string) string {
	return strings.TrimRightFunc(Fold(content), func(r rune) bool {
		return unicode.IsPunct(r) || unicode.IsSpace(r)
	})
}

// Fingerprint gives the identity of a memory within its space and relation, 32
// hex digits. The relation is a property beside it, not part of it, so that
// renaming a relation rewrites no fingerprint (docs/decisions.md). A content
// that is all punctuation is its own key.
func Fingerprint(subjectKey, objectKey, content string) string {
	ck := ContentKey(content)
	if ck == "" {
		ck = Fold(content)
	}
	sum := sha256.Sum256([]byte(subjectKey + "\x00" + objectKey + "\x00" + ck))
	return hex.EncodeToString(sum[:16])
}

// simplify turns traditional characters into simplified ones, character by
// character: phrase rules would make a key depend on its neighbours.
func simplify(s string) string {
	var b strings.Builder
	changed := false
	for i, r := range s {
		simple, ok := rune(0), false
		if r >= 0x2e80 {
			simple, ok = simplified()[r]
		}
		if ok && !changed {
			changed = true
			b.Grow(len(s))
			b.WriteString(s[:i])
		}
		switch {
		case ok:
			b.WriteRune(simple)
		case changed:
			b.WriteRune(r)
		}
	}
	if !changed {
		return s
	}
	return b.String()
}

// simplified maps each traditional character to its simplified form. It is made
// on first use, since most commands never need it.
var simplified = sync.OnceValue(func() map[rune]rune {
	cc, err := opencc.New("t2s")
	if err != nil {
		// The tables are embedded in the library: failing here is a broken build.
		panic("graph: load the conversion tables: " + err.Error())
	}
	table := make(map[rune]rune, 4096)
	for r := rune(0x3400); r <= 0x9fff; r++ {
		out, err := cc.Convert(string(r))
		if err != nil {
			continue
		}
		if simple, size := utf8.DecodeRuneInString(out); simple != r && size == len(out) {
			table[r] = simple
		}
	}
	// A chain of two steps would make folding twice differ from folding once.
	for from, to := range table {
		if next, ok := table[to]; ok {
			table[from] = next
		}
	}
	return table
})
