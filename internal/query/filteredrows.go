package query

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
)

// sessionKey is the key of the rows of sessions that closed.
const sessionKey = "[CLY]_session"

// read makes the cells of a series on the days of w.
func (r *rowCells) read(ctx context.Context, k seriesKey, w *cellWriter) error {
	for i := range model.Dimensions {
		if d := &model.Dimensions[i]; rollup.Metric(d.Metric) == k.Metric {
			return r.readDimension(ctx, d, w)
		}
	}
	switch k.Metric {
	case rollup.Users:
		return r.readSessions(ctx, w)
	case rollup.Frequency:
		return r.readFrequency(ctx, w)
	case rollup.Durations:
		return r.readLengths(ctx, w)
	case rollup.Events:
		return r.readEvents(ctx, k, w)
	case rollup.Segments:
		return r.readSegment(ctx, k.Dim, w)
	case rollup.TimesOfDay:
		return r.readTimes(ctx, k.Dim, w)
	default:
		if m := r.t.metric(k.Metric); m != nil {
			return r.readMetric(ctx, k.Series, m, w)
		}
		return errUnfiltered
	}
}

// sessionRows is the condition that a row of the days of w is of sessions and selected.
func (r *rowCells) sessionRows(key string, w *cellWriter) (plan.Expr, error) {
	if path, ok := r.ofEventsOnly(); ok {
		return nil, fault.Newf(fault.Invalid, "figures.unfiltered", "Figures of sessions cannot be filtered by %s, a property of events", path)
	}
	return r.selected(rowsOf(key), w), nil
}

// selected is the condition that a row of the days of w meets rows and the filter.
func (r *rowCells) selected(rows plan.Expr, w *cellWriter) plan.Expr {
	return plan.All(rows, plan.Between(plan.Ev("ts"), w.from, w.to), plan.Matching(r.Filter, orUnknown(r.t.bindTrend(r.App))))
}

// hour and day are the numbers of the local hour and day of a row.
func (r *rowCells) hour(ts plan.Expr, w *cellWriter) plan.Expr {
	return plan.Do(plan.Quo, localTimeOf(ts, r.Calendar, w.from, w.to), plan.Is(hourMS))
}

func (r *rowCells) day(w *cellWriter) plan.Expr {
	return plan.Do(plan.Quo, localTimeOf(plan.Ev("ts"), r.Calendar, w.from, w.to), plan.Is(dayMS))
}

// Aggregates of rows.
var (
	firstPlace = plan.Agg{Fn: plan.Min, Of: plan.Ev("off")}
	rowCount   = plan.Agg{Fn: plan.Count}
)

// isNew is the condition that a row of a begun session is of its user's first.
func (r *rowCells) isNew() plan.Expr {
	return plan.Do(plan.Eq, plan.Do(plan.Number, r.t.segmentOfKey(r.App, beginKey, "is_new")), plan.Is(1.0))
}

// place is a place in the journal that was read as a whole number.
func place(n int64) uint64 { return uint64(n) } // as it was

// readSessions makes the cells of sessions, users, requests and time by hour.
func (r *rowCells) readSessions(ctx context.Context, w *cellWriter) error {
	where, err := r.sessionRows(beginKey, w)
	if err != nil {
		return err
	}
	begun := &plan.Query{
		App: r.App, From: plan.Events, Where: where,
		Select: []plan.Expr{r.hour(plan.Ev("ts"), w), plan.Ev("uid"), rowCount, plan.Agg{Fn: plan.Count, When: r.isNew()}, firstPlace},
	}
	err = r.t.rows.RunColumns(ctx, begun, func(c *events.Columns) error {
		for i := range c.Len {
			cell := rollup.Cell{Count: c.List[2].Whole[i], New: c.List[3].Whole[i], First: place(c.List[4].Whole[i])}
			w.user(rollup.Hour, rollup.Bucket(c.List[0].Whole[i]), "", &cell, uint32(c.List[1].Whole[i])) // hours and users
		}
		return w.check()
	})
	if err != nil {
		return err
	}
	requests := &plan.Query{
		App: r.App, From: plan.Requests,
		Where: plan.All(countedRequests(), plan.Between(plan.Rq("ts"), w.from, w.to), plan.Matching(r.Filter, orUnknown(bindState))),
		Select: []plan.Expr{
			r.hour(plan.Rq("ts"), w), rowCount,
			plan.Agg{Fn: plan.Sum, Of: plan.Rq("dur")},
			plan.Agg{Fn: plan.Count, When: plan.Do(plan.Ne, plan.Rq("dur"), plan.Is(0.0))},
			plan.Agg{Fn: plan.Min, Of: plan.Rq("off")},
		},
	}
	return r.t.rows.Run(ctx, requests, func(row events.Scanner) error {
		var hour, timed int64
		var cell rollup.Cell
		var first any
		if err := row.Scan(&hour, &cell.Requests, &cell.Dur, &timed, &first); err != nil {
			return err
		}
		if timed > 0 {
			cell.Flags = rollup.HasDur
		}
		cell.First = place(wholeOf(first))
		w.add(rollup.Hour, rollup.Bucket(hour), "", &cell) // an hour
		return w.check()
	})
}

