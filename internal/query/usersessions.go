package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// MaxUserSessions bounds how many sessions of a user are read, the latest.
const MaxUserSessions = 10_000

// UserSession is a session of a user. Times are ms.
type UserSession struct {
	ID    uint64 // place in the journal of the request that began it
	Start int64
	End   int64 // the last sign of life; 0 until the session has ended
	// Seconds is how long it was; 0 until it has ended.
	Seconds                float64
	Closed, New            bool
	Events, Views, Crashes int64
	Dims                   model.Dims // as they were when it began
}

// sessionDims are the dimensions that a session has.
var sessionDims = []model.Dim{model.Country, model.City, model.OS, model.OSVersion, model.Device, model.AppVersion}

// happenings are what is counted of a user beside sessions, in the order events, views, crashes.
func (t *Tables) happenings(app model.AppID) []plan.Expr {
	is := func(key string) plan.Expr { return plan.Do(plan.Eq, plan.Ev("e"), plan.Is(key)) }
	visit := visits(t.segmentOfKey(app, viewKey, "visit"))
	return []plan.Expr{
		plan.Agg{Fn: plan.Sum, Of: plan.Ev("c"), When: is(events.CustomKey)},
		plan.Agg{Fn: plan.Count, When: plan.All(is(viewKey), visit)},
		plan.Agg{Fn: plan.Count, When: is(crashKey)},
	}
}

// SessionsOfUser returns the sessions of a user that began from one instant to another (ms, both included), the latest first, at
// most MaxUserSessions.
func (t *Tables) SessionsOfUser(ctx context.Context, app model.AppID, uid uint32, from, to int64) ([]UserSession, error) {
	ctx = plan.For(ctx, plan.PeopleOperator)
	begun := plan.Do(plan.Eq, plan.Ev("e"), plan.Is(beginKey))
	q := &plan.Query{
		App: app, From: plan.Events,
		Where:  plan.All(ofUser(plan.Ev("uid"), uid), begun, plan.Between(plan.Ev("ts"), from, to)),
		Select: []plan.Expr{plan.Ev("session"), plan.Ev("ts"), plan.Do(plan.Number, t.segmentOfKey(app, beginKey, "is_new"))},
		Order:  []plan.Order{{By: plan.Ev("ts"), Desc: true}, {By: plan.Ev("off"), Desc: true}, {By: plan.Ev("item"), Desc: true}}, Limit: MaxUserSessions,
	}
	for _, d := range sessionDims {
		q.Select = append(q.Select, plan.Do(plan.Text, plan.Member{Of: plan.St("props"), Path: []string{"up." + model.Dimensions[d].Key}}))
	}
	var list []UserSession
	at := map[uint64]int{}
	err := t.rows.Run(ctx, q, func(row events.Scanner) error {
		var s UserSession
		var isNew *float64
		texts := make([]*string, len(sessionDims))
		dest := []any{&s.ID, &s.Start, &isNew}
		for i := range texts {
			dest = append(dest, &texts[i])
		}
		if err := row.Scan(dest...); err != nil {
			return err
		}
		s.New = isNew != nil && *isNew == 1
		for i, text := range texts {
			if text != nil {
				s.Dims[sessionDims[i]] = *text
			}
		}
		at[s.ID] = len(list)
		list = append(list, s)
		return nil
	})
	if err != nil || len(list) == 0 {
		return nil, missing(err)
	}
	closed := plan.Do(plan.Eq, plan.Ev("e"), plan.Is(sessionKey))
	q = &plan.Query{
		App: app, From: plan.Events,
		Where: plan.All(ofUser(plan.Ev("uid"), uid), plan.Do(plan.Gt, plan.Ev("session"), plan.Is(0))),
		Select: append([]plan.Expr{
			plan.Ev("session"), plan.Agg{Fn: plan.Count, When: closed}, plan.Agg{Fn: plan.Max, Of: plan.Ev("ts"), When: closed}, plan.Agg{Fn: plan.Sum, Of: plan.Ev("dur"), When: closed},
		}, t.happenings(app)...),
	}
	err = t.rows.Run(ctx, q, func(row events.Scanner) error {
		var s UserSession
		var ends int64
		var last *int64
		if err := row.Scan(&s.ID, &ends, &last, &s.Seconds, &s.Events, &s.Views, &s.Crashes); err != nil {
			return err
		}
		i, ok := at[s.ID]
		if !ok {
			return nil
		}
		to := &list[i]
		to.Closed, to.Seconds, to.Events, to.Views, to.Crashes = ends > 0, s.Seconds, s.Events, s.Views, s.Crashes
		if last != nil {
			to.End = *last
		}
		return nil
	})
	return list, missing(err)
}

// UserActivity is what a user did in some time.
type UserActivity struct {
	Sessions, Events, Views, Crashes int64
	// Seconds are those of sessions, under the moment at which they ended.
	Seconds float64
}

// Add adds what was done in other time.
func (a *UserActivity) Add(b UserActivity) {
	a.Sessions += b.Sessions
	a.Events += b.Events
	a.Views += b.Views
	a.Crashes += b.Crashes
	a.Seconds += b.Seconds
}

// UserHour is what a user did in an hour of local time.
type UserHour struct {
	Day  period.Day
	Hour int
	UserActivity
}

// HoursOfUser returns the hours of a period in which rows of a user are, in no order.
func (t *Tables) HoursOfUser(ctx context.Context, app model.AppID, uid uint32, p period.Period) ([]UserHour, error) {
	if p.Empty() {
		return nil, nil
	}
	ctx = plan.For(ctx, plan.PeopleOperator)
	hour := plan.Do(plan.Quo, localTimeOf(plan.Ev("ts"), p.Calendar(), p.Start, p.End), plan.Is(hourMS))
	q := &plan.Query{
		App: app, From: plan.Events, Where: plan.All(ofUser(plan.Ev("uid"), uid), plan.Between(plan.Ev("ts"), p.Start, p.End)),
		Select: append([]plan.Expr{
			hour,
			plan.Agg{Fn: plan.Count, When: plan.Do(plan.Eq, plan.Ev("e"), plan.Is(beginKey))},
			plan.Agg{Fn: plan.Sum, Of: plan.Ev("dur"), When: plan.Do(plan.Eq, plan.Ev("e"), plan.Is(sessionKey))},
		}, t.happenings(app)...),
	}
	var out []UserHour
	err := t.rows.Run(ctx, q, func(row events.Scanner) error {
		var at int64
		var h UserHour
		if err := row.Scan(&at, &h.Sessions, &h.Seconds, &h.Events, &h.Views, &h.Crashes); err != nil {
			return err
		}
		h.Day, h.Hour = period.Day(at/24), int(at%24) // a day
		out = append(out, h)
		return nil
	})
	return out, missing(err)
}
