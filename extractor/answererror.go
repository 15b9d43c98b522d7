package extractor

// Kind says what was wrong with a model's answer or with the call for it. The
// retry budget and the message to the caller depend on it alone.
type Kind string

const (
	// KindRateLimited: the provider asks to come back later.
	KindRateLimited Kind = "rate_limited"
	// KindUnavailable: the provider is down or cannot be reached.
	KindUnavailable Kind = "unavailable"
	// KindTimeout: no answer within the attempt's time.
	KindTimeout Kind = "timeout"
	// KindEmpty: an answer without text.
	KindEmpty Kind = "empty"
	// KindBlocked: the provider's content policy refused prompt or answer.
	KindBlocked Kind = "blocked"
	// KindNotADiff: text that holds no diff, such as JSON or prose.
	KindNotADiff Kind = "not_a_diff"
	// KindMalformed: a diff whose structure contradicts itself, so that reading on
	// could apply what nobody meant.
	KindMalformed Kind = "malformed"
	// KindMaxTokens: the output budget was used up before anything whole was said.
	KindMaxTokens Kind = "max_tokens"
	// KindAuth: the provider refuses the API key, or what its account may spend is
	// spent.
	KindAuth Kind = "auth"
	// KindProtocol: the provider answered something that is not its protocol, or
	// refuses the request as it is.
	KindProtocol Kind = "protocol"
	// KindNotRecorded: a replay directory has no answer for the prompt, or a
	// recording could not be written.
	KindNotRecorded Kind = "not_recorded"
)

// AnswerError says that a text is no usable diff. From a model it is a failed
// call, never "no changes"; in a client's request it is a bad request.
type AnswerError struct {
	Kind    Kind   // KindEmpty, KindNotADiff, KindMalformed or KindMaxTokens
	Message string // what was wrong and where; holds no text of the answer
}

// Error gives the message.
func (e *AnswerError) Error() string { return e.Message }
