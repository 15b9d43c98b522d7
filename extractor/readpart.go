package extractor

import (
	"cmp"
	"context"
	"fmt"

	"relata/extractor/steps"
	"relata/graph"
	"relata/relations"
)

// Read reads one part of some material into the memory of its space: a reader
// finds facts in each chunk, and the diff is made of them. Otherwise it is as
// [Extractor.Ingest]; o.Key and o.Mode do not count.
func (e *Extractor) Read(ctx context.Context, p Part, o IngestOptions) (graph.Receipt, error) {
	if e.asker == nil {
		return graph.Receipt{}, noModel()
	}
	j, err := e.openMaterial(ctx, p)
	if err != nil {
		return graph.Receipt{}, err
	}
	stages := []stage{readPartStage{e, p}, contextStage{e}, diffStage{e}}
	return e.process(ctx, j, stages, p.Key, o)
}

// openMaterial makes the job of a part.
func (e *Extractor) openMaterial(ctx context.Context, p Part) (*job, error) {
	m := p.Material
	space, err := e.store.Space(ctx, m.Space)
	if err != nil {
		return nil, err
	}
	personas, err := e.store.Personas(ctx, m.Space, "")
	if err != nil {
		return nil, err
	}
	j := &job{
		batch: Batch{Space: m.Space, Session: m.Session, Tags: m.Tags}, space: space, people: people{all: personas},
		date: e.now(), how: graph.HowRead, visible: m.VisibleTo, read: true,
	}
	if j.visible == nil {
		j.visible = names(personas)
	}
	if m.Date != "" {
		if j.date, _, err = relations.ParseDate(m.Date, space.Location()); err != nil {
			return nil, &graph.Error{Code: graph.CodeInvalid, Message: "the date cannot be read", Fields: []graph.Field{{Name: "date", Message: err.Error()}}}
		}
	}
	seen := presentOf(j.visible, personas)
	for i, text := range p.texts() {
		s := graph.Source{
			Kind: p.Kind, Session: m.Session, Speaker: m.GivenBy, Date: j.date, Content: text, Present: seen,
			Name: p.Title, URL: m.URL,
		}
		if p.Total > 1 {
			s.Name = fmt.Sprintf("%s #%d", p.Title, p.First+i)
		}
		if p.Picture != nil {
			s.Hash = p.Picture.SHA256
		}
		j.sources = append(j.sources, s)
	}
	return j, nil
}

// presentOf gives the display names of the personas among some names.
func presentOf(list []string, personas []graph.Persona) []string {
	p, err := resolvePeople(Batch{Present: list}, personas)
	if err != nil {
		return nil
	}
	return p.personaNames()
}

// texts gives what the part's sources hold: of an image what is known of it,
// until the reader has looked.
func (p *Part) texts() []string {
	if p.Picture != nil {
		return []string{cmp.Or(p.Material.Context, p.Title)}
	}
	return p.Chunks
}

// readPartStage asks the reader for each chunk, or for the image.
type readPartStage struct {
	e    *Extractor
	part Part
}

func (s readPartStage) run(ctx context.Context, j *job) error {
	for i := range j.sources {
		step, images := s.step(j, i)
		reading, notes, err := askStep(ctx, s.e, j, step, images, readingTexts)
		if err != nil {
			return modelFailure(ctx, err, fmt.Sprintf("the reader gave no usable facts of %s", j.sources[i].Name), j.usage.Calls)
		}
		j.note(step.Name, notes...)
		j.take(reading, func(it steps.Item) fact {
			return fact{Item: it, sources: []int64{j.sources[i].SourceID}, date: j.date}
		})
		if s.part.Picture != nil && reading.Summary != "" {
			// What the image shows stands for its bytes, which are not kept.
			j.sources[i].Content = reading.Summary
		}
	}
	return nil
}

func (s readPartStage) step(j *job, i int) (steps.Step[steps.Reading], []Image) {
	date := relations.FormatDate(j.date, j.space.Location())
	o := j.options()
	p := s.part
	switch {
	case p.Picture != nil:
		return steps.ReadImage(steps.Picture{Date: date, Context: p.Material.Context}, o), []Image{{Type: p.Picture.Type, Data: p.Picture.Data}}
	case p.Free:
		return steps.ReadText(steps.Text{Title: p.Title, Date: date, Part: p.First + i, Parts: p.Total, Text: p.Chunks[i]}, o), nil
	}
	return steps.ReadDocument(steps.Text{Title: p.Title, Date: date, Part: p.First + i, Parts: p.Total, Text: p.Chunks[i]}, o), nil
}
