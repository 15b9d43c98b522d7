// Package steps holds the model steps around the diff (formats §3) as pure
// functions: readers, which turn a chat, a chunk, a text or an image into
// [Item]s; checks, which reword or sort out items; and the merge.
//
// Place in the flow: extractor makes a [Step] from its input, sends what
// [Step.Prompt] gives to a model, hands the answer to [Step.Parse], and puts the
// result to use with [ApplyRewrites] and [ApplyVerdicts]. Asking, retries, the
// check of the answer's language and the order of steps are its own affair.
// Nothing here does any input or output or keeps any state.
//
// What is promised:
//
//   - Material reaches a prompt as JSON between two marks that it cannot write,
//     so it cannot end early. All of it is declared to be data.
//   - Answers are read tolerantly where the form is at fault (chatter, fences,
//     reasoning, trailing commas, bare quotes, a cut-off end) and not at all where
//     the meaning is: an answer that could be read in two ways is an error.
//   - A check that fails, or says nothing about a memory, leaves it as it is.
//     Whatever was not taken as the model wrote it is said in the notes, which are
//     English, hold no text of the answer and may be shown to callers.
package steps
