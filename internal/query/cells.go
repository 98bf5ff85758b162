package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// Cells is where a Query reads cells and their sums. Plain makes one that computes sums in each read, Remember one that keeps what it has
// computed. Wrappers embed a Cells and so use what it keeps; a wrapper of a rollup.Reader alone is not a Cells, so it cannot bypass it by accident.
type Cells interface {
	rollup.Reader
	// counts is rollup.ScanCounts, value is rollup.ScanValue.
	counts(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn countFunc) error
	value(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, value string, fn func(b rollup.Bucket, c *rollup.Cell) error) error
	// sums adds up the cells of spans by value, with their users.
	sums(ctx context.Context, app model.AppID, s rollup.Series, spans []span, which only) (*tallies, error)
	// weeks calls fn for the sums of each value of each week of an ISO year
	// that has cells, by week, then by value. They come without their users.
	weeks(ctx context.Context, app model.AppID, s rollup.Series, isoYear int, fn func(week int, t *sum)) error
}

// countFunc gets a cell without its bitmap of users, and their number.
type countFunc = func(b rollup.Bucket, value string, c *rollup.Cell, users int64) error

// emit gets a cell without its bitmap of users, and their number.
type emit = func(b rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error

// span is a run of buckets of one grain, both ends included.
type span struct {
	grain    rollup.Grain
	from, to rollup.Bucket
}

// only says which cells a sum takes.
type only uint8

const (
	everyCell    only = iota
	countedCells      // those whose Count is not zero
)

// addSpan adds the cells of a span.
func addSpan(ctx context.Context, cells rollup.Reader, app model.AppID, s rollup.Series, sp span, which only, ts *tallies) error {
	if sp.from > sp.to {
		return nil
	}
	return cells.Scan(ctx, app, s, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
		if which == everyCell || c.Count != 0 {
			ts.add(value, c)
		}
		return ts.held.failed()
	})
}

// Plain returns Cells that keep nothing: each read computes the sums it needs. If cells keep what they computed already, they are returned as they are.
func Plain(cells rollup.Reader) Cells {
	if own, ok := cells.(Cells); ok {
		return own
	}
	return plain{cells}
}

// plain is Cells that remember nothing.
type plain struct{ rollup.Reader }

// counts implements Cells.
func (p plain) counts(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn countFunc) error {
	return rollup.ScanCounts(ctx, p.Reader, app, s, g, from, to, func(b rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error {
		return fn(b, value, c, int64(users.N)) // at most 2^32
	})
}

// value implements Cells.
func (p plain) value(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, value string, fn func(b rollup.Bucket, c *rollup.Cell) error) error {
	return rollup.ScanValue(ctx, p.Reader, app, s, g, from, to, value, fn)
}

// sums implements Cells.
func (p plain) sums(ctx context.Context, app model.AppID, s rollup.Series, spans []span, which only) (*tallies, error) {
	ts := talliesOf(ctx)
	for _, sp := range spans {
		if err := addSpan(ctx, p, app, s, sp, which, ts); err != nil {
			return ts, err
		}
	}
	return ts, nil
}

// weeks implements Cells.
func (p plain) weeks(ctx context.Context, app model.AppID, s rollup.Series, isoYear int, fn func(week int, t *sum)) error {
	return eachWeek(ctx, p, app, s, isoYear, 1, weeksOf(isoYear), func(week int, t *tally) {
		fn(week, &sum{tally: *t, u: t.cardinality()})
	})
}

// weeksOf returns how many weeks an ISO year has.
func weeksOf(isoYear int) int {
	return int(period.WeekStart(isoYear+1)-period.WeekStart(isoYear)) / 7
}

// eachWeek calls fn for each value of each week of an ISO year, from one week
// to another, that has cells, by week, then by value.
func eachWeek(ctx context.Context, cells rollup.Reader, app model.AppID, s rollup.Series, isoYear, firstWeek, lastWeek int, fn func(week int, t *tally)) error {
	monday := period.WeekStart(isoYear)
	current, ts := 0, talliesOf(ctx)
	flush := func() {
		for _, t := range ts.byValue() {
			fn(current, t)
		}
		ts.reset()
	}
	from, to := max(monday+period.Day(7*(firstWeek-1)), 0), monday+period.Day(7*lastWeek)-1
	err := cells.Scan(ctx, app, s, rollup.Day, rollup.Bucket(from), rollup.Bucket(to), func(b rollup.Bucket, v string, c *rollup.Cell) error {
		if week := int(period.Day(b)-monday)/7 + 1; week != current {
			flush()
			current = week
		}
		ts.add(v, c)
		return ts.held.failed()
	})
	if err == nil {
		flush()
	}
	return err
}
