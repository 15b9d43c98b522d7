package embed

import (
	"strings"
	"testing"
)

// benchTexts are as long as a fact and as a long chat turn, in tokens about
// 24 and 20, 210 and 160.
func benchTexts() map[string]string {
	return map[string]string{
		"short en": "Mark moved from Boston to Lisbon last month and now works for a small game studio.",
		"short zh": "张伟上个月从北京搬到了成都，现在在一家游戏公司做测试。",
		"long en": strings.Repeat("On Monday Lena moved the meeting to the third floor, and nobody told Marcus, "+
			"who waited downstairs with four cups of coffee and a folder of old maps. ", 6),
		"long zh": strings.Repeat("林悦周一把例会改到三楼，却没有通知陈默，他端着四杯咖啡和一叠旧地图在楼下等了半个小时。", 4),
	}
}

// BenchmarkEmbed measures single texts on one CPU, with the tokens' first
// layers in the cache (warm) and not (cold).
func BenchmarkEmbed(b *testing.B) {
	for _, kern := range kernels() {
		model := loadedModel(b, kern)
		for name, text := range benchTexts() {
			ids := model.tokens.tokenize(text)
			b.Run(kern.name+"/"+name+"/warm", func(b *testing.B) {
				for b.Loop() {
					model.vector(text)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "texts/s")
				b.ReportMetric(float64(len(ids)), "tokens")
			})
			b.Run(kern.name+"/"+name+"/cold", func(b *testing.B) {
				for b.Loop() {
					model.encoder.rows.rows.Purge()
					model.vector(text)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "texts/s")
			})
		}
	}
}

func BenchmarkTokenize(b *testing.B) {
	tokens := loadedModel(b, kernels()[0]).tokens
	for name, text := range benchTexts() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				tokens.tokenize(text)
			}
		})
	}
}
