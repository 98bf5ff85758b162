package query

import (
	"context"
	"fmt"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/counting"
	"quipu/internal/query/explain"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Quarter is the length (ms) of the spans that DataPoints counts by: no time zone's hours begin
// within one.
const Quarter = 15 * 60 * 1000

// DataPoints counts the event rows of apps from one moment to another (ms, both
// included) by event key and quarter of an hour. Custom events have one key, "[CLY]_custom". A row counts 1
// whatever its count, unless that is 0; that of a view that begins no visit counts nothing. quarter
// is the start (ms) of the span; without byTime it is always 0.
func (t *Tables) DataPoints(ctx context.Context, apps []model.AppID, from, to int64, byTime bool, fn func(app model.AppID, key string, quarter, n int64) error) error {
	var at plan.Expr = plan.Is(0)
	if byTime {
		at = plan.Do(plan.Mul, plan.Do(plan.Div, plan.Ev("ts"), plan.Is(Quarter)), plan.Is(Quarter))
	}
	for _, g := range t.byVisit(apps) {
		q := &plan.Query{
			From: plan.Events,
			Where: plan.All(
				plan.Between(plan.Ev("ts"), from, to), plan.Do(plan.Ne, plan.Ev("c"), plan.Is(0)),
				plan.Any(plan.Do(plan.Ne, plan.Ev("e"), plan.Is(viewKey)), g.visit),
			),
			Select: []plan.Expr{plan.Ev("e"), at, plan.Agg{Fn: plan.Count}},
		}
		err := t.rows.RunAll(ctx, g.apps, q, func(app model.AppID, row events.Scanner) error {
			var (
				key   string
				at, n int64
			)
			if err := row.Scan(&key, &at, &n); err != nil {
				return err
			}
			return fn(app, key, at, n)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// visiting are apps whose rows tell in the same place that a view begins a visit.
type visiting struct {
	apps  []model.AppID
	visit plan.Expr
}

func (t *Tables) byVisit(apps []model.AppID) []*visiting {
	var out []*visiting
	places := map[string]*visiting{}
	for _, app := range apps {
		segment := t.segmentOfKey(app, viewKey, "visit")
		place := fmt.Sprintf("%v", segment)
		g := places[place]
		if g == nil {
			g = &visiting{visit: visits(segment)}
			places[place] = g
			out = append(out, g)
		}
		g.apps = append(g.apps, app)
	}
	return out
}

// viewKey is the key of the rows of views, actionKey that of clicks and scrolling on them.
const (
	viewKey   = "[CLY]_view"
	actionKey = "[CLY]_action"
)

// visits is the condition that a view begins a visit, which a segment tells.
func visits(segment plan.Expr) plan.Expr {
	visit := plan.Do(plan.Text, segment)
	if s, ok := segment.(plan.Segment); ok && s.Type == filter.Number { // what SDKs send: text is made of zeros only, where If sees to that
		return plan.Do(plan.If, plan.Do(plan.Ne, segment, plan.Is(0)), plan.Is(true), plan.Do(plan.Eq, visit, plan.Is("-0")))
	}
	return plan.All(
		plan.Do(plan.Not, plan.Do(plan.IsNull, visit)),
		plan.Do(plan.Not, plan.OneOf(visit, counting.Unset())),
	)
}

// CountEvents counts the event rows that a filter selects.
func (t *Tables) CountEvents(ctx context.Context, app model.AppID, f filter.Expr) (n int64, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	q := &plan.Query{App: app, From: plan.Events, Where: plan.Matching(f, t.bindEvent(app)), Select: []plan.Expr{plan.Agg{Fn: plan.Count}}}
	err = t.rows.Run(ctx, q, func(row events.Scanner) error { return row.Scan(&n) })
	return n, missing(err)
}

// CountItems counts the items of events, each a key of the schema or of a defined event, that a filter over the paths of trends selects: each row
// once, whatever its count, and of views, where they are asked for alone or by a defined event, those that begin a visit.
func (t *Tables) CountItems(ctx context.Context, app model.AppID, keys []string, f filter.Expr) (n int64, err error) {
	asks(ctx, func() explain.Question { return itemsQuestion(app, keys, f) })
	ctx = plan.For(ctx, plan.DrillOperator)
	of, visit, err := t.selection(ctx, app, keys)
	if err != nil {
		return 0, err
	}
	q := &plan.Query{App: app, From: plan.Events, Where: plan.All(of, plan.Matching(f, t.bindDefined(app))), Select: []plan.Expr{plan.Agg{Fn: plan.Count, When: visit}}}
	err = t.rows.Run(ctx, q, func(row events.Scanner) error { return row.Scan(&n) })
	return n, missing(err)
}
