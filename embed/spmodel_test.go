package embed

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// message builds a protobuf message, field by field.
type message []byte

func (m message) bytes(tag uint64, value []byte) message {
	m = binary.AppendUvarint(m, tag<<3|wireBytes)
	m = binary.AppendUvarint(m, uint64(len(value)))
	return append(m, value...)
}

func (m message) varint(tag, value uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, tag<<3|wireVarint), value)
}

func (m message) piece(text string, score float32) message {
	p := message(nil).bytes(1, []byte(text))
	p = binary.AppendUvarint(p, 2<<3|wireFixed32)
	p = binary.LittleEndian.AppendUint32(p, math.Float32bits(score))
	return m.bytes(1, p.varint(3, 1))
}

func (m message) normalizer(prefix uint64) message {
	return m.bytes(3, message(nil).bytes(1, []byte("test")).bytes(2, smallCharsmap()).varint(3, prefix).varint(4, 1))
}

// smallModel is a vocabulary of three pieces beside the special ones.
func smallModel() []byte {
	var m message
	m = m.piece("<unk>", 0).piece("<s>", 0).piece("</s>", 0)
	m = m.piece("▁", -2).piece("▁ab", -3).piece("b", -4)
	m = m.bytes(2, message(nil).varint(200, 7)) // the trainer's, skipped
	m = append(binary.AppendUvarint(m, 9<<3|wireFixed64), 1, 2, 3, 4, 5, 6, 7, 8)
	return m.normalizer(1)
}

func TestTokenizerOfASmallModel(t *testing.T) {
	t.Parallel()
	tokens, err := newTokenizer(smallModel())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text string
		want       []int32
	}{
		{"the best pieces win", "ab", []int32{1, 4, 2}},
		{"rules apply first", "Ab", []int32{1, 4, 2}},
		{"every unknown code point counts", "a中中b", []int32{1, 3, 0, 0, 0, 5, 2}},
		{"special pieces match literally", "<s>", []int32{1, 3, 1, 2}},
		{"nothing gives one unknown", "", []int32{1, 0, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tokens.tokenize(tt.text)); diff != "" {
				t.Errorf("ids of %q (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestNewTokenizerRefusesDamage(t *testing.T) {
	t.Parallel()
	pieces := message(nil).piece("<unk>", 0).piece("<s>", 0).piece("</s>", 0)
	for _, tt := range []struct {
		name, want string
		model      []byte
	}{
		{"an empty file", "only 0 pieces", nil},
		{"too few pieces", "only 1 pieces", message(nil).piece("a", 0).normalizer(1)},
		{"no normaliser", "no normalisation rules", pieces},
		{"another treatment of spaces", "treatment of spaces", bytes.Clone(pieces.normalizer(0))},
		{"an empty piece", "piece 3 is empty", bytes.Clone(pieces.piece("", 0))},
		{"a score that is no number", "piece 3 has no finite score", bytes.Clone(pieces.piece("a", float32(math.NaN())))},
		{"a piece that is not UTF-8", "piece 3 is not UTF-8", bytes.Clone(pieces.piece("\xff", 0).normalizer(1))},
		{"an unknown wire type", "wire type 3", []byte{1<<3 | 3}},
		{"an endless varint", "ends within a field", bytes.Repeat([]byte{0xff}, 20)},
		{"a length beyond the file", "ends within a field", []byte{1<<3 | wireBytes, 200, 1, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := newTokenizer(tt.model)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestNewTokenizerRefusesTheBeginningOfAFile(t *testing.T) {
	t.Parallel()
	whole := smallModel()
	for size := range len(whole) {
		if _, err := newTokenizer(whole[:size]); err == nil {
			t.Errorf("no error for the first %d of %d bytes", size, len(whole))
		}
	}
}

func FuzzNewTokenizer(f *testing.F) {
	whole := smallModel()
	f.Add(whole, "ab")
	f.Add(whole[:len(whole)/2], "")
	f.Add([]byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f}, "a")
	f.Fuzz(func(t *testing.T, model []byte, text string) {
		tokens, err := newTokenizer(model)
		if err != nil {
			return
		}
		checkIDs(t, tokens, tokens.tokenize(text))
	})
}

func FuzzTokenize(f *testing.F) {
	tokens, err := newTokenizer(readModelFile(f, tokenizerFile))
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"", "我今天很开心。", "don't", "🀄🀄 ▁", "a\xffb", "<s></s>", "ﷺ\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkIDs(t, tokens, tokens.tokenize(text))
	})
}

func checkIDs(t *testing.T, tokens *tokenizer, ids []int32) {
	t.Helper()
	if len(ids) < 3 || ids[0] != idBegin || ids[len(ids)-1] != idEnd {
		t.Fatalf("ids %v do not stand between marks", ids)
	}
	for _, id := range ids {
		if id < 0 || int(id) >= len(tokens.scores) {
			t.Fatalf("id %d of %d", id, len(tokens.scores))
		}
	}
}
