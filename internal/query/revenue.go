package query

import (
	"context"
	"slices"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// RevenueQuery selects what people pay: the rows of some events that have a sum. docs/reference/revenue.md defines the figures.
type RevenueQuery struct {
	Events []string // keys, also of defined events: any of them
	Filter filter.Expr
	Period period.Period
	// By are the paths of up to three properties that rows are grouped by.
	By []string
}

// SessionKey is the key of the rows of sessions that begin.
const SessionKey = beginKey

// Revenue are the figures of what people pay. The zero Revenue is that of no rows.
type Revenue struct {
	Net       float64 // sums, those of refunds included
	Refunds   float64 // the sums below zero, 0 or below
	Purchases int64   // counts of the rows with a sum above zero
	Payers    int64   // users with a sum above zero, each once
	// Active counts users who had a session or a row with a sum, each once; 0 unless RevenueQuery.Active.
	Active int64
}

func (r *Revenue) dest() []any {
	return []any{&r.Net, &r.Refunds, &r.Purchases, &r.Payers, &r.Active}
}

// revenueMeasures are the names by which groups are ordered, in the order of what a plan selects.
var revenueMeasures = []string{"revenue", "refunds", "purchases", "payers", "active"}

// RevenueOrder says which groups come first: by one of revenue, refunds (the largest amounts first), purchases, payers and active, the largest
// first, then in the order of values.
func RevenueOrder(name string) bool { return slices.Contains(revenueMeasures, name) }

// OfPurchase reports whether a path is about the event of a row, which sessions do not have, rather than about its user or moment.
func OfPurchase(path string) bool {
	switch path {
	case "e", "n", "c", "s", "dur", "_id", "lsid", "ts", "cd", "a":
		return true
	}
	return strings.HasPrefix(path, "sg.")
}

// Active reports whether users without a purchase can be counted beside those with one: not where a condition of the filter asks for properties of
// users and of purchases at once, nor by properties of purchases.
func (q *RevenueQuery) Active() bool {
	_, _, ok := q.Filter.Split(OfPurchase)
	return ok && !slices.ContainsFunc(q.By, OfPurchase)
}

// RevenueGroup is a combination of values, as in TrendGroup.
type RevenueGroup struct {
	Values []any
	Revenue
}

// revenuePlan is a RevenueQuery that is bound to an app.
type revenuePlan struct {
	trendPlan
	paid   plan.Expr // of the rows of trendPlan.where, those whose sums count; nil = all
	active bool
}

func (t *Tables) revenue(ctx context.Context, app model.AppID, q RevenueQuery) (*revenuePlan, error) {
	bind := t.bindDefined(app)
	of, _, err := t.selection(ctx, app, q.Events)
	if err != nil {
		return nil, err
	}
	b := &revenuePlan{trendPlan: trendPlan{app: app}, active: q.Active()}
	within := plan.Between(plan.Ev("ts"), q.Period.Start, q.Period.End)
	bought := plan.All(of, plan.Do(plan.Ne, plan.Ev("s"), plan.Is(0.0)))
	if b.active {
		purchases, users, _ := q.Filter.Split(OfPurchase)
		b.paid = plan.All(bought, plan.Matching(purchases, bind))
		session := plan.Do(plan.Eq, plan.Ev("e"), plan.Is(beginKey))
		b.where = plan.All(within, plan.Any(session, bought), plan.Matching(users, bind))
	} else {
		b.where = plan.All(within, bought, plan.Matching(q.Filter, bind))
	}
	for _, path := range q.By {
		b.groupBy(path, nil, bind)
	}
	return b, nil
}

// plan selects the figures of all rows.
func (b *revenuePlan) plan() *plan.Query {
	sum := plan.Ev("s")
	above, below := plan.Do(plan.Gt, sum, plan.Is(0.0)), plan.Do(plan.Lt, sum, plan.Is(0.0))
	active := plan.Agg{Fn: plan.Distinct, Of: plan.Ev("uid")}
	if !b.active {
		active.When = plan.Is(false)
	}
	return &plan.Query{App: b.app, From: plan.Events, Where: b.where, Select: []plan.Expr{
		plan.Agg{Fn: plan.Sum, Of: sum, When: b.paid},
		plan.Agg{Fn: plan.Sum, Of: sum, When: plan.All(b.paid, below)},
		plan.Agg{Fn: plan.Sum, Of: plan.Ev("c"), When: plan.All(b.paid, above)},
		plan.Agg{Fn: plan.Distinct, Of: plan.Ev("uid"), When: plan.All(b.paid, above)},
		active,
	}}
}

// RevenueTotals returns the figures of all rows.
func (t *Tables) RevenueTotals(ctx context.Context, app model.AppID, q RevenueQuery) (r Revenue, err error) {
	ctx = plan.For(ctx, plan.RevenueOperator)
	b, err := t.revenue(ctx, app, q)
	if err != nil {
		return r, err
	}
	err = t.asked.Run(ctx, b.plan(), func(row events.Scanner) error { return row.Scan(r.dest()...) })
	return r, missing(err)
}

// RevenueBuckets calls fn with the figures of each bucket that has rows, in order of time.
func (t *Tables) RevenueBuckets(ctx context.Context, app model.AppID, q RevenueQuery, step period.Step, fn func(period.Bucket, Revenue) error) error {
	ctx = plan.For(ctx, plan.RevenueOperator)
	b, err := t.revenue(ctx, app, q)
	if err != nil {
		return err
	}
	cut := bucketsOf(q.Period, step)
	return b.each(ctx, t, cut.number, nil, func(n int64, _ []any, r Revenue) error { return fn(cut.bucket(n), r) })
}

// RevenueGroups returns the first limit groups of q.By, and how many there are in all. by is one of those of RevenueOrder; limit is at least 1.
func (t *Tables) RevenueGroups(ctx context.Context, app model.AppID, q RevenueQuery, by string, limit int) (groups []RevenueGroup, total int64, err error) {
	ctx = plan.For(ctx, plan.RevenueOperator)
	b, err := t.revenue(ctx, app, q)
	if err != nil {
		return nil, 0, err
	}
	p, keys := b.plan(), b.keys()
	if i := slices.Index(revenueMeasures, by); i >= 0 {
		p.Order = []plan.Order{{By: p.Select[i], Desc: by != "refunds"}}
	}
	for _, k := range keys {
		p.Order = append(p.Order, plan.Order{By: k})
	}
	p.Select = append(append(p.Select, plan.Agg{Fn: plan.Groups}), keys...)
	p.Having = plan.Do(plan.Gt, plan.Agg{Fn: plan.Count}, plan.Is(0))
	p.Limit = limit
	err = t.asked.Run(ctx, p, func(row events.Scanner) error {
		g := RevenueGroup{Values: make([]any, len(q.By))}
		found := make([]any, len(keys))
		if err := row.Scan(slices.Concat(g.dest(), []any{&total}, places(found))...); err != nil {
			return err
		}
		b.spread(g.Values, found)
		groups = append(groups, g)
		return nil
	})
	return groups, total, missing(err)
}

// RevenueOfGroups calls fn with the figures of each of some groups that has rows. group is its place among them.
func (t *Tables) RevenueOfGroups(ctx context.Context, app model.AppID, q RevenueQuery, groups []RevenueGroup, fn func(group int, r Revenue) error) error {
	ctx = plan.For(ctx, plan.RevenueOperator)
	return t.eachRevenue(ctx, app, q, nil, groups, func(_ int64, group int, r Revenue) error { return fn(group, r) })
}

// RevenueGroupBuckets calls fn with the figures of each bucket and group that has rows, in order of time.
func (t *Tables) RevenueGroupBuckets(ctx context.Context, app model.AppID, q RevenueQuery, step period.Step, groups []RevenueGroup, fn func(b period.Bucket, group int, r Revenue) error) error {
	ctx = plan.For(ctx, plan.RevenueOperator)
	cut := bucketsOf(q.Period, step)
	return t.eachRevenue(ctx, app, q, cut.number, groups, func(n int64, group int, r Revenue) error { return fn(cut.bucket(n), group, r) })
}

// RevenueBeside returns the figures of all rows that are of none of some groups.
func (t *Tables) RevenueBeside(ctx context.Context, app model.AppID, q RevenueQuery, groups []RevenueGroup) (r Revenue, err error) {
	ctx = plan.For(ctx, plan.RevenueOperator)
	b, err := t.revenue(ctx, app, q)
	if err != nil {
		return r, err
	}
	b.where = plan.All(b.where, plan.Do(plan.Not, b.exactly(trendGroups(groups))))
	err = t.asked.Run(ctx, b.plan(), func(row events.Scanner) error { return row.Scan(r.dest()...) })
	return r, missing(err)
}

// trendGroups are the values of groups.
func trendGroups(groups []RevenueGroup) []TrendGroup {
	out := make([]TrendGroup, len(groups))
	for i, g := range groups {
		out[i].Values = g.Values
	}
	return out
}

// eachRevenue reads the figures of some groups, by a number unless at is nil.
func (t *Tables) eachRevenue(ctx context.Context, app model.AppID, q RevenueQuery, at plan.Expr, groups []RevenueGroup, fn func(n int64, group int, r Revenue) error) error {
	if len(groups) == 0 {
		return nil
	}
	b, err := t.revenue(ctx, app, q)
	if err != nil {
		return err
	}
	where := map[string]int{}
	for i, g := range groups {
		where[groupKey(g.Values)] = i
	}
	b.where = plan.All(b.where, b.among(trendGroups(groups)))
	values := make([]any, len(b.by))
	return b.each(ctx, t, at, b.keys(), func(n int64, found []any, r Revenue) error {
		b.spread(values, found)
		if i, ok := where[groupKey(values)]; ok {
			return fn(n, i, r)
		}
		return nil
	})
}

// each runs the plan by a number, that of a bucket unless it is nil, and by more keys.
func (b *revenuePlan) each(ctx context.Context, t *Tables, at plan.Expr, keys []plan.Expr, fn func(n int64, found []any, r Revenue) error) error {
	p := b.plan()
	if at == nil {
		at = plan.Is(0)
	}
	p.Select = append(append(p.Select, at), keys...)
	p.Order = []plan.Order{{By: at}}
	p.Having = plan.Do(plan.Gt, plan.Agg{Fn: plan.Count}, plan.Is(0))
	return missing(t.asked.Run(ctx, p, func(row events.Scanner) error {
		var n int64
		var r Revenue
		found := make([]any, len(keys))
		if err := row.Scan(slices.Concat(r.dest(), []any{&n}, places(found))...); err != nil {
			return err
		}
		return fn(n, found, r)
	}))
}

// ErrMixedFilter is the fault of a condition that asks for properties of users and of purchases at once, where each are needed alone.
var ErrMixedFilter = fault.New(fault.Invalid, "revenue.mixed_filter", "One condition of the filter uses properties of both users and purchases: this figure needs separate conditions for them")
