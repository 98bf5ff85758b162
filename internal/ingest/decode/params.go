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
	// trusting has object take the list of a bulk request for the last member without walking it, and trusted says that it did.
	trusting, trusted bool
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
	p.trusting, p.trusted = false, false
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
		name, value := pair, []byte(nil)
		if i := bytes.IndexByte(pair, '='); i >= 0 {
			name, value = pair[:i], pair[i+1:]
		}
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

// object adds the members of the JSON object at c: texts as text, null not at all,
// everything else as JSON. It returns rawjson.ErrSyntax when the object breaks off;
// what stood before the fault is kept.
func (p *params) object(c *rawjson.Cursor, limit int) error {
	for key := range c.Members {
		v := p.value(c, key)
		kind := rawjson.KindOf(v)
		if len(key) == 0 || kind == rawjson.Null || kind == rawjson.Invalid {
			continue
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
			return errParams
		}
		if p.trusted {
			return nil
		}
	}
	if c.Malformed() {
		return rawjson.ErrSyntax
	}
	return nil
}

// value returns the member at c whose key is raw.
func (p *params) value(c *rawjson.Cursor, key []byte) []byte {
	if p.trusting && string(key) == requestsParam {
		if v, ok := c.Last(); ok {
			p.trusted = true
			return v
		}
	}
	return c.Value()
}

// escape returns where the first + or % of b stands, or -1.
func escape(b []byte) int {
	const short = 16 // bytes, for which a loop takes less than to call twice
	if len(b) <= short {
		for i, c := range b {
			if c == '%' || c == '+' {
				return i
			}
		}
		return -1
	}
	percent := bytes.IndexByte(b, '%')
	if percent >= 0 {
		b = b[:percent]
	}
	if plus := bytes.IndexByte(b, '+'); plus >= 0 {
		return plus
	}
	return percent
}

// unescape decodes + and %XX; what needs no decoding is not copied.
func (p *params) unescape(b []byte) []byte {
	i := escape(b)
	if i < 0 {
		return b
	}
	p.text = slices.Grow(p.text, len(b)) // decoding never lengthens
	dst := p.text[len(p.text) : len(p.text)+len(b)]
	n := copy(dst, b[:i])
	for i < len(b) {
		c := b[i]
		switch {
		case c == '+':
			c = ' '
		case c == '%' && i+2 < len(b):
			if high, low := unhex(b[i+1]), unhex(b[i+2]); high|low < 16 {
				c = high<<4 | low
				i += 2
			}
		}
		dst[n] = c
		n++
		i++
	}
	p.text = p.text[:len(p.text)+n]
	return dst[:n:n]
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

// unhex returns the value of a hexadecimal digit; 255 for any other byte.
func unhex(c byte) byte {
	if d := c - '0'; d <= 9 {
		return d
	}
	if d := (c | 0x20) - 'a'; d <= 5 {
		return d + 10
	}
	return 255
}

// text returns a string that shares b's memory.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// raw returns bytes that share the memory of s. They must not be changed.
func raw(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
