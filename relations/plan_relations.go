package relations

import (
	"fmt"

	"relata/graph"
)

// judgeVocabulary judges replaces and increments of relations. Removes come
// last of all, when it is known what the memories use.
func (p *planner) judgeVocabulary() {
	rel := p.in.Submission.Proposal.Relations
	for i, item := range rel.Replaces {
		p.replaceRelation(p.relReplaces[i], item)
	}
	for i, item := range rel.Increments {
		p.addRelation(p.relIncrements[i], item)
	}
}

func (p *planner) replaceRelation(v *verdict, item RelationReplace) {
	e := p.sourceRelation(v, item.Source)
	if e == nil {
		return
	}
	if e.Key != e.origin.Key || e.Content != e.origin.Content {
		v.reject(graph.RejectAmbiguousSource, "another item of this diff replaces %s already", e.origin.Key)
		return
	}
	key, content, ok := p.relationTexts(v, item.Target)
	if !ok {
		return
	}
	v.rel, v.oldRel = e, *e.origin
	if key == e.Key {
		p.rewordRelation(v, e, content)
		return
	}
	if p.vocab.governance == graph.GovernanceClosed {
		v.wait("the vocabulary is closed: renaming %s to %s waits for approval", e.Key, key)
		return
	}
	if other := p.vocab.byKey[key]; other != nil {
		// Judged with the removes: the memories may all have moved by then.
		v.rel = other
		return
	}
	if other := p.vocab.aliases[key]; other != nil && other != e {
		v.reject(graph.RejectRelationInUse, "%s is an alias of %s: rename to that one, or take the alias away first", key, other.Key)
		return
	}
	if p.vocab.governance == graph.GovernanceReview {
		p.vocab.waiting[key] = v.Item
		v.wait("new relations wait for review in this space: so does renaming %s to %s", e.Key, key)
		return
	}
	if !p.roomForKey(v, key) {
		return
	}
	p.vocab.rename(e, key)
	e.Content = content
	p.dateRelation(e)
	v.Outcome, v.Action = graph.OutcomeApplied, graph.ActionReplace
}

func (p *planner) rewordRelation(v *verdict, e *entry, content string) {
	switch {
	case content == e.Content:
		v.Outcome = graph.OutcomeDuplicate
		v.note("%s says this already", e.Key)
	case p.vocab.governance == graph.GovernanceClosed:
		v.wait("the vocabulary is closed: rewording %s waits for approval", e.Key)
	default:
		e.Content = content
		p.dateRelation(e)
		v.Outcome, v.Action = graph.OutcomeApplied, graph.ActionReplace
	}
}

// dateRelation gives a changed relation the diff's date; without one it keeps
// its own.
func (p *planner) dateRelation(e *entry) {
	if d := p.in.Submission.Date; !d.IsZero() {
		e.Date = d
	}
}

func (p *planner) addRelation(v *verdict, item RelationItem) {
	key, content, ok := p.relationTexts(v, item)
	if !ok {
		return
	}
	if e := p.vocab.byKey[key]; e != nil {
		v.rel = e
		switch {
		case e.Status == graph.RelationDeprecated && e.Successor != "":
			r := p.vocab.resolve(key)
			v.Outcome, v.rel = graph.OutcomeMapped, r.entry
			v.note("%s is deprecated, %s takes its place", key, r.entry.Key)
		case e.Status == graph.RelationPending && p.in.Submission.Approved:
			e.Status, e.Content = graph.RelationActive, content
			v.Outcome, v.Action = graph.OutcomeApplied, graph.ActionAdd
		case e.Status == graph.RelationPending:
			v.wait("the relation %s waits for review already", key)
		default:
			v.Outcome = graph.OutcomeDuplicate
			if content != e.Content {
				v.note("%s exists and keeps its content", key)
			}
		}
		return
	}
	if e := p.vocab.likely(key); e != nil {
		r := p.vocab.mapTo(e, item.Key)
		v.Outcome, v.rel = graph.OutcomeMapped, r.entry
		v.note("%s", r.note)
		return
	}
	switch p.vocab.governance {
	case graph.GovernanceReview:
		p.vocab.waiting[key] = v.Item
		v.wait("a new relation waits for review in this space")
		return
	case graph.GovernanceClosed:
		v.reject(graph.RejectUndefinedRelation, "the vocabulary is closed and has nothing near %s", key)
		return
	}
	if !p.roomForKey(v, key) {
		return
	}
	v.rel = p.vocab.add(graph.Relation{Key: key, Content: content, Date: p.in.Submission.Date, Status: graph.RelationActive})
	v.Outcome, v.Action = graph.OutcomeApplied, graph.ActionAdd
}

