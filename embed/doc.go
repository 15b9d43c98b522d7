// Package embed turns text into vectors. It stands at the edge of the flow:
// graph asks it for the vector of a memory before writing and of a query
// before searching, and cmd chooses which embedder that is. It imports no
// other package of this module.
//
// # Contract
//
// An [Embedder] gives one vector of length 1 per text, in the order of the
// texts. A text that has nothing to embed (blank, or nothing left after
// normalisation, or a model that answers zeros) gets a nil vector and no
// error, so that its memory can still be stored and found by words. An error
// means that the whole call failed: the model could not be loaded, the
// provider refused, or its answer had the wrong count or size.
//
// # Embedders
//
//   - [Local]: Google's Universal Sentence Encoder multilingual v3, 16
//     languages, 512 dimensions, in process, in pure Go. [EnsureModel] brings
//     its files. The path of a text: cut.go → normalize.go → tokenize.go →
//     rowcache.go (first layer, by token) → forward.go, whose matrix products
//     are done by the best kernel of this build and CPU ([Kernel]).
//   - [Gemini]: Google's hosted models.
//   - [OpenAI]: any server that speaks OpenAI's embeddings protocol.
//   - [Cached] keeps the vectors of recent texts over any of them.
//
// What the two have in common is in remote.go (batches, and what of an answer is
// believed) and retry.go (attempts, waits, keys).
//
// The local model is nearly blind to word order and negation and knows rare
// names badly: its cosine ranks candidates, it proves nothing.
package embed
