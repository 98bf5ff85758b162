package filter

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Doc is what Match looks at.
type Doc interface {
	// Lookup returns what stands at a dotted path: nil, string, bool, a number
	// of any Go type, json.Number, []any of these, []string or []float64, or anything else for an object. ok is
	// false if there is nothing.
	Lookup(path string) (value any, ok bool)
}

// MapDoc is a Doc over decoded JSON. A path is first looked for as a whole
// key, then step by step through objects; at an array of objects the step collects
// from its elements.
type MapDoc map[string]any

// Lookup implements Doc.
func (d MapDoc) Lookup(path string) (any, bool) {
	if v, ok := d[path]; ok {
		return v, true
	}
	head, rest, ok := strings.Cut(path, ".")
	if !ok {
		return nil, false
	}
	return step(d[head], rest)
}

func step(v any, rest string) (any, bool) {
	switch t := v.(type) {
	case map[string]any:
		return MapDoc(t).Lookup(rest)
	case MapDoc:
		return t.Lookup(rest)
	case []any:
		var found []any
		for _, item := range t {
			m, ok := item.(map[string]any)
			if !ok {
				continue
			}
			x, ok := MapDoc(m).Lookup(rest)
			if !ok {
				continue
			}
			if list, ok := x.([]any); ok {
				found = append(found, list...)
			} else {
				found = append(found, x)
			}
		}
		return found, found != nil
	default:
		return nil, false
	}
}

// Match reports whether the document passes the filter.
func (e Expr) Match(d Doc) bool { return e.root == nil || e.root.match(d.Lookup) }

// lookup is Doc.Lookup, or what stands for it while an element is looked at.
type lookup func(path string) (any, bool)

func (g *group) match(l lookup) bool {
	for _, p := range g.parts {
		if p.match(l) == g.any {
			return g.any
		}
	}
	return !g.any
}

func (n *not) match(l lookup) bool { return !n.part.match(l) }

func (c *cond) match(l lookup) bool {
	v, ok := l(c.path)
	if !ok {
		v = nil
	}
	list, isList := asList(v)
	switch c.op {
	case opExists:
		return v != nil
	case opSize:
		return isList && len(list) == c.size
	case opElem:
		return slices.ContainsFunc(list, func(item any) bool {
			return c.elem.match(func(string) (any, bool) { return element{item}, true })
		})
	case opIn, opGt, opGte, opLt, opLte, opRegex:
		if isList {
			return slices.ContainsFunc(list, c.scalar)
		}
		if e, ok := v.(element); ok {
			v = e.value
		}
		return c.scalar(v)
	default:
		return false
	}
}

// element marks a value as an element of an array: if it is an array, it is
// not entered.
type element struct{ value any }

// scalar reports whether the condition holds of v itself.
func (c *cond) scalar(v any) bool {
	switch c.op {
	case opIn:
		x := scalarOf(v)
		if c.set != nil {
			_, found := c.set[x.value]
			return x.valid && found
		}
		return x.valid && slices.Contains(c.equals, x.value)
	case opRegex:
		s, ok := v.(string)
		return ok && c.re.re.MatchString(s)
	case opGt, opGte, opLt, opLte:
		x := scalarOf(v)
		want := c.values[0]
		if !x.valid || x.kind != want.kind {
			return false
		}
		order := cmp.Compare(x.s, want.s)
		if x.kind == number {
			order = cmp.Compare(x.n, want.n)
		}
		return c.op == opGt && order > 0 || c.op == opGte && order >= 0 ||
			c.op == opLt && order < 0 || c.op == opLte && order <= 0
	case opExists, opSize, opElem: // asked of the whole
	}
	return false
}

// scalarValue is a value of a document; valid is false for arrays and objects.
type scalarValue struct {
	value
	valid bool
}

func scalarOf(v any) scalarValue {
	if f, ok := asNumber(v); ok {
		return scalarValue{value{kind: number, n: f + 0}, f == f} // NaN equals nothing
	}
	switch t := v.(type) {
	case nil:
		return scalarValue{value{kind: null}, true}
	case bool:
		return scalarValue{value{kind: boolean, b: t}, true}
	case string:
		return scalarValue{value{kind: text, s: t}, true}
	default:
		return scalarValue{}
	}
}

// asNumber reads a number of any Go type.
func asNumber(v any) (float64, bool) {
	switch t := v.(type) {
	case float64:
		return t, true
	case int:
		return float64(t), true
	case int64:
		return float64(t), true
	case uint64:
		return float64(t), true
	case uint32:
		return float64(t), true
	case int32:
		return float64(t), true
	case float32:
		return float64(t), true
	case int8:
		return float64(t), true
	case int16:
		return float64(t), true
	case uint8:
		return float64(t), true
	case uint16:
		return float64(t), true
	case uint:
		return float64(t), true
	case json.Number:
		f, err := t.Float64()
		return f, err == nil
	default:
		return 0, false
	}
}

// asList reads an array.
func asList(v any) ([]any, bool) {
	switch t := v.(type) {
	case []any:
		return t, true
	case []string:
		list := make([]any, len(t))
		for i, s := range t {
			list[i] = s
		}
		return list, true
	case []float64:
		list := make([]any, len(t))
		for i, f := range t {
			list[i] = f
		}
		return list, true
	default:
		return nil, false
	}
}
