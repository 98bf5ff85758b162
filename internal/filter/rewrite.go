package filter

// Case is a value that a field may have which is not stored but made of others, and what holds of a
// stored document that has it.
type Case struct {
	Value any // nil, string, bool, or a number
	When  Expr
}

// Replace returns the filter with every condition on path put in terms of what is stored: it
// holds when one of the cases does whose value meets the condition.
func (e Expr) Replace(path string, cases ...Case) Expr {
	return Expr{rewritten(e.root, func(c *cond) node {
		if c.path != path {
			return c
		}
		never := &group{any: true}
		parts := []node{never}
		for _, one := range cases {
			if c.match(func(string) (any, bool) { return one.Value, one.Value != nil }) {
				parts = append(parts, one.When.root)
			}
		}
		if len(parts) == 1 {
			return never
		}
		return disjunction(parts[1:])
	})}
}

// Rename returns the filter with every path as fn says it is called where the documents are.
func (e Expr) Rename(fn func(path string) string) Expr {
	return Expr{rewritten(e.root, func(c *cond) node {
		renamed := *c
		renamed.path = fn(c.path)
		return &renamed
	})}
}

// Widen returns the filter in which conditions that the text at path is one of some texts hold of other texts, too: of those that fn returns for
// a text, in place of it.
func (e Expr) Widen(path string, fn func(text string) []string) Expr {
	return Expr{rewritten(e.root, func(c *cond) node {
		if c.path != path || c.op != opIn {
			return c
		}
		var values []value
		for _, v := range c.values {
			if v.kind != text {
				values = append(values, v)
				continue
			}
			for _, s := range fn(v.s) {
				values = append(values, value{kind: text, s: s})
			}
		}
		return in(path, values...)
	})}
}

// rewritten copies a tree with its conditions replaced.
func rewritten(n node, fn func(*cond) node) node {
	switch n := n.(type) {
	case *cond:
		return fn(n)
	case *not:
		return negation(rewritten(n.part, fn))
	case *group:
		if len(n.parts) == 0 {
			return n
		}
		parts := make([]node, 0, len(n.parts))
		for _, p := range n.parts {
			if p = rewritten(p, fn); p != nil || n.any {
				parts = append(parts, p)
			}
		}
		if n.any {
			return disjunction(parts)
		}
		return conjunction(parts)
	}
	return nil
}
