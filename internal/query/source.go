package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/explain"
	"quipu/internal/query/rewrite"
)

// source says where the figures are: in cells, unless a filter selects rows. Cells have their hours, and reads in other zones take the app's days.
func (c *Chosen) source() (rewrite.Source, rewrite.Reason) {
	return rewrite.SourceOf(rewrite.Asked{Filter: !c.Filter.IsZero()})
}

// Source says where the answer is: in cells, or in rows for a reason.
func (q *ActiveQuery) Source() (rewrite.Source, rewrite.Reason) {
	return rewrite.SourceOf(rewrite.Asked{
		Time: !q.AppDays, Filter: !q.Filter.IsZero(), Breakdown: q.Breakdown != "", Events: !plainSessions(q.Of),
	})
}

// source says where the answer is.
func (q *RetentionQuery) source() (rewrite.Source, rewrite.Reason) {
	return rewrite.SourceOf(q.asked())
}

func (q *RetentionQuery) asked() rewrite.Asked {
	return rewrite.Asked{
		Time: q.Days == nil, Breakdown: q.Breakdown != "", Events: !plainSessions(q.Return), Units: q.CountBy != CountUsers, Value: q.Value != "",
		Moments: q.Rolling != 0 || q.Brackets[0].From == 0, Chosen: !plainSessions(q.Start) || !q.Chosen.IsZero(), First: q.First,
	}
}

// plainSessions reports whether events are sessions, all of them.
func plainSessions(list []FunnelEvent) bool {
	return len(list) == 1 && list[0].Key == "[CLY]_session" && list[0].Filter.IsZero()
}

// Counts reads what is counted of apps: from cells, and what a filter selects, from rows. It is safe for concurrent use.
type Counts struct {
	cells *Query
	rows  *Funnels
}

// NewCounts returns a reader of cells and rows.
func NewCounts(cells *Query, rows *Funnels) *Counts { return &Counts{cells, rows} }

// Read calls fn with a Query that answers for the rows that are chosen: all of them, or those that a filter selects. It is valid until fn returns, see
// Funnels.Filtered.
func (f *Counts) Read(ctx context.Context, c Chosen, fn func(*Query) error) error {
	asks(ctx, c.question)
	if from, _ := c.source(); from == rewrite.Cells {
		return fn(f.cells)
	}
	return f.rows.Filtered(ctx, c, fn)
}

// SpreadQuery asks how numbers are spread. By is not used.
type SpreadQuery struct {
	Samples

	// Cells are those of all numbers, without a filter and whatever the names of their rows.
	Cells SampleCells
	// AppDays says that the days of the period are those of the app's zone.
	AppDays bool
	// Name is that of the rows alone that are wanted; "" = those of Samples.
	Name string
}

// source says where the answer is for buckets of a step.
func (q *SpreadQuery) source(step period.Step) (rewrite.Source, rewrite.Reason) {
	return rewrite.SourceOf(rewrite.Asked{Time: !q.AppDays || step == period.HourStep, Filter: !q.Filter.IsZero(), Events: q.Name != ""})
}

// Spreads reads how numbers are spread, from cells where they answer, else from rows. It is safe for concurrent use.
type Spreads struct {
	cells *Query
	rows  *Tables
}

// NewSpreads returns a reader of cells and rows.
func NewSpreads(cells *Query, rows *Tables) *Spreads { return &Spreads{cells, rows} }

// Read returns the spread of the numbers of the period, and whether cells answered; then percentiles are within sketch.Error of the exact ones.
func (s *Spreads) Read(ctx context.Context, app model.AppID, q *SpreadQuery) (spread Spread, fromCells bool, err error) {
	return s.Course(ctx, app, q, period.DayStep, nil)
}

// Course is Read that also calls fn with the spread of each bucket of the period that has numbers, in order of time, unless fn is nil.
func (s *Spreads) Course(ctx context.Context, app model.AppID, q *SpreadQuery, step period.Step, fn func(period.Bucket, Spread) error) (spread Spread, fromCells bool, err error) {
	asks(ctx, func() explain.Question { return q.question(app, step) })
	from, _ := q.source(step)
	fromCells = from == rewrite.Cells
	if q.Period.Empty() {
		return Spread{}, fromCells, nil
	}
	rows := q.Samples
	if q.Name != "" {
		rows.Names = []string{q.Name}
	}
	switch {
	case fn == nil:
	case fromCells:
		err = s.cells.SampleBuckets(ctx, app, q.Cells, q.Period, step, fn)
	default:
		err = s.rows.SampleBuckets(ctx, app, rows, step, fn)
	}
	switch {
	case err != nil:
	case fromCells:
		spread, err = s.cells.SampleSpread(ctx, app, q.Cells, q.Period.First, q.Period.Last)
	default:
		spread, err = s.rows.SampleSpread(ctx, app, rows)
	}
	return spread, fromCells, err
}
