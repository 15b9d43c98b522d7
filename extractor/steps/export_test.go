package steps

import "encoding/json"

// ReadJSON gives what the reader makes of a text that is one JSON value, as
// encoding/json would with numbers kept as written.
func ReadJSON(s string) (v any, cut, ok bool) {
	p := newParser(s)
	x, ok := p.value(0, asElement)
	p.blank()
	return x.plain(), x.cut, ok && (p.ended() || x.cut)
}

func (v value) plain() any {
	switch v.kind {
	case boolean:
		return v.text == "true"
	case number:
		return json.Number(v.text)
	case text:
		return v.text
	case list:
		out := []any{}
		for _, x := range v.list {
			out = append(out, x.plain())
		}
		return out
	case object:
		out := map[string]any{}
		for _, m := range v.members {
			out[m.key] = m.value.plain()
		}
		return out
	}
	return nil
}
