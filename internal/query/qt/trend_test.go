package qt_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

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
	if text, ok := a.take("beside"); ok && err == nil {
		var earlier period.Period
		if earlier, err = period.Parse(text, a.now, p.Calendar()); err == nil {
			p = query.Until(p, earlier, a.now)
		}
	}
	q := query.Trend{Events: a.list("events"), Filter: f, Period: p, By: a.list("properties"), Cohorts: a.cohortIDs, Only: a.groups("only"), Except: a.groups("except"), Measures: a.measures(), CountBy: a.countBy(), OwnClock: a.is("own")}
	if text, ok := a.take("bins"); ok {
		a.fail("bins", json.Unmarshal([]byte(text), &q.Bins))
	}
	if name, ok := a.take("at"); ok && err == nil {
		i := slices.IndexFunc(slices.Collect(p.Buckets(step)), func(b period.Bucket) bool {
			if b.ID(period.Dot) == name {
				q.At = &b
			}
			return q.At != nil
		})
		if i < 0 {
			err = fmt.Errorf("no bucket %s", name)
		}
	}
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

// groups reads values of groups.
func (a *arguments) groups(name string) (out []query.TrendGroup) {
	var list [][]any
	if text, ok := a.take(name); ok {
		a.fail(name, json.Unmarshal([]byte(text), &list))
	}
	for _, values := range list {
		out = append(out, query.TrendGroup{Values: values})
	}
	return out
}

// measures reads figures as users, avg:dur or percentile:sg.price:95.
func (a *arguments) measures() (out []query.Measure) {
	fns := map[string]query.MeasureFn{
		"users": query.MeasureUsers, "count": query.MeasureCount, "sessions": query.MeasureSessions, "sum": query.MeasureSum, "avg": query.MeasureAverage, "per_user": query.MeasurePerUser,
		"min": query.MeasureMin, "max": query.MeasureMax, "percentile": query.MeasurePercentile,
	}
	for _, text := range a.list("measures") {
		parts := append(strings.Split(text, ":"), "", "")
		m := query.Measure{Fn: fns[parts[0]], Of: parts[1]}
		if m.Fn == 0 {
			a.fail("measures", fmt.Errorf("no measure %s", text))
		}
		if parts[2] != "" {
			share, err := strconv.ParseFloat(parts[2], 64)
			a.fail("measures", err)
			m.Share = int(share*100 + 0.5)
		}
		out = append(out, m)
	}
	return out
}

// figureCells are the figures of a row.
func figureCells(f query.Figures) []any {
	out := []any{f.Users, f.Count, f.Sum, f.Dur}
	for _, m := range f.More {
		if m == nil {
			out = append(out, nil)
		} else {
			out = append(out, *m)
		}
	}
	return out
}

// figureColumns are the columns of figureCells.
func figureColumns(q query.Trend) []string {
	out := []string{"u", "t", "s", "dur"}
	for i := range q.Measures {
		out = append(out, fmt.Sprintf("m%d", i))
	}
	return out
}

func evalTrendUsers(ctx context.Context, r reader, a *arguments) (*result, error) {
	q, _, err := a.trend()
	if err != nil {
		return nil, err
	}
	users, total, err := r.tables.TrendUsers(ctx, a.app, q, a.whole("skip", 0), a.whole("limit", 100))
	out := &result{columns: []string{"uid", "did", "name", "t", "last", "of"}}
	for _, u := range users {
		out.add(u.UID, u.DID, u.Name, u.Count, u.Last, total)
	}
	return out, err
}

func evalTrendAccounts(ctx context.Context, r reader, a *arguments) (*result, error) {
	q, _, err := a.trend()
	if err != nil {
		return nil, err
	}
	list, total, err := r.tables.TrendAccounts(ctx, a.app, q, a.whole("skip", 0), a.whole("limit", 100))
	out := &result{columns: []string{"account", "users", "t", "last", "of"}}
	for _, l := range list {
		out.add(l.Account, l.Users, l.Count, l.Last, total)
	}
	return out, err
}

func evalTrend(ctx context.Context, r reader, a *arguments) (*result, error) {
	q, step, err := a.trend()
	if err != nil {
		return nil, err
	}
	out := &result{columns: append([]string{"bucket"}, figureColumns(q)...)}
	f, err := r.tables.TrendTotals(ctx, a.app, q)
	if err != nil {
		return nil, err
	}
	out.add(append([]any{"total"}, figureCells(f)...)...)
	add := func(to *result) func(period.Bucket, query.Figures) error {
		return func(b period.Bucket, f query.Figures) error {
			to.add(append([]any{b.ID(period.Dot)}, figureCells(f)...)...)
			return nil
		}
	}
	if err := r.tables.TrendBuckets(ctx, a.app, q, step, add(out)); err != nil {
		return nil, err
	}
	// In one pass they are the same.
	series := &result{columns: out.columns}
	total, err := r.tables.TrendSeries(ctx, a.app, q, step, add(series))
	if err == nil && (!reflect.DeepEqual(total, f) || len(series.rows) != len(out.rows)-1 || len(series.rows) > 0 && !reflect.DeepEqual(series.rows, out.rows[1:])) {
		err = fmt.Errorf("in one pass %v, %v", total, series.rows)
	}
	if err == nil {
		err = together(ctx, r, a.app, q, step)
	}
	return out, err
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
	out.columns = append(out.columns, figureColumns(q)...)
	order := query.TrendOrder{By: a.text("sort"), Desc: a.is("desc")}
	skip, limit := a.whole("skip", 0), a.whole("limit", 100)
	groups, total, err := r.tables.TrendGroups(ctx, a.app, q, order, skip, limit)
	if err == nil {
		err = tabled(ctx, r, a.app, q, order, skip, limit, step)
	}
	if err != nil {
		return nil, err
	}
	if !buckets {
		out.columns = append(out.columns, "of")
		for _, g := range groups {
			out.add(append(slices.Concat(g.Values, figureCells(g.Figures)), total)...)
		}
		return out, nil
	}
	return out, r.tables.TrendGroupBuckets(ctx, a.app, q, step, groups, func(b period.Bucket, group int, f query.Figures) error {
		out.add(slices.Concat([]any{b.ID(period.Dot)}, groups[group].Values, figureCells(f))...)
		return nil
	})
}
