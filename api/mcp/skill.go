package mcp

import (
	_ "embed" // the skill files

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
	if _, at := language.MatchStrings(skillLanguages, lang); at == 1 {
		return skillChinese
	}
	return skillEnglish
}
