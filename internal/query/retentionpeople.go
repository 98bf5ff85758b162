package query

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/explain"
	"quipu/internal/query/funnel"
	"quipu/internal/query/retention"
	"quipu/internal/query/rewrite"
	"quipu/internal/store/events/plan"
)

// People returns the numbers of the users whom Read counts in a bracket of a cohort, both by their places, in ascending order; those of the whole cohort with
// the bracket -1. Cells answer where they do in Read.
func (r *Retentions) People(ctx context.Context, app model.AppID, q *RetentionQuery, cohort, bracket int) ([]uint32, error) {
	ctx = plan.For(ctx, plan.RetentionOperator)
	if err := q.Validate(); err != nil {
		return nil, err
	}
	if bracket >= 0 && !q.Begun(cohort, bracket) {
		return nil, nil
	}
	asks(ctx, func() explain.Question { return q.question(app) })
	if from, _ := q.source(); from == rewrite.Cells {
		users, err := q.peopleOfCells(ctx, r.cells, app, cohort, bracket)
		if err != nil {
			return nil, err
		}
		return users.ToArray(), nil
	}
	t, err := retention.NewTally(q.Retention, false)
	if err != nil {
		return nil, err
	}
	var out []uint32
	in := false
	t.Watch(func(c int, found []retention.Cell) {
		in = in || c == cohort && (bracket < 0 || found[bracket].Users > 0)
	})
	_, err = r.rows.Each(ctx, app, q.rows(), func(uid uint32, rows []funnel.Row) {
		in = false
		if t.Add(rows); in {
			out = append(out, uid)
		}
	})
	return out, err
}

// Accounts is People where accounts are counted: their names, in order.
func (r *Retentions) Accounts(ctx context.Context, app model.AppID, q *RetentionQuery, cohort, bracket int) ([]string, error) {
	ctx = plan.For(ctx, plan.RetentionOperator)
	if err := q.Validate(); err != nil {
		return nil, err
	}
	if bracket >= 0 && !q.Begun(cohort, bracket) {
		return []string{}, nil
	}
	t, err := retention.NewTally(q.Retention, false)
	if err != nil {
		return nil, err
	}
	in := false
	t.Watch(func(c int, found []retention.Cell) {
		in = in || c == cohort && (bracket < 0 || found[bracket].Users > 0)
	})
	return r.rows.Members(ctx, app, q.rows(), func(rows []funnel.Row) bool {
		in = false
		t.Add(rows)
		return in
	})
}

// peopleOfCells are the users of a bracket, -1 of the whole cohort, by the users of daily cells.
func (q *RetentionQuery) peopleOfCells(ctx context.Context, cells *Query, app model.AppID, cohort, bracket int) (*roaring.Bitmap, error) {
	between := func(first, last period.Day) (*roaring.Bitmap, error) {
		all := roaring.New()
		err := scanUsers(ctx, cells.cells, app, first, min(last, q.Last), func(users *roaring.Bitmap) error {
			all.Or(users)
			return nil
		})
		return all, err
	}
	users, err := between(q.Days[cohort], q.Days[cohort+1]-1)
	if err != nil {
		return nil, err
	}
	if q.First {
		before, err := between(0, q.Days[cohort]-1)
		if err != nil {
			return nil, err
		}
		users.AndNot(before)
	}
	if bracket < 0 {
		return users, nil
	}
	known := q.known()
	with := func(from, to int) error { // ages
		to = min(cohort+to, known-1)
		if cohort+from > to {
			users.Clear()
			return nil
		}
		came, err := between(q.Days[cohort+from], q.Days[to+1]-1)
		if err == nil {
			users.And(came)
		}
		return err
	}
	of := q.Brackets[bracket]
	switch q.Mode {
	case retention.On:
		err = with(of.From, of.To)
	case retention.OnOrAfter:
		err = with(of.From, known)
	case retention.OnOrBefore:
		err = with(q.Brackets[0].From, of.To)
	case retention.Streak:
		for b := 0; err == nil && b <= bracket; b++ {
			err = with(q.Brackets[b].From, q.Brackets[b].To)
		}
	}
	return users, err
}
