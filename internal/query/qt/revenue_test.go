package qt_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/ltv"
)

// revenueColumns are the columns of revenueCells.
var revenueColumns = []string{"net", "refunds", "purchases", "payers", "active"}

func revenueCells(r query.Revenue) []any {
	return []any{r.Net, r.Refunds, r.Purchases, r.Payers, r.Active}
}

// revenue reads what is asked, and the step of its buckets.
func (a *arguments) revenue() (query.RevenueQuery, period.Step, error) {
	f, err := a.selected()
	if err != nil {
		return query.RevenueQuery{}, 0, err
	}
	p, step, err := a.period()
	return query.RevenueQuery{Events: a.list("events"), Filter: f, Period: p, By: a.list("properties")}, step, err
}

// evalRevenue has the figures in total and by bucket.
func evalRevenue(ctx context.Context, r reader, a *arguments) (*result, error) {
	q, step, err := a.revenue()
	if err != nil {
		return nil, err
	}
	out := &result{columns: append([]string{"bucket"}, revenueColumns...)}
	f, err := r.tables.RevenueTotals(ctx, a.app, q)
	if err != nil {
		return nil, err
	}
	out.add(append([]any{"total"}, revenueCells(f)...)...)
	return out, r.tables.RevenueBuckets(ctx, a.app, q, step, func(b period.Bucket, f query.Revenue) error {
		out.add(append([]any{b.ID(period.Dot)}, revenueCells(f)...)...)
		return nil
	})
}

// evalRevenueBy has the figures of groups, by bucket with by; with beside, those of the groups of another period, and what is left beside them.
func evalRevenueBy(ctx context.Context, r reader, a *arguments) (*result, error) {
	buckets := a.is("by")
	q, step, err := a.revenue()
	if err != nil {
		return nil, err
	}
	out := &result{}
	if buckets {
		out.columns = append(out.columns, "bucket")
	}
	for i := range q.By {
		out.columns = append(out.columns, fmt.Sprintf("s%d", i))
	}
	out.columns = append(out.columns, revenueColumns...)
	rest := a.is("rest")
	groups, total, err := r.tables.RevenueGroups(ctx, a.app, q, a.text("sort"), a.whole("limit", 100))
	if err != nil {
		return nil, err
	}
	if rest {
		f, err := r.tables.RevenueBeside(ctx, a.app, q, groups)
		out.add(append(make([]any, len(q.By)), revenueCells(f)...)...)
		return out, err
	}
	if buckets {
		return out, r.tables.RevenueGroupBuckets(ctx, a.app, q, step, groups, func(b period.Bucket, i int, f query.Revenue) error {
			out.add(slices.Concat([]any{b.ID(period.Dot)}, groups[i].Values, revenueCells(f))...)
			return nil
		})
	}
	again := make([]query.Revenue, len(groups))
	err = r.tables.RevenueOfGroups(ctx, a.app, q, groups, func(i int, f query.Revenue) error { again[i] = f; return nil })
	out.columns = append(out.columns, "of")
	for i, g := range groups {
		if g.Revenue != again[i] && err == nil {
			err = fmt.Errorf("group %v: %v, by itself %v", g.Values, g.Revenue, again[i])
		}
		out.add(append(slices.Concat(g.Values, revenueCells(g.Revenue)), total)...)
	}
	return out, err
}

// evalLTV has a row for each cohort with users and age that has begun; with groups, for each group and age.
func evalLTV(ctx context.Context, r reader, a *arguments) (*result, error) {
	f, err := a.selected()
	if err != nil {
		return nil, err
	}
	p, step, err := a.period()
	if err != nil {
		return nil, err
	}
	q := query.LTVQuery{Events: a.list("events"), Filter: f, Breakdown: a.text("breakdown")}
	q.End = a.moment("now", a.now.UnixMilli())
	q.Ages = a.whole("ages", 3)
	q.Units, _, q.Cohorts = query.Units(p, step, q.End)
	t, err := query.NewFunnels(r.tables, int64(a.whole("memory", 1<<20))).Lifetimes(ctx, a.app, q)
	if err != nil {
		return nil, err
	}
	if q.Breakdown == "" {
		out := &result{columns: []string{"cohort", "size", "age", "revenue", "payers", "over"}}
		for c, cells := range t.Cells {
			for age, cell := range cells {
				if t.Sizes[c] > 0 && q.Begun(c, age) {
					out.add(strings.TrimSuffix(strings.TrimPrefix(clock(q.Units[c]), "2031-"), ":00Z"), t.Sizes[c], int64(age), cell.Revenue, cell.Payers, q.Over(c, age))
				}
			}
		}
		return out, nil
	}
	out := &result{columns: []string{"group", "size", "age", "users", "revenue", "payers"}}
	row := func(label any, g *ltv.Group) {
		for age, p := range g.Points {
			if p.Users > 0 {
				out.add(label, g.Users, int64(age), p.Users, p.Revenue, p.Payers)
			}
		}
	}
	row("all", t.All())
	for id, name := range t.Names {
		if g := t.Groups[uint32(id)]; g != nil {
			var label any = name
			if id == 0 {
				label = nil
			}
			row(label, g)
		}
	}
	return out.sorted(), nil
}
