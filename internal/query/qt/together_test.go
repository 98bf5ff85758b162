package qt_test

import (
	"context"
	"fmt"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
)

// spots are figures by bucket and by a number.
type spots map[string]query.Figures

func (s spots) add(n int, b period.Bucket, f query.Figures) { s[fmt.Sprint(n, " ", b)] = f }

// near compares figures, whose sums depend on the order in which they are made.
var near = cmp.Options{cmpopts.EquateApprox(1e-12, 0), cmpopts.EquateEmpty()}

// together reports whether trends that are answered in one pass have the same figures as one by one.
func together(ctx context.Context, r reader, app model.AppID, q query.Trend, step period.Step) error {
	if q.At != nil || q.Only != nil || q.Except != nil {
		return nil
	}
	few, plain := q, q
	few.Usual, few.Measures = query.UsualUsers|query.UsualDur, nil
	plain.Filter, plain.Did = filter.Expr{}, nil
	list := []query.Trend{q, plain, few}
	for _, s := range []*period.Step{&step, nil} {
		want, got := spots{}, spots{}
		for i, t := range list {
			if s == nil {
				f, err := r.tables.TrendTotals(ctx, app, t)
				if err != nil {
					return err
				}
				if n, err := r.tables.TrendRows(ctx, app, t); err != nil || n > 0 {
					want.add(i, period.Bucket{}, f)
				}
				continue
			}
			if err := r.tables.TrendBuckets(ctx, app, t, *s, func(b period.Bucket, f query.Figures) error { want.add(i, b, f); return nil }); err != nil {
				return err
			}
		}
		err := r.tables.TrendsTogether(ctx, app, list, s, func(i int, b period.Bucket, f query.Figures) error { got.add(i, b, f); return nil })
		if err != nil {
			return err
		}
		if diff := cmp.Diff(want, got, near); diff != "" {
			return fmt.Errorf("together: %s", diff)
		}
	}
	return nil
}

// tabled reports whether a page of groups that is answered in one pass is the same as one by one.
func tabled(ctx context.Context, r reader, app model.AppID, q query.Trend, order query.TrendOrder, skip, limit int, step period.Step) error {
	var want query.TrendTable
	for _, s := range []*period.Step{nil, &step} {
		cut, pieces := spots{}, spots{}
		got, ok, err := r.tables.TrendTable(ctx, app, q, query.TrendPage{Order: order, Skip: skip, Limit: limit, Step: s, Rest: true}, func(b period.Bucket, group int, f query.Figures) error {
			cut.add(group, b, f)
			return nil
		})
		if err != nil || !ok {
			return err
		}
		if want.Groups, want.Total, err = r.tables.TrendGroups(ctx, app, q, order, skip, limit); err != nil {
			return err
		}
		if want.All, err = r.tables.TrendTotals(ctx, app, q); err != nil {
			return err
		}
		rest := q
		rest.Except = append(want.Groups, q.Except...) // another slice
		if want.Rest, err = r.tables.TrendTotals(ctx, app, rest); err != nil {
			return err
		}
		if s != nil {
			err := r.tables.TrendGroupBuckets(ctx, app, q, step, want.Groups, func(b period.Bucket, group int, f query.Figures) error { pieces.add(group, b, f); return nil })
			if err != nil {
				return err
			}
			if err := r.tables.TrendBuckets(ctx, app, rest, step, func(b period.Bucket, f query.Figures) error { pieces.add(query.TrendRest, b, f); return nil }); err != nil {
				return err
			}
		}
		if diff := cmp.Diff(want, got, near); diff != "" {
			return fmt.Errorf("table: %s", diff)
		}
		if diff := cmp.Diff(pieces, cut, near); diff != "" {
			return fmt.Errorf("buckets of a table: %s", diff)
		}
	}
	return nil
}
