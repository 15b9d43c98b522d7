package relations

import (
	"encoding/json"
	"os"
	"testing"
)

func TestIsRefusal(t *testing.T) {
	refusals := []string{
		"抱歉，我无法处理这段对话",
		"很抱歉，我不能协助完成这个请求。",
		"对不起，根据相关政策，我无法回答您的问题。",
		"不好意思，这个话题我不便讨论。",
		"遗憾的是，我没办法总结这段聊天内容。",
		"作为一个AI语言模型，我无法提供个人意见。",
		"作为人工智能助手，我不能参与此类对话。",
		"由于内容安全限制，无法生成相关内容。",
		"该内容违反了使用政策，无法处理。",
		"这段对话涉及敏感信息，我不能处理该请求。",
		"我无法处理这段对话。",
		"“抱歉，我无法处理这段对话”",
		"抱歉，我無法處理這段對話",
		"I'm sorry, but I can't help with that.",
		"I’m sorry, I cannot process this conversation.",
		"Sorry, I am unable to assist with this request.",
		"I apologize, but I cannot fulfil your request.",
		"As an AI language model, I cannot generate memories from this chat.",
		"Unfortunately, I'm not able to summarize this conversation.",
		"I must decline to answer this question.",
		"Due to safety guidelines I can't process the content.",
		"This conversation cannot be processed.",
		"I can't discuss this topic.",
	}
	for _, s := range refusals {
		for _, subject := range []string{"用户", "user", "阿岩"} {
			if !IsRefusal(s, subject) {
				t.Errorf("%q of %s is no refusal", s, subject)
			}
		}
	}
	memories := []struct{ content, subject string }{
		{"阿岩为灯塔裁人的事向大家说了抱歉。", "阿岩"},
		{"抱歉，阿岩说他无法处理这个请求。", "阿岩"},
		{"我很抱歉没能提醒阿岩去接林栀。", "小满"},
		{"我不能吃花生。", "我"},
		{"我无法忘记那天的海。", "小满"},
		{"对不起是阿岩常说的一句话。", "阿岩"},
		{"作为助手，小满喜欢看海。", "小满"},
		{"李明对芒果过敏，不能吃芒果蛋糕。", "李明"},
		{"由于房租限制，舟舟无法继续租沙坡尾的铺子。", "舟舟"},
		{"Maya said sorry for being late.", "Maya"},
		{"Sorry is the hardest word for Theo.", "Theo"},
		{"Unfortunately, Maya couldn't complete the task this week.", "Maya"},
		{"I can't stand coriander.", "Lumen"},
		{"I am unable to walk, being a lamp.", "Lumen"},
		{"The content of the handbook cannot be shared outside.", "The content of the handbook"},
		{"I'm sorry I missed Maya's talk.", "Lumen"},
		{"阿岩问小满能不能处理这段代码，小满说不能。", "小满"},
	}
	for _, m := range memories {
		if IsRefusal(m.content, m.subject) {
			t.Errorf("%q of %s is taken for a refusal", m.content, m.subject)
		}
	}
}

// TestNoSampleMemoryIsARefusal holds the shape against real sentences.
func TestNoSampleMemoryIsARefusal(t *testing.T) {
	raw, err := os.ReadFile("../sample/expected/final-state-with-documents.json")
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Memories []struct{ Subject, Content string }
	}
	if err := json.Unmarshal(raw, &state); err != nil {
		t.Fatal(err)
	}
	for _, m := range state.Memories {
		if IsRefusal(m.Content, "") {
			t.Errorf("%q is taken for a refusal", m.Content)
		}
	}
}
