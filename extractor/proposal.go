package extractor

import (
	"fmt"
	"strconv"
	"strings"

	"relata/relations"
)

// proposal turns what was read into a proposal.
func (r *reader) proposal() relations.Proposal {
	var p relations.Proposal
	each := func(root, section string, add func(path string, it *rawItem)) {
		key := root + "." + section
		for i := range r.sections[key] {
			add(itemPath(root, section, i), &r.sections[key][i])
		}
	}
	each(rootRelations, secReplaces, func(_ string, it *rawItem) {
		p.Relations.Replaces = append(p.Relations.Replaces, relations.RelationReplace{
			Source: relationItem(it.source), Target: relationItem(it.target),
		})
	})
	each(rootRelations, secIncrements, func(_ string, it *rawItem) {
		p.Relations.Increments = append(p.Relations.Increments, relationItem(it))
	})
	each(rootRelations, secRemoves, func(_ string, it *rawItem) {
		p.Relations.Removes = append(p.Relations.Removes, relationItem(it))
	})
	each(rootMemories, secReplaces, func(path string, it *rawItem) {
		p.Memories.Replaces = append(p.Memories.Replaces, relations.MemoryReplace{
			Source: r.memory(path, it.source), Target: r.memory(path, it.target),
		})
	})
	each(rootMemories, secIncrements, func(path string, it *rawItem) {
		p.Memories.Increments = append(p.Memories.Increments, r.memory(path, it))
	})
	each(rootMemories, secRemoves, func(path string, it *rawItem) {
		p.Memories.Removes = append(p.Memories.Removes, r.memory(path, it))
	})
	return p
}

// itemPath names an item as verdicts do: "memories.increments[3]".
func itemPath(root, section string, i int) string {
	return fmt.Sprintf("%s.%s[%d]", root, section, i)
}

func relationItem(it *rawItem) relations.RelationItem {
	if it == nil {
		return relations.RelationItem{}
	}
	return relations.RelationItem{Date: it.leaves["date"], Key: it.leaves["key"], Content: it.leaves["content"]}
}

func (r *reader) memory(path string, it *rawItem) relations.MemoryItem {
	if it == nil {
		return relations.MemoryItem{}
	}
	m := relations.MemoryItem{
		Date: it.leaves["date"], Subject: it.leaves["subject"], Object: it.leaves["object"],
		Relation: it.leaves["relation"], Content: it.leaves["content"],
		Index0: it.leaves["index0"], Index1: it.leaves["index1"], EventDate: it.leaves["event_date"],
	}
	if v, ok := it.leaves["tags"]; ok {
		m.Tags = splitList(v)
	}
	if v, ok := it.leaves["known_by"]; ok {
		m.KnownBy = splitList(v)
	}
	if v, ok := it.leaves["msg_ids"]; ok {
		ids, bad := parseMsgIDs(v)
		m.MsgIDs = ids
		if len(bad) > 0 {
			r.rep.note(path, fmt.Sprintf("msg_ids that are no numbers were ignored: %d", len(bad)))
		}
	}
	return m
}

// splitList reads a list written with English or Chinese commas. Empty parts and
// repetitions are dropped; the result is never nil, for the list was given.
func splitList(s string) []string {
	out := []string{}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return r == ',' || r == '，' || r == '、' || r == '\n'
	}) {
		part = strings.TrimSpace(part)
		known := part == ""
		for _, o := range out {
			known = known || o == part
		}
		if !known {
			out = append(out, part)
		}
	}
	return out
}

// parseMsgIDs reads "1,2", "1, 2", "#101" or "[1 2]". It gives what is no
// positive number apart.
func parseMsgIDs(s string) (ids []int64, bad []string) {
	ids = []int64{}
	seen := make(map[int64]bool)
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return strings.ContainsRune(",，、;； \t\r\n[]", r)
	}) {
		id, err := strconv.ParseInt(strings.TrimPrefix(part, "#"), 10, 64)
		if err != nil || id <= 0 {
			bad = append(bad, part)
			continue
		}
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids, bad
}
