package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// OfUsers calls fn for every event row of users, as nested documents with all that is known of it.
func (t *Tables) OfUsers(ctx context.Context, app model.AppID, uids []uint32, fn func(map[string]any) error) error {
	ctx = plan.For(ctx, plan.ExportOperator)
	ids := make([]string, len(uids))
	for i, uid := range uids {
		ids[i] = strconv.FormatUint(uint64(uid), 10)
	}
	f, err := filter.Parse(map[string]any{"uid": map[string]any{"$in": anys(ids)}})
	if err != nil {
		return err
	}
	e, err := t.Events(ctx, app, RowSelection{Filter: f})
	if err != nil {
		return err
	}
	return e.Each(ctx, func(values []any) error {
		doc := map[string]any{}
		for i, v := range values {
			if v == nil {
				continue
			}
			path := e.Columns[i]
			at := doc
			for _, key := range path[:len(path)-1] {
				inner, ok := at[key].(map[string]any)
				if !ok {
					inner = map[string]any{}
					at[key] = inner
				}
				at = inner
			}
			at[path[len(path)-1]] = v
		}
		return fn(doc)
	})
}

func anys(texts []string) []any {
	out := make([]any, len(texts))
	for i, s := range texts {
		out[i] = s
	}
	return out
}

// StateRow is what was known of a user from some moment on.
type StateRow struct {
	UID   string          `json:"uid"`
	State int64           `json:"state"`
	Props json.RawMessage `json:"props"`
}

// StatesOf calls fn with a StateRow for every state of users.
func (t *Tables) StatesOf(ctx context.Context, app model.AppID, uids []uint32, fn func(any) error) error {
	ctx = plan.For(ctx, plan.ExportOperator)
	p := &pager{
		rows: t.rows, query: plan.Query{App: app, From: plan.States, Where: byUser(plan.St("uid"), uids)},
		list: []plan.Expr{plan.St("uid"), plan.St("state"), plan.St("props")}, ties: []plan.Expr{plan.St("state")},
	}
	return missing(p.each(ctx, func(row []any) error {
		props, _ := row[2].(string)
		if !json.Valid([]byte(props)) {
			props = "{}"
		}
		return fn(StateRow{UID: fmt.Sprint(row[0]), State: wholeOf(row[1]), Props: json.RawMessage(props)})
	}))
}

// RequestOf is one request of a user. Times are ms.
type RequestOf struct {
	UID      string  `json:"uid"`
	TS       int64   `json:"ts"`
	Received int64   `json:"cd"`
	Begin    bool    `json:"begin_session,omitempty"`
	End      bool    `json:"end_session,omitempty"`
	Seconds  float64 `json:"session_duration,omitempty"`
}

// RequestsOf calls fn with a RequestOf for every request of users.
func (t *Tables) RequestsOf(ctx context.Context, app model.AppID, uids []uint32, fn func(any) error) error {
	ctx = plan.For(ctx, plan.ExportOperator)
	p := &pager{
		rows: t.rows, query: plan.Query{App: app, From: plan.Requests, Where: byUser(plan.Rq("uid"), uids)},
		list: []plan.Expr{plan.Rq("uid"), plan.Rq("ts"), plan.Rq("received"), plan.Rq("flags"), plan.Rq("dur")},
		ties: []plan.Expr{plan.Rq("off"), plan.Rq("item")},
	}
	return missing(p.each(ctx, func(row []any) error {
		r := RequestOf{UID: fmt.Sprint(row[0])}
		r.TS, r.Received = wholeOf(row[1]), wholeOf(row[2])
		flags := uint16(wholeOf(row[3])) // few bits
		r.Begin, r.End = flags&events.RequestBegin != 0, flags&events.RequestEnd != 0
		r.Seconds, _ = row[4].(float64)
		return fn(r)
	}))
}

// missing makes an app without rows one with none.
func missing(err error) error {
	if errors.Is(err, events.ErrNoApp) {
		return nil
	}
	return err
}
