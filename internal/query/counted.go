package query

import (
	"context"
	"strings"

	"quipu/internal/query/counting"
	"quipu/internal/query/peruser"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
)

// readMetric makes the cells of a metric of a feature.
func (r *rowCells) readMetric(ctx context.Context, s rollup.Series, m *counting.Metric, w *cellWriter) error {
	if len(m.Items) > 0 {
		_, numbers, err := r.subjects(ctx, m)
		for i := range m.Items {
			if err == nil {
				err = r.readItem(ctx, r.itemRows(&m.Items[i], s), numbers, w)
			}
		}
		return err
	}
	to := &cellSink{series: s}
	c := m.Open(ctx, r.App, r.Known, to)
	for _, key := range m.Rows {
		if err := r.readRows(ctx, key, c, to, w); err != nil {
			return err
		}
	}
	if m.Begins != "" {
		if err := r.readBegins(ctx, m.Begins, c, to, w); err != nil {
			return err
		}
	}
	if m.Ends != "" {
		if err := r.readEnds(ctx, m.Ends, c, to, w); err != nil {
			return err
		}
	}
	return c.Err()
}

// subjects returns the names of the subjects of a metric, in an order in which new ones come last, and what stands for each in cells.
func (r *rowCells) subjects(ctx context.Context, m *counting.Metric) (names []string, numbers map[string]string, err error) {
	numbers = map[string]string{}
	if m.Kind == 0 {
		return nil, numbers, nil
	}
	list, err := r.Known.Subjects(ctx, r.App, m.Kind)
	for _, s := range list {
		names = append(names, s.Name)
		numbers[s.Name] = rollup.SubjectValue(s.Num)
	}
	return names, numbers, err
}

// itemRows are rows of an event whose items count under subjects, and what of them does: nil is nothing.
type itemRows struct {
	rows         plan.Expr // the condition that a row is one of them
	visit, start plan.Expr // conditions
	seconds      plan.Expr
	part, whole  plan.Expr // of adds.Scrolled
	adds         *counting.Adds
}

// subjectName is the name of the subject that a row counts under.
func subjectName() plan.Expr { return plan.Do(plan.Coalesce, plan.Ev("n"), plan.Is("")) }

// itemRows finds where rows hold what items of an event add to a series.
func (r *rowCells) itemRows(item *counting.Item, s rollup.Series) *itemRows {
	segment := func(name string) plan.Expr { return r.t.segmentOfKey(r.App, item.Key, name) }
	number := func(name string) plan.Expr {
		return plan.Do(plan.Coalesce, plan.Do(plan.Number, segment(name)), plan.Is(0.0))
	}
	flag := func(f counting.Flag) plan.Expr {
		switch f {
		case "":
			return nil
		case counting.Always:
			return plan.Is(true)
		}
		return visits(segment(string(f)))
	}
	a := &item.Adds
	out := &itemRows{rows: rowsOf(item.Key), visit: flag(a.Visit), start: flag(a.Start), adds: a}
	if s.Dim != "" { // as cells write it
		name, value, _ := strings.Cut(s.Dim, "\x00")
		out.rows = plan.All(out.rows, plan.OneOf(plan.Do(plan.Text, segment(name)), []string{value, strings.ReplaceAll(value, ":", ".")}))
	}
	if a.Only.Segment != "" {
		out.rows = plan.All(out.rows, plan.Do(plan.Eq, plan.Do(plan.Text, segment(a.Only.Segment)), plan.Is(a.Only.Text)))
	}
	if a.Seconds {
		out.seconds = plan.Ev(durPath)
	}
	if a.Scrolled.Part != "" {
		out.part, out.whole = number(a.Scrolled.Part), number(a.Scrolled.Whole)
	}
	return out
}

