package extractor

import (
	"slices"
	"time"

	"relata/extractor/steps"
	"relata/relations"
)

// fact is what a reader found: it goes into the diff step as a numbered message,
// and a memory that cites its number inherits title, tags, type and sources.
type fact struct {
	steps.Item
	sources []int64 // source ids of the messages, chunks or images it comes from
	date    time.Time
}

// factChats gives the facts as the diff step is shown them, numbered from 1.
func (j *job) factChats() []Chat {
	out := make([]Chat, len(j.facts))
	for i, f := range j.facts {
		id := int64(i + 1)
		content := f.Value
		if f.Key != "" {
			content = f.Key + ": " + f.Value
		}
		out[i] = Chat{ID: &id, Date: relations.FormatDate(f.date, j.space.Location()), Role: "user", Content: content}
	}
	return out
}

// inherit gives each new memory what the facts have that it cites. One that cites
// none is left as it is: the plan takes the whole document for it, or what it
// replaces.
func (j *job) inherit() {
	each := func(path string, m *relations.MemoryItem) {
		cited := m.MsgIDs
		m.MsgIDs = nil
		for _, n := range cited {
			if n < 1 || n > int64(len(j.facts)) {
				j.report.note(path, "msg_ids that no fact has were ignored")
				continue
			}
			f := j.facts[n-1]
			for _, id := range f.sources {
				if !slices.Contains(m.MsgIDs, id) {
					m.MsgIDs = append(m.MsgIDs, id)
				}
			}
			if m.Title == "" {
				m.Title = f.Key
			}
			if m.MemoryType == "" {
				m.MemoryType = f.MemoryType
			}
			if len(m.Tags) == 0 {
				m.Tags = slices.Clone(f.Tags)
			}
		}
	}
	for i := range j.proposal.Memories.Increments {
		each(itemPath(rootMemories, secIncrements, i), &j.proposal.Memories.Increments[i])
	}
	for i := range j.proposal.Memories.Replaces {
		each(itemPath(rootMemories, secReplaces, i), &j.proposal.Memories.Replaces[i].Target)
	}
}
