// Package query answers reads.
//
// What it has today are reads from cells: time documents, rows by sub-period
// and by value, summaries and exact uniques (docs/reference/metrics.md defines
// every number). Unique users of any span are the union of the users of its
// days, whole months through month cells, so they are exact at any length.
//
// Windows are whole local days of the app's zone. A read in another zone moves
// the window to the days of that zone; the days themselves stay the app's.
package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/registry"
	"quipu/internal/store/rollup"
)

// Query reads the collected data of all apps. It has no state of its own and
// is safe for concurrent use.
type Query struct {
	cells    rollup.Reader
	registry registry.Reader
}

// New returns a Query over cells and what is known of events.
func New(cells rollup.Reader, reg registry.Reader) *Query {
	return &Query{cells: cells, registry: reg}
}

// Extent is how much of a time document is wanted.
type Extent uint8

// The extents.
const (
	// Whole is all of the years, with the months of the period in days.
	Whole Extent = iota
	// Refresh is today's branch only: year, month and day with its hours.
	Refresh
)

// eachDay calls fn for the cells that together cover the days from first to
// last: months that lie in between as a whole are read from month cells, all
// other days from day cells.
func (q *Query) eachDay(ctx context.Context, app model.AppID, s rollup.Series, first, last period.Day, fn func(value string, c *rollup.Cell)) error {
	scan := func(g rollup.Grain, from, to rollup.Bucket) error {
		if from > to {
			return nil
		}
		return q.cells.Scan(ctx, app, s, g, from, to, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
			fn(value, c)
			return nil
		})
	}
	if last < first {
		return nil
	}
	m1, m2 := first.Month(), last.Month()
	if m1.First() != first {
		m1++
	}
	if m2.Last() != last {
		m2--
	}
	if m1 > m2 {
		return scan(rollup.Day, rollup.Bucket(first), rollup.Bucket(last))
	}
	if err := scan(rollup.Day, rollup.Bucket(first), rollup.Bucket(m1.First())-1); err != nil {
		return err
	}
	if err := scan(rollup.Month, rollup.Bucket(m1), rollup.Bucket(m2)); err != nil {
		return err
	}
	return scan(rollup.Day, rollup.Bucket(m2.Last())+1, rollup.Bucket(last))
}

// Totals are the counters of an app over a span.
type Totals struct {
	Sessions, New, Users, Requests int64
	Seconds                        float64
}

// Totals counts the days from first to last.
func (q *Query) Totals(ctx context.Context, app model.AppID, first, last period.Day) (Totals, error) {
	var (
		t     Totals
		users union
	)
	err := q.eachDay(ctx, app, rollup.Series{Metric: rollup.Users}, first, last, func(_ string, c *rollup.Cell) {
		t.add(c)
		users.add(c)
	})
	t.Users = users.cardinality()
	return t, err
}

// add counts a cell, except for its users.
func (t *Totals) add(c *rollup.Cell) {
	t.Sessions += c.Count
	t.New += c.New
	t.Requests += c.Requests
	t.Seconds += c.Dur
}

func cardinality(c *rollup.Cell) int64 {
	if c.Users == nil {
		return 0
	}
	return int64(c.Users.GetCardinality()) //nolint:gosec // at most 2^32
}
