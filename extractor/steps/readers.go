package steps

// Reading is what a reader found.
type Reading struct {
	Items   []Item
	Summary string // "" where the step has none or the model gave none
	// Truncated: the answer was cut off; Items holds what was whole.
	Truncated bool
}

// Text is a document's part, or a text.
type Text struct {
	Title string `json:"title,omitempty"`
	Date  string `json:"date,omitempty"`  // of the document, in the prompt's time zone
	Part  int    `json:"part,omitempty"`  // of the document, from 1; 0 where it has none
	Parts int    `json:"parts,omitempty"` // how many there are
	Text  string `json:"text"`
}

// Picture is what is known of an image besides itself; the image travels with
// the request.
type Picture struct {
	Date    string `json:"date,omitempty"` // when it was sent, in the prompt's time zone
	Context string `json:"context,omitempty"`
}

// ReadChat takes memories from messages, which are in time order. Items cite
// messages by id, though not all models do it.
func ReadChat(messages []Message, o Options) Step[Reading] {
	shown := make(map[int64]bool)
	for _, m := range messages {
		shown[m.ID] = m.ID != 0
	}
	return newStep(ChatReader, o, material{several("messages", messages)}, readingForm{shown: shown}.parse)
}

// ReadDocument takes one memory, as a rule, from a part of a document.
func ReadDocument(part Text, o Options) Step[Reading] {
	return newStep(DocumentReader, o, material{one("document", part)}, readingForm{longTerm: true, noSummary: true}.parse)
}

// ReadText takes the single points of information from any text.
func ReadText(t Text, o Options) Step[Reading] {
	return newStep(TextReader, o, material{one("text", t)}, readingForm{longTerm: true}.parse)
}

// ReadImage takes memories from an image.
func ReadImage(p Picture, o Options) Step[Reading] {
	return newStep(ImageReader, o, material{one("image", p)}, readingForm{}.parse)
}
