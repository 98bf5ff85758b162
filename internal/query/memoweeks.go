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
	for week := 1; week <= weeks; {
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
		take := func(at int, t *tally) {
			e := missing[at-week]
			e.sums = append(e.sums, sum{tally: tally{value: t.value, t: t.t}, u: t.cardinality()})
			e.note(t.largest())
			fn(at, &e.sums[len(e.sums)-1])
		}
		if len(missing) > 1 {
			if err := eachWeek(ctx, r, app, s, isoYear, week, next-1, take); err != nil {
				return err
			}
		} else { // this week, which changes: its other days are remembered
			from := key(week).from
			ts, err := r.sums(ctx, app, s, []span{{rollup.Day, from, rollup.Bucket(monday + period.Day(7*week) - 1)}}, everyCell)
			if err != nil {
				return err
			}
			for _, t := range ts.byValue() {
				take(week, t)
			}
		}
		for i, e := range missing {
			r.memo.put(key(week+i), e)
		}
		week = next
	}
	return nil
}
