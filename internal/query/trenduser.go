package query

import (
	"context"
	"strconv"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// TrendUser is a user of a trend. Data that is not kept of the user is missing.
type TrendUser struct {
	UID      string `json:"uid"`
	DID      string `json:"did,omitempty"`
	Name     string `json:"name,omitempty"`
	LastSeen int64  `json:"lac,omitempty"` // s
	Count    int64  `json:"t"`
	Last     int64  `json:"last"` // ms: their last row of the trend
}

// TrendUsers returns a page of the users of a trend and how many there are: those with most, then those with lower numbers.
// limit is at least 1.
func (t *Tables) TrendUsers(ctx context.Context, app model.AppID, q Trend, skip, limit int) (users []TrendUser, total int64, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return nil, 0, err
	}
	uid, count := plan.Ev("uid"), plan.Agg{Fn: plan.Sum, Of: plan.Ev("c")}
	p := &plan.Query{App: app, From: plan.Events, Where: plan.All(b.where, b.visit), Select: []plan.Expr{plan.Agg{Fn: plan.Distinct, Of: uid}}}
	err = t.asked.Run(ctx, p, func(row events.Scanner) error { return row.Scan(&total) })
	users = []TrendUser{}
	if err != nil || int64(skip) >= total {
		return users, total, missing(err)
	}
	p.Select = []plan.Expr{uid, count, plan.Agg{Fn: plan.Max, Of: plan.Ev("ts")}}
	p.Order = []plan.Order{{By: count, Desc: true}, {By: uid}}
	p.Limit, p.Offset = limit, skip
	places := map[uint32]int{}
	var uids []uint32
	err = t.asked.Run(ctx, p, func(row events.Scanner) error {
		var n uint32
		var u TrendUser
		if err := row.Scan(&n, &u.Count, &u.Last); err != nil {
			return err
		}
		u.UID = strconv.FormatUint(uint64(n), 10)
		places[n] = len(users)
		users, uids = append(users, u), append(uids, n)
		return nil
	})
	if err != nil || len(uids) == 0 {
		return users, total, missing(err)
	}
	known := &plan.Query{
		App: app, From: plan.Users, Where: byUser(plan.Us("uid"), uids),
		Select: []plan.Expr{plan.Us("uid"), plan.Do(plan.Coalesce, plan.Us("did"), plan.Is("")), plan.Do(plan.Coalesce, plan.Us("name"), plan.Is("")), plan.Do(plan.Coalesce, plan.Us("lac"), plan.Is(0))},
	}
	err = t.asked.Run(ctx, known, func(row events.Scanner) error {
		var n uint32
		var u TrendUser
		if err := row.Scan(&n, &u.DID, &u.Name, &u.LastSeen); err != nil {
			return err
		}
		if i, ok := places[n]; ok {
			users[i].DID, users[i].Name, users[i].LastSeen = u.DID, u.Name, u.LastSeen
		}
		return nil
	})
	return users, total, missing(err)
}

// TrendAccount is a session or an account of a trend.
type TrendAccount struct {
	// Account is the value of the property, or the place in the journal at which the session began.
	Account string `json:"account"`
	Users   int64  `json:"users"` // who of it did it
	Count   int64  `json:"t"`
	Last    int64  `json:"last"` // ms: its last row of the trend
}

// TrendAccounts returns a page of the sessions or accounts of a trend and how many there are: those with most, then in the order of their names.
// limit is at least 1.
func (t *Tables) TrendAccounts(ctx context.Context, app model.AppID, q Trend, skip, limit int) (list []TrendAccount, total int64, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	list = []TrendAccount{}
	b, err := t.trend(ctx, app, q)
	if err != nil || b.unit == nil {
		return list, 0, err
	}
	unit, count := plan.Do(plan.Text, b.unit), plan.Agg{Fn: plan.Sum, Of: plan.Ev("c")}
	p := &plan.Query{App: app, From: plan.Events, Where: plan.All(b.where, b.visit, present(b.unit)), Select: []plan.Expr{units(b.unit, nil)}}
	err = t.asked.Run(ctx, p, func(row events.Scanner) error { return row.Scan(&total) })
	if err != nil || int64(skip) >= total {
		return list, total, missing(err)
	}
	p.Select = []plan.Expr{unit, units(plan.Ev("uid"), nil), count, plan.Agg{Fn: plan.Max, Of: plan.Ev("ts")}}
	p.Order = []plan.Order{{By: count, Desc: true}, {By: unit}}
	p.Limit, p.Offset = limit, skip
	err = t.asked.Run(ctx, p, func(row events.Scanner) error {
		var a TrendAccount
		if err := row.Scan(&a.Account, &a.Users, &a.Count, &a.Last); err != nil {
			return err
		}
		list = append(list, a)
		return nil
	})
	return list, total, missing(err)
}
