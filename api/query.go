package api

import (
	"bytes"
	"encoding/json"
	"errors"

	"relata/graph"
)

// query is one question of a search. It keeps what was sent, for the answer
// repeats it, and reads what it can: a question that cannot be read is wrong by
// itself and must not take the others down.
type query struct {
	sent  json.RawMessage
	query graph.Query
	wrong *graph.Error
}

// UnmarshalJSON never fails on valid JSON; see wrong.
func (q *query) UnmarshalJSON(data []byte) error {
	q.sent = bytes.Clone(data)
	var body struct {
		Index0 string `json:"index0"`
		Index1 string `json:"index1"`
		Memory string `json:"memory"`
		Limit  *int   `json:"limit"`
		All    bool   `json:"all"`
		// MinScore is compared with the confidence of a hint.
		MinScore float64 `json:"min_score"`
	}
	if err := json.Unmarshal(data, &body); err != nil {
		q.wrong = graph.Errorf(graph.CodeInvalid, "the query must be an object")
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Field != "" {
			q.wrong = invalidField(e.Field, "must be %s, not %s", describe(e.Type), e.Value)
		}
		return nil
	}
	q.query = graph.Query{Index0: body.Index0, Index1: body.Index1, Memory: body.Memory, All: body.All, MinScore: body.MinScore}
	if body.Limit != nil {
		// The store takes 0 for the default, which is for what was left out.
		if q.query.Limit = *body.Limit; q.query.Limit == 0 {
			q.wrong = invalidField("limit", "must be from 10 to 50")
		}
	}
	return nil
}

// MarshalJSON gives the question as it was sent.
func (q query) MarshalJSON() ([]byte, error) {
	if q.sent == nil {
		return []byte("null"), nil
	}
	return q.sent, nil
}
