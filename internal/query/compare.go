package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// WholeDay is the hour that ends a day.
const WholeDay = 24

// Part is a stretch of days whose last day counts only before an hour of the
// clock: what cells know about a period that is not over.
type Part struct {
	First, Last period.Day
	// Until is exclusive, from 0 to WholeDay.
	Until int
}

// spans returns the days that count whole, and the hours of the last day;
// one of both may be empty.
func (p Part) spans() (days []span, hours span) {
	if p.Last < p.First {
		return nil, span{rollup.Hour, 1, 0}
	}
	if p.Until == WholeDay {
		return spansOf(p.First, p.Last), span{rollup.Hour, 1, 0}
	}
	first := rollup.Bucket(p.Last.Hour(0))
	if p.Until == 0 {
		return spansOf(p.First, p.Last-1), span{rollup.Hour, 1, 0}
	}
	return spansOf(p.First, p.Last-1), span{rollup.Hour, first, first + rollup.Bucket(p.Until) - 1} // less than a day
}

// SameParts returns what of two periods can be compared: all of them when the
// first is over, else what of the first is over by the hour, and as much of the
// second.
func SameParts(p, against period.Period, now period.Hour) (part, before Part) {
	part = Part{p.First, p.Last, WholeDay}
	before = Part{against.First, against.Last, WholeDay}
	today, hour := now.Split()
	if p.Last < today {
		return part, before
	}
	gone := today - p.First // whole days
	if gone < 0 {
		return Part{p.First, p.First - 1, 0}, Part{against.First, against.First - 1, 0}
	}
	part = Part{p.First, today, hour}
	if against.First+gone <= against.Last {
		before = Part{against.First, against.First + gone, hour}
	}
	return part, before
}

// TotalsOf counts a part. One without a session is zero, whatever requests
// it has.
func (q *Query) TotalsOf(ctx context.Context, app model.AppID, p Part) (_ Totals, err error) {
	defer q.enter(&ctx, &err)()
	var t Totals
	s := rollup.Series{Metric: rollup.Users}
	days, hours := p.spans()
	ts, err := q.cells.sums(ctx, app, s, days, everyCell)
	if err != nil {
		return t, err
	}
	if err := addSpan(ctx, q.cells, app, s, hours, everyCell, ts); err != nil {
		return t, err
	}
	for _, sum := range ts.all[:ts.used] { // there is one value
		if sum.t > 0 {
			t = Totals{Sessions: sum.t, New: sum.n, Users: sum.cardinality(), Requests: sum.e, Seconds: sum.d}
		}
	}
	return t, nil
}

// EventSum is the sum of one event over a part. Hours keep no users of events,
// so that only whole days have them.
type EventSum struct {
	EventRow
	Users *int64 `json:"u,omitempty"`
}

// EventTotalsOf returns the app's own events that occurred in a part, by key.
func (q *Query) EventTotalsOf(ctx context.Context, app model.AppID, p Part) (_ map[string]EventSum, err error) {
	defer q.enter(&ctx, &err)()
	s := rollup.Series{Metric: rollup.Events}
	days, hours := p.spans()
	if p.Until == WholeDay {
		ts, err := q.cells.sums(ctx, app, s, days, everyCell)
		return q.eventSums(app, ts, func(t *tally) *int64 { return new(t.cardinality()) }), err
	}
	ts := talliesOf(ctx)
	if hours.from <= hours.to {
		days = append(days, hours)
	}
	for _, sp := range days {
		err := q.cells.counts(ctx, app, s, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, v string, c *rollup.Cell, _ int64) error {
			ts.count(v, c)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return q.eventSums(app, ts, func(*tally) *int64 { return nil }), nil
}

func (q *Query) eventSums(app model.AppID, ts *tallies, users func(*tally) *int64) map[string]EventSum {
	out := map[string]EventSum{}
	for _, key := range q.Events(app) {
		if i, ok := ts.index[key]; ok && ts.all[i].t != 0 {
			t := ts.all[i]
			out[key] = EventSum{EventRow{ID: key, Count: t.t, Sum: t.s, Seconds: t.d}, users(t)}
		}
	}
	return out
}
