package steps

import "errors"

// What can be wrong with a whole answer. Errors of [Step.Parse] wrap one of
// these; their texts hold nothing of the answer.
var (
	// ErrEmpty: the answer has no text.
	ErrEmpty = errors.New("the answer is empty")
	// ErrNoAnswer: text without the JSON that the step asks for, such as a refusal.
	ErrNoAnswer = errors.New("the answer is not the JSON that was asked for")
	// ErrMalformed: JSON that contradicts itself, or several answers that differ, so
	// that reading on could take for the answer what a message said.
	ErrMalformed = errors.New("the answer contradicts itself")
	// ErrCutOff: the answer ends before anything whole was said.
	ErrCutOff = errors.New("the answer ends too early")
)
