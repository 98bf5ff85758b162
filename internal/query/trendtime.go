package query

import (
	"slices"

	"quipu/internal/period"
	"quipu/internal/store/events/plan"
)

// Lengths of buckets, ms.
const (
	hourMS = 60 * minuteMS
	dayMS  = 24 * hourMS
)

// mondayShift is how many days 1970-01-01, a Thursday, is after the Monday of its week.
const mondayShift = 3

// bucketExpr returns the number of the bucket that a row's time lies in, and what makes a bucket of such a number.
// Rows are in the period, hence not before 1970 on the local clock. Hours are those of the local clock: where it is set back, one bucket holds two of them.
func bucketExpr(p period.Period, step period.Step) (plan.Expr, func(int64) period.Bucket) {
	if step == period.AutoStep {
		step = p.Step
	}
	local := localTime(p)
	cut := func(first, last period.Day) period.Bucket {
		return period.Bucket{Step: step, First: max(first, p.First), Last: min(last, p.Last)}
	}
	switch step {
	case period.HourStep:
		return plan.Do(plan.Quo, local, plan.Is(hourMS)), func(n int64) period.Bucket {
			d, h := period.Hour(n).Split()
			return period.Bucket{Step: step, First: d, Last: d, Hour: h}
		}
	case period.WeekStep:
		week := plan.Do(plan.Quo, plan.Do(plan.Add, plan.Do(plan.Quo, local, plan.Is(dayMS)), plan.Is(mondayShift)), plan.Is(7))
		return week, func(n int64) period.Bucket {
			monday := period.Day(7*n - mondayShift)
			return cut(monday, monday+6)
		}
	case period.MonthStep, period.YearStep:
		buckets := slices.Collect(p.Buckets(step))
		starts := make([]int64, len(buckets))
		values := make([]int64, len(buckets))
		for i, b := range buckets {
			starts[i], values[i] = p.Calendar().DayStart(b.First), int64(i)
		}
		return stepwise(starts, values), func(n int64) period.Bucket { return buckets[n] }
	case period.AutoStep, period.DayStep:
	}
	return plan.Do(plan.Quo, local, plan.Is(dayMS)), func(n int64) period.Bucket { return cut(period.Day(n), period.Day(n)) }
}

// localTime is the time (ms) that the local clock shows at a row's, as if it were UTC.
func localTime(p period.Period) plan.Expr {
	aheads := p.Calendar().Aheads(p.Start, p.End)
	if len(aheads) == 1 && aheads[0].By == 0 {
		return plan.Ev("ts")
	}
	starts, by := make([]int64, len(aheads)), make([]int64, len(aheads))
	for i, a := range aheads {
		starts[i], by[i] = a.From, a.By
	}
	return plan.Do(plan.Add, plan.Ev("ts"), stepwise(starts, by))
}

// stepwise is the value that holds at a row's time: each from its start (ms) to that of the next. The first holds before
// its start, too. There is at least one.
func stepwise(starts, values []int64) plan.Expr {
	if len(values) == 1 {
		return plan.Is(values[0])
	}
	half := len(values) / 2
	return plan.Do(plan.If, plan.Do(plan.Lt, plan.Ev("ts"), plan.Is(starts[half])), stepwise(starts[:half], values[:half]), stepwise(starts[half:], values[half:]))
}
