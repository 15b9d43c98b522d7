package extractor

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// contentKey stands for the content of a batch where the client gives no
// idempotency key: the same messages of the same session have the same one. Its
// prefix keeps it apart from clients' keys.
func (b Batch) contentKey() string {
	b.Space = "" // keys are unique within a space as it is
	text, err := json.Marshal(b)
	if err != nil {
		// A batch is strings and numbers; there is nothing that could fail.
		panic("extractor: encode a batch: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return "batch:" + hex.EncodeToString(sum[:])
}
