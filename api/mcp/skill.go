package mcp

import (
	_ "embed" // the skill files
	"net/http"

	"golang.org/x/text/language"
)

//go:embed skill.en.md
var skillEnglish []byte

//go:embed skill.zh.md
var skillChinese []byte

// skillLanguages are the languages of the skill file; the first is for those who
// ask for another.
var skillLanguages = language.NewMatcher([]language.Tag{language.English, language.Chinese})

// Skill gives the skill file search-long-term-memory: Markdown with front matter
// that an agent loads to know how to ask. lang is "zh", "en", a longer tag, or
// the value of an Accept-Language header; any other gives English.
func Skill(lang string) []byte {
	text, _ := skill(lang)
	return text
}

// skill takes the first preference that names one of the languages.
func skill(preferences ...string) (text []byte, lang string) {
	if _, at := language.MatchStrings(skillLanguages, preferences...); at == 1 {
		return skillChinese, "zh"
	}
	return skillEnglish, "en"
}

// SkillHandler serves the skill file in the language of ?lang=, else of the
// header Accept-Language, else in English.
func SkillHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, lang := skill(r.URL.Query().Get("lang"), r.Header.Get("Accept-Language"))
		h := w.Header()
		h.Set("Content-Type", "text/markdown; charset=utf-8")
		h.Set("Content-Language", lang)
		h.Set("Vary", "Accept-Language")
		// An error here means that the connection broke.
		_, _ = w.Write(text)
	})
}