// relationTexts checks the key and content of a target or an increment.
func (p *planner) relationTexts(v *verdict, item RelationItem) (key, content string, ok bool) {
	content = clean(item.Content)
	switch {
	case blank(item.Key):
		v.reject(graph.RejectMissingField, "key missing")
	case blank(content):
		v.reject(graph.RejectMissingField, "content missing: say what the relation means")
	case len(content) > MaxRelationContentBytes:
		v.reject(graph.RejectTooLong, "content has %d bytes, at most %d are allowed", len(content), MaxRelationContentBytes)
	case IsRefusal(content, item.Key):
		v.reject(graph.RejectRefusalText, "the content is a model's refusal, not a meaning")
	default:
		var err error
		if key, err = NormalizeKey(item.Key); err != nil {
			r := keyRejection(err)
			v.reject(r.code, "%s", r.message)
			return "", "", false
		}
		if key != item.Key {
			v.note("key %q normalised to %s", item.Key, key)
		}
		return key, content, true
	}
	return "", "", false
}

// sourceRelation finds the relation that a source or remove copies, in the
// state before the diff. The key identifies it; the content has to agree, for
// else the writer saw another state, and the date may differ.
func (p *planner) sourceRelation(v *verdict, src RelationItem) *entry {
	if blank(src.Key) {
		v.reject(graph.RejectMissingField, "key missing in the source")
		return nil
	}
	key, err := NormalizeKey(src.Key)
	e := p.vocab.before[key]
	if err != nil || e == nil {
		v.reject(graph.RejectSourceNotFound, "the vocabulary has no relation %s", quote(src.Key))
		return nil
	}
	if key != src.Key {
		v.note("matched loosely: key %q is %s", src.Key, key)
	}
	switch {
	case blank(src.Content) || clean(src.Content) == e.origin.Content:
	case looseText(src.Content) == looseText(e.origin.Content):
		v.note("matched loosely: the content is spelled otherwise")
	default:
		v.reject(graph.RejectSourceNotFound, "%s has another content now: copy it in full", key)
		return nil
	}
	if !noDate(src.Date) && src.Date != FormatDate(e.origin.Date, p.loc) {
		if t, precision, err := ParseDate(src.Date, p.loc); err != nil || !sameMoment(t, e.origin.Date, precision, p.loc) {
			v.note("the relation's date is %s", FormatDate(e.origin.Date, p.loc))
		}
	}
	return e
}

// roomForKey counts a new key against the limits.
func (p *planner) roomForKey(v *verdict, key string) bool {
	switch {
	case p.in.Ground.KeysEver+p.newKeys >= MaxKeysEver:
		v.reject(graph.RejectVocabularyFull, "a space may have %d keys over its life: use an existing one for %s", MaxKeysEver, key)
	case p.in.Ground.TypesEver+p.newKeys >= MaxTypesEver:
		v.reject(graph.RejectVocabularyFull, "the database has %d relationship types, which cannot be given back: use an existing key for %s", p.in.Ground.TypesEver, key)
	default:
		p.newKeys++
		return true
	}
	return false
}

// judgeRemovedRelations judges removes, and replaces that lead to a key that
// exists already, on what the memories use after the diff.
func (p *planner) judgeRemovedRelations() {
	for _, v := range p.relReplaces {
		if v.settled() {
			continue
		}
		source := p.vocab.before[v.oldRel.Key]
		if p.keepsRelation(v, source) {
			continue
		}
		p.vocab.remove(source)
		v.Outcome, v.Action = graph.OutcomeApplied, graph.ActionReplace
		v.note("%s exists and keeps its content: %s, which no memory uses, was removed", v.rel.Key, v.oldRel.Key)
	}
	for i, item := range p.in.Submission.Proposal.Relations.Removes {
		v := p.relRemoves[i]
		e := p.sourceRelation(v, item)
		if e == nil {
			continue
		}
		v.rel, v.oldRel = e, *e.origin
		switch {
		case e.gone:
			v.Outcome = graph.OutcomeDuplicate
			v.note("another item of this diff removes it already")
		case e.Key != e.origin.Key || e.Content != e.origin.Content:
			v.reject(graph.RejectAmbiguousSource, "another item of this diff replaces %s", e.origin.Key)
		case p.keepsRelation(v, e):
		case p.vocab.governance == graph.GovernanceClosed:
			v.wait("the vocabulary is closed: removing %s waits for approval", e.Key)
		default:
			p.vocab.remove(e)
			v.Outcome, v.Action = graph.OutcomeApplied, graph.ActionRemove
		}
	}
}

func (p *planner) keepsRelation(v *verdict, e *entry) bool {
	if e.uses > 0 {
		v.reject(graph.RejectRelationInUse, "%s is used by %s: move or remove them first", e.Key, plural(e.uses, "current memory", "current memories"))
		return true
	}
	return false
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
