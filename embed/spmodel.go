package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// vocabulary is what is needed of a SentencePiece model file.
type vocabulary struct {
	pieces   []string  // by id
	scores   []float32 // by id, log probabilities
	charsmap []byte    // the compiled normalisation rules
}

// errShort says that a protobuf message ended within a field.
var errShort = errors.New("message ends within a field")

// parseVocabulary reads a SentencePiece ModelProto: field 1 is one piece (1 =
// text, 2 = score), in order of id; field 3 the normaliser (2 = charsmap, 3 =
// add_dummy_prefix, 4 = remove_extra_whitespaces, 5 = escape_whitespaces).
// All else is skipped.
func parseVocabulary(model []byte) (*vocabulary, error) {
	voc := &vocabulary{}
	err := eachField(model, func(f field) error {
		switch {
		case f.is(1, wireBytes):
			return voc.addPiece(f.bytes)
		case f.is(3, wireBytes):
			return voc.setNormalizer(f.bytes)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read SentencePiece model: %w", err)
	}
	if len(voc.pieces) <= idEnd {
		return nil, fmt.Errorf("read SentencePiece model: only %d pieces", len(voc.pieces))
	}
	if voc.charsmap == nil {
		return nil, errors.New("read SentencePiece model: no normalisation rules")
	}
	return voc, nil
}

func (voc *vocabulary) addPiece(message []byte) error {
	var piece string
	var score float32
	err := eachField(message, func(f field) error {
		switch {
		case f.is(1, wireBytes):
			piece = string(f.bytes)
		case f.is(2, wireFixed32):
			score = math.Float32frombits(uint32(f.number))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("piece %d: %w", len(voc.pieces), err)
	}
	if piece == "" {
		return fmt.Errorf("piece %d is empty", len(voc.pieces))
	}
	if s := float64(score); math.IsNaN(s) || math.IsInf(s, 0) {
		return fmt.Errorf("piece %d has no finite score", len(voc.pieces))
	}
	voc.pieces = append(voc.pieces, piece)
	voc.scores = append(voc.scores, score)
	return nil
}

func (voc *vocabulary) setNormalizer(message []byte) error {
	dummyPrefix, trim, escape := true, true, true
	err := eachField(message, func(f field) error {
		switch {
		case f.is(2, wireBytes):
			voc.charsmap = slices.Clone(f.bytes)
		case f.is(3, wireVarint):
			dummyPrefix = f.number != 0
		case f.is(4, wireVarint):
			trim = f.number != 0
		case f.is(5, wireVarint):
			escape = f.number != 0
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("normaliser: %w", err)
	}
	if !dummyPrefix || !trim || !escape {
		return errors.New("normaliser: only the standard treatment of spaces is supported")
	}
	return nil
}

// The protobuf wire types that occur.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// field is one field of a protobuf message.
type field struct {
	tag    uint64
	wire   uint64
	number uint64 // the value of a varint, fixed32 or fixed64
	bytes  []byte // the value of a length-delimited field; shares the message's memory
}

func (f field) is(tag, wire uint64) bool { return f.tag == tag && f.wire == wire }

// eachField calls do for each field of a protobuf message, in order.
func eachField(message []byte, do func(field) error) error {
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 {
			return errShort
		}
		message = message[n:]
		f := field{tag: key >> 3, wire: key & 7}
		size := 0
		switch f.wire {
		case wireVarint:
			f.number, size = binary.Uvarint(message)
			if size <= 0 {
				return errShort
			}
		case wireFixed64:
			if size = 8; len(message) < size {
				return errShort
			}
			f.number = binary.LittleEndian.Uint64(message)
		case wireFixed32:
			if size = 4; len(message) < size {
				return errShort
			}
			f.number = uint64(binary.LittleEndian.Uint32(message))
		case wireBytes:
			length, n := binary.Uvarint(message)
			if n <= 0 || length > uint64(len(message)-n) {
				return errShort
			}
			size = n + int(length)
			f.bytes = message[n:size]
		default:
			return fmt.Errorf("field %d has wire type %d, which is not in use", f.tag, f.wire)
		}
		message = message[size:]
		if err := do(f); err != nil {
			return err
		}
	}
	return nil
}
