package extractor

import (
	"unicode"

	"relata/relations"
)

// Languages that prompts exist in.
const (
	langZH = "zh"
	langEN = "en"
)

// script counts what a text is written in: Han characters and Latin words.
type script struct{ han, latin int }

func (s *script) add(text string) {
	inWord := false
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			s.han++
			inWord = false
		case unicode.Is(unicode.Latin, r):
			if !inWord {
				s.latin++
			}
			inWord = true
		case r == '\'' || r == '’' || r == '-':
		default:
			inWord = false
		}
	}
}

// hanPerWord is how many Han characters say as much as one English word, roughly.
const hanPerWord = 1.6

// share gives the part of a text's words that is Chinese, 0 to 1; ok is false
// where there are no words at all.
func (s script) share() (zh float64, ok bool) {
	h, l := float64(s.han)/hanPerWord, float64(s.latin)
	if h+l == 0 {
		return 0, false
	}
	return h / (h + l), true
}

// chatScript counts what people and bots said; tool results are mostly keys.
func chatScript(chats []Chat) script {
	var s script
	for _, c := range chats {
		if c.Role != "tool" {
			s.add(c.Content)
		}
	}
	return s
}

// dominant gives the language of most of the words, "zh" where they are even and
// "en" where there are none.
func (s script) dominant() string {
	if zh, ok := s.share(); ok && zh >= 0.5 {
		return langZH
	}
	return langEN
}

const (
	// clearly is the share from which a batch counts as of one language. Group
	// chats that mix are below it and are not checked.
	clearly = 0.9
	// fewestWords is how much a batch must say before its language is judged.
	fewestWords = 5
	// Contents are in the wrong language if less than this share of their words is
	// in the right one: names in the other script are usual.
	foreign = 0.15
)

// clear gives the one language that nearly all of a batch is in, "" if it mixes
// or says too little.
func (s script) clear() string {
	zh, _ := s.share()
	switch {
	case float64(s.han)/hanPerWord+float64(s.latin) < fewestWords:
		return ""
	case zh >= clearly:
		return langZH
	case zh <= 1-clearly:
		return langEN
	}
	return ""
}

// wrongLanguage gives the items of p whose content is not in lang, and whether
// they are most of the contents that are new. Targets that repeat their source's
// words are not new.
func wrongLanguage(p relations.Proposal, lang string) (items []string, most bool) {
	total := 0
	judge := func(path, content string) {
		ok, isForeign := foreignTo(content, lang)
		if ok {
			total++
		}
		if isForeign {
			items = append(items, path)
		}
	}
	for i, m := range p.Memories.Increments {
		judge(itemPath(rootMemories, secIncrements, i), m.Content)
	}
	for i, m := range p.Memories.Replaces {
		if m.Target.Content != m.Source.Content {
			judge(itemPath(rootMemories, secReplaces, i), m.Target.Content)
		}
	}
	return items, 2*len(items) > total
}

// foreignTo says whether a text is in another language than lang; ok is false
// where it has no words.
func foreignTo(text, lang string) (ok, isForeign bool) {
	var s script
	s.add(text)
	zh, ok := s.share()
	return ok, ok && (lang == langZH && zh < foreign || lang == langEN && zh > 1-foreign)
}