// readItem adds what items of an event add to their subjects, and who visited these.
func (r *rowCells) readItem(ctx context.Context, rows *itemRows, numbers map[string]string, w *cellWriter) error {
	var day, count int64
	var name string
	var part, whole float64
	var cell rollup.Cell
	var first any
	where := r.selected(rows.rows, w)
	q := &plan.Query{App: r.App, From: plan.Events, Where: where}
	var into []any
	want := func(e plan.Expr, to any) { q.Select, into = append(q.Select, e), append(into, to) }
	want(r.day(w), &day)
	want(subjectName(), &name)
	if rows.part != nil {
		want(rows.part, &part)
		want(rows.whole, &whole)
		want(rowCount, &count)
	}
	if rows.visit != nil {
		want(plan.Agg{Fn: plan.Count, When: rows.visit}, &cell.Count)
	}
	if rows.start != nil {
		want(plan.Agg{Fn: plan.Count, When: rows.start}, &cell.New)
	}
	if rows.seconds != nil {
		want(plan.Agg{Fn: plan.Sum, Of: rows.seconds}, &cell.Dur)
	}
	want(firstPlace, &first)
	err := r.t.rows.Run(ctx, q, func(row events.Scanner) error {
		if err := row.Scan(into...); err != nil {
			return err
		}
		if number, ok := numbers[name]; ok {
			if rows.part != nil {
				cell.Sum = rows.adds.Scrolled.Of(part, whole) * float64(count)
			}
			cell.First = place(wholeOf(first))
			w.add(rollup.Day, rollup.Bucket(day), number, &cell) // a day
		}
		return w.check()
	})
	if err != nil || rows.visit == nil {
		return err
	}
	visitors := &plan.Query{App: r.App, From: plan.Events, Where: plan.All(where, rows.visit), Select: []plan.Expr{r.day(w), subjectName(), plan.Ev("uid")}, Distinct: true}
	return r.t.rows.RunColumns(ctx, visitors, func(c *events.Columns) error {
		for i := range c.Len {
			if number, ok := numbers[c.List[1].Text[i]]; ok {
				w.user(rollup.Day, rollup.Bucket(c.List[0].Whole[i]), number, &rollup.Cell{}, uint32(c.List[2].Whole[i])) // days and users
			}
		}
		return w.check()
	})
}

// cellSink takes what counts under one series.
type cellSink struct {
	series rollup.Series
	got    []sunk
	other  rollup.Cell // of other series
}

// sunk is what counts for a value at a time (ms).
type sunk struct {
	ts    int64
	value string
	cell  *rollup.Cell
}

// Day implements counting.Sink.
func (k *cellSink) Day(at uint64, ts int64, s rollup.Series, value string) *rollup.Cell {
	if s.Dim = cutText(s.Dim); s != k.series {
		k.other = rollup.Cell{}
		return &k.other
	}
	c := &rollup.Cell{First: at}
	k.got = append(k.got, sunk{ts, cutText(value), c})
	return c
}

// SubjectDay implements counting.Sink.
func (k *cellSink) SubjectDay(at uint64, ts int64, m rollup.Metric, subject uint32) *rollup.Cell {
	return k.Day(at, ts, rollup.Series{Metric: m}, rollup.SubjectValue(subject))
}

// to adds what was taken to cells of the days that are read.
func (k *cellSink) to(w *cellWriter) error {
	for _, one := range k.got {
		day := w.r.Calendar.DayBucket(one.ts)
		if !w.within(day) {
			continue
		}
		w.add(rollup.Day, rollup.Bucket(day), one.value, one.cell)
		if one.cell.Users != nil {
			for it := one.cell.Users.Iterator(); it.HasNext() && !w.full; {
				w.user(rollup.Day, rollup.Bucket(day), one.value, &rollup.Cell{}, it.Next())
			}
		}
	}
	k.got = k.got[:0]
	return w.check()
}

// Times that stand for the end of a session, and for that before it was taken up again, while it is counted.
const (
	atEnd    = 1
	atBefore = 2
)

// ended calls fn with what the end of a session counts at a time, atEnd or atBefore; it returns false where it counts for an unknown subject.
func (k *cellSink) ended(c counting.Counter, kept string, at int64, fn func(value string, c *rollup.Cell)) (known bool) {
	known = c.End([]byte(kept), atEnd, atBefore)
	for _, one := range k.got {
		if one.ts == at {
			fn(one.value, one.cell)
		}
	}
	k.got = k.got[:0]
	return known
}

// columnTexts are the segments of one of several rows.
type columnTexts struct {
	at      map[string]int // by name: the column
	columns []events.Column
	row     int
}

// Text implements counting.Texts.
func (t *columnTexts) Text(segment string) string {
	at, ok := t.at[segment]
	if !ok {
		return ""
	}
	return t.columns[at].Text[t.row]
}

