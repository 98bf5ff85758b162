// Package rewrite makes plans cheaper without changing what they answer, and says which reads cells answer, so that there is no plan. Its functions are
// pure: they return another plan and leave the one given as it is.
package rewrite

import (
	"maps"
	"math"
	"slices"

	"quipu/internal/filter"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Query returns a plan that answers what q does: constants are folded, properties are looked for in the events that the plan
// reads alone, without a look at the event where it reads one only, nor at what its condition says anyway, and bounds of time that stand in filters are said where an event store skips rows by them.
func Query(q *plan.Query) *plan.Query {
	out := ManyApps(q)
	if q.From == plan.Events {
		out.Where = stated(out)
	}
	return out
}

// ManyApps is Query for a plan that is run for many apps at once: it adds no query to a condition, which would be one of a single app.
func ManyApps(q *plan.Query) *plan.Query {
	out := *q
	out.Where = mapped(q.Where, among)
	if q.From == plan.Events {
		prune(&out)
	}
	out.Where = bounded(&out)
	switch e := Fold(out.Where).(type) {
	case plan.Literal:
		if out.Where = e; e.Value == true {
			out.Where = nil
		}
	default:
		out.Where = e
	}
	return &out
}

// among rewrites the queries inside of conditions.
func among(e plan.Expr) plan.Expr {
	if a, ok := e.(plan.Among); ok {
		return plan.Among{Of: a.Of, Query: Query(a.Query)}
	}
	return e
}

// conjuncts are the conditions that all have to hold.
func conjuncts(e plan.Expr) []plan.Expr {
	if e == nil {
		return nil
	}
	c, ok := e.(plan.Call)
	if !ok || c.Fn != plan.And {
		return []plan.Expr{e}
	}
	var out []plan.Expr
	for _, a := range c.Args {
		out = append(out, conjuncts(a)...)
	}
	return out
}

// prune drops the events that no row is of from the places of properties.
func prune(q *plan.Query) {
	keys, names := textsOf(q.Where, plan.Ev("e")), textsOf(q.Where, plan.Ev("n"))
	if keys == nil && names == nil {
		return
	}
	cut := func(e plan.Expr) plan.Expr {
		switch e := e.(type) {
		case plan.Segment:
			return placed(pruned(e, keys, names), keys, names)
		case plan.Typed:
			return typed(e)
		case plan.Filter: // a path that no row has a value at is none
			maps.DeleteFunc(e.Paths, func(_ string, t plan.Typed) bool {
				s, ok := t.Expr.(plan.Segment)
				return ok && len(s.In) == 0
			})
			for path, t := range e.Paths {
				e.Paths[path] = typed(t)
			}
		}
		return e
	}
	q.Where, q.Having = mapped(q.Where, cut), mapped(q.Having, cut)
	known := holding(q.Where)
	q.Select = mappedAll(mappedAll(q.Select, cut), known)
	q.Order = slices.Clone(q.Order)
	for i := range q.Order {
		q.Order[i].By = mapped(mapped(q.Order[i].By, cut), known)
	}
	if q.Detail != nil {
		d := *q.Detail
		d.By = mapped(mapped(d.By, cut), known)
		q.Detail = &d
	}
	if q.Most != nil {
		m := *q.Most
		m.When = mapped(mapped(m.When, cut), known)
		q.Most = &m
	}
}

// holding returns what drops, from conditions of which all parts have to hold, the equations that hold of every row that a
// condition selects.
func holding(where plan.Expr) func(plan.Expr) plan.Expr {
	known := map[plan.Expr]any{} // what columns equal
	for _, c := range conjuncts(where) {
		if of, value, ok := equation(c); ok {
			known[of] = value
		}
	}
	return func(e plan.Expr) plan.Expr {
		c, ok := e.(plan.Call)
		if !ok || c.Fn != plan.And {
			return e
		}
		c.Args = slices.DeleteFunc(c.Args, func(a plan.Expr) bool {
			of, value, ok := equation(a)
			if !ok {
				return false
			}
			holds, ok := known[of]
			return ok && holds == value
		})
		return c
	}
}

// equation is the condition that a column equals a value.
func equation(e plan.Expr) (of plan.Expr, value any, ok bool) {
	c, ok := e.(plan.Call)
	if !ok || c.Fn != plan.Eq || len(c.Args) != 2 {
		return nil, nil, false
	}
	column, ok := c.Args[0].(plan.Column)
	if !ok {
		return nil, nil, false
	}
	value, ok = constant(c.Args[1])
	return column, value, ok
}

// textsOf returns the texts of which a column is one in every row that a condition selects; nil where it may be anything.
func textsOf(where plan.Expr, column plan.Column) map[string]bool {
	for _, c := range conjuncts(where) {
		var texts []string
		found := false
		switch c := c.(type) {
		case plan.Call:
			if c.Fn == plan.Eq && len(c.Args) == 2 && c.Args[0] == plan.Expr(column) {
				texts, found = literals(c.Args[1])
			}
		case plan.In:
			if c.Of == plan.Expr(column) {
				found = true
				for _, v := range c.Values {
					text, ok := v.(string)
					texts, found = append(texts, text), found && ok
				}
			}
		case plan.Filter:
			texts, found = filtered(c, column)
		}
		if found {
			set := map[string]bool{}
			for _, text := range texts {
				set[events.CleanText(text)] = true
			}
			return set
		}
	}
	return nil
}

func literals(e plan.Expr) ([]string, bool) {
	l, ok := e.(plan.Literal)
	if !ok {
		return nil, false
	}
	text, ok := l.Value.(string)
	return []string{text}, ok
}

// filtered is textsOf of a filter that has a path for the column.
func filtered(f plan.Filter, column plan.Column) ([]string, bool) {
	for path, t := range f.Paths {
		if t.Expr == plan.Expr(column) {
			if texts, ok := f.Filter.Texts(path); ok {
				return texts, true
			}
		}
	}
	return nil, false
}

// pruned is a property among events with one of the keys and one of the names; nil sets have all.
func pruned(s plan.Segment, keys, names map[string]bool) plan.Segment {
	var in []plan.Placed
	for _, p := range s.In {
		key, name := events.Selector(p.Event)
		if keys != nil && !keys[events.CleanText(key)] || names != nil && name != "" && !names[events.CleanText(name)] {
			continue
		}
		in = append(in, p)
	}
	s.In = in
	return s
}

// placed is the slot of a property that stands in one slot of all rows, because they are of one event; otherwise the property.
func placed(s plan.Segment, keys, names map[string]bool) plan.Expr {
	if len(s.In) != 1 || len(keys) != 1 {
		return s
	}
	key, name := events.Selector(s.In[0].Event)
	if !keys[events.CleanText(key)] || name != "" && (len(names) != 1 || !names[events.CleanText(name)]) {
		return s
	}
	if slot, ok := s.In[0].Own(); ok {
		return slot
	}
	return s
}

// typed is a property with the type of its slot: one of any type over all events is of one type in each.
func typed(t plan.Typed) plan.Typed {
	if slot, ok := t.Expr.(plan.Slot); ok && t.Type == filter.JSON {
		if typ, own := slot.Type(); own {
			t.Type = typ
		}
	}
	return t
}

// exact is up to where a float64 holds every whole number.
const exact = 1 << 53

// bounded adds the bounds of time that filters imply to the condition of a plan.
func bounded(q *plan.Query) plan.Expr {
	list := []plan.Expr{q.Where}
	for _, c := range conjuncts(q.Where) {
		f, ok := c.(plan.Filter)
		if !ok {
			continue
		}
		for _, path := range slices.Sorted(maps.Keys(f.Paths)) {
			at, ok := f.Paths[path].Expr.(plan.Column)
			if !ok || at.Name != "ts" || f.Paths[path].Type != filter.Integer {
				continue
			}
			low, high := f.Filter.Range(path)
			if low > -exact && low < exact {
				list = append(list, plan.Do(plan.Ge, at, plan.Is(int64(math.Ceil(low)))))
			}
			if high > -exact && high < exact {
				list = append(list, plan.Do(plan.Le, at, plan.Is(int64(math.Floor(high)))))
			}
		}
	}
	if len(list) == 1 {
		return q.Where
	}
	return plan.All(list...)
}

// mapped returns an expression with fn applied to each of its parts, then to itself. It does not enter the queries of Among.
func mapped(e plan.Expr, fn func(plan.Expr) plan.Expr) plan.Expr {
	switch x := e.(type) {
	case nil:
		return nil
	case plan.Call:
		x.Args = mappedAll(x.Args, fn)
		return fn(x)
	case plan.In:
		x.Of = mapped(x.Of, fn)
		return fn(x)
	case plan.Among:
		x.Of = mapped(x.Of, fn)
		return fn(x)
	case plan.Typed:
		x.Expr = mapped(x.Expr, fn)
		return fn(x)
	case plan.InSet:
		x.Of = mapped(x.Of, fn)
		return fn(x)
	case plan.Filter:
		paths := make(map[string]plan.Typed, len(x.Paths))
		for path, t := range x.Paths {
			t.Expr = mapped(t.Expr, fn)
			paths[path] = t
		}
		x.Paths = paths
		return fn(x)
	case plan.Agg:
		x.Of, x.When = mapped(x.Of, fn), mapped(x.When, fn)
		return fn(x)
	}
	return fn(e)
}

func mappedAll(list []plan.Expr, fn func(plan.Expr) plan.Expr) []plan.Expr {
	out := make([]plan.Expr, len(list))
	for i, e := range list {
		out[i] = mapped(e, fn)
	}
	return out
}

// Replace returns a plan with fn applied to each expression in it, each after its parts, also in the queries of Among.
func Replace(q *plan.Query, fn func(plan.Expr) plan.Expr) *plan.Query {
	inner := func(e plan.Expr) plan.Expr {
		if a, ok := e.(plan.Among); ok {
			a.Query = Replace(a.Query, fn)
			e = a
		}
		return fn(e)
	}
	out := *q
	out.Where, out.Having, out.Select = mapped(q.Where, inner), mapped(q.Having, inner), mappedAll(q.Select, inner)
	out.Order = slices.Clone(q.Order)
	for i := range out.Order {
		out.Order[i].By = mapped(out.Order[i].By, inner)
	}
	if q.Detail != nil {
		d := *q.Detail
		d.By = mapped(d.By, inner)
		out.Detail = &d
	}
	if q.Most != nil {
		m := *q.Most
		m.When = mapped(m.When, inner)
		out.Most = &m
	}
	return &out
}
