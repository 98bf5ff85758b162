// Package filter parses the Mongo-style filter objects of the wire into one
// tree with two uses: Match decides on a document in memory, SQL selects rows
// of a table. Both give the same answer.
//
// # Values
//
// A document has, at each path, nothing, a text, a number, a boolean, an array
// of these, or an object. null is the same as nothing, except as an element of
// an array. Values of different types are never equal and have no order:
// the number 5 and the text "5" are different. Numbers compare as numbers, texts
// byte by byte, false is below nothing and above nothing. A boolean and its text
// are one value, true and "true": some places keep booleans as texts.
//
// # Conditions
//
// A condition holds of an array if it holds of the array as a whole or of any
// of its elements (arrays in arrays are not entered).
//
//	{"a":v}, $eq      The value equals v. v null: there is nothing, or the array has a null.
//	$in               The value equals any of the list. An empty list matches nothing.
//	                  A single value stands for a list of one.
//	$ne, $nin         Not $eq, not $in: so they match where there is nothing or another
//	                  type, and match an array only if no element equals.
//	$gt $gte $lt $lte The value has the type of the operand, text or number, and the order
//	                  holds. Nothing and other types never match.
//	$exists           true: there is something, also an empty array or an object. false: not so.
//	$regex, $options  The value is a text in which the RE2 expression is found. Options i, m,
//	                  s as in Perl; u changes nothing.
//	$size             The value is an array of that many elements.
//	$all              Every value of the list is equal to the value or an element; like an
//	                  $and of $eq. An empty list matches nothing.
//	$elemMatch        The value is an array, and one of its elements meets all the given
//	                  conditions ($eq $ne $in $nin $gt $gte $lt $lte $regex $options).
//	$not              The conditions in it do not all hold; matches where there is nothing.
//	$and $or $nor     All, any, none of a list of filters. $not may stand here too, with one
//	                  filter.
//
// The keys of an object all have to hold. The empty filter matches everything.
// Anything not listed here is rejected: unknown operators, and objects or arrays as values.
package filter

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Limits of a filter.
const (
	MaxBytes   = 1 << 20 // bytes of JSON text
	MaxDepth   = 32      // objects and lists in each other
	MaxTerms   = 20_000  // values and conditions
	MaxPath    = 512     // bytes of a path
	MaxPattern = 1024    // bytes of a regular expression
)

// Expr is a parsed filter. It does not change and may be shared. The zero
// Expr matches everything.
type Expr struct{ root node }

// IsZero reports whether e is the empty filter.
func (e Expr) IsZero() bool { return e.root == nil }

// Paths returns the paths the filter looks at, sorted, each once.
func (e Expr) Paths() []string {
	var paths []string
	walk(e.root, func(c *cond) { paths = append(paths, c.path) })
	slices.Sort(paths)
	return slices.Compact(paths)
}

// UnmarshalJSON parses a filter.
func (e *Expr) UnmarshalJSON(b []byte) error {
	p, err := Parse(b)
	if err != nil {
		return err
	}
	*e = p
	return nil
}

// MarshalJSON returns the canonical form, as String does.
func (e Expr) MarshalJSON() ([]byte, error) { return []byte(e.String()), nil }

// And returns a filter that matches what all of the filters match.
func And(all ...Expr) Expr {
	var list []node
	for _, e := range all {
		if e.root != nil {
			list = append(list, e.root)
		}
	}
	return Expr{conjunction(list)}
}

// node is a part of the tree: group, *not or *cond. nil stands for what
// always holds.
type node interface {
	// match evaluates the part; nothing is known of a path only if ok is false.
	match(l lookup) bool
	// object returns the canonical form as a filter object.
	object() map[string]any
}

// group holds if all, or with any set one, of its parts do. It has two parts
// at least, or none with any set: then it never holds.
type group struct {
	any   bool
	parts []node
}

// not holds if its part does not.
type not struct{ part node }

// conjunction joins parts; lists in the list are flattened.
func conjunction(parts []node) node {
	var flat []node
	for _, p := range parts {
		if g, ok := p.(*group); ok && !g.any {
			flat = append(flat, g.parts...)
		} else {
			flat = append(flat, p)
		}
	}
	switch len(flat) {
	case 0:
		return nil
	case 1:
		return flat[0]
	default:
		return &group{parts: flat}
	}
}

// disjunction joins parts; one that always holds makes the whole hold.
func disjunction(parts []node) node {
	switch {
	case slices.Contains(parts, nil):
		return nil
	case len(parts) == 1:
		return parts[0]
	default:
		return &group{any: true, parts: parts}
	}
}

// negation returns the opposite of n; two negations cancel.
func negation(n node) node {
	switch n := n.(type) {
	case nil:
		return &group{any: true}
	case *not:
		return n.part
	case *group:
		if len(n.parts) == 0 {
			return nil
		}
	}
	return &not{n}
}

// op says what a cond asks.
type op uint8

const (
	opIn     op = iota + 1 // equals one of values
	opGt                   // the orders: values[0]
	opGte                  //
	opLt                   //
	opLte                  //
	opExists               // there is something
	opRegex                // re
	opSize                 // an array of size elements
	opElem                 // an array with an element that elem holds of
)