// orUnknown finds what bind does, with model.Unknown for the properties under which sessions always count where a user has none.
func orUnknown(bind binder) binder {
	return func(path string) (plan.Typed, bool) {
		typed, ok := bind(path)
		key, up := strings.CutPrefix(path, "up.")
		if d, known := model.DimensionByKey(key); !up || !known || !model.Dimensions[d].Required {
			return typed, ok
		}
		if !ok {
			return plan.Typed{Expr: plan.Is(model.Unknown), Type: filter.Text}, true
		}
		return plan.Typed{Expr: plan.Do(plan.Coalesce, plan.Do(plan.Text, typed), plan.Is(model.Unknown)), Type: filter.Text}, true
	}
}

// bindState finds a property of the state that a request was made in.
func bindState(path string) (plan.Typed, bool) {
	if CohortPath(path) {
		return bindCohorts(path, plan.Rq("uid"))
	}
	for _, group := range []string{"custom.", "cmp."} {
		if strings.HasPrefix(path, "up."+group) {
			path = strings.TrimPrefix(path, "up.")
		}
	}
	return plan.Typed{Expr: plan.Member{Of: plan.St("props"), Path: []string{path}}, Type: filter.JSON}, true
}

// check ends a read for which there is no memory.
func (w *cellWriter) check() error {
	if w.full {
		return errTooMuch
	}
	return nil
}

// readDimension makes the cells of the values of a property that begun sessions count under.
func (r *rowCells) readDimension(ctx context.Context, d *model.Dimension, w *cellWriter) error {
	where, err := r.sessionRows(beginKey, w)
	if err != nil {
		return err
	}
	value := plan.Do(plan.Text, r.t.segmentOfKey(r.App, beginKey, d.Name))
	q := &plan.Query{
		App: r.App, From: plan.Events, Where: plan.All(where, plan.Do(plan.Not, plan.Do(plan.IsNull, value))),
		Select: []plan.Expr{r.day(w), value, plan.Ev("uid"), rowCount, plan.Agg{Fn: plan.Count, When: r.isNew()}, firstPlace},
	}
	return r.t.rows.RunColumns(ctx, q, func(c *events.Columns) error {
		for i := range c.Len {
			cell := rollup.Cell{Count: c.List[3].Whole[i], New: c.List[4].Whole[i], First: place(c.List[5].Whole[i])}
			w.user(rollup.Day, rollup.Bucket(c.List[0].Whole[i]), c.List[1].Text[i], &cell, uint32(c.List[2].Whole[i])) // days and users
		}
		return w.check()
	})
}

// readFrequency makes the cells of sessions by the time since the one before.
func (r *rowCells) readFrequency(ctx context.Context, w *cellWriter) error {
	where, err := r.sessionRows(beginKey, w)
	if err != nil {
		return err
	}
	q := &plan.Query{
		App: r.App, From: plan.Events, Where: where,
		Select: []plan.Expr{r.day(w), plan.Do(plan.Coalesce, plan.Do(plan.Number, r.t.segmentOfKey(r.App, beginKey, "frequency")), plan.Is(0.0)), rowCount, firstPlace},
	}
	return r.t.rows.Run(ctx, q, func(row events.Scanner) error {
		var day, count int64
		var index float64
		var first any
		if err := row.Scan(&day, &index, &count, &first); err != nil {
			return err
		}
		w.add(rollup.Day, rollup.Bucket(day), strconv.Itoa(int(index)), &rollup.Cell{Count: count, First: place(wholeOf(first))}) // a day
		return w.check()
	})
}