// rowColumns are what a counter gets of a row; rowAt makes a row of the i-th.
func rowColumns() []plan.Expr {
	return []plan.Expr{
		plan.Ev("off"), plan.Ev("ts"), plan.Ev("uid"), plan.Do(plan.Coalesce, plan.Ev("n"), plan.Is("")), plan.Ev("c"), plan.Ev(sumPath), plan.Ev(durPath), plan.Ev("hour"), plan.Ev("dow"),
	}
}

func rowAt(key string, c []events.Column, i int) events.Row {
	return events.Row{
		Key: key, Offset: place(c[0].Whole[i]), TS: c[1].Whole[i], UID: uint32(c[2].Whole[i]), Name: c[3].Text[i], Count: c[4].Whole[i], // a user
		Sum: c[5].Number[i], Dur: c[6].Number[i], Hour: int8(c[7].Whole[i]), Dow: int8(c[8].Whole[i]), // of a day and a week
	}
}

// readRows counts the rows of a key one by one.
func (r *rowCells) readRows(ctx context.Context, key string, count counting.Counter, to *cellSink, w *cellWriter) error {
	q := &plan.Query{App: r.App, From: plan.Events, Where: r.selected(rowsOf(key), w), Select: rowColumns()}
	own := len(q.Select)
	texts := &columnTexts{at: map[string]int{}}
	known, _ := r.t.schema.Event(r.App, key)
	for _, s := range known.Segments {
		texts.at[s.Name] = len(q.Select) - own
		q.Select = append(q.Select, plan.Do(plan.Text, r.t.segmentOfKey(r.App, key, s.Name)))
	}
	return r.t.rows.RunColumns(ctx, q, func(c *events.Columns) error {
		texts.columns = c.List[own:]
		for i := range c.Len {
			row := rowAt(key, c.List, i)
			texts.row = i
			count.Row(&row, texts)
			if err := to.to(w); err != nil {
				return err
			}
		}
		return nil
	})
}

// readBegins counts what sessions that began kept under a name.
func (r *rowCells) readBegins(ctx context.Context, name string, count counting.Counter, to *cellSink, w *cellWriter) error {
	where, err := r.sessionRows(beginKey, w)
	if err != nil {
		return err
	}
	kept := plan.InRest(name)
	q := &plan.Query{App: r.App, From: plan.Events, Where: plan.All(where, isThere(kept)), Select: append(rowColumns(), kept)}
	return r.t.rows.RunColumns(ctx, q, func(c *events.Columns) error {
		for i := range c.Len {
			row := rowAt(beginKey, c.List, i)
			count.Begin([]byte(c.List[len(c.List)-1].Text[i]), &row)
			if err := to.to(w); err != nil {
				return err
			}
		}
		return nil
	})
}

// readEnds counts what sessions that ended kept under a name. What a session counted before it was taken up again is taken back on its day.
func (r *rowCells) readEnds(ctx context.Context, name string, count counting.Counter, to *cellSink, w *cellWriter) error {
	if _, ok := r.ofEventsOnly(); ok {
		return nil // sessions have none of these properties
	}
	kept := plan.InRest(name)
	ended := &plan.Query{App: r.App, From: plan.Events, Where: plan.All(r.selected(rowsOf(sessionKey), w), isThere(kept)), Select: []plan.Expr{r.day(w), kept, rowCount}}
	err := r.t.rows.Run(ctx, ended, func(row events.Scanner) error {
		var day, n int64
		var text string
		if err := row.Scan(&day, &text, &n); err != nil {
			return err
		}
		to.ended(count, text, atEnd, func(value string, c *rollup.Cell) {
			all := rollup.Cell{Count: n * c.Count, New: n * c.New, Requests: n * c.Requests, Sum: float64(n) * c.Sum, Dur: float64(n) * c.Dur, Flags: c.Flags}
			w.add(rollup.Day, rollup.Bucket(day), value, &all) // a day
		})
		return w.check()
	})
	if err != nil {
		return err
	}
	closedAt := plan.Do(plan.Number, r.t.segmentOfKey(r.App, sessionKey, "closed_at"))
	again := &plan.Query{
		App: r.App, From: plan.Events,
		Where: plan.All(
			rowsOf(sessionKey), isThere(kept), plan.Do(plan.Eq, plan.Ev("c"), plan.Is(0)), plan.Do(plan.Ge, closedAt, plan.Is(float64(w.from))), plan.Do(plan.Le, closedAt, plan.Is(float64(w.to))),
			plan.Matching(r.Filter, orUnknown(r.t.bindTrend(r.App))),
		),
		Select: []plan.Expr{closedAt, kept},
	}
	return r.t.rows.Run(ctx, again, func(row events.Scanner) error {
		var at float64
		var text string
		if err := row.Scan(&at, &text); err != nil {
			return err
		}
		if day := r.Calendar.DayBucket(int64(at)); w.within(day) {
			to.ended(count, text, atBefore, func(value string, c *rollup.Cell) { w.add(rollup.Day, rollup.Bucket(day), value, c) })
		}
		return w.check()
	})
}

