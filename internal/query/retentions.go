package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/explain"
	"quipu/internal/query/funnel"
	"quipu/internal/query/retention"
	"quipu/internal/query/rewrite"
	"quipu/internal/store/events/plan"
)

// RetentionQuery says which rows of users are starts and returns. docs/reference/retention.md defines the figures.
type RetentionQuery struct {
	retention.Retention
	// Start and Return are what any one of will do.
	Start, Return []FunnelEvent
	// Chosen selects the starts that count; with First, the first start of a user counts only if it is selected.
	Chosen filter.Expr
	// Step is what the units are of; Days are the first days of the units in the app's zone, nil where the units are hours, or days of another zone.
	Step period.Step
	Days []period.Day
	// Last is the last day that has begun before Known, where there are Days.
	Last period.Day
	// Breakdown is the path of what makes up the group of a start, Value that of a number which is summed up over returns; "" = none.
	Breakdown, Value string
	// CountBy is who comes back, in place of users.
	CountBy CountBy
}

// Retentions counts users who come back, from cells where they answer, else from rows. It is safe for concurrent use; one
// count at a time holds users or rows in memory.
type Retentions struct {
	cells *Query
	rows  *Funnels
}

// NewRetentions returns a reader of cells and rows that holds as much of either in memory as rows does, in its turn.
func NewRetentions(cells *Query, rows *Funnels) *Retentions {
	return &Retentions{cells: cells, rows: rows}
}

// Retained are the users who came back.
type Retained struct {
	*retention.Tally
	// Names are those of groups.
	Names FunnelGroups
	// FromCells says that all sessions ever counted were looked at; otherwise, the rows that are kept.
	FromCells bool
}

// bytes is about what the answer takes in memory.
func (r Retained) bytes() int64 {
	n := int64(200)
	for _, name := range r.Names {
		n += 16 + int64(len(name))
	}
	return n + r.Bytes()
}

// Read counts. With First, a user with a start before the first unit is in no cohort. The answer is shared: nobody changes it.
func (r *Retentions) Read(ctx context.Context, app model.AppID, q *RetentionQuery) (Retained, error) {
	ctx = plan.For(ctx, plan.RetentionOperator)
	if err := q.Validate(); err != nil {
		return Retained{}, err
	}
	q.Valued = q.Value != ""
	asks(ctx, func() explain.Question { return q.question(app) })
	about := fmt.Sprint("retention ", q.Retention, q.Step, q.Days, q.Last)
	return recollected(ctx, r.rows, app, q.rows(), about, Retained.bytes, func() (Retained, error) { return r.count(ctx, app, q) })
}

// count counts what Read returns.
func (r *Retentions) count(ctx context.Context, app model.AppID, q *RetentionQuery) (Retained, error) {
	from, _ := q.source()
	if from == rewrite.Cells {
		done, err := r.rows.take(ctx)
		if err != nil {
			return Retained{}, err
		}
		t, err := r.cells.sessionRetention(ctx, app, q, r.rows.limit)
		done()
		if !errors.Is(err, errCells) {
			return Retained{Tally: t, FromCells: true}, err
		}
		more := q.asked() // rows can say who began, too
		more.Chosen = true
		from, _ = rewrite.SourceOf(more)
		asks(ctx, func() explain.Question {
			again := q.question(app)
			again.Source, again.Reason = from.String(), noRoom
			return again
		})
	}
	if from == rewrite.Starts {
		if t, err := r.startsOfRows(ctx, app, q); !errors.Is(err, errCells) {
			return Retained{Tally: t}, err
		}
	}
	t, err := retention.NewTally(q.Retention, q.Breakdown != "")
	if err != nil {
		return Retained{}, err
	}
	names, err := r.rows.Each(ctx, app, q.rows(), func(_ uint32, rows []funnel.Row) { t.Add(rows) })
	return Retained{Tally: t, Names: names}, err
}

// rows is what is read: starts are the first step, those that are chosen the second, returns the third.
func (q *RetentionQuery) rows() *FunnelQuery {
	chosen := slices.Clone(q.Start)
	for i := range chosen {
		chosen[i].Filter = filter.And(chosen[i].Filter, q.Chosen)
	}
	start := q.Start
	if !q.First { // starts that are not chosen count for nothing
		start = chosen
	}
	return &FunnelQuery{
		Steps: [][]FunnelEvent{start, chosen, q.Return}, First: q.First, Matching: !q.Chosen.IsZero(),
		From: q.Units[0], To: q.last(), Breakdown: q.Breakdown, Value: q.Value, CountBy: q.CountBy,
	}
}

// last is the last moment (ms) of which rows matter.
func (q *RetentionQuery) last() int64 {
	if q.Mode == retention.OnOrAfter {
		return q.Known() - 1
	}
	oldest := q.Brackets[len(q.Brackets)-1].To + 1
	return min(q.Known(), max(q.Units[q.Cohorts], q.Begins(q.Cohorts-1, q.Units[q.Cohorts]-1, oldest))) - 1
}

// Activity counts how regularly users do what any one of some events is, from rows: all that are kept, so that it is known who is new. Units are
// those of a period, before is when the one before them begins (ms). It counts users, or what by says. The answer is shared: nobody changes it.
func (r *Retentions) Activity(ctx context.Context, app model.AppID, of []FunnelEvent, by CountBy, before int64, units []int64) (*retention.Activity, error) {
	ctx = plan.For(ctx, plan.RetentionOperator)
	a, err := retention.NewActivity(before, units)
	if err != nil {
		return nil, err
	}
	q := &FunnelQuery{Steps: [][]FunnelEvent{nil, nil, of}, CountBy: by, To: units[len(units)-1] - 1}
	about := fmt.Sprint("activity ", before, units)
	return Recalled(ctx, r.rows, app, q, about, (*retention.Activity).Bytes, func() (*retention.Activity, error) {
		_, err := r.rows.Each(ctx, app, q, func(_ uint32, rows []funnel.Row) { a.Add(rows) })
		return a, err
	})
}
