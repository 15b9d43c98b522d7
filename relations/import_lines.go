package relations

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"relata/graph"
)

// lineBatch is a run of lines of one kind, checked as far as that goes without
// the space.
type lineBatch struct {
	space     *spaceLine
	persona   *personaLine
	relations []relationLine
	entities  []entityLine
	sources   []sourceLine
	memories  []memoryLine
	diffs     []diffLine

	bad      []LineError
	lastLine int
	bytes    int64 // of the stream up to here
}

type (
	spaceLine struct {
		line int
		graph.Space
	}
	personaLine struct {
		line int
		graph.Persona
	}
	relationLine struct {
		line int
		graph.Relation
	}
	entityLine struct {
		line int
		graph.ImportEntity
	}
	sourceLine struct {
		line int
		graph.Source
	}
	diffLine struct {
		line int
		graph.ImportDiff
	}
	memoryLine struct {
		line int
		graph.MemoryLine
		date, retiredAt time.Time
		since           []time.Time // of each Aware
		vector          []float32
	}
)

// lineReader cuts a stream into batches.
type lineReader struct {
	in    *bufio.Reader
	loc   *time.Location // of dates: the space's, then the file's
	line  int
	bytes int64
	batch *lineBatch
	kind  string // of the batch
	lines int    // in the batch
	size  int    // of the batch
}

func newLineReader(r io.Reader, loc *time.Location) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, 64<<10), loc: loc, batch: &lineBatch{}}
}

// batches hands on batch after batch until the stream ends.
func (r *lineReader) batches(emit func(*lineBatch) error) error {
	flush := func() error {
		b := r.batch
		if b.lastLine == 0 {
			return nil
		}
		r.batch, r.kind, r.lines, r.size = &lineBatch{}, "", 0, 0
		return emit(b)
	}
	for {
		text, err := r.next()
		if err == io.EOF {
			return flush()
		}
		if err != nil && err != errLongLine {
			if ferr := flush(); ferr != nil {
				return ferr
			}
			return err
		}
		kind, add, bad := "", (func())(nil), err
		if bad == nil {
			kind, add, bad = r.parse(text)
		}
		if add != nil && r.kind != "" && (kind != r.kind || kind == graph.LinePersona || kind == graph.LineSpace) {
			if err := flush(); err != nil {
				return err
			}
		}
		r.batch.lastLine, r.batch.bytes = r.line, r.bytes
		switch {
		case bad != nil:
			r.batch.bad = append(r.batch.bad, LineError{r.line, bad.Error()})
		case add != nil:
			r.kind = kind
			add()
		}
		r.lines++
		if r.size += len(text); r.lines >= ImportBatch || r.size >= importBatchBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
}

// errLongLine is a line over the limit; the next one can be read.
var errLongLine = fmt.Errorf("the line is longer than %d bytes", MaxLineBytes)

// next gives the next line. Errors: io.EOF at the end, errLongLine, CodeInvalid
// for a stream that breaks off.
func (r *lineReader) next() ([]byte, error) {
	var text []byte
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		r.bytes += int64(len(part))
		if len(text)+len(part) > MaxLineBytes {
			long, text = true, nil
		}
		if !long {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(text) == 0 && !long:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, graph.WrapError(graph.CodeInvalid, err, "the lines broke off after line %d", r.line)
		}
		r.line++
		if long {
			return nil, errLongLine
		}
		if r.line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		return bytes.TrimSpace(text), nil
	}
}

