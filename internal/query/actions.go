package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// ActionFilter selects clicks or scrolling.
type ActionFilter struct {
	Subject            schema.Subject // the view, by its name or its path
	Type               string         // "click" or "scroll"
	From, To           int64          // ms, both included
	MinWidth, MaxWidth float64        // of the device; 0 = any
	Segment            string         // platform; "" = any
}

// Action is a place where users clicked, or how far they scrolled, and how often.
type Action struct {
	Count                  int64
	X, Y, Width, Height    float64
	Type, Domain, Platform string
}

// maxActions bounds the places of one answer; the most frequent are kept.
const maxActions = 10_000

// Actions counts clicks or scrolling by place, the most frequent first.
func (t *Tables) Actions(ctx context.Context, app model.AppID, f ActionFilter) ([]Action, error) {
	const key = "[CLY]_action"
	text := func(name string) plan.Expr {
		return plan.Do(plan.Coalesce, plan.Do(plan.Text, t.segmentOfKey(app, key, name)), plan.Is(""))
	}
	number := func(name string) plan.Expr {
		return plan.Do(plan.Coalesce, plan.Do(plan.Number, t.segmentOfKey(app, key, name)), plan.Is(0.0))
	}
	where := []plan.Expr{
		plan.Do(plan.Eq, plan.Ev("e"), plan.Is(key)), plan.Between(plan.Ev("ts"), f.From, f.To),
		plan.Any(plan.Do(plan.Eq, plan.Ev("n"), plan.Is(f.Subject.Name)), plan.OneOf(text("view"), []string{f.Subject.Name, f.Subject.Alias})),
		plan.Do(plan.Eq, text("type"), plan.Is(f.Type)),
	}
	if f.MinWidth > 0 {
		where = append(where, plan.Do(plan.Ge, number("width"), plan.Is(f.MinWidth)))
	}
	if f.MaxWidth > 0 {
		where = append(where, plan.Do(plan.Le, number("width"), plan.Is(f.MaxWidth)))
	}
	if f.Segment != "" {
		where = append(where, plan.Do(plan.Eq, text("platform"), plan.Is(f.Segment)))
	}
	q := &plan.Query{App: app, From: plan.Events, Where: plan.All(where...), Limit: maxActions, Select: []plan.Expr{
		plan.Agg{Fn: plan.Count}, number("x"), number("y"), number("width"), number("height"), text("type"), text("domain"), text("platform"),
	}}
	for _, e := range q.Select {
		q.Order = append(q.Order, plan.Order{By: e, Desc: true})
	}
	out := []Action{}
	err := t.rows.Run(ctx, q, func(row events.Scanner) error {
		var a Action
		if err := row.Scan(&a.Count, &a.X, &a.Y, &a.Width, &a.Height, &a.Type, &a.Domain, &a.Platform); err != nil {
			return err
		}
		out = append(out, a)
		return nil
	})
	return out, missing(err)
}
