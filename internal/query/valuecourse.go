package query

import (
	"context"
	"math"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// ValueOf names a value of a series.
type ValueOf struct {
	Series rollup.Series
	Value  string
}

// Courses calls fn for each year, month and day in which a value of a series has cells, with what they add up to and the number of its users. at is the year, the month
// and the day; those that are missing stand for all. i is the place of the value in of. c has no users and is valid only during the call.
func (q *Query) Courses(ctx context.Context, app model.AppID, of []ValueOf, fn func(i int, at []int, c *rollup.Cell, users int64)) (err error) {
	defer q.enter(&ctx, &err)()
	held := readingOf(ctx)
	for i := range of {
		emit := func(c *rollup.Cell, users int64, at ...int) error {
			if held.take(levelBytes) { // what fn makes of it
				fn(i, at, c, users)
			}
			return held.failed()
		}
		if err := q.yearsOf(ctx, app, of[i], emit); err != nil {
			return err
		}
		err := q.cells.counts(ctx, app, of[i].Series, rollup.Day, 0, math.MaxUint32, func(b rollup.Bucket, value string, c *rollup.Cell, users int64) error {
			if value != of[i].Value {
				return nil
			}
			y, m, d := period.Day(b).Date()
			return emit(c, users, y, m, d)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// yearsOf calls fn for the months of a value and for the years that they make up. It holds the users of one year.
func (q *Query) yearsOf(ctx context.Context, app model.AppID, of ValueOf, fn func(c *rollup.Cell, users int64, at ...int) error) error {
	held, year, sum, users := readingOf(ctx), 0, rollup.Cell{}, roaring.New()
	end := func() error {
		if year == 0 {
			return nil
		}
		n := int64(users.GetCardinality()) // at most 2^32
		held.give(sizeOf(users))
		users.Clear()
		return fn(&sum, n, year)
	}
	err := q.cells.Scan(ctx, app, of.Series, rollup.Month, 0, math.MaxUint32, func(b rollup.Bucket, value string, c *rollup.Cell) error {
		if value != of.Value {
			return nil
		}
		y, m, _ := period.Month(b).First().Date()
		if y != year {
			if err := end(); err != nil {
				return err
			}
			year, sum = y, rollup.Cell{}
		}
		sum.Count, sum.New = rollup.AddCount(sum.Count, c.Count), rollup.AddCount(sum.New, c.New)
		held.unite(users, c)
		month := *c
		month.Users = nil
		return fn(&month, int64(rollup.CountUsers(c.Users).N), y, m) // at most 2^32
	})
	if err != nil {
		return err
	}
	return end()
}
