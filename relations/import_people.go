package relations

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"relata/graph"
)

// settings gives a space without memories the settings of the file's.
func (r *importRun) settings(ctx context.Context, l *spaceLine) error {
	now, err := r.store.Space(ctx, r.req.Space)
	if err != nil {
		return err
	}
	want := l.Space
	want.Name = r.req.Space
	same := (want.Timezone == "" || want.Timezone == now.Timezone) && (want.Language == "" || want.Language == now.Language) &&
		(want.Governance == "" || want.Governance == now.Governance) && (want.WriterSees == "" || want.WriterSees == now.WriterSees) &&
		(want.ContentPolicy == "" || want.ContentPolicy == now.ContentPolicy)
	if same {
		r.report.Duplicates++
		return nil
	}
	for _, retired := range []bool{false, true} {
		page, err := r.store.Memories(ctx, r.req.Space, graph.MemoryFilter{Limit: 1, Retired: retired})
		if err != nil {
			return err
		}
		if len(page.Items) > 0 {
			r.report.complain(l.line, "the space has memories and keeps its own settings")
			return nil
		}
	}
	if _, _, err := r.store.PutSpace(ctx, want); err != nil {
		return err
	}
	r.report.Spaces++
	return nil
}

func (r *importRun) persona(ctx context.Context, l *personaLine) error {
	all, err := r.store.Personas(ctx, r.req.Space, "")
	if err != nil {
		return err
	}
	key := graph.EntityKey(l.Name)
	at := slices.IndexFunc(all, func(p graph.Persona) bool { return graph.EntityKey(p.Name) == key })
	if at >= 0 && holds(all[at], l.Persona) {
		r.report.Duplicates++
		return nil
	}
	_, err = r.store.PutPersona(ctx, r.req.Space, l.Persona)
	switch graph.ErrorCode(err) {
	case "":
	case graph.CodeInvalid, graph.CodeConflict:
		r.report.fail(l.line, "%s", fieldsError(err))
		return nil
	default:
		return err
	}
	r.report.Personas++
	return nil
}

// holds says whether a persona has all that another says of it.
func holds(p, said graph.Persona) bool {
	all := func(have, want []string) bool {
		return !slices.ContainsFunc(want, func(a string) bool { return !slices.Contains(have, a) })
	}
	return (said.Owner == "" || graph.EntityKey(said.Owner) == graph.EntityKey(p.Owner)) && (said.Voice == "" || said.Voice == p.Voice) &&
		all(p.Aliases, said.Aliases) && all(p.OwnerAliases, said.OwnerAliases)
}

func (r *importRun) entities(ctx context.Context, lines []entityLine) error {
	first, err := r.store.NewIDs(ctx, len(lines))
	if err != nil {
		return err
	}
	// A name that comes twice is one entity.
	var entities []graph.ImportEntity
	var of []entityLine
	at := make(map[string]int, len(lines))
	twice := 0
	for i, l := range lines {
		l.ID = graph.EntityID(first + int64(i))
		key := graph.EntityKey(l.Name)
		if j, ok := at[key]; ok {
			entities[j].Aliases = append(entities[j].Aliases, l.Aliases...)
			twice++
			continue
		}
		at[key] = len(entities)
		entities, of = append(entities, l.ImportEntity), append(of, l)
	}
	var added []bool
	var refused [][]string
	err = r.store.Write(ctx, r.req.Space, func(ctx context.Context, tx *graph.Tx) (err error) {
		added, refused, err = tx.ImportEntities(ctx, entities)
		return err
	})
	if err != nil {
		return err
	}
	r.report.Duplicates += twice
	for i := range entities {
		if added[i] {
			r.report.Entities++
		} else {
			r.report.Duplicates++
		}
		if len(refused[i]) > 0 {
			r.report.complain(of[i].line, "another entity has the alias %s", strings.Join(refused[i], ", "))
		}
	}
	return nil
}

func (r *importRun) sources(ctx context.Context, lines []sourceLine) error {
	var report ImportReport
	foreign := make(map[int64]bool)
	err := r.store.Write(ctx, r.req.Space, func(ctx context.Context, tx *graph.Tx) error {
		report = ImportReport{}
		clear(foreign)
		ids := make([]int64, len(lines))
		for i, l := range lines {
			ids[i] = l.SourceID
		}
		stored, err := tx.Sources(ctx, ids)
		if err != nil {
			return err
		}
		var fresh []graph.Source
		for _, l := range lines {
			other, ok := stored[l.SourceID]
			switch {
			case !ok:
				stored[l.SourceID] = l.Source
				fresh = append(fresh, l.Source)
				report.Sources++
			case sameSource(l.Source, other):
				report.Duplicates++
			default:
				foreign[l.SourceID] = true
				report.fail(l.line, "%d is the id of another source: ids are unique in a space", l.SourceID)
			}
		}
		return tx.ImportSources(ctx, fresh)
	})
	if err != nil {
		return err
	}
	r.merge(report)
	for id := range foreign {
		r.foreign[id] = true
	}
	return nil
}

// merge adds the report of a transaction once it is committed.
func (r *importRun) merge(part ImportReport) {
	r.report.Relations += part.Relations
	r.report.Sources += part.Sources
	r.report.Memories += part.Memories
	r.report.Diffs += part.Diffs
	r.report.Duplicates += part.Duplicates
	r.report.MissingSources += part.MissingSources
	r.report.Failed += part.Failed
	r.report.Complaints += part.Complaints
	for _, e := range part.Errors {
		if len(r.report.Errors) < MaxImportErrors {
			r.report.Errors = append(r.report.Errors, e)
		}
	}
}

func (r *importRun) diffs(ctx context.Context, lines []diffLine) error {
	first, err := r.store.NewIDs(ctx, len(lines))
	if err != nil {
		return err
	}
	var moments []time.Time
	keys := []string{}
	for _, l := range lines {
		moments = append(moments, l.CreatedAt)
		if l.Key != "" {
			keys = append(keys, l.Key)
		}
	}
	var report ImportReport
	err = r.store.Write(ctx, r.req.Space, func(ctx context.Context, tx *graph.Tx) error {
		report = ImportReport{}
		known, err := tx.KnownDiffs(ctx, moments, keys)
		if err != nil {
			return err
		}
		var fresh []graph.ImportDiff
		for i, l := range lines {
			there := slices.ContainsFunc(known, func(d graph.Diff) bool {
				return d.CreatedAt.Equal(l.CreatedAt) && d.Session == l.Session || l.Key != "" && d.Key == l.Key
			})
			if there {
				report.Duplicates++
				continue
			}
			d := l.ImportDiff
			d.ID = graph.DiffID(first + int64(i))
			d.Items = r.items(l.Items)
			fresh, known = append(fresh, d), append(known, d.Diff)
			report.Diffs++
		}
		if len(fresh) == 0 {
			return nil
		}
		return tx.ImportDiffs(ctx, fresh)
	})
	if err == nil {
		r.merge(report)
	}
	return err
}

// items gives items of the ledger with the memories' new ids; what the file
// does not hold goes without.
func (r *importRun) items(items []graph.DiffItem) []graph.DiffItem {
	id := func(old graph.MemoryID) graph.MemoryID {
		if old == 0 {
			return 0
		}
		return r.keys[r.hash(strconv.FormatInt(int64(old), 10))]
	}
	out := slices.Clone(items)
	for i := range out {
		out[i].Memory, out[i].Old = id(out[i].Memory), id(out[i].Old)
	}
	return out
}
