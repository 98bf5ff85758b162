package decode

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"unsafe"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
)

// errParams says that a request has more parameters than allowed.
var errParams = errors.New("too many parameters")

// params collects the parameters of one request: names unique, in the order
// of first appearance.
type params struct {
	list []request.Param
	// text holds decoded names and values; list refers to it.
	text []byte
	// nested are the parameters in bracket syntax, until settle.
	nested []nested
}

// nested is one pair in bracket syntax: base[path][path]=value.
type nested struct {
	base  string
	path  []string
	value []byte
}

func (p *params) reset() {
	clear(p.list)
	clear(p.nested)
	p.list, p.text, p.nested = p.list[:0], p.text[:0], p.nested[:0]
}

// get returns the parameter of a name, or nil.
func (p *params) get(name string) *request.Param {
	for i := range p.list {
		if p.list[i].Name == name {
			return &p.list[i]
		}
	}
	return nil
}

// put stores a parameter, in place of an earlier one of its name.
func (p *params) put(q request.Param) {
	if old := p.get(q.Name); old != nil {
		*old = q
		return
	}
	p.list = append(p.list, q)
}

// only leaves out the parameters whose names are not known.
func (p *params) only(known func(name string) bool) []request.Param {
	p.list = slices.DeleteFunc(p.list, func(q request.Param) bool { return !known(q.Name) })
	return p.list
}

// query adds the pairs of an urlencoded text. Only & separates pairs, empty
// pairs are nothing, and what is no %XX stays as it is. raw must not change
// while p is in use.
func (p *params) query(raw []byte, limit int) error {
	if bytes.IndexByte(raw, '%') >= 0 || bytes.IndexByte(raw, '+') >= 0 {
		p.text = slices.Grow(p.text, len(raw)) // decoding never lengthens
	}
	for len(raw) > 0 {
		var pair []byte
		pair, raw = cutPair(raw)
		name, value, _ := bytes.Cut(pair, []byte{'='})
		if len(name) == 0 {
			continue
		}
		if err := p.add(p.unescape(name), p.unescape(value), limit); err != nil {
			return err
		}
	}
	return nil
}

// cutPair splits raw at the first &.
func cutPair(raw []byte) (pair, rest []byte) {
	pair, rest, _ = bytes.Cut(raw, []byte{'&'})
	return pair, rest
}

// add stores a decoded pair.
func (p *params) add(name, value []byte, limit int) error {
	if i := bytes.IndexByte(name, '['); i > 0 && name[len(name)-1] == ']' {
		if len(p.nested) >= limit {
			return errParams
		}
		base := text(name[:i])
		p.nested = append(p.nested, nested{base: base, path: brackets(name[i:]), value: value})
		p.put(request.Param{Name: base, JSON: true}) // holds the place
	} else {
		if len(p.nested) > 0 {
			p.forget(text(name))
		}
		p.put(request.Param{Name: text(name), Value: value})
	}
	if len(p.list) > limit {
		return errParams
	}
	return nil
}

// forget drops the bracket pairs of a name that came again as text.
func (p *params) forget(name string) {
	p.nested = slices.DeleteFunc(p.nested, func(n nested) bool { return n.base == name })
}

// brackets splits "[a][b]" into its parts.
func brackets(b []byte) []string {
	const maxDepth = 8
	var path []string
	for len(b) > 0 && b[0] == '[' && len(path) < maxDepth {
		end := bytes.IndexByte(b, ']')
		if end < 0 {
			break
		}
		path = append(path, text(b[1:end]))
		b = b[end+1:]
	}
	return path
}

// settle turns the parameters in bracket syntax into JSON values.
func (p *params) settle() {
	for len(p.nested) > 0 {
		base := p.nested[0].base
		root := &node{}
		for _, n := range p.nested {
			if n.base == base {
				root.put(n.path, n.value)
			}
		}
		p.put(request.Param{Name: base, Value: root.append(nil), JSON: true})
		p.forget(base)
	}
}

// node is a value in bracket syntax: a text, or children by name.
type node struct {
	name     string
	value    []byte
	children []*node
}

func (n *node) put(path []string, value []byte) {
	if len(path) == 0 {
		n.value, n.children = value, nil
		return
	}
	var child *node
	if path[0] != "" { // "[]" always appends
		for _, c := range n.children {
			if c.name == path[0] {
				child = c
			}
		}
	}
	if child == nil {
		child = &node{name: path[0]}
		n.children = append(n.children, child)
	}
	child.put(path[1:], value)
}

// append writes the JSON of n: an array when all children are numbered in order
// or unnamed.
func (n *node) append(dst []byte) []byte {
	if n.children == nil {
		return rawjson.AppendQuote(dst, n.value)
	}
	array := true
	for i, c := range n.children {
		array = array && (c.name == "" || c.name == strconv.Itoa(i))
	}
	open, end := byte('{'), byte('}')
	if array {
		open, end = '[', ']'
	}
	dst = append(dst, open)
	for i, c := range n.children {
		if i > 0 {
			dst = append(dst, ',')
		}
		if !array {
			dst = append(rawjson.AppendQuote(dst, []byte(c.name)), ':')
		}
		dst = c.append(dst)
	}
	return append(dst, end)
}

// object adds the members of a JSON object: texts as text, null not at all,
// everything else as JSON. It returns rawjson.ErrSyntax when b breaks off;
// what stood before the fault is kept.
func (p *params) object(b []byte, limit int) error {
	var over error
	err := rawjson.Members(b, func(key, v []byte) bool {
		kind := rawjson.KindOf(v)
		if len(key) == 0 || kind == rawjson.Null {
			return true
		}
		q := request.Param{Name: text(p.unquote(key)), Value: v, JSON: true}
		if kind == rawjson.String {
			q.Value, q.JSON = p.unquote(v[1:len(v)-1]), false
		}
		if len(p.nested) > 0 {
			p.forget(q.Name)
		}
		p.put(q)
		if len(p.list) > limit {
			over = errParams
			return false
		}
		return true
	})
	if over != nil {
		return over
	}
	return err
}

// unescape decodes + and %XX; what needs no decoding is not copied.
func (p *params) unescape(b []byte) []byte {
	i := bytes.IndexAny(b, "+%")
	if i < 0 {
		return b
	}
	start := len(p.text)
	p.text = append(p.text, b[:i]...)
	for ; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '+':
			c = ' '
		case c == '%' && i+2 < len(b):
			high, ok1 := unhex(b[i+1])
			low, ok2 := unhex(b[i+2])
			if ok1 && ok2 {
				c = high<<4 | low
				i += 2
			}
		}
		p.text = append(p.text, c)
	}
	return p.text[start:len(p.text):len(p.text)]
}

// unquote decodes the inside of a JSON string; what needs no decoding is not
// copied.
func (p *params) unquote(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	start := len(p.text)
	p.text = rawjson.Unescape(p.text, raw)
	return p.text[start:len(p.text):len(p.text)]
}

func unhex(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// text returns a string that shares b's memory.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// raw returns bytes that share the memory of s. They must not be changed.
func raw(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