// metricByUser are the rows of a metric of a feature, where these are items or ends of sessions; nil = they cannot be held by user.
func (r *rowCells) metricByUser(ctx context.Context, s rollup.Series, m *counting.Metric) (*rowsByUser, error) {
	if len(m.Rows) > 0 && len(m.Items) == 0 || m.Begins != "" {
		return nil, nil
	}
	names, numbers, err := r.subjects(ctx, m)
	if err != nil {
		return nil, err
	}
	out := &rowsByUser{options: peruser.Options{Usual: []rollup.Cell{{Count: 1}}, Users: peruser.IfCounted}, finest: rollup.Day, known: names}
	if len(m.Items) == 0 {
		out.options.Users, out.parts = peruser.NoUsers, r.endsByUser(ctx, s, m)
		return out, nil
	}
	for i := range m.Items {
		out.parts = append(out.parts, itemByUser(r.itemRows(&m.Items[i], s), numbers))
	}
	return out, nil
}

// itemByUser are rows of items.
func itemByUser(rows *itemRows, numbers map[string]string) userPart {
	part := userPart{from: plan.Events, where: rows.rows, columns: []plan.Expr{subjectName()}}
	column := func(e plan.Expr) int { // 0 = it is not read
		if e == nil {
			return 0
		}
		part.columns = append(part.columns, e)
		return len(part.columns) - 1
	}
	seconds, visit, start, scrolled, whole := column(rows.seconds), column(rows.visit), column(rows.start), column(rows.part), column(rows.whole)
	part.add = func(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) (known bool) {
		if row.Value, known = numbers[c[0].Text[i]]; !known {
			return false
		}
		if seconds > 0 {
			row.Dur = c[seconds].Number[i]
		}
		if visit > 0 {
			row.Count = c[visit].Whole[i]
		}
		if start > 0 {
			row.New = c[start].Whole[i]
		}
		if scrolled > 0 {
			row.Sum = rows.adds.Scrolled.Of(c[scrolled].Number[i], c[whole].Number[i])
		}
		emit(row)
		return true
	}
	return part
}

// endsByUser are the rows of sessions that ended, and those that take back what was counted before.
func (r *rowCells) endsByUser(ctx context.Context, s rollup.Series, m *counting.Metric) []userPart {
	to := &cellSink{series: s}
	count := m.Open(ctx, r.App, r.Known, to)
	add := func(at int64) func(*peruser.Row, []events.Column, int, func(*peruser.Row)) bool {
		return func(row *peruser.Row, c []events.Column, i int, emit func(*peruser.Row)) bool {
			row.First = 0
			return to.ended(count, c[0].Text[i], at, func(value string, cell *rollup.Cell) {
				row.Value, row.Count, row.New, row.Requests, row.Sum, row.Dur = value, cell.Count, cell.New, cell.Requests, cell.Sum, cell.Dur
				emit(row)
			})
		}
	}
	kept := plan.InRest(m.Ends)
	there := plan.All(rowsOf(sessionKey), isThere(kept))
	return []userPart{
		{from: plan.Events, where: there, columns: []plan.Expr{kept}, add: add(atEnd)},
		{
			from: plan.Events, where: plan.All(there, plan.Do(plan.Eq, plan.Ev("c"), plan.Is(0))), columns: []plan.Expr{kept}, add: add(atBefore),
			at: plan.Do(plan.Number, r.t.segmentOfKey(r.App, sessionKey, "closed_at")),
		},
	}
}
