package plan

import "quipu/internal/filter"

// Ev is a column of Events.
func Ev(name string) Column { return Column{Events, name} }

// Rq is a column of Requests.
func Rq(name string) Column { return Column{Requests, name} }

// St is a column of States.
func St(name string) Column { return Column{States, name} }

// Us is a column of Users.
func Us(name string) Column { return Column{Users, name} }

// Is returns a Literal: nil, bool, int64, float64 or string. An int becomes an int64.
func Is(v any) Literal {
	if n, ok := v.(int); ok {
		return Literal{int64(n)}
	}
	return Literal{v}
}

// Do applies a function.
func Do(fn Fn, args ...Expr) Call { return Call{fn, args} }

// All is the condition that all of the conditions hold; those that are nil do.
func All(conditions ...Expr) Expr { return several(And, conditions) }

// Any is the condition that one of the conditions holds; those that are nil do not count.
func Any(conditions ...Expr) Expr { return several(Or, conditions) }

func several(fn Fn, conditions []Expr) Expr {
	var out []Expr
	for _, c := range conditions {
		if c != nil {
			out = append(out, c)
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return Call{fn, out}
}

// Between is the condition that a whole number is from one to another, both included.
func Between(e Expr, from, to int64) Expr {
	return All(Do(Ge, e, Is(from)), Do(Le, e, Is(to)))
}

// OneOf is the condition that a value is in a list.
func OneOf[V string | int64 | float64](e Expr, values []V) In {
	out := In{Of: e}
	for _, v := range values {
		out.Values = append(out.Values, v)
	}
	return out
}

// Matching is the condition of a filter over the paths that bind knows; nil for the filter that selects
// everything.
func Matching(f filter.Expr, bind func(path string) (Typed, bool)) Expr {
	if f.IsZero() {
		return nil
	}
	out := Filter{Filter: f, Paths: map[string]Typed{}}
	for _, p := range f.Paths() {
		if t, ok := bind(p); ok {
			out.Paths[p] = t
		}
	}
	return out
}
