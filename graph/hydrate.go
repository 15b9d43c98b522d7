package graph

import (
	"cmp"
	"context"
	"slices"
	"time"

	"relata/cypher"
)

var searchHydrate = cypher.Load("search_hydrate")

// detail is what a hint says.
type detail struct {
	content, subject, relation, object string
	date                               time.Time
	retired                            bool
	msgIDs                             []int64
	supersededBy                       []MemoryID
}

// hydrated are the details of the candidates that were chosen, and of what they
// replaced where that is asked for.
type hydrated struct {
	details map[MemoryID]detail
	before  map[MemoryID][]MemoryID // what a memory replaced, at whatever remove
}

// hydrate reads the details of memories.
func (s *Store) hydrate(ctx context.Context, req SearchRequest, ids []int64) (hydrated, error) {
	out := hydrated{details: make(map[MemoryID]detail, len(ids)), before: make(map[MemoryID][]MemoryID)}
	if len(ids) == 0 {
		return out, nil
	}
	slices.Sort(ids)
	_, err := ask(ctx, s, searchHydrate, map[string]any{
		"space": req.Space, "ids": slices.Compact(ids), "persona": personaKey(req.AsPersona),
		"before": req.IncludeRetired, "as_of": dateOrNull(req.AsOf),
	}, func(r record) (struct{}, error) {
		id := MemoryID(r.int("id"))
		out.details[id] = detail{
			content: r.text("content"), subject: r.text("subject"), relation: r.text("relation"), object: r.text("object"),
			date: asTime(r.get("date")), retired: r.bool("retired"),
			msgIDs: sortedInts(r.ints("msg_ids")), supersededBy: toMemoryIDs(r.ints("superseded_by")),
		}
		if of := MemoryID(r.int("of")); of != 0 {
			out.before[of] = append(out.before[of], id)
		}
		return struct{}{}, nil
	})
	return out, err
}

// hints gives the ranked candidates of a question as hints, at most its limit:
// those that were deleted meanwhile, or say the same as a better one, are left
// out, and nothing outdated stands above what replaced it.
func hints(q *question, found hydrated, explain bool) []Hint {
	out := make([]Hint, 0, min(q.limit, len(q.ranked)))
	said := make(map[string]bool, len(q.ranked))
	for _, c := range newestFirst(withBefore(q, found), found.details) {
		d, ok := found.details[c.id]
		key := ContentKey(d.content)
		if !ok || said[key] || c.confidence < q.minScore {
			continue
		}
		if len(out) == q.limit {
			break
		}
		said[key] = true
		h := Hint{ID: c.id, Memory: d.content, CreatedAt: d.date, MsgIDs: d.msgIDs, Outdated: d.retired}
		if explain {
			h.Explain = explained(c, d, found)
		}
		out = append(out, h)
	}
	return out
}

func explained(c candidate, d detail, found hydrated) *Explain {
	e := &Explain{
		Score: c.score, Confidence: c.confidence, Vector: c.vectorScore, Text: c.textScore, Graph: c.graphScore,
		Subject: d.subject, Relation: d.relation, Object: d.object,
	}
	for _, id := range c.path {
		if via, ok := found.details[id]; ok {
			e.Path = append(e.Path, PathEdge{via.subject, via.relation, via.object, id})
		}
	}
	if len(c.path) > 0 {
		e.Path = append(e.Path, PathEdge{d.subject, d.relation, d.object, c.id})
	}
	return e
}

// beforeShare is how much of its score a memory lends to what it replaced: a
// question on what was before names the same things, and often what is now.
const beforeShare = 0.9

// withBefore gives the ranked candidates with what they replaced, in order of
// their scores.
func withBefore(q *question, found hydrated) []candidate {
	if len(found.before) == 0 {
		return q.ranked
	}
	share := beforeShare
	if asksBefore(q.text) {
		share = 1
	}
	out := slices.Clone(q.ranked)
	at := make(map[MemoryID]int, len(out))
	for i, c := range out {
		at[c.id] = i
	}
	for _, c := range q.ranked {
		for _, id := range found.before[c.id] {
			i, ok := at[id]
			if !ok {
				i = len(out)
				at[id] = i
				d := found.details[id]
				out = append(out, candidate{id: id, relation: d.relation, date: d.date, retired: d.retired})
			}
			out[i].score = max(out[i].score, share*c.score)
			out[i].confidence = max(out[i].confidence, share*c.confidence)
		}
	}
	slices.SortFunc(out, byScore)
	return out
}

// newestFirst moves what was replaced below what replaced it, where both are
// there.
func newestFirst(ranked []candidate, details map[MemoryID]detail) []candidate {
	out := slices.Clone(ranked)
	for i := 0; i < len(out); i++ {
		lowest := i
		for _, successor := range details[out[i].id].supersededBy {
			if at := slices.IndexFunc(out, func(c candidate) bool { return c.id == successor }); at > lowest {
				lowest = at
			}
		}
		if lowest > i {
			c := out[i]
			copy(out[i:lowest], out[i+1:lowest+1])
			out[lowest] = c
			i-- // another stands here now
		}
	}
	return out
}

// byScore orders candidates: better first, then newer, then by id.
func byScore(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), b.date.Compare(a.date), cmp.Compare(b.id, a.id))
}
