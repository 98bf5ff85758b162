package rewrite

import (
	"slices"

	"quipu/internal/filter"
	"quipu/internal/store/events/plan"
)

// stated has the conditions of a plan that are about nothing but states looked at once for each state, and rows selected by the numbers of those that meet
// them: there are fewer states than rows, and an event store need not join them. Only conditions that no row without a state meets.
func stated(q *plan.Query) plan.Expr {
	list := conjuncts(q.Where)
	changed := false
	for i, c := range list {
		f, ok := c.(plan.Filter)
		if !ok || !ofStates(f) || f.Filter.Match(filter.MapDoc{}) {
			continue
		}
		if !changed {
			list, changed = slices.Clone(list), true
		}
		list[i] = plan.Among{Of: plan.Ev("state"), Query: &plan.Query{App: q.App, From: plan.States, Select: []plan.Expr{plan.St("state")}, Where: f}}
	}
	if !changed {
		return q.Where
	}
	return plan.All(list...)
}

// ofStates reports whether a filter has paths, and all that rows may have values at are in states.
func ofStates(f plan.Filter) bool {
	for _, t := range f.Paths {
		m, ok := t.Expr.(plan.Member)
		if !ok || m.Of.Of != plan.States {
			return false
		}
	}
	return len(f.Paths) > 0
}
