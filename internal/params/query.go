package params

import (
	"encoding/json"
	"strings"
)

// EachPair calls fn for every name=value pair of a query string or
// urlencoded body, decoded, until fn returns false. Empty pairs are skipped, ";" is
// data, "+" is a blank, and a malformed percent sequence stays as it is.
func EachPair(raw string, fn func(name, value string) bool) {
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		if name == "" {
			continue
		}
		if !fn(Unescape(name), Unescape(value)) {
			return
		}
	}
}

// Unescape decodes percent sequences and "+"; what is malformed stays literal.
func Unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '+':
			b.WriteByte(' ')
		case c == '%' && i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0:
			b.WriteByte(byte(unhex(s[i+1])<<4 | unhex(s[i+2])))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// AddPair sets one decoded pair; bracket syntax makes the parameter structured.
func (p *Params) AddPair(name, value string) {
	open := strings.IndexByte(name, '[')
	if open <= 0 || !strings.HasSuffix(name, "]") {
		p.repeated(name)
		p.Set(name, Value{Text: value})
		return
	}
	base, key := name[:open], name[open+1:len(name)-1]
	n := p.nested[base]
	if n == nil {
		n = &nested{}
		p.repeated(base)
		p.Set(base, Value{}) // takes its place in the order
		if p.nested == nil {
			p.nested = map[string]*nested{}
		}
		p.nested[base] = n
	}
	n.add(key, value)
}

// nested is a parameter in bracket syntax: an object, or a list when object is nil. Of
// the two forms the later replaces the earlier.
type nested struct {
	list   []string
	object map[string]string
}

func (n *nested) add(key, value string) {
	if key == "" {
		n.list, n.object = append(n.list, value), nil
		return
	}
	if n.object == nil {
		n.list, n.object = nil, map[string]string{}
	}
	n.object[key] = value
}

func (n *nested) value() Value {
	if n.object != nil {
		return structured(n.object)
	}
	return structured(n.list)
}

func structured(v any) Value {
	b, err := json.Marshal(v)
	if err != nil { // strings, slices and maps of strings always marshal
		return Value{JSON: json.RawMessage("null"), Brackets: true}
	}
	return Value{JSON: b, Brackets: true}
}
