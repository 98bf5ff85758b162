package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Action is a place where users clicked, or how far they scrolled, and how often.
type Action struct {
	Count                  int64
	X, Y, Width, Height    float64
	Type, Domain, Platform string
}

// MaxActions bounds the places of one answer.
const MaxActions = 10_000

// Actions counts clicks or scrolling ("click", "scroll") by place, the most frequent first. Where there are more than MaxActions places, it
// returns MaxActions+1 of them: the whole of it is a ClickMap.
func (t *Tables) Actions(ctx context.Context, app model.AppID, of string, q *ClickQuery) ([]Action, error) {
	text, number := t.actionTexts(app)
	p := &plan.Query{App: app, From: plan.Events, Where: t.actionsOf(app, q, of), Limit: MaxActions + 1, Select: []plan.Expr{
		plan.Agg{Fn: plan.Count}, number("x"), number("y"), number("width"), number("height"), text("type"), text("domain"), text("platform"),
	}}
	for _, e := range p.Select {
		p.Order = append(p.Order, plan.Order{By: e, Desc: true})
	}
	out := []Action{}
	err := t.rows.Run(ctx, p, func(row events.Scanner) error {
		var a Action
		if err := row.Scan(&a.Count, &a.X, &a.Y, &a.Width, &a.Height, &a.Type, &a.Domain, &a.Platform); err != nil {
			return err
		}
		out = append(out, a)
		return nil
	})
	return out, missing(err)
}
