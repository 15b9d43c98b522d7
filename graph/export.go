package graph

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"relata/cypher"
)

var (
	exportSources  = cypher.Load("export_sources")
	exportMemories = cypher.Load("export_memories")
	exportDiffs    = cypher.Load("export_diffs")
)

// Rows read at a time by [Store.Export]: a page is all that is in memory.
// Sources and diffs are few because each can be large.
const (
	exportPage      = 500
	exportLargePage = 100
)

// Export gives everything of a space, one line after the other, in the order
// space, personas, relations, entities, sources, memories (by id, current and
// retired alike), diffs. A line is one of the …Line types. It reads page after
// page: what others write meanwhile may or may not be in it. An error of emit
// ends the export and is returned. Vectors, the model's raw answers and the keys
// of relations that are gone are not in it. Errors: CodeNotFound for the space.
func (s *Store) Export(ctx context.Context, space string, emit func(line any) error) error {
	sp, err := s.Space(ctx, space)
	if err != nil {
		return err
	}
	e := exporter{s, sp, sp.Location(), emit}
	for _, part := range []func(context.Context) error{e.settings, e.personas, e.relations, e.entities, e.sources, e.memories, e.diffs} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

type exporter struct {
	*Store
	space Space
	loc   *time.Location
	emit  func(any) error
}

func (e exporter) settings(context.Context) error {
	return e.emit(SpaceLine{
		LineSpace, e.space.Name, e.space.Timezone, e.space.Language, e.space.Vocabulary,
		string(e.space.Governance), string(e.space.WriterSees), e.space.ContentPolicy,
	})
}

func (e exporter) personas(ctx context.Context) error {
	personas, err := e.Personas(ctx, e.space.Name, "")
	if err != nil {
		return err
	}
	for _, p := range personas {
		if err := e.emit(PersonaLine{LinePersona, p.Name, p.Aliases, p.Owner, p.OwnerAliases, p.Voice}); err != nil {
			return err
		}
	}
	return nil
}

func (e exporter) relations(ctx context.Context) error {
	relations, err := e.Relations(ctx, e.space.Name, "")
	if err != nil {
		return err
	}
	for _, r := range relations {
		err := e.emit(RelationLine{
			LineRelation, r.Key, r.Content, LineDate(r.Date, e.loc), r.Functional, r.Symmetric,
			r.Inverse, r.Aliases, string(r.Status), r.Successor,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (e exporter) entities(ctx context.Context) error {
	after := ""
	for {
		rows, err := read(ctx, e.Store, entityList, map[string]any{"space": e.space.Name, "after": after, "limit": exportPage},
			func(r record) (Entity, error) { return toEntity(r.node("entity")), nil })
		if err != nil || len(rows) == 0 {
			return err
		}
		after = rows[len(rows)-1].Key
		for _, x := range rows {
			if x.Persona {
				continue // its line is that of the persona
			}
			if err := e.emit(EntityLine{LineEntity, x.Name, x.Aliases, x.Kind}); err != nil {
				return err
			}
		}
	}
}

func (e exporter) sources(ctx context.Context) error {
	return pages(ctx, e, exportSources, exportLargePage, toSource, func(x Source) (int64, any) {
		return x.SourceID, SourceLine{
			LineSource, x.SourceID, x.Name, string(x.Kind), x.Session, LineDate(x.Date, e.loc),
			x.Role, x.Speaker, x.Content, x.ToolCalls, x.ToolCallID, x.Present,
			x.URL, x.Hash,
		}
	})
}

func (e exporter) memories(ctx context.Context) error {
	return pages(ctx, e, exportMemories, exportPage, func(r record) (MemoryLine, error) {
		return e.memoryLine(r), nil
	}, func(m MemoryLine) (int64, any) {
		id, _ := strconv.ParseInt(m.Key, 10, 64) // written from one
		return id, m
	})
}

func (e exporter) memoryLine(r record) MemoryLine {
	m := toMemory(r.node("memory"))
	line := MemoryLine{
		Type: LineMemory, Key: strconv.FormatInt(int64(m.ID), 10),
		Subject: m.Subject, Relation: m.Relation, Object: m.Object, Content: m.Content, Date: LineDate(m.Date, e.loc),
		Index0: m.Index0, Index1: m.Index1, Tags: m.Tags, MsgIDs: sortedInts(r.ints("sources")), EventDate: m.EventDate,
		RetiredAt: LineDate(m.RetiredAt, e.loc), RetiredBy: m.RetiredBy, Title: m.Title, MemoryType: m.MemoryType,
		Persona: m.Persona, Session: m.SessionID,
	}
	for _, old := range sortedInts(r.ints("supersedes")) {
		line.Supersedes = append(line.Supersedes, strconv.FormatInt(old, 10))
	}
	other := func(side, written string) string {
		entity := r.node(side)
		if EntityKey(written) == entity.text("key") && !r.bool(side+"_shadowed") {
			return ""
		}
		return entity.text("name")
	}
	line.SubjectEntity, line.ObjectEntity = other("subject", m.Subject), other("object", m.Object)
	var aware []Awareness
	for _, f := range r.nodes("aware") {
		aware = append(aware, toAwareness(f))
	}
	slices.SortFunc(aware, func(a, b Awareness) int { return int(a.Entity.ID - b.Entity.ID) })
	line.KnownBy = personaNames(aware)
	for _, k := range aware {
		line.Aware = append(line.Aware, AwareLine{k.Entity.Name, LineDate(k.Since, e.loc), string(k.How), k.By, k.MsgIDs})
	}
	return line
}

func (e exporter) diffs(ctx context.Context) error {
	type row struct {
		Diff
		held string
	}
	return pages(ctx, e, exportDiffs, exportLargePage, func(r record) (row, error) {
		d, err := toDiff(r)
		return row{d, r.text("held")}, err
	}, func(d row) (int64, any) {
		return int64(d.ID), DiffLine{
			LineDiff, int64(d.ID), string(d.Status), d.Session, d.Persona, d.Present, d.By, d.Key,
			LineDate(d.Date, e.loc), d.CreatedAt, d.PromptVersion, d.Usage, d.Truncated, d.Items, d.held,
		}
	})
}

// pages emits the rows of a statement that gives those after an id.
func pages[T any](ctx context.Context, e exporter, st cypher.Statement, limit int, row func(record) (T, error), line func(T) (int64, any)) error {
	after := int64(math.MinInt64)
	for {
		rows, err := read(ctx, e.Store, st, map[string]any{"space": e.space.Name, "after": after, "limit": limit}, row)
		if err != nil {
			return err
		}
		for _, r := range rows {
			id, l := line(r)
			if err := e.emit(l); err != nil {
				return err
			}
			after = id
		}
		if len(rows) < limit {
			return nil
		}
	}
}