// lengthIndex is the index of a session's length, see wire.md 4.2: upper limits (s) belong to their index.
func lengthIndex(seconds float64) string {
	limits := lengthLimits()
	for i, limit := range limits {
		if seconds <= limit {
			return strconv.Itoa(i)
		}
	}
	return strconv.Itoa(len(limits))
}

func lengthLimits() []float64 { return []float64{10, 30, 60, 180, 600, 1800, 3600} }

// readLengths makes the cells of closed sessions by their length. A session that was counted before it was taken up again
// is taken back where that was.
func (r *rowCells) readLengths(ctx context.Context, w *cellWriter) error {
	where, err := r.sessionRows(sessionKey, w)
	if err != nil {
		return err
	}
	seconds := plan.Do(plan.Coalesce, plan.Do(plan.Number, r.t.segmentOfKey(r.App, sessionKey, "seconds")), plan.Is(0.0))
	limits := lengthLimits()
	index := plan.Expr(plan.Is(lengthIndex(limits[len(limits)-1] + 1)))
	for i, limit := range slices.Backward(limits) {
		index = plan.Do(plan.If, plan.Do(plan.Le, seconds, plan.Is(limit)), plan.Is(strconv.Itoa(i)), index)
	}
	q := &plan.Query{App: r.App, From: plan.Events, Where: where, Select: []plan.Expr{r.day(w), index, rowCount, firstPlace}}
	err = r.t.rows.Run(ctx, q, func(row events.Scanner) error {
		var day, count int64
		var value string
		var first any
		if err := row.Scan(&day, &value, &count, &first); err != nil {
			return err
		}
		w.add(rollup.Day, rollup.Bucket(day), value, &rollup.Cell{Count: count, First: place(wholeOf(first))}) // a day
		return w.check()
	})
	if err != nil {
		return err
	}
	closedAt := plan.Do(plan.Number, r.t.segmentOfKey(r.App, sessionKey, "closed_at"))
	before := plan.Do(plan.Coalesce, plan.Do(plan.Number, r.t.segmentOfKey(r.App, sessionKey, "closed_seconds")), plan.Is(0.0))
	again := &plan.Query{
		App: r.App, From: plan.Events,
		Where: plan.All(
			rowsOf(sessionKey), plan.Do(plan.Eq, plan.Ev("c"), plan.Is(0)), plan.Do(plan.Ge, closedAt, plan.Is(float64(w.from))), plan.Do(plan.Le, closedAt, plan.Is(float64(w.to))),
			plan.Matching(r.Filter, orUnknown(r.t.bindTrend(r.App))),
		),
		Select: []plan.Expr{closedAt, before, plan.Ev("off")},
	}
	return r.t.rows.Run(ctx, again, func(row events.Scanner) error {
		var at, length float64
		var first any
		if err := row.Scan(&at, &length, &first); err != nil {
			return err
		}
		if day := r.Calendar.DayBucket(int64(at)); w.within(day) {
			w.add(rollup.Day, rollup.Bucket(day), lengthIndex(length), &rollup.Cell{Count: -1, First: place(wholeOf(first))})
		}
		return w.check()
	})
}

// amounts are the counters of event rows: count, sum and duration, how many of them have the latter two, and their first place.
func amounts() []plan.Expr {
	sent := func(column string) plan.Expr {
		return plan.Agg{Fn: plan.Count, When: plan.Do(plan.Ne, plan.Ev(column), plan.Is(0.0))}
	}
	return []plan.Expr{
		plan.Agg{Fn: plan.Sum, Of: plan.Ev("c")}, plan.Agg{Fn: plan.Sum, Of: plan.Ev(sumPath)}, plan.Agg{Fn: plan.Sum, Of: plan.Ev(durPath)}, sent(sumPath), sent(durPath), firstPlace,
	}
}

// scanAmounts reads amounts behind other columns.
func scanAmounts(row events.Scanner, c *rollup.Cell, before ...any) error {
	var sums, durations int64
	var first any
	if err := row.Scan(append(before, &c.Count, &c.Sum, &c.Dur, &sums, &durations, &first)...); err != nil {
		return err
	}
	if sums > 0 {
		c.Flags |= rollup.HasSum
	}
	if durations > 0 {
		c.Flags |= rollup.HasDur
	}
	c.First = place(wholeOf(first))
	return nil
}

