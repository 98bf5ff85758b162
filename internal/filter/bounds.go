package filter

import (
	"math"
	"slices"
)

// Texts returns texts of which the value at a path is one in every document that the filter matches; ok is false where it may
// be anything.
func (e Expr) Texts(path string) (texts []string, ok bool) { return textsAt(e.root, path) }

func textsAt(n node, path string) (texts []string, ok bool) {
	switch n := n.(type) {
	case *cond:
		if n.path != path || n.op != opIn {
			return nil, false
		}
		for _, v := range n.equals {
			if v.kind != text {
				return nil, false
			}
			texts = append(texts, v.s)
		}
		return texts, true
	case *group:
		for _, p := range n.parts {
			own, known := textsAt(p, path)
			switch {
			case n.any && !known:
				return nil, false
			case n.any:
				texts = append(texts, own...)
			case known:
				return own, true
			}
		}
		return texts, n.any
	}
	return nil, false
}

// Range returns bounds, both included, between which the number at a path lies in every document that the filter matches;
// infinities where there are none.
func (e Expr) Range(path string) (low, high float64) { return rangeAt(e.root, path) }

func rangeAt(n node, path string) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	switch n := n.(type) {
	case *cond:
		if n.path == path && len(n.values) == 1 && n.values[0].kind == number {
			return rangeOf(n.op, n.values[0].n)
		}
	case *group:
		if n.any && len(n.parts) > 0 {
			low, high = high, low
		}
		for _, p := range n.parts {
			l, h := rangeAt(p, path)
			if n.any {
				low, high = min(low, l), max(high, h)
			} else {
				low, high = max(low, l), min(high, h)
			}
		}
	}
	return low, high
}

func rangeOf(o op, n float64) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	switch o {
	case opIn:
		return n, n
	case opGt, opGte:
		low = n
	case opLt, opLte:
		high = n
	case opExists, opRegex, opSize, opElem:
	}
	return low, high
}

// Asked returns the texts that conditions compare the value at a path with, each once. others says that some condition is not answered by whether the
// value is, or holds, one of them.
func (e Expr) Asked(path string) (texts []string, others bool) {
	walk(e.root, func(c *cond) {
		if c.path != path {
			return
		}
		others = others || c.op != opIn
		for _, v := range c.equals {
			if v.kind == text {
				texts = append(texts, v.s)
			}
			others = others || v.kind == null
		}
	})
	slices.Sort(texts)
	return slices.Compact(texts), others
}
