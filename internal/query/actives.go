package query

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/active"
	"quipu/internal/query/explain"
	"quipu/internal/query/funnel"
	"quipu/internal/query/rewrite"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
)

// ActiveQuery says which users are asked for, and by which days. docs/reference/active-users.md defines the figures.
type ActiveQuery struct {
	active.Question
	// Calendar cuts time into days. AppDays says that these are the days of the app's zone, by which cells are kept.
	Calendar *period.Calendar
	AppDays  bool
	// Of is what any one of makes a user active.
	Of []FunnelEvent
	// Filter selects among what makes users active.
	Filter filter.Expr
	// Breakdown is the path of what makes up the groups; "" = there are none.
	Breakdown string
}

// ActiveUsers is the answer to an ActiveQuery.
type ActiveUsers struct {
	*active.Tally
	// Names are those of groups.
	Names FunnelGroups
	// FromCells says that cells answered.
	FromCells bool
}

// bytes is about what the answer takes in memory.
func (a ActiveUsers) bytes() int64 {
	n := int64(200)
	for _, name := range a.Names {
		n += 16 + int64(len(name))
	}
	return n + a.Bytes()
}

// Actives counts active users, from cells where they answer, else from rows. It is safe for concurrent use; one count at a time holds
// users or rows in memory.
type Actives struct {
	cells *Query
	rows  *Funnels
}

// NewActives returns a reader of cells and rows that holds as much of either in memory as rows does, in its turn.
func NewActives(cells *Query, rows *Funnels) *Actives { return &Actives{cells: cells, rows: rows} }

// Forget drops what is remembered of answers about an app.
func (a *Actives) Forget(app model.AppID) {
	if a.rows.tables.answers != nil {
		a.rows.tables.answers.forget(app)
	}
}

// Read counts. The answer is shared: nobody changes it.
func (a *Actives) Read(ctx context.Context, app model.AppID, q *ActiveQuery) (ActiveUsers, error) {
	ctx = plan.For(ctx, plan.ActiveOperator)
	about := fmt.Sprint("active users ", q.Question, q.Calendar.Location(), q.AppDays)
	asks(ctx, func() explain.Question { return q.question(app) })
	return recollected(ctx, a.rows, app, q.rows(), about, ActiveUsers.bytes, func() (ActiveUsers, error) { return a.count(ctx, app, q) })
}

// rows is what is read where cells do not answer.
func (q *ActiveQuery) rows() *FunnelQuery {
	return &FunnelQuery{
		Steps: [][]FunnelEvent{q.Of}, Filter: q.Filter, Breakdown: q.Breakdown,
		From: q.Calendar.DayStart(q.From()), To: q.Calendar.DayEnd(q.To()),
	}
}

// count counts what Read returns.
func (a *Actives) count(ctx context.Context, app model.AppID, q *ActiveQuery) (ActiveUsers, error) {
	t := active.New(q.Question, q.Breakdown != "")
	from, _ := q.Source()
	if q.To() < q.From() {
		t.Finish()
		return ActiveUsers{Tally: t, FromCells: from == rewrite.Cells}, nil
	}
	if from == rewrite.Cells {
		done, err := a.rows.take(ctx)
		if err != nil {
			return ActiveUsers{}, err
		}
		err = a.cells.activeDays(ctx, app, q.Question, t, a.rows.limit)
		done()
		if err == nil {
			t.Finish()
			return ActiveUsers{Tally: t, FromCells: true}, nil
		}
		if !errors.Is(err, errCells) {
			return ActiveUsers{}, err
		}
		t = active.New(q.Question, false)
		asks(ctx, func() explain.Question {
			again := q.question(app)
			again.Source, again.Reason = rewrite.Rows.String(), noRoom
			return again
		})
	}
	var days []active.Row
	names, err := a.rows.Each(ctx, app, q.rows(), func(_ uint32, rows []funnel.Row) {
		days = days[:0]
		for _, r := range rows {
			row := active.Row{Day: q.Calendar.DayBucket(r.TS), Group: r.Group}
			if n := len(days); n == 0 || days[n-1] != row {
				days = append(days, row)
			}
		}
		t.AddUser(days)
	})
	t.Finish()
	return ActiveUsers{Tally: t, Names: names}, err
}

// activeDays counts the users of the cells of days. It remembers of each user the last day, in no more than limit bytes; where that is too little,
// it gives errCells.
func (q *Query) activeDays(ctx context.Context, app model.AppID, asked active.Question, t *active.Tally, limit int64) (err error) {
	defer q.enter(&ctx, &err)()
	from, until := asked.From(), min(asked.Last, asked.Known)
	var (
		last []uint16 // the day counted from from, and 1; 0 = none
		gaps [active.Never + 1]int64
		buf  [1024]uint32
	)
	err = q.cells.Scan(ctx, app, rollup.Series{Metric: rollup.Users}, rollup.Day, rollup.Bucket(from), rollup.Bucket(asked.To()), func(b rollup.Bucket, _ string, c *rollup.Cell) error {
		if c.Users == nil || c.Users.IsEmpty() {
			return nil
		}
		if most := int(c.Users.Maximum()) + 1; most > len(last) {
			if int64(most)*2 > limit {
				return errCells
			}
			most = min(max(most, 2*len(last)), int(limit/2))
			last = append(last, make([]uint16, most-len(last))...)
		}
		day := period.Day(b)
		now := uint16(day-from) + 1        // periods are shorter
		first := int(asked.First-from) + 1 // days before it do not count for the users of the period
		within := now >= uint16(first) && day <= until
		clear(gaps[:])
		it := c.Users.ManyIterator()
		for n := it.NextMany(buf[:]); n > 0; n = it.NextMany(buf[:]) {
			for _, uid := range buf[:n] {
				was := last[uid]
				last[uid] = now
				gap := int(now) - int(was)
				if was == 0 || gap > active.Never {
					gap = active.Never
				}
				gaps[gap]++
				if within && int(was) < first {
					t.Users++
				}
			}
		}
		for gap, users := range gaps {
			if users > 0 {
				t.Add(day, gap, users)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("active users: %w", err)
	}
	return nil
}
