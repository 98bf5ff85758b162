package rollup

import (
	"context"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
)

// UnionUsers returns the users of a series on the local days from … to, both
// included: exact uniques of any span. Months that lie in the span as a whole
// are read from month cells, the other days from day cells. keep selects
// values; nil keeps all. The caller owns the result.
func UnionUsers(ctx context.Context, r Reader, app model.AppID, s Series, keep func(value string) bool, from, to Bucket) (*roaring.Bitmap, error) {
	union := roaring.New()
	err := scanDays(ctx, r, app, s, from, to, func(value string, c *Cell) {
		if c.Users != nil && (keep == nil || keep(value)) {
			union.Or(c.Users)
		}
	})
	if err != nil {
		return nil, err
	}
	union.CloneCopyOnWriteContainers()
	return union, nil
}

// UnionUsersByValue is UnionUsers for every value on its own. Values without
// users in the span are missing.
func UnionUsersByValue(ctx context.Context, r Reader, app model.AppID, s Series, from, to Bucket) (map[string]*roaring.Bitmap, error) {
	unions := map[string]*roaring.Bitmap{}
	err := scanDays(ctx, r, app, s, from, to, func(value string, c *Cell) {
		if c.Users == nil {
			return
		}
		u, ok := unions[value]
		if !ok {
			u = roaring.New()
			unions[value] = u
		}
		u.Or(c.Users)
	})
	if err != nil {
		return nil, err
	}
	for _, u := range unions {
		u.CloneCopyOnWriteContainers()
	}
	return unions, nil
}

// span is a run of buckets of one grain, both ends included.
type span struct {
	grain    Grain
	from, to Bucket
}

// scanDays calls fn for the cells that together cover the days.
func scanDays(ctx context.Context, r Reader, app model.AppID, s Series, from, to Bucket, fn func(value string, c *Cell)) error {
	for _, p := range spansOf(from, to) {
		err := r.Scan(ctx, app, s, p.grain, p.from, p.to, func(_ Bucket, value string, c *Cell) error {
			fn(value, c)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// spansOf splits days into the days before the first whole month, the whole
// months, and the days after the last.
func spansOf(from, to Bucket) []span {
	if from > to {
		return nil
	}
	first, last := MonthOfDay(from), MonthOfDay(to)
	if FirstDay(first) != from {
		first++
	}
	if FirstDay(last+1) != to+1 {
		last--
	}
	if first > last {
		return []span{{Day, from, to}}
	}
	var out []span
	if d := FirstDay(first); d > from {
		out = append(out, span{Day, from, d - 1})
	}
	out = append(out, span{Month, first, last})
	if d := FirstDay(last + 1); d <= to {
		out = append(out, span{Day, d, to})
	}
	return out
}

// MonthOfDay returns the month bucket that holds a day bucket.
func MonthOfDay(day Bucket) Bucket {
	y, m, _ := time.Unix(int64(day)*86400, 0).UTC().Date()
	return Bucket(y*12 + int(m) - 1)
}

// FirstDay returns the day bucket of the first day of a month bucket.
func FirstDay(month Bucket) Bucket {
	t := time.Date(int(month)/12, time.Month(int(month)%12+1), 1, 0, 0, 0, 0, time.UTC)
	return Bucket(t.Unix() / 86400)
}
