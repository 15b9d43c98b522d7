package steps

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"text/template"
)

//go:embed prompts/*.md
var promptFiles embed.FS

// version is that of each prompt. It stands in the head of the prompt's files
// too, which a test compares.
const version = "1"

// templates are the parsed files by language.
var templates = sync.OnceValues(func() (map[string]*template.Template, error) {
	out := make(map[string]*template.Template)
	for _, lang := range []string{"zh", "en"} {
		t, err := template.ParseFS(promptFiles, "prompts/*."+lang+".md")
		if err != nil {
			return nil, fmt.Errorf("steps: read the prompts: %w", err)
		}
		out[lang] = t.Option("missingkey=error")
	}
	return out, nil
})

// promptData is what a prompt may say.
type promptData struct{ Tags, Policy, Timezone string }

// newStep makes a step with the prompt of its name.
func newStep[T any](name string, o Options, m material, parse func(string) (T, []string, error)) Step[T] {
	return Step[T]{
		Name: name, Version: name + "/" + version, Parse: parse,
		Prompt: func(lang string) (string, string, error) {
			all, err := templates()
			if err != nil {
				return "", "", err
			}
			t, ok := all[lang]
			if !ok {
				return "", "", fmt.Errorf("steps: there are no prompts in the language %q, only in zh and en", lang)
			}
			data := promptData{Policy: oneLine(o.Policy), Timezone: oneLine(o.Timezone)}
			if data.Tags, err = tagList(o.Tags); err != nil {
				return "", "", err
			}
			var b strings.Builder
			if err := t.ExecuteTemplate(&b, name+"."+lang+".md", data); err != nil {
				return "", "", fmt.Errorf("steps: render the prompt of %s: %w", name, err)
			}
			user, err := m.render()
			return b.String(), user, err
		},
	}
}

// tagList writes tags as a JSON list, since clients set them.
func tagList(tags []string) (string, error) {
	var clean []string
	for _, t := range tags {
		if t = oneLine(t); t != "" {
			clean = append(clean, t)
		}
	}
	if len(clean) == 0 {
		return "", nil
	}
	return encode(clean)
}

// marked keeps text from writing the marks around the material.
var marked = strings.NewReplacer("<", `\u003c`, ">", `\u003e`)

// encode gives JSON on one line that is easy to read and holds no < and >.
func encode(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("steps: encode the material: %w", err)
	}
	return marked.Replace(strings.TrimSuffix(b.String(), "\n")), nil
}
