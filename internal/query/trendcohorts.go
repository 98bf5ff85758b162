package query

import (
	"cmp"
	"context"
	"slices"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events/plan"
)

// A user may be in several cohorts, so rows have no one value to be grouped by: a breakdown by cohorts asks for one after another, and for
// the users who are in none of them.

// cohortPart is one cohort of a breakdown; nil users have none of them.
type cohortPart struct{ id any }

// cohortAt is the place of cohorts among the properties of a trend; -1 = they are not.
func (q *Trend) cohortAt() int { return slices.Index(q.By, cohortPath) }

// parts are what a trend is broken down into by cohorts.
func (q *Trend) parts() []*cohortPart {
	out := make([]*cohortPart, 0, len(q.Cohorts)+1)
	for _, id := range q.Cohorts {
		out = append(out, &cohortPart{id})
	}
	return append(out, &cohortPart{})
}

// inPart is the condition that the user of a row is in a cohort, or, for a value that is no text, in none of those of the trend.
func (b *trendPlan) inPart(value any) plan.Expr {
	if id, ok := value.(string); ok {
		return plan.InSet{Of: plan.Ev("uid"), ID: id}
	}
	list := make([]plan.Expr, len(b.cohorts))
	for i, id := range b.cohorts {
		list[i] = plan.InSet{Of: plan.Ev("uid"), ID: id}
	}
	return plan.Do(plan.Not, plan.Any(list...))
}

// groupsOfCohorts is TrendGroups of a trend that is broken down by cohorts.
func (t *Tables) groupsOfCohorts(ctx context.Context, app model.AppID, q Trend, order TrendOrder, skip, limit int) (groups []TrendGroup, total int64, err error) {
	for _, p := range q.parts() {
		one := q
		one.part = p
		some, n, err := t.TrendGroups(ctx, app, one, order, 0, skip+limit)
		if err != nil {
			return nil, 0, err
		}
		groups, total = append(groups, some...), total+n
	}
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(groups, b.compare(&q, order))
	return groups[min(skip, len(groups)):min(skip+limit, len(groups))], total, nil
}

// compare returns the order of groups, as the store has it.
func (b *trendPlan) compare(q *Trend, order TrendOrder) func(x, y TrendGroup) int {
	by, ordered := q.orderable(order.By)
	sign := 1
	if order.Desc {
		sign = -1
	}
	measured := func(x, y TrendGroup) int {
		a, b := by.value(&x), by.value(&y)
		switch {
		case a == nil && b == nil:
			return 0
		case a == nil: // what cannot be measured is last
			return 1
		case b == nil:
			return -1
		}
		return sign * cmp.Compare(*a, *b)
	}
	values := func(x, y TrendGroup, at, sign int) int {
		s, ok := b.stored(at, x.Values[at])
		r, other := b.stored(at, y.Values[at])
		if ok != other { // absent values are last
			return map[bool]int{true: -1, false: 1}[ok]
		}
		return sign * cmp.Compare(s, r)
	}
	return func(x, y TrendGroup) int {
		switch {
		case ordered && by.property >= 0:
			if c := values(x, y, by.property, sign); c != 0 {
				return c
			}
		case ordered:
			if c := measured(x, y); c != 0 {
				return c
			}
		}
		for i := range q.By {
			if c := values(x, y, i, 1); c != 0 {
				return c
			}
		}
		return 0
	}
}

// byCohort calls read for each of the cohorts that groups are of, with the groups of that one; places are theirs among all.
func (q *Trend) byCohort(groups []TrendGroup, read func(one Trend, some []TrendGroup, places []int) error) error {
	at := q.cohortAt()
	for _, p := range q.parts() {
		var some []TrendGroup
		var places []int
		for i, g := range groups {
			if g.Values[at] == p.id {
				some, places = append(some, g), append(places, i)
			}
		}
		if len(some) == 0 {
			continue
		}
		one := *q
		one.part = p
		if err := read(one, some, places); err != nil {
			return err
		}
	}
	return nil
}

// bucketsOfCohorts is TrendGroupBuckets of a trend that is broken down by cohorts.
func (t *Tables) bucketsOfCohorts(ctx context.Context, app model.AppID, q Trend, step period.Step, groups []TrendGroup, fn func(b period.Bucket, group int, f Figures) error) error {
	return q.byCohort(groups, func(one Trend, some []TrendGroup, places []int) error {
		return t.TrendGroupBuckets(ctx, app, one, step, some, func(b period.Bucket, group int, f Figures) error { return fn(b, places[group], f) })
	})
}

// ofCohorts is TrendOfGroups of a trend that is broken down by cohorts.
func (t *Tables) ofCohorts(ctx context.Context, app model.AppID, q Trend, groups []TrendGroup, fn func(group int, f Figures) error) error {
	return q.byCohort(groups, func(one Trend, some []TrendGroup, places []int) error {
		return t.TrendOfGroups(ctx, app, one, some, func(group int, f Figures) error { return fn(places[group], f) })
	})
}
