package query

import (
	"context"
	"fmt"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/funnel"
	"quipu/internal/query/ltv"
	"quipu/internal/store/events/plan"
)

// LTVQuery says whose purchases are added up. docs/reference/revenue.md defines the figures.
type LTVQuery struct {
	ltv.LTV
	Events []string // keys of purchases, also of defined events
	// Filter selects users by what holds when they are first seen, and purchases by their own properties.
	Filter filter.Expr
	// Breakdown is the path of what makes up the group of a user when first seen; "" = none. It is none of OfPurchase.
	Breakdown string
}

// Lifetimes are what users spent by age. It is shared: nobody changes it.
type Lifetimes struct {
	*ltv.Tally
	// Names are those of groups.
	Names FunnelGroups
}

func (l Lifetimes) bytes() int64 {
	n := int64(200)
	for _, name := range l.Names {
		n += 16 + int64(len(name))
	}
	return n + l.Bytes()
}

// nonzero selects what people pay, and refunds.
var nonzero, _ = filter.Parse(`{"s":{"$ne":0}}`)

// Lifetimes counts what users spent, by age. A user who was seen before the first unit is in no cohort. Faults: ErrMixedFilter.
func (f *Funnels) Lifetimes(ctx context.Context, app model.AppID, q LTVQuery) (Lifetimes, error) {
	ctx = plan.For(ctx, plan.LifetimeOperator)
	if err := q.Validate(); err != nil {
		return Lifetimes{}, err
	}
	rows, err := q.rows()
	if err != nil {
		return Lifetimes{}, err
	}
	return Recalled(ctx, f, app, rows, fmt.Sprint("ltv ", q.LTV), Lifetimes.bytes, func() (Lifetimes, error) {
		t, err := ltv.NewTally(q.LTV, q.Breakdown != "")
		if err != nil {
			return Lifetimes{}, err
		}
		names, err := f.Each(ctx, app, rows, func(_ uint32, rows []funnel.Row) { t.Add(rows) })
		return Lifetimes{Tally: t, Names: names}, err
	})
}

// rows is what is read: what shows a user is the first step, what shows one who is chosen the second, purchases the third.
func (q *LTVQuery) rows() (*FunnelQuery, error) {
	purchases, users, ok := q.Filter.Split(OfPurchase)
	if !ok {
		return nil, ErrMixedFilter
	}
	seen := []FunnelEvent{{Key: "[CLY]_session"}}
	chosen := []FunnelEvent{{Key: "[CLY]_session", Filter: users}}
	var paid []FunnelEvent
	for _, key := range q.Events {
		seen = append(seen, FunnelEvent{Key: key, Filter: nonzero})
		chosen = append(chosen, FunnelEvent{Key: key, Filter: filter.And(nonzero, users)})
		paid = append(paid, FunnelEvent{Key: key, Filter: filter.And(nonzero, purchases)})
	}
	last := q.Begins(q.Cohorts-1, q.Ages)
	return &FunnelQuery{
		Steps: [][]FunnelEvent{seen, chosen, paid}, First: true,
		From: q.Units[0], To: min(last, q.Known()) - 1, Breakdown: q.Breakdown, Value: sumPath,
	}, nil
}
