package relations

import (
	"fmt"
	"slices"

	"relata/graph"
)

// checkSources refuses a batch that sends a message id again with other words.
func (p *planner) checkSources() error {
	if p.in.Submission.Approved {
		return nil
	}
	sent := make(map[int64]graph.Source, len(p.in.Submission.Sources))
	for i, src := range p.in.Submission.Sources {
		other, twice := sent[src.SourceID]
		if !twice {
			sent[src.SourceID] = src
			other, twice = p.in.Sources[src.SourceID]
		}
		if twice && !sameSource(src, other) {
			return &graph.Error{
				Code:    graph.CodeConflict,
				Message: "a message id exists with other content, nothing was written",
				Fields: []graph.Field{{
					Name:    fmt.Sprintf("chats[%d].id", i),
					Message: fmt.Sprintf("%d is the id of another message: ids are unique in a space", src.SourceID),
				}},
			}
		}
	}
	return nil
}

// sameSource compares what a message says and who says it; the date may differ
// by form and zone.
func sameSource(a, b graph.Source) bool {
	return a.Content == b.Content && a.Role == b.Role && a.Speaker == b.Speaker && a.ToolCallID == b.ToolCallID &&
		slices.Equal(a.ToolCalls, b.ToolCalls)
}

// newSources gives the batch's sources that are not stored yet, once each.
func (p *planner) newSources() []graph.Source {
	var out []graph.Source
	for _, id := range p.cast.order {
		if _, stored := p.in.Sources[id]; !stored {
			out = append(out, p.cast.messages[id])
		}
	}
	return out
}
