package query

import (
	"context"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// UserEvents says which event rows of a user are wanted: the latest first, of equal times the one that arrived last.
type UserEvents struct {
	UID      uint32
	From, To int64 // ms, both included
	// Key is the key of an event as clients send it, "" for all; Custom leaves only events of the app's own.
	Key    string
	Custom bool
	// Session is the place in the journal of a session's first request; 0 = any, and none.
	Session uint64
	// Search is part of the key, the name or a text among the properties, whatever its case.
	Search string
	// Behind is the place of the last row that the caller has; nil = none.
	Behind *UserEventPlace
	// Until leaves out rows that arrived behind that offset; 0 = none.
	Until         uint64
	Offset, Limit int
}

// UserEventPlace is a place in the order of the events of a user.
type UserEventPlace struct {
	TS     int64  `json:"t"`
	Offset uint64 `json:"o"`
	Item   uint32 `json:"i"`
}

// UserEvent is an event of a user. Times are ms.
type UserEvent struct {
	Place    UserEventPlace
	Received int64
	// Key is that of the row, of an event of the app's own with its Name; of other events the name is what the event is about, such
	// as a view.
	Key, Name string
	Count     int64
	Sum, Dur  float64
	Session   uint64 // 0 = none
	Segments  map[string]any
}

// UserEventPage is a part of the events of a user.
type UserEventPage struct {
	Rows  []UserEvent
	Total int64  // that match, wherever the page begins
	Last  uint64 // largest offset among those
}

// EventsOfUser reads a page of the events of a user.
func (t *Tables) EventsOfUser(ctx context.Context, app model.AppID, u UserEvents) (out UserEventPage, err error) {
	ctx = plan.For(ctx, plan.PeopleOperator)
	where := u.where()
	q := &plan.Query{
		App: app, From: plan.Events, Where: where,
		Select: []plan.Expr{plan.Agg{Fn: plan.Count}, plan.Do(plan.Coalesce, plan.Agg{Fn: plan.Max, Of: plan.Ev("off")}, plan.Is(0))},
	}
	err = t.rows.Run(ctx, q, func(row events.Scanner) error {
		var last any
		if err := row.Scan(&out.Total, &last); err != nil {
			return err
		}
		out.Last = place(wholeOf(last))
		return nil
	})
	if err != nil || out.Total == 0 || u.Limit <= 0 {
		return out, missing(err)
	}
	found, err := t.occurring(ctx, app, where)
	if err != nil {
		return out, err
	}
	p := &pager{rows: t.rows}
	b := &eventExport{e: &Export{}, p: p}
	sel := RowSelection{Fields: []string{"cd", "e", "n", "lsid", "c", "s", "dur", "sg"}}
	b.e.sel = sel
	b.fields(sel, false)
	b.segments(sel, found)
	plain := map[string]int{}
	for i, c := range b.e.Columns {
		if len(c) == 1 {
			plain[c[0]] = i
		}
	}
	ts, off, item := b.add(plan.Ev("ts")), b.add(plan.Ev("off")), b.add(plan.Ev("item"))
	q = &plan.Query{App: app, From: plan.Events, Where: plan.All(where, u.Behind.before()), Select: p.list, Limit: u.Limit, Offset: u.Offset}
	for _, c := range []string{"ts", "off", "item"} {
		q.Order = append(q.Order, plan.Order{By: plan.Ev(c), Desc: true})
	}
	rows, err := p.read(ctx, q)
	values := make([]any, len(b.e.Columns))
	for _, r := range rows {
		clear(values)
		for i, fill := range b.fill {
			fill(values, r.values[i])
		}
		b.fillSegments(values, r.values)
		e := UserEvent{Place: UserEventPlace{TS: wholeOf(r.values[ts]), Offset: place(wholeOf(r.values[off])), Item: uint32(wholeOf(r.values[item]))}} // as it was stored
		e.read(b.e.Columns, values, plain)
		out.Rows = append(out.Rows, e)
	}
	return out, missing(err)
}

// read fills in the values of a row; plain has the places of those that are no properties.
func (e *UserEvent) read(columns [][]string, values []any, plain map[string]int) {
	e.Received = wholeOf(values[plain["cd"]])
	e.Session = place(wholeOf(values[plain["lsid"]]))
	e.Key, _ = values[plain["e"]].(string)
	e.Name, _ = values[plain["n"]].(string)
	e.Count = wholeOf(values[plain["c"]])
	e.Sum, _ = values[plain["s"]].(float64)
	e.Dur, _ = values[plain["dur"]].(float64)
	for i, c := range columns {
		if len(c) == 2 && c[0] == "sg" && values[i] != nil {
			if e.Segments == nil {
				e.Segments = map[string]any{}
			}
			e.Segments[c[1]] = values[i]
		}
	}
}

// where selects the rows that match, wherever a page begins.
func (u UserEvents) where() plan.Expr {
	conditions := []plan.Expr{ofUser(plan.Ev("uid"), u.UID), plan.Between(plan.Ev("ts"), u.From, u.To)}
	switch key, name := events.Selector(u.Key); {
	case u.Key == "" && u.Custom:
		conditions = append(conditions, plan.Do(plan.Eq, plan.Ev("e"), plan.Is(events.CustomKey)))
	case u.Key == "":
	case name == "":
		conditions = append(conditions, plan.Do(plan.Eq, plan.Ev("e"), plan.Is(key)))
	default:
		conditions = append(conditions, plan.Do(plan.Eq, plan.Ev("e"), plan.Is(key)), plan.Do(plan.Eq, plan.Ev("n"), plan.Is(name)))
	}
	if u.Session != 0 {
		conditions = append(conditions, plan.Do(plan.Eq, plan.Ev("session"), plan.Is(int64(u.Session)))) // offsets are far below 2^63
	}
	if u.Until != 0 {
		conditions = append(conditions, plan.Do(plan.Le, plan.Ev("off"), plan.Is(int64(u.Until))))
	}
	if u.Search != "" {
		conditions = append(conditions, u.found())
	}
	return plan.All(conditions...)
}

// found is the condition that a row holds the text that is looked for.
func (u UserEvents) found() plan.Expr {
	text := plan.Do(plan.Lower, plan.Is(u.Search))
	has := func(e plan.Expr) plan.Expr { return plan.Do(plan.HasPart, plan.Do(plan.Lower, e), text) }
	internal := plan.Do(plan.Ne, plan.Ev("e"), plan.Is(events.CustomKey))
	list := []plan.Expr{has(plan.Ev("n")), plan.All(internal, has(plan.Ev("e")))}
	for _, e := range plan.Texts() {
		list = append(list, has(e))
	}
	return plan.Any(list...)
}

// before is the condition that a row comes after a place in the order, which descends; nil without a place.
func (p *UserEventPlace) before() plan.Expr {
	if p == nil {
		return nil
	}
	columns := []string{"ts", "off", "item"}
	at := []int64{p.TS, int64(p.Offset), int64(p.Item)} // offsets are far below 2^63
	var out plan.Expr
	for i, c := range slices.Backward(columns) {
		less := plan.Expr(plan.Do(plan.Lt, plan.Ev(c), plan.Is(at[i])))
		if out != nil {
			less = plan.Any(less, plan.All(plan.Do(plan.Eq, plan.Ev(c), plan.Is(at[i])), out))
		}
		out = less
	}
	return out
}

// ofUser is the condition that a row is of a user.
func ofUser(column plan.Column, uid uint32) plan.Expr {
	return plan.Do(plan.Eq, column, plan.Is(int64(uid)))
}
