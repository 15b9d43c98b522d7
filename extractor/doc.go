// Package extractor turns text into proposed diffs.
//
// Place in the flow: api decodes a batch of messages and calls
// [Extractor.Ingest]. That selects the context the model needs, renders a
// versioned prompt, asks a [Model] within a budget of retries, reads the answer
// with [ParseAnswer] and hands the proposal to relations, which judges and
// applies it. Nothing here writes to the database.
//
// The package stands on three borders:
//
//   - Towards clients: [Batch] checks what came in and names what is wrong;
//     [ReadInput] reads the XML of formats §1 strictly.
//   - Towards models: providers speak their protocols and turn every fault into
//     a [ModelError] of one kind; [Retry] decides by that kind.
//   - Towards the answer: [ParseAnswer] is tolerant about form and strict about
//     meaning. Text that was copied raw into a memory can never become an
//     operation of another kind.
package extractor
