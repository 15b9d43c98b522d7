package relations

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"relata/graph"
)

// A model that declines to work writes its refusal where a memory should be.
// It is told by its shape, in Chinese and English alike: the text opens as a
// refusal does (an apology, or the speaker as a machine, or a rule), says that
// something cannot be done, and the thing is a piece of work on the talk itself
// (this conversation, your request). A memory that merely mentions 抱歉 or
// sorry lacks one of the three.
var (
	refusalOpening = regexp.MustCompile(`^["'“「(\s]*(?:` +
		`(?:非常|很|十分|真的|实在)?(?:抱歉|对不起|不好意思|遗憾)|` +
		`作为(?:一个|一名)?(?:ai|人工智能|语言模型|大语言模型|智能助手|助手)|` +
		`(?:由于|因为|根据|出于|基于)[^。]{0,16}(?:政策|准则|规定|规范|安全|限制|敏感|合规)|` +
		`(?:很难|恕|目前|暂时|当前)?我?(?:们)?(?:无法|不能|没法|没办法|没有办法|不便|拒绝|难以)|我(?:目前|暂时|真的)?(?:无法|不能|没法|没办法|不便)|` +
		`(?:该|此|这段|这个|您的|你的|以上|上述)(?:对话|请求|内容|问题|消息|聊天|话题|文本)|` +
		`(?:i'?m|i am|we'?re|we are)? ?(?:really |very |so |deeply |truly )?sorry\b|` +
		`(?:my |our |sincere |i )*apolog(?:ies|i[sz]e)|unfortunately\b|regrettably\b|` +
		`as an? (?:ai|artificial intelligence|large language|language model|assistant)|` +
		`(?:i|we) ?(?:'m|am|'re|are|must|have to|will|do|can)? ?(?:not|n't|can't|cannot|unable|decline|won't|refuse)|` +
		`(?:due to|under|per|because of)[^.]{0,40}(?:polic|guideline|safety|restriction)|` +
		`(?:this|the|your) (?:conversation|request|content|question|message|chat|prompt|topic|text|input)\b)`)

	refusalWork = regexp.MustCompile(
		`(?:无法|不能|没法|没办法|没有办法|不便|拒绝|不予|难以|不会|不可以)(?:[^。，,;；]{0,8}?)(?:处理|回答|回应|回复|提供|完成|协助|生成|继续|讨论|满足|执行|提取|总结|分析|解析|响应|识别|支持|参与|帮助|帮你|帮您|记录)|` +
			`(?:can't|cannot|can not|could not|couldn't|unable to|won't|will not|not able to|not allowed to|not permitted to|must decline|have to decline|decline to|refuse to|not going to)(?: \w+){0,2}? ?(?:assist|help|process|answer|respond|provide|fulfil|comply|continue|generate|engage|discuss|complete|extract|summari[sz]e|analy[sz]e|create|handle|record|proceed|be processed|be answered|decline|this|your)`)

	refusalObject = regexp.MustCompile(
		`(?:这|该|此|您|你|以上|上述|相关|这些|这类|此类|本)[^。，,]{0,4}(?:对话|请求|内容|问题|消息|信息|聊天|话题|任务|文本|输入|要求|操作|指令)|(?:对话|请求|聊天记录|用户输入)(?:内容)?|` +
			`\b(?:this|that|these|those|your|the|such)(?: \w+)? (?:conversation|request|content|question|message|chat|prompt|topic|task|text|input|instruction|dialogue|information|material)s?\b|` +
			`\b(?:with|to) (?:this|that)\b|memor(?:y|ies) from (?:this|the)`)

	machine = regexp.MustCompile(`^["'“「(\s]*(?:作为(?:一个|一名)?(?:ai|人工智能|语言模型|大语言模型)|as an? (?:ai|artificial intelligence|large language|language model)\b)`)
)

// maxRefusalRunes: refusals are short; a long text that holds all the marks is
// a report about one.
const maxRefusalRunes = 300

// IsRefusal says whether a content is a model's refusal. subject is the
// memory's: a sentence that names its own subject speaks about the world.
func IsRefusal(content, subject string) bool {
	text := graph.Fold(content)
	text = strings.ReplaceAll(text, "’", "'")
	if utf8.RuneCountInString(text) > maxRefusalRunes || !refusalOpening.MatchString(text) {
		return false
	}
	name := graph.Fold(subject)
	if utf8.RuneCountInString(name) > 1 && !standIn(name) && strings.Contains(text, name) {
		return false
	}
	return refusalWork.MatchString(text) && (refusalObject.MatchString(text) || machine.MatchString(text))
}
