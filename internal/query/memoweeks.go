package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// weeks implements Cells.
func (r *remembering) weeks(ctx context.Context, app model.AppID, s rollup.Series, isoYear int, fn func(week int, t *sum)) error {
	monday, weeks := period.WeekStart(isoYear), weeksOf(isoYear)
	key := func(week int) memoKey {
		return memoKey{app: app, series: s, kind: memoWeek, from: rollup.Bucket(max(monday+period.Day(7*(week-1)), 0))}
	}
	look := func(week int) (*memoEntry, uint64) {
		k := key(week)
		generation := r.memo.changes.Generation(app, rollup.Day, k.from, k.from+6)
		return r.memo.get(k, generation), generation
	}
	held := readingOf(ctx)
	for week := 1; week <= weeks; {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, generation := look(week)
		if e != nil {
			for i := range e.sums {
				fn(week, &e.sums[i])
			}
			week++
			continue
		}
		missing := []*memoEntry{r.memo.begin(generation)}
		next := week + 1
		for ; next <= weeks; next++ {
			e, generation := look(next)
			if e != nil {
				break
			}
			missing = append(missing, r.memo.begin(generation))
		}
		first, taken := week, int64(0)
		keep := func(until int) { // what is complete
			for ; week < until; week++ {
				r.memo.put(key(week), missing[week-first])
				missing[week-first] = nil
			}
			held.give(taken)
			taken = 0
		}
		take := func(at int, t *tally) {
			if at > week {
				keep(at)
			}
			n := sumBytes + int64(len(t.value))
			if !held.take(n) {
				return
			}
			taken += n
			e := missing[at-first]
			e.sums = append(e.sums, sum{tally: tally{value: t.value, t: t.t}, u: t.cardinality()})
			e.note(t.largest())
			fn(at, &e.sums[len(e.sums)-1])
		}
		if len(missing) > 1 {
			if err := eachWeek(ctx, r, app, s, isoYear, first, next-1, take); err != nil {
				return err
			}
		} else { // this week, which changes: its other days are remembered
			from := key(first).from
			ts, err := r.sums(ctx, app, s, []span{{rollup.Day, from, rollup.Bucket(monday + period.Day(7*first) - 1)}}, everyCell)
			if err != nil {
				return err
			}
			for _, t := range ts.byValue() {
				take(first, t)
			}
		}
		if err := held.failed(); err != nil {
			return err
		}
		keep(next)
	}
	return nil
}
