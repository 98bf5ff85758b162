package query

import (
	"context"
	"errors"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Minute is what happened in a minute.
type Minute struct {
	Sessions int64 `json:"sessions"`  // begun
	Events   int64 `json:"events"`    // counts of events and views
	NewUsers int64 `json:"new_users"` // users who began their first session
}

// minuteMS is a minute in ms.
const minuteMS = 60_000

// beginKey is the key of the rows of sessions that begin.
const beginKey = "[CLY]_session_begin"

// Recent counts, from the rows of an app, what happened in each of n minutes of which
// the last begins at last (ms), the oldest first; and the users of whom a request counts in them. Rows with the keys noEvents
// count as no events.
func (t *Tables) Recent(ctx context.Context, app model.AppID, last int64, n int, noEvents []string) (minutes []Minute, users int64, err error) {
	ctx = plan.For(ctx, plan.LiveOperator)
	minutes = make([]Minute, n)
	from, to := last-int64(n-1)*minuteMS, last+minuteMS-1
	begun := plan.Do(plan.Eq, plan.Ev("e"), plan.Is(beginKey))
	isNew := plan.Do(plan.Eq, plan.Do(plan.Number, t.segmentOfKey(app, beginKey, "is_new")), plan.Is(1.0))
	q := &plan.Query{
		App: app, From: plan.Events, Where: plan.Between(plan.Ev("ts"), from, to),
		Select: []plan.Expr{
			plan.Do(plan.Div, plan.Do(plan.Sub, plan.Ev("ts"), plan.Is(from)), plan.Is(minuteMS)),
			plan.Agg{Fn: plan.Count, When: begun},
			plan.Agg{Fn: plan.Sum, Of: plan.Ev("c"), When: plan.Do(plan.Not, plan.OneOf(plan.Ev("e"), noEvents))},
			plan.Agg{Fn: plan.Count, When: plan.All(begun, isNew)},
		},
	}
	err = t.rows.Run(ctx, q, func(row events.Scanner) error {
		var at int64
		var m Minute
		if err := row.Scan(&at, &m.Sessions, &m.Events, &m.NewUsers); err != nil {
			return err
		}
		if at >= 0 && at < int64(n) {
			minutes[at] = m
		}
		return nil
	})
	if err == nil {
		q = &plan.Query{
			App: app, From: plan.Requests, Where: plan.Between(plan.Rq("ts"), from, to),
			Select: []plan.Expr{plan.Agg{Fn: plan.Distinct, Of: plan.Rq("uid")}},
		}
		err = t.rows.Run(ctx, q, func(row events.Scanner) error { return row.Scan(&users) })
	}
	if errors.Is(err, events.ErrNoApp) {
		return minutes, 0, nil
	}
	return minutes, users, err
}
