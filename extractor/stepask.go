package extractor

import (
	"context"
	"errors"

	"relata/extractor/steps"
	"relata/graph"
)

// stepErrors says of which kind an answer is that a step could not use.
var stepErrors = map[error]Kind{
	steps.ErrEmpty: KindEmpty, steps.ErrNoAnswer: KindNotADiff, steps.ErrMalformed: KindMalformed, steps.ErrCutOff: KindMaxTokens,
}

// askStep asks a model for one step of the pipeline and adds what it cost to the
// job. Texts gives what the answer says in its own words, nil where its language
// does not matter: in another language than the material it is asked for once
// more, and noted where that does not help. Errors are those of [asker.ask].
func askStep[T any](ctx context.Context, e *Extractor, j *job, s steps.Step[T], images []Image, texts func(T) []string) (T, []string, error) {
	var zero T
	spoken := j.script()
	lang := j.language(spoken)
	system, user, err := s.Prompt(lang)
	if err != nil {
		return zero, nil, graph.WrapError(graph.CodeInternal, err, "the prompt of the step %s cannot be made", s.Name)
	}
	req := Request{Step: s.Name, Session: j.batch.Session, System: system, User: user, Images: images, JSON: true}
	if isReader(s.Name) {
		req.Step = StepReader
	}
	e.log.DebugContext(ctx, "model asked", "step", s.Name, "session", req.Session, "system", req.System, "user", req.User)
	result, notes, err := askOnce(ctx, e, j, s, req)
	clear := spoken.clear()
	if err != nil || texts == nil || clear == "" || !mostlyForeign(texts(result), clear) {
		return result, notes, err
	}
	req.System += "\n" + reminders[clear]
	if again, more, err := askOnce(ctx, e, j, s, req); err == nil && !mostlyForeign(texts(again), clear) {
		return again, more, nil
	}
	return result, append(notes, "the answer is not in the language of the material"), nil
}

func askOnce[T any](ctx context.Context, e *Extractor, j *job, s steps.Step[T], req Request) (result T, notes []string, err error) {
	usage := graph.Usage{}
	defer func() {
		j.spend(s.Name, usage)
		e.log.InfoContext(ctx, "model answered", "step", s.Name, "space", j.space.Name, "session", req.Session, "model", usage.Model,
			"calls", usage.Calls, "input_tokens", usage.InputTokens, "output_tokens", usage.OutputTokens, "milliseconds", usage.Milliseconds, "error", err)
	}()
	err = e.asker.ask(ctx, req, &usage, func(a Answer) error {
		got, said, err := s.Parse(a.Text)
		for cause, kind := range stepErrors {
			if errors.Is(err, cause) {
				return &AnswerError{kind, err.Error()}
			}
		}
		if err == nil {
			result, notes = got, said
		}
		return err
	})
	return result, notes, err
}

func isReader(name string) bool {
	switch name {
	case steps.ChatReader, steps.DocumentReader, steps.TextReader, steps.ImageReader:
		return true
	}
	return false
}

// mostlyForeign says whether most of some texts are in another language.
func mostlyForeign(texts []string, lang string) bool {
	wrong, total := 0, 0
	for _, text := range texts {
		if ok, foreign := foreignTo(text, lang); ok {
			total++
			if foreign {
				wrong++
			}
		}
	}
	return 2*wrong > total
}

// spend adds to what the job cost and to the trace of a stage.
func (j *job) spend(stage string, u graph.Usage) {
	j.usage.Model = u.Model
	j.usage.InputTokens += u.InputTokens
	j.usage.OutputTokens += u.OutputTokens
	j.usage.Calls += u.Calls
	j.usage.Milliseconds += u.Milliseconds
	t := j.stage(stage)
	t.InputTokens += u.InputTokens
	t.OutputTokens += u.OutputTokens
	t.Calls += u.Calls
	t.Milliseconds += u.Milliseconds
}

// stage gives the trace of a stage, made where it is new.
func (j *job) stage(name string) *graph.Stage {
	for i := range j.trace {
		if j.trace[i].Name == name {
			return &j.trace[i]
		}
	}
	j.trace = append(j.trace, graph.Stage{Name: name})
	return &j.trace[len(j.trace)-1]
}

func (j *job) note(stage string, notes ...string) {
	t := j.stage(stage)
	t.Notes = append(t.Notes, notes...)
}
