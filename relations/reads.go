package relations

import (
	"slices"

	"relata/graph"
)

// GroundQuery names what a plan needs to know of the space at first: every name
// in the submission and the use of every relation that may have to go.
func GroundQuery(sub *Submission) graph.GroundQuery {
	var q graph.GroundQuery
	q.Names = slices.Concat(sub.Persona, sub.Present, sub.KnownBy)
	for _, src := range sub.Sources {
		q.Names = append(q.Names, src.Speaker)
	}
	for _, item := range everyMemoryItem(sub) {
		q.Names = append(q.Names, clean(item.Subject), clean(item.Object))
		q.Names = append(q.Names, item.KnownBy...)
	}
	rel := sub.Proposal.Relations
	for _, r := range rel.Replaces {
		q.Uses = appendKey(q.Uses, r.Source.Key)
	}
	for _, r := range rel.Removes {
		q.Uses = appendKey(q.Uses, r.Key)
	}
	slices.Sort(q.Names)
	q.Names = slices.DeleteFunc(slices.Compact(q.Names), blank)
	return q
}

func appendKey(keys []string, raw string) []string {
	if key, err := NormalizeKey(raw); err == nil && !slices.Contains(keys, key) {
		keys = append(keys, key)
	}
	return keys
}

// Reads names the memories and sources that a plan needs on top of its ground.
// Errors are those of [Plan] that concern the submission as a whole.
func Reads(sub *Submission, ground *graph.Ground) (graph.Lookup, []int64, error) {
	p, err := newPlanner(Input{Submission: *sub, Ground: ground})
	if err != nil {
		return graph.Lookup{}, nil, err
	}
	p.judgeVocabulary()
	look := graph.Lookup{IDs: slices.Clone(sub.Shown)}
	ids := slices.Clone(p.cast.order)
	mem := sub.Proposal.Memories
	for _, item := range mem.Replaces {
		p.lookUp(&look, item.Source)
		p.lookUpNew(&look, item.Target)
		ids = append(ids, item.Target.MsgIDs...)
	}
	for _, item := range mem.Increments {
		p.lookUpNew(&look, item)
		ids = append(ids, item.MsgIDs...)
	}
	for _, item := range mem.Removes {
		p.lookUp(&look, item)
	}
	slices.Sort(look.Fingerprints)
	look.Fingerprints = slices.Compact(look.Fingerprints)
	slices.Sort(ids)
	return look, slices.Compact(ids), nil
}

// lookUp asks for the memory that an item names, under its names as they
// resolve now and as they are written: an alias may be younger than the memory.
func (p *planner) lookUp(look *graph.Lookup, item MemoryItem) {
	if missing(item) != "" {
		return
	}
	content := clean(item.Content)
	for _, subject := range p.keysOf(item.Subject) {
		for _, object := range p.keysOf(item.Object) {
			look.Fingerprints = append(look.Fingerprints, graph.Fingerprint(subject, object, content))
		}
	}
}

// lookUpNew asks for what a new statement may repeat or take the place of.
func (p *planner) lookUpNew(look *graph.Lookup, item MemoryItem) {
	p.lookUp(look, item)
	if missing(item) != "" {
		return
	}
	read := item
	read.Subject, _ = p.participant(clean(item.Subject))
	if object, ok := p.participant(clean(item.Object)); ok {
		read.Object = object
	}
	p.lookUp(look, read)
	subject := p.in.Ground.Resolve(read.Subject)
	r := p.vocab.resolve(item.Relation)
	if subject.ID == 0 || r.entry == nil || !r.entry.Functional || r.entry.origin == nil {
		return
	}
	ask := graph.SubjectRelation{Subject: subject.ID, Relation: r.entry.origin.Key}
	if !slices.Contains(look.Functional, ask) {
		look.Functional = append(look.Functional, ask)
	}
}

func (p *planner) keysOf(name string) []string {
	name = clean(name)
	resolved, raw := p.in.Ground.Resolve(name).Key, graph.EntityKey(name)
	if resolved == raw {
		return []string{raw}
	}
	return []string{resolved, raw}
}

// everyMemoryItem gives all memory items of a proposal, sources included.
func everyMemoryItem(sub *Submission) []MemoryItem {
	mem := sub.Proposal.Memories
	var all []MemoryItem
	for _, r := range mem.Replaces {
		all = append(all, r.Source, r.Target)
	}
	all = append(all, mem.Increments...)
	return append(all, mem.Removes...)
}

// Texts gives the contents that a plan may store, each once, as Input.Vectors
// has to name them.
func Texts(sub *Submission) []string {
	mem := sub.Proposal.Memories
	var texts []string
	seen := make(map[string]bool)
	add := func(content string) {
		content = clean(content)
		if !seen[content] && !blank(content) && len(content) <= MaxContentBytes {
			seen[content] = true
			texts = append(texts, content)
		}
	}
	for _, r := range mem.Replaces {
		add(r.Target.Content)
	}
	for _, item := range mem.Increments {
		add(item.Content)
	}
	return texts
}