// readEvents makes the cells of an event by hour, or of all custom events.
func (r *rowCells) readEvents(ctx context.Context, k seriesKey, w *cellWriter) error {
	name, rows := plan.Expr(plan.Ev("n")), plan.Expr(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(events.CustomKey)))
	if k.only != "" {
		name, rows = plan.Is(k.only), rowsOf(k.only)
	}
	known := func(key string) bool { // false for what was deleted meanwhile
		_, ok := r.t.schema.Event(r.App, key)
		return ok
	}
	where := r.selected(rows, w)
	q := &plan.Query{App: r.App, From: plan.Events, Where: where, Select: append([]plan.Expr{r.hour(plan.Ev("ts"), w), name}, amounts()...)}
	err := r.t.rows.Run(ctx, q, func(row events.Scanner) error {
		var hour int64
		var key string
		var cell rollup.Cell
		if err := scanAmounts(row, &cell, &hour, &key); err != nil {
			return err
		}
		if known(key) {
			w.add(rollup.Hour, rollup.Bucket(hour), key, &cell) // an hour
		}
		return w.check()
	})
	if err != nil || !k.users {
		return err
	}
	users := &plan.Query{App: r.App, From: plan.Events, Where: where, Select: []plan.Expr{r.day(w), name, plan.Ev("uid")}, Distinct: true}
	return r.t.rows.RunColumns(ctx, users, func(c *events.Columns) error {
		for i := range c.Len {
			if key := c.List[1].Text[i]; known(key) {
				w.user(rollup.Day, rollup.Bucket(c.List[0].Whole[i]), key, &rollup.Cell{}, uint32(c.List[2].Whole[i])) // days and users
			}
		}
		return w.check()
	})
}

// readSegment makes the cells of the values of a segment of an event, those that are counted. Lists and objects are not.
func (r *rowCells) readSegment(ctx context.Context, dim string, w *cellWriter) error {
	key, name, _ := strings.Cut(dim, "\x00")
	list, err := r.Known.Values(ctx, r.App, key, name)
	if err != nil {
		return err
	}
	counted := make(map[string]bool, len(list))
	for _, v := range list {
		counted[v] = true
	}
	segment := r.t.segmentOfKey(r.App, key, name)
	value := plan.Do(plan.Text, segment)
	q := &plan.Query{
		App: r.App, From: plan.Events, Where: plan.All(r.selected(rowsOf(key), w), plan.Do(plan.Not, plan.Do(plan.IsNull, value))),
		Select: append([]plan.Expr{r.day(w), value}, amounts()...),
	}
	return r.t.rows.Run(ctx, q, func(row events.Scanner) error {
		var day int64
		var text string
		var cell rollup.Cell
		if err := scanAmounts(row, &cell, &day, &text); err != nil {
			return err
		}
		if v := valueInCells(text); counted[v] {
			w.add(rollup.Day, rollup.Bucket(day), v, &cell) // a day
		}
		return w.check()
	})
}

// valueInCells is the form in which a value of a segment stands in cells.
func valueInCells(text string) string { return cutText(strings.ReplaceAll(text, ".", ":")) }

// cutText is as much of a text as cells name a value by.
func cutText(text string) string {
	n := rollup.MaxText
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// readTimes makes the cells of a key, or of sessions, by weekday and hour of the device's clock.
func (r *rowCells) readTimes(ctx context.Context, key string, w *cellWriter) (err error) {
	var where plan.Expr
	if key == sessionKey {
		if where, err = r.sessionRows(beginKey, w); err != nil {
			return err
		}
	} else {
		where = r.selected(rowsOf(key), w)
	}
	q := &plan.Query{
		App: r.App, From: plan.Events, Where: plan.All(where, plan.Do(plan.Ge, plan.Ev("dow"), plan.Is(0)), plan.Do(plan.Ge, plan.Ev("hour"), plan.Is(0))),
		Select: []plan.Expr{r.day(w), plan.Ev("dow"), plan.Ev("hour"), rowCount, firstPlace},
	}
	return r.t.rows.Run(ctx, q, func(row events.Scanner) error {
		var day, dow, hour, count int64
		var first any
		if err := row.Scan(&day, &dow, &hour, &count, &first); err != nil {
			return err
		}
		at := rollup.Bucket(period.Day(day).Month()) // a day
		w.add(rollup.Month, at, strconv.FormatInt(dow, 10)+":"+strconv.FormatInt(hour, 10), &rollup.Cell{Count: count, First: place(wholeOf(first))})
		return w.check()
	})
}
