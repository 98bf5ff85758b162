// Package query answers reads.
//
// A read goes through steps, each of which is tested alone:
//
//   - parse: modules turn a request into a typed query, as Trend, FunnelQuery, RetentionQuery or Samples; package filter parses its filters.
//   - bind (bind.go): each path of the wire is resolved by the app's schema to a type and the place of its value, as expressions of package
//     plan; a path that nothing is known of is absent in every row. Cohorts and defined events are looked up (Lookups, Definitions).
//   - rewrite (package rewrite): pure functions. SourceOf says whether cells answer, or rows for a reason; Query makes a plan cheaper.
//   - plan (package plan): what is read of the rows of an app, as a value.
//   - SQL (package sqlplan, with a Layout for each event store): only stores write statements.
//   - run: event stores run plans (Rows), within limits of memory and time. Answers are remembered until rows change (Recall). Operators, as
//     packages funnel, retention, flow and active, go over rows in Go where SQL would not do.
//
// Query answers from cells, without a plan: time documents, rows by sub-period and by value, summaries and exact uniques
// (docs/reference/metrics.md defines every number). Unique users of any span are the union of the users of its days, whole months through month
// cells, so they are exact at any length. Windows are whole local days of the app's zone. A read in another zone moves the window to the days of
// that zone; the days themselves stay the app's.
//
// Tables reads rows, People the table of users. Counts, Actives, Retentions and Spreads read either: where cells have the answer, cells.
package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Query reads the collected data of all apps. It is safe for concurrent use.
type Query struct {
	cells  Cells
	schema schema.Reader
	limits Limits
}

// New returns a Query over cells and what is known of events.
func New(cells Cells, sch schema.Reader) *Query { return &Query{cells: cells, schema: sch} }

// Extent is how much of a time document is wanted.
type Extent uint8

// The extents.
const (
	// Whole is all of the years, with the months of the period in days.
	Whole Extent = iota
	// Refresh is today's branch only: year, month and day with its hours.
	Refresh
)

// spansOf returns the cells that together cover the days from first to last:
// months that lie in between as a whole come as months, all other days as days.
func spansOf(first, last period.Day) []span {
	if last < first {
		return nil
	}
	days := func(from, to period.Day) span { return span{rollup.Day, rollup.Bucket(from), rollup.Bucket(to)} }
	m1, m2 := first.Month(), last.Month()
	if m1.First() != first {
		m1++
	}
	if m2.Last() != last {
		m2--
	}
	if m1 > m2 {
		return []span{days(first, last)}
	}
	var out []span
	if first < m1.First() {
		out = append(out, days(first, m1.First()-1))
	}
	out = append(out, span{rollup.Month, rollup.Bucket(m1), rollup.Bucket(m2)})
	if m2.Last() < last {
		out = append(out, days(m2.Last()+1, last))
	}
	return out
}

// eachDay calls fn for the cells that together cover the days from first to
// last, see spansOf. They come without their users.
func (q *Query) eachDay(ctx context.Context, app model.AppID, s rollup.Series, first, last period.Day, fn func(value string, c *rollup.Cell)) error {
	for _, sp := range spansOf(first, last) {
		err := q.cells.counts(ctx, app, s, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, value string, c *rollup.Cell, _ int64) error {
			fn(value, c)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Totals are the counters of an app over a span.
type Totals struct {
	Sessions, New, Users, Requests int64
	Seconds                        float64
}

// Totals counts the days from first to last.
func (q *Query) Totals(ctx context.Context, app model.AppID, first, last period.Day) (_ Totals, err error) {
	defer q.enter(&ctx, &err)()
	var t Totals
	ts, err := q.numbers(ctx, app, rollup.Series{Metric: rollup.Users}, spansOf(first, last), everyCell)
	if err != nil {
		return t, err
	}
	for _, sum := range ts.all[:ts.used] { // there is one value
		t = Totals{Sessions: sum.t, New: sum.n, Users: sum.cardinality(), Requests: sum.e, Seconds: sum.d}
	}
	return t, nil
}

// add counts a cell, except for its users.
func (t *Totals) add(c *rollup.Cell) {
	t.Sessions = rollup.AddCount(t.Sessions, c.Count)
	t.New = rollup.AddCount(t.New, c.New)
	t.Requests = rollup.AddCount(t.Requests, c.Requests)
	t.Seconds += c.Dur
}
