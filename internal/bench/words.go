package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Made-up words have the statistics that matter to a text index (a few in very
// many texts, very many in a few) without a word list in the repository.
var (
	onsets = strings.Fields("b br ch d dr f fl g gr h j k kl l m n p pl qu r s sh st t tr v w z")
	vowels = strings.Fields("a e i o u ai ea ou")
	codas  = strings.Fields("l m n r s t nd rt x ck")
	// hanzi are common characters; two of them make a word, three a name.
	hanzi = once("天地人山水火木金土日月星云风雨雪花草树林江河湖海石田米茶酒饭菜鱼鸟马牛羊" +
		"书画琴棋诗歌舞梦光影声色香味冷热高低长短新旧红黄蓝绿白黑大小多少东西南北春夏秋冬" +
		"早晚前后左右内外门窗桌椅灯笔纸车船桥路城村店铺街市学校医院工厂公司银行电话信件" +
		"时间朋友家庭孩子老师同事邻居客户计划会议旅行比赛音乐电影照片故事问题答案办法")
	surnames = []rune("王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗")
)

// once gives the characters of a text, each once.
func once(text string) []rune {
	var out []rune
	for _, r := range text {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

const (
	englishWords = 8000
	chineseWords = 5000
)

// lexicon holds the content words of both languages, commonest first.
type lexicon struct{ english, chinese []string }

func newLexicon(seed uint64) lexicon {
	r := rand.New(rand.NewPCG(seed, 1))
	return lexicon{
		english: distinct(englishWords, func() string { return syllables(r, 2+r.IntN(2)) }),
		chinese: distinct(chineseWords, func() string {
			return string([]rune{hanzi[r.IntN(len(hanzi))], hanzi[r.IntN(len(hanzi))]})
		}),
	}
}

func distinct(n int, word func() string) []string {
	seen := make(map[string]bool, n)
	out := make([]string, 0, n)
	for len(out) < n {
		if w := word(); !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

func syllables(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(onsets[r.IntN(len(onsets))])
		b.WriteString(vowels[r.IntN(len(vowels))])
	}
	b.WriteString(codas[r.IntN(len(codas))])
	return b.String()
}

// pick takes a word by Zipf's law: rank k with a probability of about 1/k.
func pick(r *rand.Rand, words []string) string {
	return words[int(math.Pow(float64(len(words)), r.Float64()))-1]
}

// nameOf gives the name of an entity of a space by its number, each another one:
// every fifth is Chinese.
func nameOf(n int) string {
	switch {
	case n == hub:
		return "Harbour"
	case n%5 == 4:
		n /= 5
		return string([]rune{surnames[n%len(surnames)], hanzi[n%len(hanzi)], hanzi[n/len(hanzi)%len(hanzi)]})
	}
	return title(spell(n*7919%10007)) + " " + title(spell(n))
}

// spell writes a number in syllables, each number another way.
func spell(n int) string {
	base := len(onsets) * len(vowels)
	var b strings.Builder
	for {
		b.WriteString(onsets[n%len(onsets)] + vowels[n/len(onsets)%len(vowels)])
		if n /= base; n == 0 {
			return b.String()
		}
	}
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
