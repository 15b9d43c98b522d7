package extractor

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
)

// promptHash stands for what a model is asked: step, instructions, material and
// images. The output budget is no part of it, for it changes no question, nor is
// the session.
func promptHash(req Request) string {
	h := sha256.New()
	add := func(s string) {
		// With its length, so that no text can pass for the end of another.
		_ = binary.Write(h, binary.BigEndian, uint64(len(s)))
		_, _ = io.WriteString(h, s)
	}
	add(req.Step)
	add(req.System)
	add(req.User)
	for _, image := range req.Images {
		add(image.Type)
		add(string(image.Data))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// answerFile names the file of a recorded answer: a diff is XML, all else JSON.
func answerFile(name, step string) string {
	if step == StepDiff {
		return name + ".xml"
	}
	return name + ".json"
}
