// Package document turns an uploaded file into text that a model can read.
//
// [Reader.Read] tells by content what a file is (plain text, Markdown, HTML,
// PDF or Word), decodes it and gives its structure as a [Document]; [Chunks]
// cuts that into pieces of a token budget along the structure; [ReadImage]
// checks a picture before it is sent anywhere. What cannot be used is refused
// with an [Error] whose code says why and whose message says what to do.
//
// Files come from strangers: sizes are checked before anything is unpacked,
// whatever is unpacked is bounded, PDFs run inside WebAssembly without files or
// network and with bounded memory and time, and a panic in a library becomes an
// error about the file.
//
// The package knows nothing of spaces, models or the database.
package document
