package mcp

import (
	"fmt"
	"strings"

	"relata/graph"
)

// diffAnswer says what became of a diff: a verdict for each item, with what to
// do about it.
type diffAnswer struct {
	DiffID    int64     `json:"diff_id" jsonschema:"number in the ledger, 0 after a dry run"`
	Status    string    `json:"status" jsonschema:"applied, proposed, nothing or rejected"`
	DryRun    bool      `json:"dry_run,omitempty"`
	Verdicts  []verdict `json:"verdicts"`
	Truncated bool      `json:"truncated,omitempty" jsonschema:"the XML ends before the diff does: send the rest"`
	Repeated  bool      `json:"repeated,omitempty" jsonschema:"done before; this is the first receipt"`
}

type verdict struct {
	Item    string `json:"item"`
	Outcome string `json:"outcome"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Do      string `json:"do,omitempty" jsonschema:"what to do about it"`
	Note    string `json:"note,omitempty"`
}

// receipt renders a receipt, as far as a bound persona may see it.
func (s *Server) receipt(r graph.Receipt, dryRun bool) diffAnswer {
	if s.Persona != "" {
		r = asBound(r)
	}
	return diffAnswer{
		DiffID: int64(r.DiffID), Status: string(r.Status), DryRun: dryRun, Truncated: r.Truncated, Repeated: r.Repeated,
		Verdicts: each(r.Verdicts, func(v graph.Verdict) verdict {
			return verdict{
				Item: v.Item, Outcome: string(v.Outcome), Code: string(v.Code), Message: v.Message, Do: advice(v), Note: v.Note,
			}
		}),
	}
}

// repairs says for each reason to reject an item how the next diff gets it
// right.
var repairs = map[graph.RejectCode]string{
	graph.RejectUndefinedRelation: "Use a key from list_relations; or add the relation, with key and content, to relations.increments of the same diff. Then send the item again.",
	graph.RejectInvalidKey:        "Write the key as lower-case English words joined by _, beginning with a letter, such as work_at.",
	graph.RejectMissingField:      "Fill in what is missing and send the item again.",
	graph.RejectSourceNotFound:    "A source is a full copy of a current item. For a memory search with explain: true and copy subject, relation, object, content and createdAt; for a relation copy from list_relations.",
	graph.RejectAmbiguousSource:   "Name each source in one item only, and copy it exactly, date included.",
	graph.RejectRelationInUse:     "Move or remove the memories that use it in the same diff, or leave the relation as it is.",
	graph.RejectTooLong:           "Say it shorter, or make several memories of it.",
	graph.RejectReservedKey:       "Choose another key: this one is taken by the graph itself.",
	graph.RejectRefusalText:       "Write what is to be remembered; leave the item out if there is nothing.",
	graph.RejectNotGrounded:       "Keep to what was said, and name who it is about. Leave the item out if it was not.",
	graph.RejectVocabularyFull:    "No more keys fit: use an existing one from list_relations.",
}

func advice(v graph.Verdict) string {
	switch v.Outcome {
	case graph.OutcomeRejected:
		return repairs[v.Code]
	case graph.OutcomePending:
		return "Nothing: it waits for somebody to approve it. Do not send it again."
	}
	return ""
}

func (a diffAnswer) text() string {
	var b strings.Builder
	switch {
	case a.DryRun:
		fmt.Fprintf(&b, "Dry run, nothing is stored. It would be: %s.", a.Status)
	case a.Repeated:
		fmt.Fprintf(&b, "Done before, as diff %d: %s.", a.DiffID, a.Status)
	default:
		fmt.Fprintf(&b, "Diff %d: %s.", a.DiffID, a.Status)
	}
	if a.Truncated {
		b.WriteString(" The XML was cut off: what is not listed here was not read.")
	}
	b.WriteByte('\n')
	for _, v := range a.Verdicts {
		fmt.Fprintf(&b, "%s: %s", v.Item, v.Outcome)
		if v.Code != "" {
			fmt.Fprintf(&b, " (%s)", v.Code)
		}
		for _, part := range []string{v.Message, v.Note} {
			if part != "" {
				fmt.Fprintf(&b, "; %s", part)
			}
		}
		if v.Do != "" {
			fmt.Fprintf(&b, "\n   to do: %s", v.Do)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
