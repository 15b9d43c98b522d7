package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// spaceMark stands for a space in normalised text, as in SentencePiece.
const spaceMark = "▁"

// normalizer rewrites text by the rules compiled into a SentencePiece model
// (nmt_nfkc: NFKC with some additions, no case folding): the longest rule
// that matches at a position wins, over several code points if need be.
type normalizer struct {
	// units is a darts-clone double array over the bytes of the rules' left
	// sides. Bits 0–7 of a unit: its label; bit 8: a value hangs below it; bit
	// 31: it is a value; offset: bits 10–30, 8 bits further left if bit 9.
	units []uint32
	// texts holds the right sides, each ended by a zero byte. A value is an
	// offset into it.
	texts string
}

const (
	unitValue    = 1 << 31
	unitHasValue = 1 << 8
)

// newNormalizer reads a charsmap: the size of the double array in bytes, the
// array, and the texts, all little-endian.
func newNormalizer(charsmap []byte) (*normalizer, error) {
	if len(charsmap) < 4 {
		return nil, errors.New("read normalisation rules: shorter than their header")
	}
	size := binary.LittleEndian.Uint32(charsmap)
	rest := charsmap[4:]
	if size < 4 || size%4 != 0 || uint64(size) > uint64(len(rest)) {
		return nil, fmt.Errorf("read normalisation rules: a trie of %d bytes in %d bytes", size, len(rest))
	}
	n := &normalizer{units: make([]uint32, size/4), texts: string(rest[size:])}
	for i := range n.units {
		n.units[i] = binary.LittleEndian.Uint32(rest[4*i:])
	}
	if len(n.texts) == 0 || n.texts[len(n.texts)-1] != 0 {
		return nil, errors.New("read normalisation rules: the last replacement has no end")
	}
	for _, u := range n.units {
		if u&unitValue != 0 && int(u&^unitValue) >= len(n.texts) {
			return nil, errors.New("read normalisation rules: a rule points outside the replacements")
		}
	}
	return n, nil
}

func unitOffset(u uint32) uint32 { return u >> 10 << (u & (1 << 9) >> 6) }

// next returns the replacement for the beginning of text, which may be empty,
// and how many bytes of text it stands for. text must not be empty.
func (n *normalizer) next(text string) (replacement string, length int) {
	value := -1
	node := unitOffset(n.units[0])
	for i := range len(text) {
		node ^= uint32(text[i])
		if node >= uint32(len(n.units)) {
			break
		}
		u := n.units[node]
		if u&(unitValue|0xff) != uint32(text[i]) {
			break
		}
		node ^= unitOffset(u)
		if u&unitHasValue != 0 && node < uint32(len(n.units)) {
			value, length = int(n.units[node]&^unitValue), i+1
		}
	}
	if value < 0 || value >= len(n.texts) {
		_, length = utf8.DecodeRuneInString(text)
		return text[:length], length
	}
	replacement, _, _ = strings.Cut(n.texts[value:], "\x00")
	return replacement, length
}

// normalize returns text in the form in which it is cut into pieces: words
// after a space mark each, no other spaces. It is empty if nothing is left.
func (n *normalizer) normalize(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	for text != "" {
		replacement, length := n.next(text)
		if replacement != " " {
			break
		}
		text = text[length:]
	}
	if text == "" {
		return ""
	}
	var out strings.Builder
	out.Grow(len(text) + len(text)/4 + len(spaceMark))
	out.WriteString(spaceMark)
	afterSpace := true
	for text != "" {
		replacement, length := n.next(text)
		text = text[length:]
		if afterSpace {
			replacement = strings.TrimLeft(replacement, " ")
		}
		if replacement == "" {
			continue
		}
		for i := range len(replacement) {
			if replacement[i] == ' ' {
				out.WriteString(spaceMark)
			} else {
				out.WriteByte(replacement[i])
			}
		}
		afterSpace = replacement[len(replacement)-1] == ' '
	}
	s := out.String()
	for strings.HasSuffix(s, spaceMark) {
		s = strings.TrimSuffix(s, spaceMark)
	}
	return s
}
