package graph

// Category is a pair of index0 and index1.
type Category struct{ Index0, Index1 string }

// The four index0 values.
const (
	Event     = "过往事件"
	Profile   = "人物画像"
	Knowledge = "百科知识"
	Method    = "经验方法"
)

var index0English = map[string]string{
	"event": Event, "profile": Profile, "knowledge": Knowledge, "method": Method,
}

var index1English = map[string]map[string]string{
	Event:   {"owner": "owner", "other": "other", "self": "self"},
	Profile: {"owner": "owner", "other": "other", "self": "self"},
	Knowledge: {
		"humanities": "文史", "science": "理工", "life": "生活", "entertainment": "娱乐",
		"meme": "梗知识", "other": "其他",
	},
	Method: {"general": "general"},
}

// ParseCategory reads index0 and index1 in either language and gives them in
// the stored (Chinese) form. index1 may be "" (any). An unknown value is an
// *Error with CodeInvalid that lists what is allowed.
func ParseCategory(index0, index1 string) (Category, error) {
	i0 := index0
	if zh, ok := index0English[index0]; ok {
		i0 = zh
	}
	subs, ok := index1English[i0]
	if !ok {
		return Category{}, Errorf(CodeInvalid, "index0 %q is unknown: use 过往事件 (event), 人物画像 (profile), 百科知识 (knowledge) or 经验方法 (method)", index0)
	}
	if index1 == "" {
		return Category{Index0: i0}, nil
	}
	if zh, ok := subs[index1]; ok {
		return Category{i0, zh}, nil
	}
	for _, zh := range subs {
		if zh == index1 {
			return Category{i0, zh}, nil
		}
	}
	return Category{}, Errorf(CodeInvalid, "index1 %q is unknown under %s: use %s", index1, i0, index1Names[i0])
}

var index1Names = map[string]string{
	Event:     "owner, other or self",
	Profile:   "owner, other or self",
	Knowledge: "文史 (humanities), 理工 (science), 生活 (life), 娱乐 (entertainment), 梗知识 (meme) or 其他 (other)",
	Method:    "general",
}
