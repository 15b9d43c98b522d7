package extractor

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"relata/graph"
)

// PromptVersion names the wording of the diff prompts. It is kept with every
// diff and changes with every change of the files.
const PromptVersion = "diff/2"

//go:embed prompts/*.md
var promptFiles embed.FS

// prompts are the parsed files by name, such as "diff.zh.md".
type prompts struct{ t *template.Template }

func loadPrompts() (prompts, error) {
	t, err := template.ParseFS(promptFiles, "prompts/*.md")
	if err != nil {
		return prompts{}, fmt.Errorf("extractor: read the prompts: %w", err)
	}
	return prompts{t.Option("missingkey=error")}, nil
}

// promptData is what a diff prompt may say. Lists are joined already.
type promptData struct {
	Extended         bool
	Facts            bool // the chats are what a reader found
	Personas         []promptPersona
	PersonaNames     string
	Others           string
	Writer           string // "" without personas
	WriterOwner      string
	Group            bool
	Timezone         string
	Tags             string
	RelationLanguage string // in the prompt's own language
}

type promptPersona struct {
	Name, Aliases, Owner, OwnerAliases, Voice string
}

// system renders the instructions of the diff step in a language.
func (p prompts) system(lang string, data promptData) (string, error) {
	var b strings.Builder
	if err := p.t.ExecuteTemplate(&b, "diff."+lang+".md", data); err != nil {
		return "", fmt.Errorf("extractor: render the prompt: %w", err)
	}
	return b.String(), nil
}

// newPromptData fills a prompt for a batch. lang is the prompt's language, which
// is also that of new relations: the space's, else the batch's.
func newPromptData(profile Profile, lang string, space graph.Space, p people, tags []string) promptData {
	comma := ", "
	if lang == langZH {
		comma = "、"
	}
	list := func(names []string) string {
		clean := make([]string, len(names))
		for i, n := range names {
			clean[i] = oneLine(n)
		}
		return strings.Join(clean, comma)
	}
	d := promptData{
		Extended: profile != ProfilePlain, Timezone: space.Location().String(),
		Others: list(p.others), Tags: list(tags), PersonaNames: list(p.personaNames()),
		RelationLanguage: map[string]string{langZH: "中文", langEN: "English"}[lang],
	}
	there := p.personas()
	for _, x := range there {
		d.Personas = append(d.Personas, promptPersona{
			Name: oneLine(x.Name), Aliases: list(x.Aliases),
			Owner: oneLine(x.Owner), OwnerAliases: list(x.OwnerAliases), Voice: oneLine(x.Voice),
		})
	}
	if len(there) > 0 {
		d.Writer, d.WriterOwner = d.Personas[0].Name, d.Personas[0].Owner
	}
	d.Group = len(there) > 1 || len(p.others) > 0 || len(p.present) > 0
	return d
}

// oneLine keeps a name or a voice, which clients set, from looking like a part
// of the prompt's structure.
func oneLine(s string) string {
	s, _ = cleanText(s)
	return strings.Join(strings.Fields(s), " ")
}
