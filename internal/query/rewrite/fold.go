package rewrite

import (
	"cmp"

	"quipu/internal/store/events/plan"
)

// Fold returns a condition without what is always so, or never: nil stays nil.
func Fold(e plan.Expr) plan.Expr {
	if e == nil {
		return nil
	}
	return mapped(e, fold)
}

// fold folds an expression whose parts are folded.
func fold(e plan.Expr) plan.Expr {
	switch e := e.(type) {
	case plan.Segment:
		if len(e.In) == 0 {
			return plan.Is(nil)
		}
	case plan.In:
		return foldIn(e)
	case plan.Call:
		return foldCall(e)
	}
	return e
}

func foldCall(c plan.Call) plan.Expr {
	switch c.Fn {
	case plan.And, plan.Or:
		return foldLogic(c)
	case plan.Not:
		if v, ok := constant(c.Args[0]); ok {
			return plan.Is(v != true)
		}
	case plan.IsNull:
		if v, ok := constant(c.Args[0]); ok {
			return plan.Is(v == nil)
		}
	case plan.Eq, plan.Ne, plan.Lt, plan.Le, plan.Gt, plan.Ge:
		return foldComparison(c)
	case plan.Coalesce:
		return foldCoalesce(c)
	case plan.Text, plan.Number, plan.Lower:
		v, ok := constant(c.Args[0])
		_, text := v.(string)
		if ok && (v == nil || text && c.Fn == plan.Text) {
			return plan.Is(v)
		}
	default:
	}
	return c
}

// constant returns the value of a literal.
func constant(e plan.Expr) (any, bool) {
	l, ok := e.(plan.Literal)
	return l.Value, ok
}

// foldLogic folds And and Or. Absent operands count as false.
func foldLogic(c plan.Call) plan.Expr {
	ends := c.Fn == plan.Or // the value that decides
	var list []plan.Expr
	for _, a := range c.Args {
		v, known := constant(a)
		inner, nested := a.(plan.Call)
		switch {
		case known && (v == true) == ends:
			return plan.Is(ends)
		case known:
		case nested && inner.Fn == c.Fn:
			list = append(list, inner.Args...)
		default:
			list = append(list, a)
		}
	}
	switch len(list) {
	case 0:
		return plan.Is(!ends)
	case 1:
		return list[0]
	}
	return plan.Call{Fn: c.Fn, Args: list}
}

// foldComparison folds comparisons of constants; one with an absent value is false.
func foldComparison(c plan.Call) plan.Expr {
	a, known := constant(c.Args[0])
	b, too := constant(c.Args[1])
	if known && a == nil || too && b == nil {
		return plan.Is(false)
	}
	if !known || !too {
		return c
	}
	var order int
	switch x := a.(type) {
	case int64:
		y, ok := b.(int64)
		if !ok {
			return c
		}
		order = cmp.Compare(x, y)
	case string:
		y, ok := b.(string)
		if !ok || c.Fn != plan.Eq && c.Fn != plan.Ne { // orders of text are the database's
			return c
		}
		order = cmp.Compare(x, y)
	default:
		return c
	}
	return plan.Is(map[plan.Fn]bool{
		plan.Eq: order == 0, plan.Ne: order != 0, plan.Lt: order < 0, plan.Le: order <= 0, plan.Gt: order > 0, plan.Ge: order >= 0,
	}[c.Fn])
}

// foldCoalesce drops what is absent, and what stands behind a constant.
func foldCoalesce(c plan.Call) plan.Expr {
	var list []plan.Expr
	for _, a := range c.Args {
		v, known := constant(a)
		if known && v == nil {
			continue
		}
		if list = append(list, a); known {
			break
		}
	}
	switch len(list) {
	case 0:
		return plan.Is(nil)
	case 1:
		return list[0]
	}
	return plan.Call{Fn: plan.Coalesce, Args: list}
}

// foldIn folds lists of nothing, and texts among texts.
func foldIn(in plan.In) plan.Expr {
	v, known := constant(in.Of)
	if len(in.Values) == 0 || known && v == nil {
		return plan.Is(false)
	}
	text, ok := v.(string)
	if !known || !ok {
		return in
	}
	found := false
	for _, other := range in.Values {
		t, ok := other.(string)
		if !ok {
			return in
		}
		found = found || t == text
	}
	return plan.Is(found)
}
