package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"relata/graph"
)

// Pack is a folder with conversations (messages.jsonl), the memories that a
// perfect reader would draw from them (memories.jsonl) and questions whose
// evidence is known (questions.jsonl), over one space or several.
type Pack struct {
	Name      string // of the folder
	Spaces    []string
	Messages  int
	Memories  int
	Questions []PackQuestion

	sources  map[string][]graph.SourceLine
	memories map[string][]graph.MemoryLine
	spaceOf  map[int64]string // of a message
}

// PackQuestion is a question with the messages that answer it.
type PackQuestion struct {
	Space    string  `json:"space"`
	ID       string  `json:"id"`
	Question string  `json:"question"`
	Type     string  `json:"type"`
	Evidence []int64 `json:"evidence"`
	// EvidenceAny has for each item of Evidence the messages that state the same
	// fact, any of which will do; nil where each stands for itself.
	EvidenceAny [][]int64 `json:"evidence_any"`
	// Current and Outdated are messages with the present and with an older state,
	// on questions that ask for the present one.
	Current  []int64 `json:"current"`
	Outdated []int64 `json:"outdated"`
	// Abstain: the right behaviour is to find nothing.
	Abstain bool `json:"abstain"`
}

// maxPackLine bounds a line of a pack.
const maxPackLine = 16 << 20

// ReadPack reads the three files of a folder. Errors name the file and the line.
func ReadPack(dir string) (*Pack, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	p := &Pack{
		Name: filepath.Base(whole), sources: make(map[string][]graph.SourceLine),
		memories: make(map[string][]graph.MemoryLine), spaceOf: make(map[int64]string),
	}
	// A line of the first two is one of an import, with its space in it.
	type message struct {
		Space string `json:"space"`
		graph.SourceLine
	}
	type memory struct {
		Space string `json:"space"`
		graph.MemoryLine
	}
	err = errors.Join(
		readPackFile(dir, "messages.jsonl", func(m message) error {
			if other, ok := p.spaceOf[m.ID]; ok {
				return fmt.Errorf("message %d is there twice, in %s and in %s", m.ID, other, m.Space)
			}
			if p.sources[m.Space] == nil {
				p.Spaces = append(p.Spaces, m.Space)
			}
			m.Type, m.Kind = graph.LineSource, string(graph.SourceMessage)
			p.sources[m.Space] = append(p.sources[m.Space], m.SourceLine)
			p.spaceOf[m.ID] = m.Space
			p.Messages++
			return nil
		}),
		readPackFile(dir, "memories.jsonl", func(m memory) error {
			m.Type = graph.LineMemory
			p.memories[m.Space] = append(p.memories[m.Space], m.MemoryLine)
			p.Memories++
			return nil
		}),
		readPackFile(dir, "questions.jsonl", func(q PackQuestion) error {
			p.Questions = append(p.Questions, q)
			return nil
		}),
	)
	if err != nil {
		return nil, err
	}
	return p, p.check()
}

// check refuses what would be measured as bad recall though the pack is at fault.
func (p *Pack) check() error {
	seen := make(map[string]bool)
	for _, q := range p.Questions {
		switch {
		case seen[q.ID]:
			return fmt.Errorf("pack %s: the question %s is there twice", p.Name, q.ID)
		case p.memories[q.Space] == nil:
			return fmt.Errorf("pack %s: the question %s is for the space %s, which has no memories", p.Name, q.ID, q.Space)
		case !q.Abstain && len(q.Evidence) == 0:
			return fmt.Errorf("pack %s: the question %s is to be answered but has no evidence", p.Name, q.ID)
		}
		seen[q.ID] = true
	}
	for space := range p.memories {
		if p.sources[space] == nil {
			return fmt.Errorf("pack %s: the space %s has memories but no messages", p.Name, space)
		}
	}
	return nil
}

func readPackFile[T any](dir, name string, add func(T) error) error {
	f, err := os.Open(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no %s: a pack is a folder with messages.jsonl, memories.jsonl and questions.jsonl", dir, name)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxPackLine)
	number := 0
	for lines.Scan() {
		number++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var v T
		err := json.Unmarshal(lines.Bytes(), &v)
		if err == nil {
			err = add(v)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", filepath.Join(dir, name), number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", filepath.Join(dir, name), number+1, err)
	}
	if number == 0 {
		return fmt.Errorf("%s is empty", filepath.Join(dir, name))
	}
	return nil
}
