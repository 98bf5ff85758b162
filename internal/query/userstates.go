package query

import (
	"context"
	"encoding/json"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// MaxUserStates bounds how many states of a user are read, the latest.
const MaxUserStates = 1000

// maxCommands bounds for how many states that no request made the time is looked for.
const maxCommands = 20

// UserState is what was known of a user from some moment on.
type UserState struct {
	Offset uint64
	// TS is the time of the request that made the state (ms); of a state that no request made, when the app's last request
	// before arrived, and Request is false. 0 = not known: what would tell is no longer kept.
	TS      int64
	Request bool
	// Props has the keys up.*, custom.*, cmp.*, flattened.
	Props map[string]any
}

// StatesOfUser returns the states of a user in the order in which they came, at most the last MaxUserStates, and how many there are.
func (t *Tables) StatesOfUser(ctx context.Context, app model.AppID, uid uint32) (list []UserState, total int64, err error) {
	ctx = plan.For(ctx, plan.PeopleOperator)
	q := &plan.Query{App: app, From: plan.States, Where: ofUser(plan.St("uid"), uid), Select: []plan.Expr{plan.Agg{Fn: plan.Count}}}
	if err := t.rows.Run(ctx, q, func(row events.Scanner) error { return row.Scan(&total) }); err != nil || total == 0 {
		return nil, 0, missing(err)
	}
	q.Select, q.Limit = []plan.Expr{plan.St("off"), plan.St("state"), plan.St("props")}, MaxUserStates
	q.Order = []plan.Order{{By: plan.St("off"), Desc: true}, {By: plan.St("state"), Desc: true}}
	err = t.rows.Run(ctx, q, func(row events.Scanner) error {
		var s UserState
		var number uint32
		var props *string
		if err := row.Scan(&s.Offset, &number, &props); err != nil {
			return err
		}
		if props != nil {
			_ = json.Unmarshal([]byte(*props), &s.Props) // the store keeps no text that is not JSON
		}
		list = append(list, s)
		return nil
	})
	if err != nil || len(list) == 0 {
		return nil, total, missing(err)
	}
	slices.Reverse(list)
	return list, total, missing(t.timesOf(ctx, app, uid, list))
}

// timesOf fills in the times of states.
func (t *Tables) timesOf(ctx context.Context, app model.AppID, uid uint32, list []UserState) error {
	at := map[uint64]int64{}
	q := &plan.Query{
		App: app, From: plan.Requests, Select: []plan.Expr{plan.Rq("off"), plan.Agg{Fn: plan.Min, Of: plan.Rq("ts")}},
		Where: plan.All(ofUser(plan.Rq("uid"), uid), plan.Among{
			Of: plan.Rq("off"), Query: &plan.Query{App: app, From: plan.States, Where: ofUser(plan.St("uid"), uid), Select: []plan.Expr{plan.St("off")}},
		}),
	}
	err := t.rows.Run(ctx, q, func(row events.Scanner) error {
		var off uint64
		var ts int64
		if err := row.Scan(&off, &ts); err != nil {
			return err
		}
		at[off] = ts
		return nil
	})
	if err != nil {
		return err
	}
	looked := 0
	for i := range slices.Backward(list) {
		s := &list[i]
		if s.TS, s.Request = at[s.Offset]; s.Request || looked == maxCommands {
			continue
		}
		looked++
		if s.TS, err = t.receivedBefore(ctx, app, s.Offset); err != nil {
			return err
		}
	}
	for i := range list { // what was not looked for came no earlier than the one before
		if i > 0 && list[i].TS == 0 {
			list[i].TS = list[i-1].TS
		}
	}
	return nil
}

// receivedBefore returns when the last request of an app before an offset arrived; 0 when there is none.
func (t *Tables) receivedBefore(ctx context.Context, app model.AppID, offset uint64) (received int64, err error) {
	q := &plan.Query{
		App: app, From: plan.Requests, Select: []plan.Expr{plan.Rq("received")},
		Where: plan.Do(plan.Lt, plan.Rq("off"), plan.Is(int64(offset))), // offsets are far below 2^63
		Order: []plan.Order{{By: plan.Rq("off"), Desc: true}}, Limit: 1,
	}
	err = t.rows.Run(ctx, q, func(row events.Scanner) error { return row.Scan(&received) })
	return received, err
}
