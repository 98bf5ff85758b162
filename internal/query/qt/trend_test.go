package qt_test

import (
	"context"
	"fmt"

	"quipu/internal/period"
	"quipu/internal/query"
)

// trend reads what a trend is of, and the step of its buckets.
func (a *arguments) trend() (query.Trend, period.Step, error) {
	f, err := a.selected()
	if err != nil {
		return query.Trend{}, 0, err
	}
	p, step, err := a.period()
	q := query.Trend{Events: a.list("events"), Filter: f, Period: p, By: a.list("properties")}
	for _, name := range []string{"did", "didnt"} {
		if events := a.list(name); events != nil {
			q.Did = append(q.Did, query.Did{
				Not: name == "didnt", Events: events, From: a.moment("since", p.Start), To: p.End,
				Least: int64(a.whole("least", 1)), Most: int64(a.whole("most", 0)),
			})
		}
	}
	return q, step, err
}

func evalTrend(ctx context.Context, r reader, a *arguments) (*result, error) {
	q, step, err := a.trend()
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"bucket", "u", "t", "s", "dur"}}
	f, err := r.tables.TrendTotals(ctx, a.app, q)
	if err != nil {
		return nil, err
	}
	out.add("total", f.Users, f.Count, f.Sum, f.Dur)
	return out, r.tables.TrendBuckets(ctx, a.app, q, step, func(b period.Bucket, f query.Figures) error {
		out.add(b.ID(period.Dot), f.Users, f.Count, f.Sum, f.Dur)
		return nil
	})
}

func evalTrendBy(ctx context.Context, r reader, a *arguments) (*result, error) {
	buckets := a.is("by")
	q, step, err := a.trend()
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
	out.columns = append(out.columns, "u", "t", "s", "dur")
	order := query.TrendOrder{By: a.text("sort"), Desc: a.is("desc")}
	groups, total, err := r.tables.TrendGroups(ctx, a.app, q, order, a.whole("skip", 0), a.whole("limit", 100))
	if err != nil {
		return nil, err
	}
	if !buckets {
		out.columns = append(out.columns, "of")
		for _, g := range groups {
			out.add(append(append([]any{}, g.Values...), g.Users, g.Count, g.Sum, g.Dur, total)...)
		}
		return out, nil
	}
	return out, r.tables.TrendGroupBuckets(ctx, a.app, q, step, groups, func(b period.Bucket, group int, f query.Figures) error {
		out.add(append(append([]any{b.ID(period.Dot)}, groups[group].Values...), f.Users, f.Count, f.Sum, f.Dur)...)
		return nil
	})
}