// cond is a question to one path.
type cond struct {
	path   string
	op     op
	values []value
	equals []value            // values with the booleans of texts and the texts of booleans, for opIn
	set    map[value]struct{} // of equals if there are many, else nil
	re     *pattern
	size   int
	elem   node
}

// walk calls fn for all conditions that ask a document.
func walk(n node, fn func(*cond)) {
	switch n := n.(type) {
	case *group:
		for _, p := range n.parts {
			walk(p, fn)
		}
	case *not:
		walk(n.part, fn)
	case *cond:
		fn(n)
	}
}

// kind is the type of a value.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
)

// value is an operand.
type value struct {
	kind kind
	b    bool
	n    float64
	s    string
}

// any returns the operand as encoding/json would have read it.
func (v value) any() any {
	switch v.kind {
	case boolean:
		return v.b
	case number:
		return v.n
	case text:
		return v.s
	case null:
		return nil
	default:
		return nil
	}
}

// String returns the filter as canonical JSON: equal filters that differ in
// the order of keys, in spelling or in needless nesting have the same text, and
// parsing it gives the same filter.
func (e Expr) String() string {
	if e.root == nil {
		return "{}"
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e.root.object()); err != nil {
		panic("filter: canonical form: " + err.Error()) // all values are plain JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func objects(parts []node) []any {
	list := make([]any, len(parts))
	for i, p := range parts {
		list[i] = p.object()
	}
	return list
}

func (g *group) object() map[string]any {
	switch {
	case len(g.parts) == 0:
		return map[string]any{"$nor": []any{map[string]any{}}}
	case g.any:
		return map[string]any{"$or": objects(g.parts)}
	}
	// Conditions of different paths can stand side by side.
	all := map[string]any{}
	for _, p := range g.parts {
		for k, v := range p.object() {
			if _, taken := all[k]; taken {
				return map[string]any{"$and": objects(g.parts)}
			}
			all[k] = v
		}
	}
	return all
}

func (n *not) object() map[string]any {
	c, ok := n.part.(*cond)
	if !ok {
		if g, ok := n.part.(*group); ok && g.any {
			return map[string]any{"$nor": objects(g.parts)}
		}
		return map[string]any{"$nor": []any{n.part.object()}}
	}
	switch {
	case c.op == opIn && len(c.values) == 1:
		return map[string]any{c.path: map[string]any{"$ne": c.values[0].any()}}
	case c.op == opIn:
		return map[string]any{c.path: map[string]any{"$nin": c.list()}}
	case c.op == opExists:
		return map[string]any{c.path: map[string]any{"$exists": false}}
	default:
		return map[string]any{c.path: map[string]any{"$not": c.operators()}}
	}
}

func (c *cond) object() map[string]any {
	if c.op == opIn && len(c.values) == 1 {
		return map[string]any{c.path: c.values[0].any()}
	}
	return map[string]any{c.path: c.operators()}
}

func (c *cond) list() []any {
	list := make([]any, len(c.values))
	for i, v := range c.values {
		list[i] = v.any()
	}
	return list
}

// operators returns the canonical form of what stands at the path.
func (c *cond) operators() map[string]any {
	switch c.op {
	case opIn:
		if len(c.values) == 1 {
			return map[string]any{"$eq": c.values[0].any()}
		}
		return map[string]any{"$in": c.list()}
	case opGt:
		return map[string]any{"$gt": c.values[0].any()}
	case opGte:
		return map[string]any{"$gte": c.values[0].any()}
	case opLt:
		return map[string]any{"$lt": c.values[0].any()}
	case opLte:
		return map[string]any{"$lte": c.values[0].any()}
	case opExists:
		return map[string]any{"$exists": true}
	case opRegex:
		m := map[string]any{"$regex": c.re.source}
		if c.re.options != "" {
			m["$options"] = c.re.options
		}
		return m
	case opSize:
		return map[string]any{"$size": c.size}
	case opElem:
		return map[string]any{"$elemMatch": elemObject(c.elem)}
	default:
		panic("filter: unknown condition")
	}
}

// elemObject returns the canonical form of the conditions of $elemMatch:
// operators that stand side by side. $eq and $in, $ne and $nin can meet; then the
// second is written as a list.
func elemObject(n node) map[string]any {
	parts := []node{n}
	if g, ok := n.(*group); ok {
		parts = g.parts
	}
	all := map[string]any{}
	for _, p := range parts {
		c, positive := p.(*cond)
		one, many := "$eq", "$in"
		if !positive {
			c = p.(*not).part.(*cond) // the parser makes no other
			one, many = "$ne", "$nin"
		}
		switch {
		case c.op != opIn:
			maps.Copy(all, c.operators())
		case len(c.values) == 1 && !has(all, one):
			all[one] = c.values[0].any()
		default:
			all[many] = c.list()
		}
	}
	return all
}

func has(m map[string]any, key string) bool {
	_, ok := m[key]
	return ok
}
