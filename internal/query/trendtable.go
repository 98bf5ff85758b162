package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// TrendPage says which groups of a trend are wanted, and what beside them.
type TrendPage struct {
	Order       TrendOrder
	Skip, Limit int // Limit is at least 1
	// Step cuts the groups into buckets; nil = it does not.
	Step *period.Step
	// Rest asks for what is left beside the page as well.
	Rest bool
}

// TrendTable is a page of the groups of a trend.
type TrendTable struct {
	Groups []TrendGroup
	Total  int64   // how many groups there are in all
	All    Figures // of all rows
	Rest   Figures // of all rows beside the page
}

// TrendRest is the group of TrendTable's fn that is what is left.
const TrendRest = -1

// TrendTable answers TrendTotals, TrendGroups, TrendGroupBuckets and the same of what is left beside the page in one question, so that an event store can look
// at rows once. fn is called with the figures of each bucket that has rows of a group of the page, by its place, or of TrendRest, in no order. ok is false where
// that takes several questions: of breakdowns by cohorts, or by properties that no row has.
func (t *Tables) TrendTable(ctx context.Context, app model.AppID, q Trend, page TrendPage, fn func(b period.Bucket, group int, f Figures) error) (out TrendTable, ok bool, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	if q.cohortAt() >= 0 {
		return out, false, nil
	}
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return out, false, err
	}
	keys := b.keys()
	if len(keys) == 0 {
		return out, false, nil
	}
	p := b.groupsPlan(q, page.Order, page.Skip, page.Limit)
	p.Detail = &plan.Detail{Whole: true, Rest: page.Rest}
	var cut bucketing
	if page.Step != nil {
		cut = q.buckets(*page.Step)
		p.Detail.By = cut.number
	}
	out.All.More, out.Rest.More = Nothing(q.Measures), Nothing(q.Measures)
	where := map[string]int{}
	err = t.asked.Run(ctx, p, func(row events.Scanner) error {
		var groups, part int64
		var at any
		found := make([]any, len(keys))
		f, err := b.scan(row, append(append([]any{&groups}, places(found)...), &part, &at)...)
		if err != nil {
			return err
		}
		values := make([]any, len(b.by))
		switch b.spread(values, found); plan.Part(part) {
		case plan.PartPage:
			where[groupKey(values)] = len(out.Groups)
			out.Groups, out.Total = append(out.Groups, TrendGroup{values, f}), groups
		case plan.PartAll:
			out.All = f
		case plan.PartRest:
			out.Rest = f
		case plan.PartPageBy:
			return fn(cut.bucket(wholeIn(at)), where[groupKey(values)], f)
		case plan.PartRestBy:
			return fn(cut.bucket(wholeIn(at)), TrendRest, f)
		}
		return nil
	})
	if err = missing(err); err == nil && len(out.Groups) == 0 && page.Skip > 0 { // beyond the last: only their number is wanted
		_, out.Total, err = t.TrendGroups(ctx, app, q, page.Order, 0, 1)
	}
	return out, true, err
}

// groupsPlan selects a page of the groups: figures, how many groups there are, and keys.
func (b *trendPlan) groupsPlan(q Trend, order TrendOrder, skip, limit int) *plan.Query {
	p := b.plan()
	keys := b.keys()
	if by := b.order(q, order.By); by != nil {
		p.Order = append(p.Order, plan.Order{By: by, Desc: order.Desc})
	}
	for _, k := range keys {
		p.Order = append(p.Order, plan.Order{By: k})
	}
	p.Select = append(append(p.Select, plan.Agg{Fn: plan.Groups}), keys...)
	p.Having = plan.Do(plan.Gt, plan.Agg{Fn: plan.Count}, plan.Is(0))
	p.Limit, p.Offset = limit, skip
	return p
}

// wholeIn is a whole number of a result; few buckets have small ones.
func wholeIn(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case int32:
		return int64(v)
	}
	return 0
}
