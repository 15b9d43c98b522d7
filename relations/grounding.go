package relations

import "relata/graph"

// Names that stand for whoever plays a role in a chat, by entity key. Within a
// batch they are read as that participant.
var (
	userNames      = keySet("用户", "使用者", "user", "the user")
	assistantNames = keySet("助手", "ai助手", "智能助手", "assistant", "the assistant", "ai assistant")
	// pronouns name nobody outside their sentence.
	pronouns = keySet(
		"我", "我们", "咱", "咱们", "俺", "你", "您", "你们", "他", "她", "它", "他们", "她们", "它们",
		"自己", "本人", "对方", "有人", "某人", "别人", "大家",
		"i", "me", "myself", "we", "us", "you", "yourself", "he", "him", "she", "her", "it",
		"they", "them", "someone", "somebody", "everyone", "everybody",
	)
)

func keySet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[graph.EntityKey(n)] = true
	}
	return set
}

// standIn says whether a name stands for a role or is a pronoun.
func standIn(name string) bool {
	key := graph.EntityKey(name)
	return userNames[key] || assistantNames[key] || pronouns[key]
}

// participant reads a role's name as the one participant of that role. ok is
// false where nobody or several play it; known names are left as they are.
func (p *planner) participant(name string) (read string, ok bool) {
	key := graph.EntityKey(name)
	if p.in.Ground.Resolve(name).ID != 0 || p.spoke(key) {
		return name, true
	}
	switch {
	case userNames[key]:
		switch {
		case len(p.cast.humans) == 1 && !p.cast.nameless:
			return p.cast.humans[0], true
		case len(p.cast.humans) == 0:
			return name, true // a chat without names, or a client's own diff
		}
		return name, false
	case assistantNames[key]:
		switch len(p.cast.personas) {
		case 1:
			return p.cast.personas[0].Name, true
		case 0:
			return name, true
		}
		return name, false
	}
	return name, !pronouns[key]
}

// spoke says whether somebody in the batch speaks under this very name.
func (p *planner) spoke(key string) bool {
	_, ok := p.cast.spoke[key]
	return ok
}

// ungrounded says why a new statement has no ground in the batch: its subject
// is nobody in particular, or a person of whom only the assistant spoke. "" when
// it has.
func (p *planner) ungrounded(subject graph.EntityRef, msgs []int64) string {
	isUser := userNames[subject.Key] || p.cast.human(subject)
	if isUser && p.cast.onlyAssistant(msgs) {
		return "only the assistant said so: its words are no fact about " + subject.Name
	}
	return ""
}
