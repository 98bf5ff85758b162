package query

import (
	"context"
	"strconv"
	"strings"

	"quipu/internal/model"
	"quipu/internal/query/peruser"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
)

// rowsByUser say which rows add to the cells of a series, and what: the same as rowCells.read, by user.
type rowsByUser struct {
	options peruser.Options
	parts   []userPart
	// finest is the finest grain at which there are cells, coarsest the only one if it is rollup.Month.
	finest rollup.Grain
	// known are the values that count, in an order in which new ones come last; nil = all.
	known []string
	// keep says which values of cells there still are; nil = all.
	keep func(value string) bool
}

// userPart are rows of a table.
type userPart struct {
	number uint8 // among the parts
	from   plan.Table
	where  plan.Expr
	at     plan.Expr // when a row counts, ms, if not at its time
	hours  bool
	// columns are read beside the row's time, user and place; add makes of them, for the i-th row, what is added: it completes row and calls emit, several times
	// if need be. It returns false for a row that counts for no known value.
	columns []plan.Expr
	add     func(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool
}

// heldOf returns which rows make the cells of a series; ok is false where they cannot be held by user.
func (r *rowCells) heldOf(ctx context.Context, k seriesKey) (rows *rowsByUser, ok bool, err error) {
	one := []rollup.Cell{{Count: 1}}
	for i := range model.Dimensions {
		if d := &model.Dimensions[i]; rollup.Metric(d.Metric) == k.Metric {
			value := plan.Do(plan.Text, r.t.segmentOfKey(r.App, beginKey, d.Name))
			return &rowsByUser{
				options: peruser.Options{Usual: one, Users: peruser.AllUsers}, finest: rollup.Day,
				parts: []userPart{{from: plan.Events, where: plan.All(rowsOf(beginKey), isThere(value)), columns: []plan.Expr{value, r.isNew()}, add: addDimension}},
			}, true, nil
		}
	}
	switch k.Metric {
	case rollup.Users:
		return r.sessionsByUser(), true, nil
	case rollup.Frequency:
		index := plan.Do(plan.Coalesce, plan.Do(plan.Number, r.t.segmentOfKey(r.App, beginKey, "frequency")), plan.Is(0.0))
		return &rowsByUser{
			options: peruser.Options{Usual: one}, finest: rollup.Day,
			parts: []userPart{{from: plan.Events, where: rowsOf(beginKey), columns: []plan.Expr{index}, add: addFrequency}},
		}, true, nil
	case rollup.Durations:
		return r.lengthsByUser(), true, nil
	case rollup.Events:
		return r.eventsByUser(k.only), true, nil
	case rollup.Segments:
		rows, err = r.segmentByUser(ctx, k.Dim)
		return rows, err == nil, err
	case rollup.TimesOfDay:
		return timesByUser(k.Dim), true, nil
	default:
		if m := r.t.metric(k.Metric); m != nil {
			rows, err = r.metricByUser(ctx, k.Series, m)
		}
		return rows, rows != nil, err
	}
}

// isThere is the condition that a value is there.
func isThere(value plan.Expr) plan.Expr { return plan.Do(plan.Not, plan.Do(plan.IsNull, value)) }

func addDimension(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool {
	row.Value, row.Count, row.New = c[0].Text[i], 1, c[1].Whole[i]
	emit(row)
	return true
}

func addFrequency(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool {
	row.Value, row.Count = strconv.Itoa(int(c[0].Number[i])), 1
	emit(row)
	return true
}

// sessionsByUser are the rows of sessions, users, requests and time.
func (r *rowCells) sessionsByUser() *rowsByUser {
	begun := userPart{from: plan.Events, where: rowsOf(beginKey), hours: true, columns: []plan.Expr{r.isNew()}}
	begun.add = func(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool {
		row.Count, row.New = 1, c[0].Whole[i]
		emit(row)
		return true
	}
	requests := userPart{from: plan.Requests, where: countedRequests(), hours: true, columns: []plan.Expr{plan.Rq("dur")}}
	requests.add = func(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool {
		row.Requests, row.Dur = 1, c[0].Number[i]
		emit(row)
		return true
	}
	return &rowsByUser{options: peruser.Options{Usual: []rollup.Cell{{Count: 1}, {Requests: 1}}, Users: peruser.IfCounted, DurFlag: true}, parts: []userPart{begun, requests}, finest: rollup.Hour}
}

// countedRequests is the condition that a request counts.
func countedRequests() plan.Expr {
	return plan.Do(plan.Eq, plan.Do(plan.Mod, plan.Do(plan.Quo, plan.Rq("flags"), plan.Is(int64(events.RequestCounted))), plan.Is(2)), plan.Is(1))
}

// lengthsByUser are the rows of closed sessions by their length, and those that take back what was counted before.
func (r *rowCells) lengthsByUser() *rowsByUser {
	number := func(name string) plan.Expr {
		return plan.Do(plan.Number, r.t.segmentOfKey(r.App, sessionKey, name))
	}
	add := func(n int64) func(*peruser.Row, []events.Column, int, func(*peruser.Row)) bool {
		return func(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool {
			row.Value, row.Count = lengthIndex(c[0].Number[i]), n
			emit(row)
			return true
		}
	}
	orZero := func(e plan.Expr) []plan.Expr { return []plan.Expr{plan.Do(plan.Coalesce, e, plan.Is(0.0))} }
	return &rowsByUser{options: peruser.Options{Usual: []rollup.Cell{{Count: 1}, {Count: -1}}}, finest: rollup.Day, parts: []userPart{
		{from: plan.Events, where: rowsOf(sessionKey), columns: orZero(number("seconds")), add: add(1)},
		{
			from: plan.Events, where: plan.All(rowsOf(sessionKey), plan.Do(plan.Eq, plan.Ev("c"), plan.Is(0))), at: number("closed_at"),
			columns: orZero(number("closed_seconds")), add: add(-1),
		},
	}}
}

// eventsByUser are the rows of an event, or of all custom events.
func (r *rowCells) eventsByUser(only string) *rowsByUser {
	part := userPart{from: plan.Events, hours: true, where: plan.Do(plan.Eq, plan.Ev("e"), plan.Is(events.CustomKey)), columns: []plan.Expr{plan.Ev("c"), plan.Ev(sumPath), plan.Ev(durPath), plan.Ev("n")}}
	if only != "" {
		part.where, part.columns = rowsOf(only), part.columns[:3]
	}
	part.add = func(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool {
		if row.Value = only; only == "" {
			row.Value = c[3].Text[i]
		}
		row.Count, row.Sum, row.Dur = c[0].Whole[i], c[1].Number[i], c[2].Number[i]
		emit(row)
		return true
	}
	return &rowsByUser{
		options: peruser.Options{Usual: []rollup.Cell{{Count: 1}}, Users: peruser.AllUsers, SumFlag: true, DurFlag: true}, parts: []userPart{part}, finest: rollup.Hour,
		keep: func(key string) bool { _, ok := r.t.schema.Event(r.App, key); return ok },
	}
}

// segmentByUser are the rows of the values of a segment of an event.
func (r *rowCells) segmentByUser(ctx context.Context, dim string) (*rowsByUser, error) {
	key, name, _ := strings.Cut(dim, "\x00")
	list, err := r.Known.Values(ctx, r.App, key, name)
	if err != nil {
		return nil, err
	}
	counted := make(map[string]bool, len(list))
	for _, v := range list {
		counted[v] = true
	}
	value := plan.Do(plan.Text, r.t.segmentOfKey(r.App, key, name))
	part := userPart{from: plan.Events, where: plan.All(rowsOf(key), isThere(value)), columns: []plan.Expr{value, plan.Ev("c"), plan.Ev(sumPath), plan.Ev(durPath)}}
	part.add = func(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool {
		row.Value, row.Count, row.Sum, row.Dur = valueInCells(c[0].Text[i]), c[1].Whole[i], c[2].Number[i], c[3].Number[i]
		if !counted[row.Value] {
			return false
		}
		emit(row)
		return true
	}
	return &rowsByUser{
		options: peruser.Options{Usual: []rollup.Cell{{Count: 1}}, SumFlag: true, DurFlag: true}, parts: []userPart{part}, finest: rollup.Day, known: list,
	}, nil
}

// timesByUser are the rows of a key, or of sessions, by weekday and hour of the device's clock.
func timesByUser(key string) *rowsByUser {
	if key == sessionKey {
		key = beginKey
	}
	where := plan.All(rowsOf(key), plan.Do(plan.Ge, plan.Ev("dow"), plan.Is(0)), plan.Do(plan.Ge, plan.Ev("hour"), plan.Is(0)))
	part := userPart{from: plan.Events, where: where, columns: []plan.Expr{plan.Ev("dow"), plan.Ev("hour")}}
	part.add = func(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool {
		row.Value, row.Count = strconv.FormatInt(c[0].Whole[i], 10)+":"+strconv.FormatInt(c[1].Whole[i], 10), 1
		emit(row)
		return true
	}
	return &rowsByUser{options: peruser.Options{Usual: []rollup.Cell{{Count: 1}}}, parts: []userPart{part}, finest: rollup.Month}
}
