package query

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// LatestRequest is a request rebuilt from an app's rows.
type LatestRequest struct {
	Offset   uint64 // of its record
	TS       int64  // ms, the time under which it counts
	Received int64  // ms
	UID      uint32
	Begin    bool    // it began a session
	End      bool    // it said that the session ended
	New      bool    // the session is its user's first
	Seconds  float64 // session duration that it reported
	Crash    bool
	Consent  bool
	Events   []LatestEvent // views and events of the app's own, in their order
}

// LatestEvent is an event of a request.
type LatestEvent struct {
	Key      string
	Count    int64
	Sum, Dur float64
	Segments []LatestSegment
}

// LatestSegment is a property of an event, with its value as text.
type LatestSegment struct{ Name, Value string }

// Latest reads the last requests of an app, at most n, that were received at since (ms) or later; the oldest first.
func (t *Tables) Latest(ctx context.Context, app model.AppID, since int64, n int) ([]LatestRequest, error) {
	return t.latest(ctx, app, plan.Do(plan.Ge, plan.Rq("received"), plan.Is(since)), n)
}

// LatestAfter reads the last requests of an app, at most n, whose records are after an offset; the oldest first. total is how many such requests there are.
func (t *Tables) LatestAfter(ctx context.Context, app model.AppID, after uint64, n int) (list []LatestRequest, total int, err error) {
	where := plan.Do(plan.Gt, plan.Rq("off"), plan.Is(int64(after))) // an offset
	if list, err = t.latest(ctx, app, where, n); err != nil || len(list) < n {
		return list, len(list), err
	}
	q := &plan.Query{
		App: app, From: plan.Requests, Where: plan.All(where, plan.Do(plan.Le, plan.Rq("off"), plan.Is(int64(list[n-1].Offset)))),
		Select: []plan.Expr{plan.Agg{Fn: plan.Count}},
	}
	err = t.rows.Run(plan.For(ctx, plan.LiveOperator), q, func(row events.Scanner) error { return row.Scan(&total) })
	return list, max(total, n), missing(err)
}

// latest reads the last requests of an app that a condition holds for; the oldest first.
func (t *Tables) latest(ctx context.Context, app model.AppID, where plan.Expr, n int) ([]LatestRequest, error) {
	ctx = plan.For(ctx, plan.LiveOperator)
	var list []LatestRequest
	q := &plan.Query{
		App: app, From: plan.Requests, Where: where,
		Select: []plan.Expr{plan.Rq("off"), plan.Rq("ts"), plan.Rq("received"), plan.Rq("uid"), plan.Rq("flags"), plan.Rq("dur")},
		Order:  []plan.Order{{By: plan.Rq("off"), Desc: true}}, Limit: n,
	}
	err := t.rows.Run(ctx, q, func(row events.Scanner) error {
		var r LatestRequest
		var flags uint16
		if err := row.Scan(&r.Offset, &r.TS, &r.Received, &r.UID, &flags, &r.Seconds); err != nil {
			return err
		}
		r.Begin, r.End = flags&events.RequestBegin != 0, flags&events.RequestEnd != 0
		list = append(list, r)
		return nil
	})
	if err != nil || len(list) == 0 {
		return nil, missing(err)
	}
	slices.Reverse(list)
	return list, missing(t.eventsOf(ctx, app, list))
}

// eventsOf adds the events of requests from the event rows. Requests are in the order of their records.
func (t *Tables) eventsOf(ctx context.Context, app model.AppID, list []LatestRequest) error {
	first, last := list[0].Offset, list[len(list)-1].Offset
	p := &pager{
		rows: t.rows, query: plan.Query{App: app, From: plan.Events, Where: offsets(first, last)}, ties: eventTies,
	}
	found, err := t.occurring(ctx, app, p.query.Where)
	if err != nil {
		return err
	}
	sel := RowSelection{Fields: []string{"e", "n", "c", "s", "dur", "sg"}}
	b := &eventExport{e: &Export{sel: sel}, p: p}
	b.fields(sel, false)
	b.segments(sel, found)
	at := map[string]int{}
	for i, c := range b.e.Columns {
		if len(c) == 1 {
			at[c[0]] = i
		}
	}
	off := b.add(plan.Ev("off"))
	values := make([]any, len(b.e.Columns))
	return p.each(ctx, func(row []any) error {
		clear(values)
		for i, fill := range b.fill {
			fill(values, row[i])
		}
		b.fillSegments(values, row)
		offset := uint64(wholeOf(row[off])) // an offset
		i, ok := slices.BinarySearchFunc(list, offset, func(r LatestRequest, o uint64) int {
			return cmp.Compare(r.Offset, o)
		})
		if ok {
			list[i].add(b.e.Columns, values, at)
		}
		return nil
	})
}

// add fills in an event row; columns are the paths of its values, and at the places of the plain ones.
func (r *LatestRequest) add(columns [][]string, values []any, at map[string]int) {
	key, _ := values[at["e"]].(string)
	var segments []LatestSegment
	for i, c := range columns {
		if len(c) == 2 && c[0] == "sg" && values[i] != nil {
			segments = append(segments, LatestSegment{c[1], textOf(values[i])})
		}
	}
	switch key {
	case "[CLY]_session_begin":
		r.New = r.New || slices.Contains(segments, LatestSegment{"is_new", "1"})
		return
	case "[CLY]_session":
		return
	case "[CLY]_consent":
		r.Consent = true
		return
	case crashKey:
		r.Crash = true
		return
	case events.CustomKey:
		key, _ = values[at["n"]].(string)
	}
	ev := LatestEvent{Key: key, Segments: segments}
	ev.Count, _ = values[at["c"]].(int64)
	ev.Sum, _ = values[at["s"]].(float64)
	ev.Dur, _ = values[at["dur"]].(float64)
	r.Events = append(r.Events, ev)
}

// textOf writes a value of a row.
func textOf(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case json.RawMessage:
		return string(x)
	}
	return fmt.Sprint(v)
}
