package main

import (
	"time"

	"relata/graph"
)

// What --json prints has the field names of the HTTP bodies.

type hintView struct {
	ID        int64    `json:"id"`
	Memory    string   `json:"memory"`
	CreatedAt string   `json:"createdAt"`
	MsgIDs    []int64  `json:"msg_ids"`
	Outdated  bool     `json:"outdated,omitempty"`
	Explain   *whyView `json:"explain,omitempty"`
}

type whyView struct {
	Score    float64            `json:"score"`
	Legs     map[string]float64 `json:"legs"`
	Path     []stepView         `json:"path,omitempty"`
	Relation string             `json:"relation"`
	Subject  string             `json:"subject"`
	Object   string             `json:"object"`
}

type stepView struct {
	Relation string `json:"relation"`
	MemoryID int64  `json:"memory_id"`
	Subject  string `json:"subject"`
	Object   string `json:"object"`
}

type resultView struct {
	Query string     `json:"query"`
	Hints []hintView `json:"hints"`
	Error string     `json:"error,omitempty"`
}

func viewTime(t time.Time, loc *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(loc).Format(time.DateTime)
}

func viewResults(questions []string, results []graph.Result, loc *time.Location) map[string][]resultView {
	out := make([]resultView, len(results))
	for i, r := range results {
		out[i] = resultView{Query: questions[i], Hints: []hintView{}}
		if r.Err != nil {
			out[i].Error = r.Err.Message
		}
		for _, h := range r.Hints {
			v := hintView{ID: int64(h.ID), Memory: h.Memory, CreatedAt: viewTime(h.CreatedAt, loc), MsgIDs: append([]int64{}, h.MsgIDs...), Outdated: h.Outdated}
			if e := h.Explain; e != nil {
				v.Explain = &whyView{
					Score: e.Score, Legs: map[string]float64{"vector": e.Vector, "text": e.Text, "graph": e.Graph},
					Relation: e.Relation, Subject: e.Subject, Object: e.Object,
				}
				for _, p := range e.Path {
					v.Explain.Path = append(v.Explain.Path, stepView{p.Relation, int64(p.MemoryID), p.Subject, p.Object})
				}
			}
			out[i].Hints = append(out[i].Hints, v)
		}
	}
	return map[string][]resultView{"results": out}
}

type knowView struct {
	Name    string  `json:"name"`
	Persona bool    `json:"persona"`
	Since   string  `json:"since,omitempty"`
	How     string  `json:"how"`
	By      string  `json:"by,omitempty"`
	MsgIDs  []int64 `json:"msg_ids"`
}

type knownView struct {
	ID      int64      `json:"id"`
	Content string     `json:"content"`
	KnownBy []knowView `json:"known_by"`
}

func viewKnown(known []graph.Known, loc *time.Location) map[string][]knownView {
	out := make([]knownView, len(known))
	for i, k := range known {
		out[i] = knownView{ID: int64(k.ID), Content: k.Content, KnownBy: []knowView{}}
		for _, a := range k.KnownBy {
			out[i].KnownBy = append(out[i].KnownBy, knowView{
				a.Entity.Name, a.Persona, viewTime(a.Since, loc), string(a.How), a.By, append([]int64{}, a.MsgIDs...),
			})
		}
	}
	return map[string][]knownView{"memories": out}
}

type nodeView struct {
	ID      int64    `json:"id"`
	Name    string   `json:"name"`
	Aliases []string `json:"aliases"`
	Persona bool     `json:"persona"`
}

type edgeView struct {
	Relation string `json:"relation"`
	MemoryID int64  `json:"memory_id"`
	Subject  int64  `json:"subject"`
	Object   int64  `json:"object"`
}

type pathView struct {
	Nodes []nodeView `json:"nodes"`
	Edges []edgeView `json:"edges"`
}

func viewPaths(paths []graph.Path) map[string][]pathView {
	out := make([]pathView, len(paths))
	for i, p := range paths {
		out[i] = pathView{Nodes: []nodeView{}, Edges: []edgeView{}}
		for _, n := range p.Nodes {
			out[i].Nodes = append(out[i].Nodes, nodeView{int64(n.ID), n.Name, append([]string{}, n.Aliases...), n.Persona})
		}
		for _, e := range p.Edges {
			out[i].Edges = append(out[i].Edges, edgeView{e.Relation, int64(e.MemoryID), int64(e.Subject), int64(e.Object)})
		}
	}
	return map[string][]pathView{"paths": out}
}