// parse reads one line and gives how it joins the batch, nil for a blank one.
func (r *lineReader) parse(text []byte) (kind string, add func(), err error) {
	switch {
	case len(text) == 0:
		return "", nil, nil
	case !utf8.Valid(text):
		return "", nil, errors.New("the line is not UTF-8")
	}
	var head struct {
		Type *string `json:"type"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return "", nil, lineError(err)
	}
	kind = graph.LineMemory
	if head.Type != nil && *head.Type != "" {
		kind = *head.Type
	}
	switch kind {
	case graph.LineSpace:
		add, err = r.parseSpace(text)
	case graph.LinePersona:
		add, err = r.parsePersona(text)
	case graph.LineRelation:
		add, err = r.parseRelation(text)
	case graph.LineEntity:
		add, err = r.parseEntity(text)
	case graph.LineSource:
		add, err = r.parseSource(text)
	case graph.LineMemory:
		add, err = r.parseMemory(text)
	case graph.LineDiff:
		add, err = r.parseDiff(text)
	default:
		err = fmt.Errorf("the type %s is unknown: use space, persona, relation, entity, source, memory or diff", quote(kind))
	}
	return kind, add, err
}

func lineError(err error) error {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if e.Field == "" {
			return fmt.Errorf("the line must be a JSON object, not %s", e.Value)
		}
		return fmt.Errorf("%s cannot be %s", e.Field, e.Value)
	}
	return fmt.Errorf("the line is not valid JSON: %w", err)
}

func read[T any](text []byte) (T, error) {
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		return v, lineError(err)
	}
	return v, nil
}

// date reads a date field, the zero time where it says nothing.
func (r *lineReader) date(field, text string) (time.Time, error) {
	if noDate(text) {
		return time.Time{}, nil
	}
	t, _, err := ParseDate(text, r.loc)
	if err != nil {
		return t, fmt.Errorf("%s: %w", field, err)
	}
	return t.UTC(), nil
}

func checkLineName(field, name string) error {
	switch {
	case blank(name):
		return fmt.Errorf("%s missing", field)
	case len(name) > MaxNameBytes:
		return fmt.Errorf("%s has %d bytes, at most %d are allowed", field, len(name), MaxNameBytes)
	}
	return nil
}

func (r *lineReader) parseSpace(text []byte) (func(), error) {
	l, err := read[graph.SpaceLine](text)
	if err != nil {
		return nil, err
	}
	sp := graph.Space{
		Name: "space", Timezone: l.Timezone, Language: l.Language,
		Governance: graph.Governance(l.Governance), WriterSees: graph.WriterSees(l.WriterSees),
		ContentPolicy: l.Policy,
	}
	if err := sp.Validate(); err != nil {
		return nil, fieldsError(err)
	}
	return func() {
		if l.Timezone != "" {
			r.loc = sp.Location()
		}
		r.batch.space = &spaceLine{r.line, sp}
	}, nil
}

// fieldsError says which fields are wrong.
func fieldsError(err error) error {
	e, ok := errors.AsType[*graph.Error](err)
	if !ok || len(e.Fields) == 0 {
		return err
	}
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = f.Name + " " + f.Message
	}
	return errors.New(strings.Join(parts, "; "))
}

func (r *lineReader) parsePersona(text []byte) (func(), error) {
	l, err := read[graph.PersonaLine](text)
	if err != nil {
		return nil, err
	}
	p := graph.Persona{Name: clean(l.Name), Aliases: l.Aliases, Owner: clean(l.Owner), OwnerAliases: l.OwnerAliases, Voice: l.Voice}
	if err := checkLineName("name", p.Name); err != nil {
		return nil, err
	}
	return func() { r.batch.persona = &personaLine{r.line, p} }, nil
}

func (r *lineReader) parseRelation(text []byte) (func(), error) {
	l, err := read[graph.RelationLine](text)
	if err != nil {
		return nil, err
	}
	date, err := r.date("date", l.Date)
	if err != nil {
		return nil, err
	}
	key, err := NormalizeKey(l.Key)
	if err != nil {
		return nil, err
	}
	status := graph.RelationStatus(l.Status)
	switch status {
	case "", graph.RelationActive, graph.RelationPending, graph.RelationDeprecated:
	default:
		return nil, fmt.Errorf("status %s is unknown: use active, pending or deprecated", quote(l.Status))
	}
	rel := graph.Relation{
		Key: key, Content: clean(l.Content), Date: date, Functional: l.Functional, Symmetric: l.Symmetric,
		Inverse: l.Inverse, Aliases: l.Aliases, Status: status, Successor: l.Successor,
	}
	return func() { r.batch.relations = append(r.batch.relations, relationLine{r.line, rel}) }, nil
}

func (r *lineReader) parseEntity(text []byte) (func(), error) {
	l, err := read[graph.EntityLine](text)
	if err != nil {
		return nil, err
	}
	e := graph.ImportEntity{Name: clean(l.Name), Kind: clean(l.Kind)}
	if err := checkLineName("name", e.Name); err != nil {
		return nil, err
	}
	for i, a := range l.Aliases {
		if a = clean(a); graph.EntityKey(a) == graph.EntityKey(e.Name) {
			continue
		}
		if err := checkLineName(fmt.Sprintf("aliases[%d]", i), a); err != nil {
			return nil, err
		}
		e.Aliases = append(e.Aliases, a)
	}
	return func() { r.batch.entities = append(r.batch.entities, entityLine{r.line, e}) }, nil
}

func (r *lineReader) parseSource(text []byte) (func(), error) {
	l, err := read[graph.SourceLine](text)
	if err != nil {
		return nil, err
	}
	date, err := r.date("date", l.Date)
	if err != nil {
		return nil, err
	}
	kind := graph.SourceKind(l.Kind)
	switch {
	case l.ID == 0:
		return nil, errors.New("id missing")
	case l.ID < 0 || l.ID >= 1<<53:
		return nil, fmt.Errorf("id %d is out of range: use 1 to 2^53-1", l.ID)
	case len(l.Session) > MaxNameBytes:
		return nil, fmt.Errorf("session has %d bytes, at most %d are allowed", len(l.Session), MaxNameBytes)
	case kind == "":
		kind = graph.SourceMessage
	case kind != graph.SourceMessage && kind != graph.SourceChunk && kind != graph.SourceImage:
		return nil, fmt.Errorf("kind %s is unknown: use message, chunk or image", quote(l.Kind))
	}
	src := graph.Source{
		SourceID: l.ID, Kind: kind, Session: l.Session, Role: l.Role, Speaker: l.Speaker, Date: date,
		Content: l.Content, ToolCalls: l.ToolCalls, ToolCallID: l.ToolCallID, Present: l.Present,
		Name: l.SourceID, URL: l.URL, Hash: l.Hash,
	}
	return func() { r.batch.sources = append(r.batch.sources, sourceLine{r.line, src}) }, nil
}

func (r *lineReader) parseMemory(text []byte) (func(), error) {
	l, err := read[graph.MemoryLine](text)
	if err != nil {
		return nil, err
	}
	m := memoryLine{line: r.line, MemoryLine: l}
	m.Subject, m.Object, m.Content = clean(l.Subject), clean(l.Object), clean(l.Content)
	for _, f := range []struct{ name, text string }{{"subject", m.Subject}, {"object", m.Object}} {
		if err := checkLineName(f.name, f.text); err != nil {
			return nil, err
		}
	}
	switch {
	case blank(m.Content):
		return nil, errors.New("content missing")
	case len(m.Content) > MaxContentBytes:
		return nil, fmt.Errorf("content has %d bytes, at most %d are allowed", len(m.Content), MaxContentBytes)
	case blank(m.Relation):
		return nil, errors.New("relation missing")
	}
	if m.date, err = r.date("date", l.Date); err != nil {
		return nil, err
	}
	if m.retiredAt, err = r.date("retired_at", l.RetiredAt); err != nil {
		return nil, err
	}
	switch m.RetiredBy {
	case "", "replace", "remove":
	default:
		return nil, fmt.Errorf("retired_by %s is unknown: use replace or remove", quote(m.RetiredBy))
	}
	if m.EventDate = ""; !noDate(l.EventDate) {
		if m.EventDate, err = NormalizeEventDate(l.EventDate, r.loc); err != nil {
			return nil, fmt.Errorf("event_date: %w", err)
		}
	}
	if m.Index0 != "" || m.Index1 != "" {
		c, err := graph.ParseCategory(indexName(l.Index0), indexName(l.Index1))
		if err != nil {
			return nil, err
		}
		m.Index0, m.Index1 = c.Index0, c.Index1
	}
	for _, k := range l.Aware {
		since, err := r.date("aware.since", k.Since)
		if err != nil {
			return nil, err
		}
		if err := checkLineName("aware.name", k.Name); err != nil {
			return nil, err
		}
		if !slices.Contains(ways, graph.How(k.How)) {
			return nil, fmt.Errorf("aware.how %s is unknown: use said, told, present, read or granted", quote(k.How))
		}
		m.since = append(m.since, since)
	}
	m.Tags = tagList(l.Tags)
	return func() { r.batch.memories = append(r.batch.memories, m) }, nil
}

var ways = []graph.How{graph.HowSaid, graph.HowTold, graph.HowPresent, graph.HowRead, graph.HowGranted}

func (r *lineReader) parseDiff(text []byte) (func(), error) {
	l, err := read[graph.DiffLine](text)
	if err != nil {
		return nil, err
	}
	date, err := r.date("date", l.Date)
	if err != nil {
		return nil, err
	}
	if l.CreatedAt.IsZero() {
		return nil, errors.New("created_at missing")
	}
	status := graph.DiffStatus(l.Status)
	switch status {
	case graph.DiffApplied, graph.DiffProposed, graph.DiffNothing, graph.DiffRejected, graph.DiffReverted:
	default:
		return nil, fmt.Errorf("status %s is unknown", quote(l.Status))
	}
	d := graph.ImportDiff{Held: l.Held, Diff: graph.Diff{
		ID: graph.DiffID(l.ID), Status: status, Session: l.Session, Persona: l.Persona, Present: l.Present, By: l.By,
		Key: l.Key, Date: date, CreatedAt: l.CreatedAt.UTC(), PromptVersion: l.PromptVersion, Usage: l.Usage,
		Truncated: l.Truncated, Items: l.Items,
	}}
	return func() { r.batch.diffs = append(r.batch.diffs, diffLine{r.line, d}) }, nil
}
