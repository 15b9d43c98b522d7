package relations

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"relata/graph"
)

//go:embed core.json
var coreJSON []byte

// coreRelation is an entry of core.json.
type coreRelation struct {
	Key        string   `json:"key"`
	Zh         string   `json:"zh"`
	En         string   `json:"en"`
	Index0     string   `json:"index0"` // of a memory that says nothing itself
	Functional bool     `json:"functional"`
	Symmetric  bool     `json:"symmetric"`
	Inverse    string   `json:"inverse"`
	Aliases    []string `json:"aliases"`
}

var core = sync.OnceValue(func() []coreRelation {
	var rels []coreRelation
	if err := json.Unmarshal(coreJSON, &rels); err != nil {
		// The file is part of the program: failing here is a broken build.
		panic("relations: read core.json: " + err.Error())
	}
	return rels
})

// Core gives the built-in vocabulary: family, work, place, ownership, taste,
// plans, events, knowledge, identity. lang chooses the language of the contents:
// "zh", "en", or "" for both side by side. A relation is functional there only
// where a subject has one value at a time by its nature, and an alias means the
// very same in the same direction.
func Core(lang string, date time.Time) []graph.Relation {
	out := make([]graph.Relation, 0, len(core()))
	for _, c := range core() {
		content := c.Zh + " / " + c.En
		switch lang {
		case "zh":
			content = c.Zh
		case "en":
			content = c.En
		}
		out = append(out, graph.Relation{
			Key: c.Key, Content: content, Date: date, Functional: c.Functional, Symmetric: c.Symmetric,
			Inverse: c.Inverse, Aliases: slices.Clone(c.Aliases), Status: graph.RelationActive,
		})
	}
	return out
}

// coreIndex0 gives the category that memories of a core relation belong to, ""
// for any other key.
func coreIndex0(key string) string {
	for _, c := range core() {
		if c.Key == key {
			return c.Index0
		}
	}
	return ""
}
